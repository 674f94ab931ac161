// SPDX-License-Identifier: BSD-3-Clause
// Comparing runs of step engines: bit by bit, or body by body.
#pragma once

#include "kernels/step/step_engine.hpp"
#include "tests/support/reference_problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace scree::test {

/// Names the first array in which two states differ in any bit, and where; empty when there is none.
inline std::string first_difference(const kernels::EngineState& a, const kernels::EngineState& b) {
    std::string found;
    const auto compare = [&](const char* name, const auto& x, const auto& y) {
        if (!found.empty() || x == y) return;
        if (x.size() != y.size()) {
            found = std::string(name) + ": " + std::to_string(x.size()) + " against " + std::to_string(y.size());
            return;
        }
        const auto at = std::mismatch(x.begin(), x.end(), y.begin());
        found = std::string(name) + "[" + std::to_string(at.first - x.begin()) + "]: " + std::to_string(*at.first) +
                " against " + std::to_string(*at.second);
    };
    compare("id", a.id, b.id);
    compare("position", a.position, b.position);
    compare("orientation", a.orientation, b.orientation);
    compare("velocity", a.velocity, b.velocity);
    compare("free_velocity", a.free_velocity, b.free_velocity);
    compare("inverse_mass", a.inverse_mass, b.inverse_mass);
    compare("material", a.material, b.material);
    compare("a_start", a.a_start, b.a_start);
    compare("partner", a.partner, b.partner);
    compare("g", a.g, b.g);
    compare("m", a.m, b.m);
    compare("motion", a.motion, b.motion);
    compare("solver_memory", std::vector<double>{a.solver_memory}, std::vector<double>{b.solver_memory});
    compare("step", std::vector<std::int64_t>{a.step}, std::vector<std::int64_t>{b.step});
    return found;
}

/// Sum of m v over free bodies from rows of six; the fourth number is the sum of m |v|.
inline std::array<double, 4> momentum(const std::vector<double>& velocity, const std::vector<double>& inverse_mass) {
    std::array<double, 4> sum{};
    for (std::size_t i = 0; 2 * i < inverse_mass.size(); ++i) {
        if (inverse_mass[2 * i] <= 0.0) continue;
        const double mass = 1.0 / inverse_mass[2 * i];
        for (std::size_t k = 0; k < 3; ++k) sum[k] += mass * velocity[6 * i + k];
        sum[3] += mass * std::hypot(velocity[6 * i], velocity[6 * i + 1], velocity[6 * i + 2]);
    }
    return sum;
}

/// Velocities by id: v and, in the same unit, radius times w.
inline std::map<kernels::Index, std::array<double, 6>> velocities_by_id(kernels::StepEngine& engine) {
    kernels::BodyDownload bodies;
    engine.download(bodies);
    std::map<kernels::Index, std::array<double, 6>> result;
    for (std::size_t i = 0; i < bodies.id.size(); ++i)
        for (std::size_t k = 0; k < 6; ++k)
            result[bodies.id[i]][k] = bodies.velocity[6 * i + k] * (k < 3 ? 1.0 : bodies.position[4 * i + 3]);
    return result;
}
/// Largest difference of a component [m/s]; infinite when the bodies are not the same.
inline double largest_velocity_difference(kernels::StepEngine& a, kernels::StepEngine& b) {
    const auto x = velocities_by_id(a), y = velocities_by_id(b);
    double largest = x.size() == y.size() ? 0.0 : HUGE_VAL;
    for (const auto& [id, v] : x) {
        const auto other = y.find(id);
        if (other == y.end()) return HUGE_VAL;
        for (std::size_t k = 0; k < 6; ++k) largest = std::max(largest, std::abs(v[k] - other->second[k]));
    }
    return largest;
}

/// The last step's cone problem as the reference sees it (without rolling rows).
inline ReferenceProblem problem_of(const kernels::ProblemDownload& d, bool coulomb) {
    ReferenceProblem p;
    p.coulomb = coulomb;
    p.inverse_mass = d.inverse_mass;
    p.free_velocity = d.free_velocity;
    for (std::size_t c = 0; c < d.a.size(); ++c) {
        ReferenceContact k;
        k.a = d.a[c];
        k.b = d.b[c];
        k.n = Eigen::Vector3d(d.normal[3 * c], d.normal[3 * c + 1], d.normal[3 * c + 2]);
        k.lever_a = d.lever_a[c];
        k.lever_b = d.lever_b[c];
        k.bias = d.bias[c];
        k.friction = d.friction[c];
        k.compliance = d.compliance[c];
        k.wall_velocity =
            Eigen::Vector3d(d.wall_velocity[3 * c], d.wall_velocity[3 * c + 1], d.wall_velocity[3 * c + 2]);
        p.contacts.push_back(k);
    }
    return p;
}

}  // namespace scree::test
