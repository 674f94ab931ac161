// SPDX-License-Identifier: BSD-3-Clause
// Free motion, periodic faces, energies and outlets, body by body.
#include "kernels/motion/free_rotation.hpp"
#include "kernels/motion/motion_items.hpp"

#include "kernels/parallel/cpu.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace scree::kernels {
namespace {

/// One free body and the item that advances it.
template <class R>
struct Body {
    std::array<double, 4> position{0, 0, 0, 0.01};
    std::array<double, 4> orientation{1, 0, 0, 0};
    std::array<R, 8> velocity{}, free_velocity{};
    std::array<R, 2> inverse_mass{R(0.5), R(4)};
    std::array<float, 4> motion{};
    Periodic periodic;

    Accumulator<double, 8, 1> advance(double step) {
        AdvanceItem<R, Cpu::tile, RowKind::sliding> item{};
        item.position = position.data();
        item.orientation = orientation.data();
        item.velocity = velocity.data();
        item.free_velocity = free_velocity.data();
        item.inverse_mass = inverse_mass.data();
        item.motion = motion.data();
        item.periodic = periodic;
        item.step = step;
        Accumulator<double, 8, 1> sums{};
        item(0, sums);
        return sums;
    }
};

TEST(Advance, TurnsExactlyUnderConstantSpin) {
    const int steps = 100000;
    const double h = 1e-3;
    for (const std::array<double, 3> w : {std::array{0.0, 0.0, 1.0}, std::array{30.0, -20.0, 50.0},
                                          std::array{4000.0, 1000.0, -500.0}, std::array{1e-9, 0.0, 0.0}}) {
        Body<double> body;
        for (std::size_t k = 0; k < 3; ++k) body.velocity[4 + k] = w[k];
        for (int i = 0; i < steps; ++i) body.advance(h);
        const long double rate =
            std::sqrt((long double)w[0] * w[0] + (long double)w[1] * w[1] + (long double)w[2] * w[2]);
        const long double half = 0.5L * rate * (long double)h * steps;
        const auto& q = body.orientation;
        EXPECT_NEAR(std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), 1.0, 1e-12);
        // Each step's angle is rounded to 1e-16 of itself, the same way each time: 1e5 steps of up to 2 rad.
        const double tolerance = 1e-15 + 2e-16 * double(half) + 1e-15 * std::sqrt(double(steps));
        EXPECT_NEAR(q[0], double(std::cos(half)), 4.0 * tolerance);
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(q[1 + k], double(std::sin(half) * (long double)w[k] / rate), 4.0 * tolerance);
    }
}

TEST(Advance, TurnsAboutWorldAxes) {
    // A quarter turn about z, then one about x: the body's x axis goes to y, then to z.
    Body<double> body;
    const double quarter = std::acos(0.0);
    body.velocity[6] = quarter;
    body.advance(1.0);
    body.velocity[6] = 0.0;
    body.velocity[4] = quarter;
    body.advance(1.0);
    const auto& q = body.orientation;
    const double z_of_x = 2.0 * (q[1] * q[3] - q[0] * q[2]);
    EXPECT_NEAR(z_of_x, 1.0, 1e-15);
}

TEST(Advance, LeavesABodyAtRestAlone) {
    Body<float> body;
    body.position = {0.1, 0.2, 0.3, 0.01};
    body.orientation = {0.5, 0.5, -0.5, 0.5};
    const Body<float> before = body;
    const auto sums = body.advance(1e-3);
    EXPECT_EQ(body.position, before.position);
    EXPECT_EQ(body.orientation, before.orientation);
    EXPECT_EQ(sums.sum[0] + sums.sum[1] + sums.sum[2] + sums.sum[3] + sums.max[0], 0.0);
}

TEST(Advance, WrapsAtPeriodicFaces) {
    Body<double> body;
    body.periodic.lower[0] = -1.0;
    body.periodic.length[0] = 3.0;
    body.periodic.lower[2] = 5.0;
    body.periodic.length[2] = 0.5;
    body.position[2] = 5.25;
    body.velocity[0] = -2.7;
    body.velocity[1] = 1.0;
    body.velocity[2] = 0.3;
    for (int i = 1; i <= 1000; ++i) {
        body.advance(1.0);
        ASSERT_GE(body.position[0], -1.0);
        ASSERT_LT(body.position[0], 2.0);
        ASSERT_GE(body.position[2], 5.0);
        ASSERT_LT(body.position[2], 5.5);
    }
    EXPECT_EQ(body.position[1], 1000.0);
    // Where it is, but for whole lengths: 1000 additions of numbers of size 3.
    EXPECT_NEAR(std::remainder(body.position[0] + 2700.0, 3.0), 0.0, 1e-12);
    EXPECT_NEAR(std::remainder(body.position[2] - 5.25 - 300.0, 0.5), 0.0, 1e-12);
}

