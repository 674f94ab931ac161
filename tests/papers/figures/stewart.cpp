// SPDX-License-Identifier: BSD-3-Clause
// papers/004, figures 2.3 and 2.4. The paper gives no numbers for either: the throw and the spin are ours.
#include "engine/reference/lcp_stepper.hpp"
#include "engine/reference/world.hpp"
#include "tests/papers/figures/figure.hpp"
#include "tests/support/mechanisms.hpp"

#include <array>
#include <cmath>
#include <string>

namespace scree::figures {

using namespace reference;

Panels stewart_figure_2_3() {
    World world;
    world.laws = {{.friction = {.sliding = 0.5}, .restitution = 0.9, .tangential_restitution = 0.9}};
    world.bodies.resize(5);
    world.bodies[0].shape = HalfSpace{};
    world.bodies[0].fixed = true;
    for (std::size_t i = 1; i < world.bodies.size(); ++i) {
        world.bodies[i].shape = Sphere{0.5};
        world.bodies[i].inertia.setConstant(0.1);
        world.bodies[i].pose.position = {1.02 * (double(i) - 2.0), 0.0, 0.5};
    }
    world.bodies[1].pose.position = {-1.6, 0.05, 0.9};
    world.bodies[1].velocity = {3.0, 0.0, -0.5};

    Panel elevation{"elevation", "x [m]", "z [m]", {}, true};
    Panel plan{"plan", "x [m]", "y [m]", {}, true};
    for (const char* name : {"thrown", "first of the row", "second", "third"}) {
        elevation.series.push_back({name, {}, {}});
        plan.series.push_back({name, {}, {}});
    }
    LcpStepper stepper;
    State state = world.start();
    while (state.time < 1.6) {
        for (std::size_t i = 0; i < 4; ++i) {
            const auto at = Index(7 * i);
            elevation.series[i].add(state.q[at], state.q[at + 2]);
            plan.series[i].add(state.q[at], state.q[at + 1]);
        }
        for (int k = 0; k < 4; ++k) stepper.step(world, state, 1e-3);
    }
    return {elevation, plan};
}

Panels stewart_figure_2_4() {
    // In the paper's sense, counterclockwise: the rod of the tests (mechanisms.hpp) seen in a mirror.
    PainleveRod rod;
    rod.law.friction.sliding = 2.0;
    State state{0.0, Eigen::Vector3d(0.0, 1.3, 1.5), Eigen::Vector3d(0.0, 0.0, -1.2)};
    Panel configurations{"the rod at the times given", "x [m]", "y [m]", {}, true};
    Panel end{
        "velocity of the lower end", "time [s]", "velocity [m/s]", {{"along", {}, {}}, {"normal", {}, {}}}, false};
    LcpStepper stepper;
    const double h = 1e-3;
    for (int k = 0; k <= 600; ++k) {
        if (k % 100 == 0) {
            const double c = std::cos(state.q[2]), s = std::sin(state.q[2]);
            Series line{k == 0 ? "0 s" : "." + std::to_string(k / 100) + " s", {}, {}};
            line.add(-state.q[0] - c, state.q[1] + s);
            line.add(-state.q[0] + c, state.q[1] - s);
            configurations.series.push_back(line);
        }
        const Contact contact = rod.contacts(state.time, state.q, 10.0).at(0);
        end.series[0].add(state.time, -(contact.tangent * state.v)[0]);
        end.series[1].add(state.time, contact.normal.dot(state.v));
        stepper.step(rod, state, h);
    }
    return {configurations, end};
}

}  // namespace scree::figures
