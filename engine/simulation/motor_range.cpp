// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/motor_range.hpp"

#include "engine/geometry/bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::simulation {

using Motor = model::JointAxis::Motor;

double largest_target(Motor motor, bool turns, const std::array<const model::Sphere*, 2>& bodies,
                      const geometry::SourceSolids& solids, double step) {
    double radius = 0.0, inertia = std::numeric_limits<double>::infinity();  // of the lightest body that moves
    for (const model::Sphere* body : bodies) {
        if (body == nullptr) continue;
        radius = std::max(radius, body->radius);
        if (body->fixed) continue;
        const geometry::SolidFacts facts = solids.facts(*body);
        inertia = std::min(inertia, turns ? std::min({facts.inertia.x, facts.inertia.y, facts.inertia.z}) : facts.mass);
    }
    const double speed = turns ? geometry::fastest_speed / radius : geometry::fastest_speed;
    return motor == Motor::speed ? speed : motor == Motor::position ? speed * step : speed * inertia / step;
}

std::string beyond_range(Motor motor, bool turns, double value, double largest) {
    const char* unit = motor == Motor::speed      ? (turns ? "rad/s" : "m/s")
                       : motor == Motor::position ? (turns ? "rad" : "m")
                                                  : (turns ? "N m" : "N");
    return fmt::format("{:g} {} is beyond what the step can compute with (allowed: at most {:g} {})", value, unit,
                       largest, unit);
}

std::optional<std::string> target_beyond(const model::JointAxis& axis, bool turns, double largest) {
    if (!axis.target.expression.empty()) return std::nullopt;
    const auto is_beyond = [&](double value) { return !(std::abs(value) <= largest); };
    for (const auto& [time, value] : axis.target.table)
        if (is_beyond(value))
            return fmt::format("table at t = {:g} s: {}", time, beyond_range(axis.motor, turns, value, largest));
    if (axis.target.table.empty() && is_beyond(axis.target.constant))
        return "target " + beyond_range(axis.motor, turns, axis.target.constant, largest);
    return std::nullopt;
}

}  // namespace scree::simulation