TEST(Advance, KeepsABodyJustBelowAFaceInside) {
    Body<double> body;
    body.periodic.length[0] = 1.0;
    body.position[0] = 0.0;
    body.velocity[0] = -1e-20;  // - 1e-20 + 1 rounds to 1, which is the other face
    body.advance(1.0);
    EXPECT_GE(body.position[0], 0.0);
    EXPECT_LT(body.position[0], 1.0);
}

TEST(Advance, SumsEnergiesAndTheWorkOfContacts) {
    Body<double> body;  // m = 2, I = 1/4
    body.velocity = {1.0, 2.0, 2.0, 0.0, 3.0, 0.0, 4.0, 0.0};
    body.free_velocity = {0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 6.0, 0.0};
    const auto sums = body.advance(1e-3);
    EXPECT_NEAR(sums.sum[0], 9.0, 1e-14);
    EXPECT_NEAR(sums.sum[1], 25.0 / 8.0, 1e-14);
    EXPECT_NEAR(sums.sum[2], 9.0 - 16.0 + (25.0 - 36.0) / 8.0, 1e-14);
    EXPECT_EQ(sums.max[0], 3.0);
    EXPECT_EQ(body.motion[3], 3.0f);  // |v - v*|, what contacts did
    body.inverse_mass = {0.0, 0.0};
    EXPECT_EQ(body.advance(1e-3).sum[0], 0.0);  // a driven body has no energy of its own
}

TEST(Advance, CountsBodiesThatAreNoNumbers) {
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
        for (const std::size_t k : {0U, 2U, 4U, 6U}) {
            Body<float> body;
            body.velocity[k] = bad;
            EXPECT_EQ(body.advance(1e-3).sum[3], 1.0) << k;
        }
}

