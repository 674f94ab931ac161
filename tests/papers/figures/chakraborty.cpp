// SPDX-License-Identifier: BSD-3-Clause
// papers/002, figures 1, 3 and 4.
#include "engine/reference/ncp_stepper.hpp"
#include "tests/papers/figures/figure.hpp"
#include "tests/support/linearised_stepper.hpp"
#include "tests/support/rolling_polygon.hpp"

#include <string>

namespace scree::figures {

using namespace reference;

namespace {

/// Kinetic energy over 2 s.
Series energy(const std::string& name, Stepper& stepper, const World& world, double h) {
    Series series{name, {}, {}};
    State state = world.start();
    series.add(0.0, kinetic_energy(world, state));
    const int steps = int(2.0 / h + 0.5);
    for (int k = 1; k <= steps; ++k) {
        stepper.step(world, state, h);
        if (k % (steps / 200) == 0) series.add(state.time, kinetic_energy(world, state));
    }
    return series;
}

/// The geometry of the start of the step; corners that may meet the floor within it.
Series linearised(const std::string& name, int edges, double h) {
    test::LinearisedStepper stepper(edges < 50 ? 0.2 : 0.006, test::GapTerm::linearised);
    return energy(name, stepper, test::rolling_polygon(edges), h);
}

}  // namespace

Panels chakraborty_figure_1() {
    Panel edges{
        "(a) h = 10 ms, linearised geometry, and the implicit disc", "time [s]", "kinetic energy [J]", {}, false};
    Panel steps{"(b) 1000 edges, linearised geometry", "time [s]", "kinetic energy [J]", {}, false};
    for (const int count : {10, 30, 100, 1000})
        edges.series.push_back(linearised(std::to_string(count) + " edges", count, 0.01));
    NcpStepper implicit;
    edges.series.push_back(energy("implicit disc", implicit, test::rolling(Ellipsoid{{1, 1, 1}}, 1.0), 0.01));
    steps.series.push_back(linearised("h = 10 ms", 1000, 0.01));
    steps.series.push_back(linearised("5 ms", 1000, 0.005));
    steps.series.push_back(linearised("1 ms", 1000, 0.001));
    return {edges, steps};
}

Panels chakraborty_figures_3_and_4() {
    World world = test::one_on_fixed(Sphere{1.0}, Eigen::Vector3d::Constant(0.4), HalfSpace{}, 0.2);
    world.laws[0].friction.torsion_radius = 0.4;
    world.bodies[0].pose.position = {0, 0, 1};
    world.bodies[0].angular_velocity = {0, 0, 1.962};
    Panel velocity{"figure 3: velocities, h = 70 ms", "time [s]", "v [m/s], w [rad/s]", {}, false};
    Panel force{"figure 4: friction", "time [s]", "force [N], moment [N m]", {}, false};
    for (const char* name : {"v_x", "v_y", "v_z", "w_x", "w_y", "w_z"}) velocity.series.push_back({name, {}, {}});
    for (const char* name : {"tangential", "tangential", "torsional"}) force.series.push_back({name, {}, {}});
    force.series[1].name.clear();
    NcpStepper stepper;
    State state = world.start();
    const double h = 0.07;
    for (int k = 0; k <= 20; ++k) {
        for (std::size_t i = 0; i < 6; ++i) velocity.series[i].add(state.time, state.v[Index(i)]);
        const StepOutcome outcome = stepper.step(world, state, h);
        for (const ContactOutcome& contact : outcome.contacts) {
            for (std::size_t i = 0; i < 2; ++i) force.series[i].add(state.time, contact.tangent_impulse[Index(i)] / h);
            force.series[2].add(state.time, contact.twist_impulse / h);
        }
    }
    return {velocity, force};
}

}  // namespace scree::figures
