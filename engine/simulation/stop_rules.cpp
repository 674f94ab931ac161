// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/stop_rules.hpp"

#include "engine/query/rest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::simulation {

namespace {

/// Times are sums of steps: a rule from 1 s on must not wait a step for round-off.
bool is_due(const model::StopSettings& rules, const Simulation& simulation) {
    return simulation.time() >= rules.after - 1e-9 * simulation.scene().settings.time.step;
}

}  // namespace

double rest_speed(const model::Scene& scene) {
    const model::Settings& settings = scene.settings;
    if (settings.stop.rest_speed > 0.0) return settings.stop.rest_speed;
    const double residual = settings.solver.tolerance * norm(scene.gravity) * settings.time.step;
    return std::max(query::RestRule{}.speed, 10.0 * residual);
}

void watch_rest(Simulation& simulation, RunStatistics& statistics) {
    const model::StopSettings& rules = simulation.scene().settings.stop;
    if (!(rules.rest_time > 0.0) || !is_due(rules, simulation) || simulation.is_feeding()) return;
    const double speed = rest_speed(simulation.scene());
    const bool slow = statistics.last().kinetic_translation < 0.5 * simulation.free_mass() * speed * speed &&
                      query::all_slow(simulation.snapshot(false), speed);
    statistics.note_rest(slow, simulation.time());
}

std::optional<std::string> stop_reason(const model::StopSettings& rules, Simulation& simulation,
                                       const RunStatistics& statistics, double wall_seconds) {
    if (!is_due(rules, simulation)) return std::nullopt;
    if (wall_seconds > rules.wall_clock)
        return fmt::format("{:.1f} s on the clock exceed stop.wall_clock = {:.1f} s", wall_seconds, rules.wall_clock);
    // Nothing is at rest, or over, while bodies are to come.
    if (simulation.is_feeding()) return std::nullopt;
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
    const double rested = simulation.time() - statistics.slow_since();  // -infinity in motion
    if (rules.rest_time > 0.0 && simulation.free_count() > 0 && rested >= rules.rest_time * (1.0 - 1e-9))
        return fmt::format(
            "at rest: no free body has been faster than stop.rest_speed = {:.3g} m/s for {:.3g} s (stop.rest_time = "
            "{:.3g} s)",
            rest_speed(simulation.scene()), rested, rules.rest_time);
    if (rules.use_bodies_left && std::uint64_t(simulation.free_count()) <= rules.bodies_left)
        return fmt::format("{} free bodies are left (stop.bodies_left = {})", simulation.free_count(),
                           rules.bodies_left);
    return std::nullopt;
}

}  // namespace scree::simulation