TEST(FreeVelocity, GivesFreeBodiesGravityAndTheGroundNothing) {
    const std::vector<double> velocity{1, 2, 3, 9, 4, 5, 6, 9, 1, 2, 3, 9, 4, 5, 6, 9};
    const std::vector<double> inverse_mass{1, 2, 0, 0};
    std::vector<double> out(24, -1.0);
    const FreeVelocityItem<double> item{velocity.data(), inverse_mass.data(), out.data(), {0.1, 0.2, -0.3}, 2};
    for (Index i = 0; i < 3; ++i) item(i);
    EXPECT_EQ(out, (std::vector<double>{1.1, 2.2, 2.7, 0, 4, 5, 6, 0, 1, 2, 3, 0, 4, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Outlets, TakeBodiesPastAPlaneOrOutsideABox) {
    OutletPart plane, box;
    plane.a[2] = 1.0;
    plane.b[2] = -1.0;  // below z = 1
    box.form = 1;
    for (double& a : box.a) a = -5.0;
    for (double& b : box.b) b = 5.0;
    const std::vector<OutletPart> outlets{plane, box};
    const std::vector<double> position{0, 0, 2, .1, 0, 0, 0.5, .1, 0, 0, 1, .1, 6, 0, 2, .1, 0, -6, 0, .1, 5, 5, 5, .1};
    std::vector<Index> taken(6, -1);
    const OutletItem item{position.data(), outlets.data(), 2, taken.data()};
    Accumulator<double, 1, 0> sums{};
    for (Index i = 0; i < 6; ++i) item(i, sums);
    // On the plane and on the box's face is not past it; of two outlets the first takes the body.
    EXPECT_EQ(taken, (std::vector<Index>{0, 1, 0, 2, 1, 0}));
    EXPECT_EQ(sums.sum[0], 3.0);
}

TEST(Outlets, TakeBodiesInABox) {
    OutletPart drain;
    drain.form = 2;
    for (double& a : drain.a) a = -5.0;
    for (double& b : drain.b) b = 5.0;
    const std::vector<double> position{0, 0, 2, .1, 6, 0, 2, .1, 0, -6, 0, .1, 5, 5, 5, .1};
    std::vector<Index> taken(4, -1);
    const OutletItem item{position.data(), &drain, 1, taken.data()};
    Accumulator<double, 1, 0> sums{};
    for (Index i = 0; i < 4; ++i) item(i, sums);
    EXPECT_EQ(taken, (std::vector<Index>{1, 0, 0, 1}));  // what is on a face is in it
    EXPECT_EQ(sums.sum[0], 2.0);
}

TEST(PermuteRows, MovesWholeRows) {
    const std::vector<int> in{0, 1, 10, 11, 20, 21};
    const std::vector<Index> from{2, 0};
    std::vector<int> out(4, -1);
    const PermuteRowsItem<int> item{in.data(), out.data(), from.data(), 2};
    item(0);
    item(1);
    EXPECT_EQ(out, (std::vector<int>{20, 21, 0, 1}));
}

/// A torque-free body: free rotation, then the position update.
struct TorqueFree {
    std::array<double, 4> position{0, 0, 0, 1.0}, orientation{1, 0, 0, 0};
    std::array<double, 6> inertia;
    std::array<double, 8> velocity{}, free_velocity{};
    std::array<double, 2> inverse_mass{1.0, 1.0};
    std::array<double, InertiaRow::size> row{};
    std::array<float, 4> motion{};
    double energy = 0.0, work = 0.0;

    void step(double h) {
        Accumulator<double, 1, 0> gained{};
        FreeRotationItem<double>{orientation.data(),  inertia.data(),       nullptr,    velocity.data(),
                                 inverse_mass.data(), free_velocity.data(), row.data(), h}(0, gained);
        work += gained.sum[0];
        velocity = free_velocity;
        AdvanceItem<double, Cpu::tile, RowKind::arms> item{};
        item.problem.inertia = row.data();
        item.position = position.data();
        item.orientation = orientation.data();
        item.velocity = velocity.data();
        item.free_velocity = free_velocity.data();
        item.inverse_mass = inverse_mass.data();
        item.inertia = inertia.data();
        item.motion = motion.data();
        item.step = h;
        Accumulator<double, 8, 1> sums{};
        item(0, sums);
        energy = sums.sum[1];
    }
    /// At the middle of the last step, where the stored spin is.
    [[nodiscard]] Vector3<double> momentum() const {
        double tensor[6];
        for (std::size_t k = 0; k < 6; ++k) tensor[k] = row[InertiaRow::tensor + k];
        return times(tensor, Vector3<double>{velocity[4], velocity[5], velocity[6]});
    }
};

// Validation A11: the intermediate axis flips, momentum and energy stay.
TEST(FreeRotation, KeepsMomentumAndEnergyThroughAHundredTurns) {
    for (const double h : {0.02, 0.01}) {
        TorqueFree body;
        body.inertia = {1.0, 2.0, 3.5, 0.0, 0.0, 0.0};
        body.velocity[4] = 1e-3;
        body.velocity[5] = 1.0;
        body.step(h);
        body.work = 0.0;
        const Vector3<double> start = body.momentum();
        const double energy = body.energy;
        const int steps = int(100.0 * 2.0 * 3.14159265358979 / h);
        double flips = 0.0, last = 1.0, worst = 0.0;
        for (int k = 0; k < steps; ++k) {
            body.step(h);
            const double along = Axes::of(body.orientation.data()).to_body({0, 1, 0}).y;
            if (along * last < 0.0) ++flips;
            last = along;
            worst = std::max(worst, std::abs(body.energy / energy - 1.0));
        }
        EXPECT_GT(flips, 10.0);
        // The implicit midpoint rule keeps |L| to rounding; its energy swings by O(h^2) and does not drift.
        EXPECT_LT(norm(body.momentum() - start) / norm(start), 1e-9);
        EXPECT_LT(worst, 1e-4);
        EXPECT_NEAR(body.energy - energy, body.work, 1e-9 * energy);  // rounding of 1e5 steps
    }
}

// Validation B21.
TEST(FreeRotation, ChangesSignAtTheTimesOfTheClosedForm) {
    double error_before = 0.0;
    for (const double h : {2e-3, 1e-3}) {
        TorqueFree body;
        body.inertia = {1.0, 10.0, 11.0, 0.0, 0.0, 0.0};
        body.velocity[5] = 2.0;
        body.velocity[6] = 1e-4;
        std::vector<double> changes;
        double last = 2.0;
        for (int k = 0; double(k) * h < 31.5; ++k) {
            body.step(h);
            const double now =
                Axes::of(body.orientation.data()).to_body({body.velocity[4], body.velocity[5], body.velocity[6]}).y;
            // The spin stored after step k is that of its middle.
            if (now * last < 0.0) changes.push_back((double(k) + 0.5 - now / (now - last)) * h);
            last = now;
        }
        ASSERT_EQ(changes.size(), 3U);
        const double expected[] = {6.1852, 18.5556, 30.9260};
        double error = 0.0;
        for (std::size_t k = 0; k < 3; ++k) error = std::max(error, std::abs(changes[k] - expected[k]));
        // Four digits are given; the rest is the start, whose spin counts as that of half a step earlier.
        EXPECT_LT(error, 5e-3 + h);
        error_before = error;
    }
    EXPECT_LT(error_before, 6e-3);
}

TEST(FreeRotation, LeavesSpheresAndFixedBodiesAsTheyAre) {
    TorqueFree sphere;
    sphere.inertia = {0.4, 0.4, 0.4, 0.0, 0.0, 0.0};
    sphere.velocity = {0, 0, 0, 0, 3.0, -2.0, 5.0, 0};
    sphere.step(0.01);
    for (std::size_t k = 4; k < 7; ++k) EXPECT_NEAR(sphere.velocity[k], (std::array{3.0, -2.0, 5.0}[k - 4]), 1e-14);
    TorqueFree fixed = sphere;
    fixed.inverse_mass = {0.0, 0.0};
    fixed.free_velocity = fixed.velocity;
    fixed.step(0.01);
    for (const double entry : fixed.row) EXPECT_EQ(entry, 0.0);
    EXPECT_EQ(fixed.velocity[4], sphere.velocity[4]);
}

}  // namespace
}  // namespace scree::kernels
