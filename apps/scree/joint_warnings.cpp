// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/joint_warnings.hpp"

#include "engine/simulation/joint_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::app {
namespace {

/// Of a constant or a table [rad/s]; 0 of an expression.
double fastest(const model::Course& course) {
    if (!course.expression.empty()) return 0.0;
    if (course.table.empty()) return course.constant;
    return std::max_element(course.table.begin(), course.table.end(),
                            [](const auto& a, const auto& b) { return std::abs(a.second) < std::abs(b.second); })
        ->second;
}

}  // namespace

void warn_of_motors(std::vector<std::string>& warnings, const model::Scene& scene) {
    for (std::size_t j = 0; j < scene.joints.size(); ++j) {
        const model::Joint& joint = scene.joints[j];
        if (!joint.has_turn() || joint.turn.motor != model::JointAxis::Motor::speed) continue;
        const double speed = fastest(joint.turn.target), step = scene.settings.time.step;
        if (!(std::abs(speed) * step >= std::numbers::pi)) continue;
        const std::string place = joint.line > 0 ? fmt::format(" ({}:{})", scene.path, joint.line) : "";
        warnings.push_back(fmt::format(
            "joint '{}'{}: its motor's speed {:g} rad/s is {:.3g} turns in one step; from half a turn on, turns are "
            "counted wrongly [use time.step < {:.3g} s or a lower speed]",
            simulation::joint_name(scene, j), place, speed, std::abs(speed) * step / (2.0 * std::numbers::pi),
            std::numbers::pi / std::abs(speed)));
    }
}

}  // namespace scree::app
