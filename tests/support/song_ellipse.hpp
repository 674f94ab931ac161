// SPDX-License-Identifier: BSD-3-Clause
// The example of papers/000, section 6: an ellipse stood on end on a rough floor falls over and rocks. What the paper
// does not say is taken as follows: Poisson's ratio .3, a rigid floor, g = 9.81 m/s^2.
#pragma once

#include "engine/reference/compliant_stepper.hpp"
#include "engine/reference/lcp_stepper.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace scree::test {

struct SongEllipse {
    static constexpr double mass = 0.05, friction = 0.2, gravity = 9.81, h = 1e-4;
    static constexpr int steps = 20000, elements = 3;

    static reference::World world() {
        reference::World world;
        world.planar = true;
        world.materials = 2;
        world.laws.assign(4, {});
        for (auto& law : world.laws) law.friction.sliding = friction;
        world.bodies.resize(2);
        reference::Body& ellipse = world.bodies[0];
        ellipse.name = "ellipse";
        ellipse.shape = reference::Ellipsoid{{0.1, 0.05, 0.05}};
        ellipse.mass = mass;
        ellipse.inertia = {1.0, 1.5e-4, 1.0};
        const double angle = 75.0 * std::numbers::pi / 180.0;
        ellipse.pose.position.z() = std::hypot(0.1 * std::sin(angle), 0.05 * std::cos(angle));  // .0975: it touches
        ellipse.pose.orientation = Eigen::AngleAxisd(-angle, Eigen::Vector3d::UnitY());
        world.bodies[1].name = "floor";
        world.bodies[1].shape = reference::HalfSpace{};
        world.bodies[1].fixed = true;
        world.bodies[1].material = 1;
        return world;
    }

    /// epsilon [m^2/N]: the inverse of Young's modulus.
    static reference::CompliantSettings settings(double epsilon) {
        reference::CompliantSettings settings;
        settings.elastic = {{1.0 / epsilon, 0.3}, {std::numeric_limits<double>::infinity(), 0.3}};
        settings.elements = elements;
        settings.spacing = 1e-6;
        return settings;
    }

    /// One step: at its end, with the forces in it. Elements are numbered from left to right, forces act on the
    /// ellipse.
    struct Sample {
        double time, x, z, angle;          ///< [s, m, m, rad]; angle of the major axis
        double normal = 0.0, along = 0.0;  ///< [N], along = in +x
        double element_normal[elements] = {}, element_along[elements] = {};
    };

    /// epsilon 0: the rigid run.
    static std::vector<Sample> run(double epsilon, int wanted = steps, double step = h) {
        const reference::World system = world();
        reference::CompliantStepper compliant(epsilon > 0.0 ? settings(epsilon) : reference::CompliantSettings{});
        reference::LcpStepper rigid;
        reference::Stepper& stepper =
            epsilon > 0.0 ? static_cast<reference::Stepper&>(compliant) : static_cast<reference::Stepper&>(rigid);
        reference::State state = system.start();
        std::vector<Sample> samples;
        for (int k = 0; k < wanted; ++k) {
            const reference::StepOutcome outcome = stepper.step(system, state, step);
            Sample sample{state.time, state.q[0], state.q[2], -2.0 * std::atan2(state.q[5], state.q[3])};
            for (const reference::ContactOutcome& contact : outcome.contacts) {
                sample.normal = contact.normal_impulse / step;
                // The first tangent points to the left and the floor is body b: its force to the left is ours to the
                // right, and the grid runs from right to left.
                sample.along = contact.tangent_impulse[0] / step;
                const reference::PatchState* patch = compliant.patch(contact.contact.identity);
                for (int i = 0; patch != nullptr && i < elements; ++i) {
                    sample.element_normal[elements - 1 - i] = patch->force[i];
                    sample.element_along[elements - 1 - i] = patch->force[elements + i];
                }
            }
            samples.push_back(sample);
        }
        return samples;
    }
};

}  // namespace scree::test
