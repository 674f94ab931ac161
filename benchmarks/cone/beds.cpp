// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/cone/beds.hpp"

#include "engine/scene/load.hpp"
#include "engine/simulation/simulation.hpp"

#include <array>
#include <numbers>

namespace scree::benchmarks {

using kernels::Index;

kernels::ProblemDownload settled_pile(const std::string& name) {
    simulation::Simulation simulation(scene::load_scene(std::string(SCREE_SOURCE_DIR "/scenes/") + name + ".yaml"));
    for (int i = 0; i < 3; ++i) simulation.step();
    return simulation.problem();
}

kernels::ProblemDownload touching_lattice(Index side) {
    constexpr double radius = 0.05, friction = 0.5, fall = -9.81e-3;
    const double mass = 2500.0 * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
    const double inertia = 0.4 * mass * radius * radius;
    kernels::ProblemDownload p;
    p.bodies = side * side * side;
    const auto n = std::size_t(p.bodies);
    const auto add = [&](Index a, Index b, std::array<double, 3> normal) {
        p.a.push_back(a);
        p.b.push_back(b);
        p.normal.insert(p.normal.end(), normal.begin(), normal.end());
    };
    for (Index z = 0; z < side; ++z)
        for (Index y = 0; y < side; ++y)
            for (Index x = 0; x < side; ++x) {
                const Index i = (z * side + y) * side + x;
                if (x + 1 < side) add(i, i + 1, {1, 0, 0});
                if (y + 1 < side) add(i, i + side, {0, 1, 0});
                if (z + 1 < side) add(i, i + side * side, {0, 0, 1});
                if (z == 0) add(i, -1, {0, 0, -1});
            }
    const std::size_t contacts = p.a.size();
    p.lever_a.assign(contacts, radius);
    p.lever_b.assign(contacts, radius);
    p.bias.assign(contacts, 0.0);
    p.friction.assign(contacts, friction);
    p.compliance.assign(contacts, 0.0);
    p.wall_velocity.assign(3 * contacts, 0.0);
    for (std::size_t i = 0; i < contacts; ++i)
        if (p.b[i] < 0) p.lever_b[i] = 0.0;
    p.inverse_mass.resize(2 * n);
    p.free_velocity.assign(6 * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        p.inverse_mass[2 * i] = 1.0 / mass;
        p.inverse_mass[2 * i + 1] = 1.0 / inertia;
        p.free_velocity[6 * i + 2] = fall;
    }
    return p;
}

}  // namespace scree::benchmarks
