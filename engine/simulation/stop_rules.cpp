// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/stop_rules.hpp"

#include <fmt/format.h>
#include <cmath>

namespace scree::simulation {

std::optional<std::string> stop_reason(const model::StopSettings& rules, Simulation& simulation,
                                       const RunStatistics& statistics, double wall_seconds) {
    // Times are sums of steps: a rule from 1 s on must not wait a step for round-off.
    if (simulation.time() < rules.after - 1e-9 * simulation.scene().settings.time.step) return std::nullopt;
    const double mass = simulation.free_mass();
    if (rules.kinetic_energy_per_mass > 0.0 && simulation.free_count() > 0 && mass > 0.0) {
        const auto& last = statistics.last();
        const double energy = (last.kinetic_translation + last.kinetic_rotation) / mass;
        if (energy < rules.kinetic_energy_per_mass)
            return fmt::format("kinetic energy per mass {:.3g} J/kg is below stop.kinetic_energy_per_mass = {:.3g}",
                               energy, rules.kinetic_energy_per_mass);
    }
    if (rules.unbalanced_force > 0.0 && statistics.last().contacts > 0) {
        const double force = simulation.unbalanced_force();
        if (force < rules.unbalanced_force)
            return fmt::format("unbalanced force {:.3g} is below stop.unbalanced_force = {:.3g}", force,
                               rules.unbalanced_force);
    }
    if (rules.use_bodies_left && std::uint64_t(simulation.free_count()) <= rules.bodies_left)
        return fmt::format("{} free bodies are left (stop.bodies_left = {})", simulation.free_count(),
                           rules.bodies_left);
    if (wall_seconds > rules.wall_clock)
        return fmt::format("{:.1f} s on the clock exceed stop.wall_clock = {:.1f} s", wall_seconds, rules.wall_clock);
    return std::nullopt;
}

}  // namespace scree::simulation
