// SPDX-License-Identifier: BSD-3-Clause
// Stewart (2000), section 4.2 and figure 4.1: what methods for smooth forces do to a bouncing ball that should keep its
// energy, and what the complementarity step does.
#include "engine/reference/lcp_stepper.hpp"
#include "engine/reference/naive_steppers.hpp"
#include "tests/support/mechanisms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scree::reference {
namespace {

BeadLine ball(double restitution) {
    BeadLine line;
    line.masses = {1.0};
    line.gravity = 9.8213;  // of figure 4.1
    line.floor = true;
    line.restitution = restitution;
    return line;
}

/// Speed upwards over speed downwards at the surface, by energy, of the first impact after a fall from `height`.
double effective_restitution(Stepper&& stepper, double height, double h) {
    const BeadLine system = ball(1.0);
    State state{0.0, Eigen::VectorXd::Constant(1, height), Eigen::VectorXd::Zero(1)};
    bool hit = false;
    double apex = -1.0;
    while (state.time < 3.0) {
        const StepOutcome outcome = stepper.step(system, state, h);
        for (const ContactOutcome& c : outcome.contacts) hit = hit || c.normal_impulse > 0.0;
        if (hit && state.v[0] > 0.0)
            apex = std::max(apex, state.q[0] + state.v[0] * state.v[0] / (2.0 * system.gravity));
        if (hit && state.q[0] > 0.0 && state.v[0] <= 0.0) break;
    }
    return std::sqrt(std::max(0.0, apex) / height);
}

struct Range {
    double lowest = 1e9, highest = -1e9;
};
template <class Make>
Range range(const Make& make, double h) {
    Range r;
    for (int k = 0; k < 40; ++k) {
        const double e = effective_restitution(make(), 1.0 + 0.002 * k, h);
        r.lowest = std::min(r.lowest, e);
        r.highest = std::max(r.highest, e);
    }
    return r;
}

TEST(StewartNaiveSteppers, MidpointThrowsTheBallOutFasterThanItCame) {
    // Section 4.2: q- < 0 gives |p+| = |p-| + 4 m |q-| / h with |q-| up to h |p-| / 2 ...: restitution from 1 to 3.
    for (const double h : {1e-2, 5e-3}) {
        const Range r = range([] { return MidpointStepper(); }, h);
        EXPECT_GT(r.highest, 1.5);
        EXPECT_GT(r.highest - r.lowest, 0.5);
    }
    // The run of figure 4.1 (a): energy grows from bounce to bounce.
    const BeadLine system = ball(1.0);
    State state{0.0, Eigen::VectorXd::Constant(1, 1.0), Eigen::VectorXd::Zero(1)};
    MidpointStepper stepper;
    double highest = 0.0;
    while (state.time < 10.0) {
        stepper.step(system, state, 0.01);
        highest = std::max(highest, state.q[0]);
    }
    EXPECT_GT(highest, 2.0);
}

TEST(StewartNaiveSteppers, NewmarkReturnsAnySpeedFromNoneToAll) {
    for (const double h : {1e-3, 5e-4}) {
        const Range r = range([] { return NewmarkStepper(); }, h);
        EXPECT_LT(r.lowest, 0.3);
        EXPECT_GT(r.highest, 0.9);
    }
}

TEST(StewartNaiveSteppers, ComplementarityStepReturnsEachFallToItsHeight) {
    for (const double h : {1e-2, 5e-3}) {
        const Range r = range([] { return LcpStepper(); }, h);
        // Energy at a sample is that of the flight to g h |v| / 2, with |v| <= sqrt(2 g H): relative to g H.
        const double sample = h * std::sqrt(9.8213 / 2.0);
        EXPECT_GT(r.lowest, 1.0 - sample);
        EXPECT_LT(r.highest, 1.0 + sample);
    }
}

}  // namespace
}  // namespace scree::reference
