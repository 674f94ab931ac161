// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/compound.hpp"

#include "engine/model/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::geometry {
namespace {

using model::Quat;
using model::SolidBox;
using model::SolidSphere;
using model::Vec3;

TEST(Compound, OfTwoHalvesHasTheMomentsOfTheWhole) {
    const SolidBox half{{0.5, 0.3, 0.2}};
    const Quat turn = model::from_axis_angle({1, 2, 3}, 0.7);
    // The halves of a box of half extents 1, .3, .2, turned and moved.
    const Vec3 place{5, -2, 1}, arm = model::rotate(turn, {0.5, 0, 0});
    const Compound made = make_compound({{{half, place - arm, turn}, {half, place + arm, turn}}}, 1000.0);
    const double mass = 1000.0 * 8.0 * 0.3 * 0.2;
    EXPECT_NEAR(made.facts.mass, mass, 1e-9);
    // Principal moments, in some order of the axes.
    Vec3 expected{mass / 3.0 * (0.09 + 0.04), mass / 3.0 * (1.0 + 0.04), mass / 3.0 * (1.0 + 0.09)};
    std::array<double, 3> found{made.facts.inertia.x, made.facts.inertia.y, made.facts.inertia.z};
    std::sort(found.begin(), found.end());
    EXPECT_NEAR(found[0], expected.x, 1e-9);
    EXPECT_NEAR(found[1], expected.y, 1e-9);
    EXPECT_NEAR(found[2], expected.z, 1e-9);
    // The parts stand where they were given.
    ASSERT_EQ(made.parts.size(), 2U);
    for (std::size_t k = 0; k < 2; ++k) {
        const Vec3 given = k == 0 ? -arm : arm;
        EXPECT_LT(model::norm(model::rotate(made.facts.orientation, made.parts[k].offset) - given), 1e-12);
        const Quat q = made.facts.orientation * made.parts[k].rotation;
        EXPECT_LT(model::norm(model::rotate(q, {0, 0, 1}) - model::rotate(turn, {0, 0, 1})), 1e-12);
    }
}

TEST(Compound, OfTwoBallsIsADumbbell) {
    const Compound made =
        make_compound({{{SolidSphere{0.1}, {0, 0, 0.3}, {}}, {SolidSphere{0.1}, {0, 0, -0.3}, {}}}}, 1.0);
    const double ball = 4.0 / 3.0 * 3.14159265358979323846 * 1e-3;
    EXPECT_NEAR(made.facts.inertia.z, 2.0 * 0.4 * ball * 0.01, 1e-15);
    EXPECT_NEAR(made.facts.inertia.x, 2.0 * ball * (0.4 * 0.01 + 0.09), 1e-15);
    EXPECT_NEAR(made.facts.radius, 0.4, 1e-15);
    EXPECT_NEAR(made.facts.half_extents.z, 0.4, 1e-15);
    EXPECT_NEAR(made.facts.half_extents.x, 0.1, 1e-15);
}

TEST(Compound, OfSpheresThatOverlapCountsEachPointOnce) {
    // Two equal balls a radius apart share 5/16 of a ball (a lens of two caps of half the radius).
    const double r = 0.1, ball = 4.0 / 3.0 * 3.14159265358979323846 * r * r * r;
    const Compound made =
        make_compound({{{SolidSphere{r}, {1, 0, r / 2}, {}}, {SolidSphere{r}, {1, 0, -r / 2}, {}}}}, 1000.0);
    EXPECT_NEAR(made.facts.mass, 1000.0 * ball * (2.0 - 5.0 / 16.0), 1e-12);
    EXPECT_LT(model::norm(made.center_of_mass - Vec3{1, 0, 0}), 1e-12);
    // A half of the body about its axis: pi / 2 times the integral of (r^2 - t^2)^2 from -r / 2 to r.
    const double half = 3.14159265358979323846 / 2.0 * std::pow(r, 5) * (8.0 / 15.0 + 0.5 - 1.0 / 12.0 + 1.0 / 160.0);
    EXPECT_NEAR(made.facts.inertia.z, 1000.0 * 2.0 * half, 1e-12);
    // One that is given twice is one.
    const Compound twice = make_compound({{{SolidSphere{r}, {}, {}}, {SolidSphere{r}, {}, {}}}}, 1000.0);
    EXPECT_NEAR(twice.facts.mass, 1000.0 * ball, 1e-12);
    EXPECT_NEAR(twice.facts.radius, r, 1e-15);
}

TEST(Compound, CountsBothWhereOtherPartsOverlap) {
    const SolidBox box{{0.1, 0.1, 0.1}};
    EXPECT_NEAR(make_compound({{{box, {}, {}}, {box, {}, {}}}}, 1000.0).facts.mass, 16.0, 1e-12);
    const Compound mixed = make_compound({{{box, {}, {}}, {SolidSphere{0.05}, {}, {}}}}, 1000.0);
    EXPECT_NEAR(mixed.facts.mass, 8.0 + 1000.0 * 4.0 / 3.0 * 3.14159265358979323846 * 1.25e-4, 1e-12);
}

TEST(Compound, NamesThePartThatIsNone) {
    const model::SolidPolytope flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}};
    try {
        (void)make_compound({{{SolidSphere{0.1}, {}, {}}, {flat, {}, {}}}}, 1.0);
        FAIL();
    } catch (const model::Error& error) {
        EXPECT_NE(error.message().find("part 1"), std::string::npos) << error.message();
    }
    EXPECT_THROW((void)make_compound({}, 1.0), model::Error);
}

}  // namespace
}  // namespace scree::geometry
