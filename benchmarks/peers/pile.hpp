// SPDX-License-Identifier: BSD-3-Clause
// What the drivers of other engines share: a pile of equal spheres between five planes, from and to the records of
// `scree export` (13 little-endian doubles a body), and the line that piles.py reads.
//
//   DRIVER IN.bin OUT.bin SOLVER ITERATIONS STEPS H RADIUS DENSITY FRICTION WIDTH
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

namespace scree::benchmarks {

/// position [m], quaternion w x y z, velocity [m/s], angular velocity in body axes [rad/s]
using PileRecord = std::array<double, 13>;

struct Pile {
    std::string target, solver;
    int iterations = 0, steps = 0;
    /// Walls: z = 0, x and y = +- width / 2. Restitution is 0, gravity 9.81 m/s^2.
    double h = 0.0, radius = 0.0, density = 0.0, friction = 0.0, width = 0.0;
    std::vector<PileRecord> bodies;

    [[nodiscard]] double mass() const { return density * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius; }
    [[nodiscard]] double inertia() const { return 0.4 * mass() * radius * radius; }
};

/// A point and the normal into the free side.
struct PileWall {
    std::array<double, 3> normal;
    double offset;  ///< normal . x of its points [m]
};

inline std::array<PileWall, 5> walls_of(const Pile& pile) {
    const double half = 0.5 * pile.width;
    return {{{{0, 0, 1}, 0.0}, {{1, 0, 0}, -half}, {{-1, 0, 0}, -half}, {{0, 1, 0}, -half}, {{0, -1, 0}, -half}}};
}

inline Pile read_pile(int count, char** words) {
    if (count != 11) {
        std::fprintf(stderr, "usage: %s IN.bin OUT.bin SOLVER ITERATIONS STEPS H RADIUS DENSITY FRICTION WIDTH\n",
                     words[0]);
        std::exit(1);
    }
    Pile pile;
    pile.target = words[2];
    pile.solver = words[3];
    pile.iterations = std::atoi(words[4]);
    pile.steps = std::atoi(words[5]);
    double* const values[] = {&pile.h, &pile.radius, &pile.density, &pile.friction, &pile.width};
    for (std::size_t k = 0; k < 5; ++k) *values[k] = std::atof(words[6 + k]);
    std::ifstream file(words[1], std::ios::binary);
    PileRecord record;
    while (file.read(reinterpret_cast<char*>(record.data()), sizeof record)) pile.bodies.push_back(record);
    if (pile.bodies.empty() || pile.steps < 1 || pile.iterations < 1) {
        std::fprintf(stderr, "error: %s holds no records, or no steps or iterations are asked for\n", words[1]);
        std::exit(2);
    }
    return pile;
}

/// Takes the steps, then writes where the bodies are. `step` takes one step, `record` reads body i.
template <class Step, class Record>
int run_pile(const Pile& pile, const char* version, const char* precision, const Step& step, const Record& record) {
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t processor = std::clock();
    std::size_t contacts = 0;
    for (int k = 0; k < pile.steps; ++k) contacts = step();
    const double cpu = double(std::clock() - processor) / CLOCKS_PER_SEC;
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::ofstream file(pile.target, std::ios::binary);
    for (std::size_t i = 0; i < pile.bodies.size(); ++i) {
        const PileRecord body = record(i);
        file.write(reinterpret_cast<const char*>(body.data()), sizeof body);
    }
    std::printf(
        "{\"version\": \"%s\", \"precision\": \"%s\", \"contacts\": %zu, \"cpu_seconds\": %.6g, \"wall_seconds\": "
        "%.6g}\n",
        version, precision, contacts, cpu, wall);
    return file.flush() ? 0 : 4;
}

}  // namespace scree::benchmarks
