// SPDX-License-Identifier: BSD-3-Clause
// Slider-crank with a translational clearance joint, Flores, Leine and Glocker (2010); validation.md, B24: e .4,
// mu .01, h 1e-5, .2 s from 150 rad/s. Newton's law, contacts at the level of positions.
//
// The value of B24 (3.05 revolutions, 119 to 123 rad/s at the end) is not reached, and no solution of this system has
// it. Siconos' reference output for the combined projection (SliderCrankMoreauJeanCombinedProjectionOSI.ref, rows every
// 1e-4 s) ends with it; the energy of that last state is 14 % above the energy at the start, though nothing drives the
// crank. What holds instead is here.
#include "tests/support/slider_crank.hpp"

#include "engine/reference/lcp_stepper.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace scree::reference {
namespace {

constexpr double turn = 2.0 * std::numbers::pi, until = 0.2;

SliderCrank mechanism() {
    SliderCrank system;
    system.law = {.friction = {.sliding = 0.01}, .restitution = 0.4};
    return system;
}
State start() { return {0.0, Eigen::Vector3d::Zero(), Eigen::Vector3d(150.0, -75.0, 0.0)}; }

double energy(const SliderCrank& system, const State& state) {
    return kinetic_energy(system, state) + system.potential_energy(state.time, state.q);
}

struct Motion {
    double revolutions = 0.0, speed = 0.0;  ///< Of the crank at the end [-], [rad/s]
    double energy = 0.0;                    ///< At the end [J]
    double largest_gain = 0.0;              ///< Of energy in a step [J]
    double deepest = 0.0;                   ///< Smallest gap [m]
};

Motion simulated(double h, Geometry geometry) {
    const SliderCrank system = mechanism();
    State state = start();
    LcpStepper stepper({.geometry = geometry});
    Motion result;
    double before = energy(system, state);
    while (state.time < until - 0.5 * h) {
        stepper.step(system, state, h);
        const double now = energy(system, state);
        result.largest_gain = std::max(result.largest_gain, now - before);
        before = now;
        for (const Contact& c : system.contacts(state.time, state.q, 0.0))
            result.deepest = std::min(result.deepest, c.gap);
    }
    result.revolutions = state.q[0] / turn;
    result.speed = state.v[0];
    result.energy = before;
    return result;
}

/// The mechanism without clearance, friction and losses: one coordinate whose speed follows from the energy.
struct Ideal {
    double revolutions = 0.0, speed = 0.0;
};
Ideal ideal_mechanism() {
    const SliderCrank system;
    const double total = energy(system, start());
    const auto speed_at = [&](double angle) {
        const double rod = std::asin(-system.crank / system.rod * std::sin(angle));
        const double ratio = -system.crank * std::cos(angle) / (system.rod * std::cos(rod));
        const State unit{0.0, Eigen::Vector3d(angle, rod, 0.0), Eigen::Vector3d(1.0, ratio, 0.0)};
        return std::sqrt((total - system.potential_energy(0.0, unit.q)) / kinetic_energy(system, unit));
    };
    // Midpoint rule; the integrand is smooth and periodic.
    const double slice = turn / 1e4;
    double angle = 0.0, time = 0.0;
    for (; time < until; angle += slice) time += slice / speed_at(angle + 0.5 * slice);
    const double speed = speed_at(angle);
    return {(angle - speed * (time - until)) / turn, speed};
}

TEST(SliderCrank, ConvergesFromBothSidesToOneNumberOfRevolutions) {
    // Rows at the start of the step lose energy in free flight, rows at its end gain some, both of first order in h.
    const double h = 1e-5;
    const Motion start_coarse = simulated(h, Geometry::start), start_fine = simulated(h / 2, Geometry::start);
    const Motion end_coarse = simulated(h, Geometry::contacts_at_end),
                 end_fine = simulated(h / 2, Geometry::contacts_at_end);
    EXPECT_LT(start_coarse.revolutions, start_fine.revolutions);
    EXPECT_GT(end_coarse.revolutions, end_fine.revolutions);
    const double from_below = 2.0 * start_fine.revolutions - start_coarse.revolutions;
    const double from_above = 2.0 * end_fine.revolutions - end_coarse.revolutions;
    RecordProperty("revolutions",
                   std::to_string(start_coarse.revolutions) + " " + std::to_string(start_fine.revolutions) + " " +
                       std::to_string(end_coarse.revolutions) + " " + std::to_string(end_fine.revolutions));
    RecordProperty("speed", std::to_string(start_fine.speed) + " " + std::to_string(end_fine.speed));
    RecordProperty("extrapolated", std::to_string(from_below) + " " + std::to_string(from_above));
    EXPECT_NEAR(from_below, from_above, 1e-3);  // their error of second order: a tenth of the first-order one
    // Between them, and below the mechanism that loses nothing.
    EXPECT_GT(from_below, start_fine.revolutions);
    EXPECT_LT(from_below, end_fine.revolutions);
    EXPECT_LT(from_below, ideal_mechanism().revolutions);
}

TEST(SliderCrank, LosesEnergyAtContactsAndGainsNone) {
    const SliderCrank system = mechanism();
    const Motion coarse = simulated(1e-5, Geometry::start), fine = simulated(5e-6, Geometry::start);
    RecordProperty("energy_left", std::to_string(coarse.energy / energy(system, start())) + " " +
                                      std::to_string(fine.energy / energy(system, start())));
    EXPECT_LT(coarse.energy, energy(system, start()));
    EXPECT_LT(fine.energy, energy(system, start()));
    // The gain of a step without impact is of second order in h; one by impulses would not shrink so.
    EXPECT_NEAR(coarse.largest_gain / fine.largest_gain, 4.0, 0.2);
}

TEST(SliderCrank, KeepsTheSliderBetweenTheGuides) {
    // Linearised gaps leave r (omega h)^2 / 2 with r and omega those of the crank: the largest curvature.
    for (const double h : {1e-5, 5e-6}) {
        const double curvature = 0.5 * SliderCrank().crank * std::pow(150.0 * h, 2);
        EXPECT_GT(simulated(h, Geometry::start).deepest, -curvature);
    }
}

TEST(SliderCrank, PublishedEndHasMoreEnergyThanThereIs) {
    const SliderCrank system = mechanism();
    const State end{until, Eigen::Vector3d(3.0529072 * turn, -0.1643661, 0.0),
                    Eigen::Vector3d(120.10778, -54.760513, 0.0)};
    EXPECT_GT(energy(system, end), 1.14 * energy(system, start()));
    // Nor is it within 3 % of the lossless mechanism.
    EXPECT_LT(ideal_mechanism().revolutions, 0.97 * 3.05);
}

}  // namespace
}  // namespace scree::reference
