// SPDX-License-Identifier: BSD-3-Clause
// The state of joints, and a pendulum of a hinge and a ball.
#pragma once

#include "tests/support/scene_maker.hpp"

#include <cmath>

namespace scree::test {

/// The state of joint `index`.
[[nodiscard]] inline model::JointState joint_now(Experiment& run, std::size_t index) {
    return run.simulation().joints().at(index);
}

/// A ball of 1 kg and radius .1 m at the end of a massless arm of 1 m, let go `angle` from hanging.
struct Pendulum {
    static constexpr double radius = 0.1, length = 1.0;
    static constexpr double inertia = length * length + 0.4 * radius * radius;  // about the hinge, 1 kg

    explicit Pendulum(double h, double angle) : scene(h) {
        scene.exact();
        ball = scene.sphere({.position = {length * std::sin(angle), 0, -length * std::cos(angle)}, .radius = radius});
        // Turns about y, from z towards x.
        scene.joint(model::RevoluteJoint{{}, {0, 1, 0}}, SceneMaker::ground, ball);
    }
    double energy(Experiment& run) const {
        const BodyNow b = run.body(ball);
        return 0.5 * dot(b.velocity, b.velocity) + 0.2 * radius * radius * dot(b.angular_velocity, b.angular_velocity) +
               gravity * b.position.z;
    }
    SceneMaker scene;
    std::size_t ball = 0;
};

}  // namespace scree::test
