// SPDX-License-Identifier: BSD-3-Clause
// The acceleration-level model on bodies whose motion is known.
#include "engine/reference/acceleration.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::reference {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double g = 9.81;

Body half_space(const Vector3d& point, const Vector3d& normal) {
    Body body;
    body.shape = HalfSpace{};
    body.fixed = true;
    body.pose = {point, Quaterniond::FromTwoVectors(Vector3d::UnitZ(), normal)};
    return body;
}

Body ball(double radius, const Vector3d& position) {
    Body body;
    body.shape = Sphere{radius};
    body.mass = 2.0;
    body.inertia.setConstant(0.4 * body.mass * radius * radius);
    body.pose.position = position;
    return body;
}

World world_of(std::vector<Body> bodies, double mu) {
    World world;
    world.bodies = std::move(bodies);
    world.laws[0].friction.sliding = mu;
    return world;
}

Analysis analyse(const World& world) { return reference::analyse(world, world.start()); }

/// Gravity turned so that the plane z = 0 is a ramp that falls towards +x.
Vector3d gravity_on_ramp(double angle) { return g * Vector3d(std::sin(angle), 0.0, -std::cos(angle)); }

TEST(AccelerationAnalysis, BallOnAnInclineRollsUpToThreeAndAHalfTimesFriction) {
    const double mu = 0.2, limit = std::atan(3.5 * mu);
    for (const double angle : {0.5 * limit, limit - 1e-3, limit + 1e-3, 1.3 * limit}) {
        World world = world_of({ball(0.1, {0, 0, 0.1}), half_space({0, 0, 0}, {0, 0, 1})}, mu);
        world.gravity = gravity_on_ramp(angle);
        const Analysis a = analyse(world);
        ASSERT_EQ(a.cone.existence, Existence::unique) << angle;
        const AccelerationSolution& s = a.cone.solutions[0];
        const bool rolls = angle < limit;
        EXPECT_EQ(s.transitions[0], rolls ? Transition::rolling_to_rolling : Transition::rolling_to_sliding);
        const double along = rolls ? 5.0 / 7.0 * g * std::sin(angle) : g * (std::sin(angle) - mu * std::cos(angle));
        EXPECT_NEAR(s.acceleration[0], along, 1e-9);
        EXPECT_NEAR(s.acceleration[4], rolls ? along / 0.1 : 2.5 * mu * g * std::cos(angle) / 0.1, 1e-8);
        EXPECT_NEAR(s.normal_force[0], 2.0 * g * std::cos(angle), 1e-9);
        EXPECT_EQ(a.fixture, Fixture::collapses);
    }
}

TEST(AccelerationAnalysis, SlidingBallSlowsByFrictionAlongItsSlip) {
    World world = world_of({ball(0.1, {0, 0, 0.1}), half_space({0, 0, 0}, {0, 0, 1})}, 0.3);
    world.bodies[0].velocity = {0.6, 0.8, 0.0};
    const Analysis a = analyse(world);
    ASSERT_EQ(a.cone.existence, Existence::unique);
    EXPECT_EQ(a.contacts[0].state, ContactState::sliding);
    EXPECT_NEAR(a.contacts[0].slip.norm(), 1.0, 1e-12);
    EXPECT_NEAR(a.cone.solutions[0].acceleration[0], -0.6 * 0.3 * g, 1e-9);
    EXPECT_NEAR(a.cone.solutions[0].acceleration[1], -0.8 * 0.3 * g, 1e-9);
    EXPECT_EQ(a.fixture, Fixture::not_at_rest);
}

TEST(AccelerationAnalysis, BallRollsInsideABallWithTheCurvatureOfItsPath) {
    // A ball of radius r rolls over the top of a fixed one of radius R at speed u: n carries g - u^2 / (R + r), and
    // it leaves where this is negative.
    const double R = 0.5, r = 0.1;
    for (const double u : {0.5, 2.0, 2.6}) {
        World world = world_of({ball(r, {0, 0, R + r}), ball(R, {0, 0, 0})}, 0.5);
        world.bodies[1].fixed = true;
        world.bodies[0].velocity = {u, 0, 0};
        world.bodies[0].angular_velocity = {0, u / r, 0};
        const Analysis a = analyse(world);
        ASSERT_EQ(a.contacts[0].state, ContactState::rolling);
        ASSERT_EQ(a.cone.existence, Existence::unique);
        const double carried = 2.0 * (g - u * u / (R + r));
        // Differences of rows along the motion are good to about 1e-10 of the largest term.
        EXPECT_NEAR(a.cone.solutions[0].normal_force[0], std::max(0.0, carried), 1e-8) << u;
        EXPECT_EQ(a.cone.solutions[0].transitions[0],
                  carried > 0.0 ? Transition::rolling_to_rolling : Transition::rolling_to_separating);
    }
}

TEST(AccelerationAnalysis, CubeOnARampSticksOrSlides) {
    for (const double angle : {0.3, 0.6}) {
        Body cube;
        cube.shape = Box{{0.1, 0.1, 0.1}};
        cube.inertia.setConstant(1.0 / 150.0);
        cube.pose.position = {0, 0, 0.1};
        World world = world_of({cube, half_space({0, 0, 0}, {0, 0, 1})}, 0.5);
        world.gravity = gravity_on_ramp(angle);
        const Analysis a = analyse(world);
        ASSERT_EQ(a.contacts.size(), 4u);
        ASSERT_FALSE(a.cone.solutions.empty());
        const double along = std::max(0.0, g * (std::sin(angle) - 0.5 * std::cos(angle)));
        EXPECT_NEAR(a.cone.solutions[0].acceleration[0], along, 1e-8);
        EXPECT_NEAR(a.cone.solutions[0].acceleration.tail<5>().norm(), 0.0, 1e-7);
        EXPECT_GT(a.cone.solutions[0].loose_forces, 0);
        EXPECT_LT(a.cone.solutions[0].residual, 1e-9);
        // Forces that carry one cube on four corners are not determined; its motion is.
        EXPECT_EQ(a.pyramid.existence, Existence::unique);
        RecordProperty("boxes", int(a.cone.boxes));
        RecordProperty("undecided", int(a.cone.undecided));
    }
}

/// A ball in a groove whose sides are inclined by `slope` to the horizontal.
World groove(double slope, double mu) {
    const double s = std::sin(slope), c = std::cos(slope);
    return world_of({ball(0.1, {0, 0, 0.1 / c}), half_space({0, 0, 0}, {s, 0, c}), half_space({0, 0, 0}, {-s, 0, c})},
                    mu);
}

TEST(AccelerationAnalysis, BallInAGrooveIsStable) {
    const Analysis a = analyse(groove(0.7, 0.3));
    ASSERT_EQ(a.contacts.size(), 2u);
    EXPECT_EQ(a.fixture, Fixture::stable);
    EXPECT_EQ(a.cone.undecided, 0u);
    EXPECT_EQ(a.condition.status, Condition::holds_by_rank);
    EXPECT_NEAR(a.cone.solutions[0].acceleration.norm(), 0.0, 1e-9);
}

TEST(AccelerationAnalysis, BallInATiltedGrooveCollapses) {
    World world = groove(0.7, 0.3);
    world.gravity = g * Vector3d(0.0, std::sin(0.2), -std::cos(0.2));
    EXPECT_EQ(analyse(world).fixture, Fixture::collapses);
}

TEST(AccelerationAnalysis, PartBetweenTwoFingersMayCollapse) {
    // The fingers touch the disc on opposite sides: they may squeeze and hold it, or let it fall.
    World world =
        world_of({ball(0.1, {0, 0, 0}), half_space({-0.1, 0, 0}, {1, 0, 0}), half_space({0.1, 0, 0}, {-1, 0, 0})}, 0.4);
    for (const bool planar : {true, false}) {
        world.planar = planar;
        const Analysis a = analyse(world);
        ASSERT_EQ(a.contacts.size(), 2u);
        EXPECT_EQ(a.fixture, Fixture::may_collapse);
        EXPECT_EQ(a.cone.existence, Existence::several);
        double least = HUGE_VAL, most = 0.0;
        for (const AccelerationSolution& s : a.cone.solutions) {
            EXPECT_LT(s.residual, 1e-8);
            least = std::min(least, s.acceleration.norm());
            most = std::max(most, s.acceleration.norm());
        }
        EXPECT_NEAR(least, 0.0, 1e-7);
        // How hard they squeeze while it slips between them is open: it falls at any rate up to g.
        EXPECT_NEAR(most, g, 1e-7);
        EXPECT_TRUE(std::any_of(a.cone.solutions.begin(), a.cone.solutions.end(),
                                [](const auto& s) { return s.loose_motions == 1; }));
    }
}

/// A thin ladder of length 2 in the plane against a smooth or rough wall at x = 0.
Analysis ladder(double angle, double floor, double wall, double slip) {
    Body rod;
    rod.shape = Polytope{{{-1, 0, 0}, {1, 0, 0}}, {}, {}};
    rod.inertia.setConstant(1.0 / 3.0);
    const double c = std::cos(angle), s = std::sin(angle);
    rod.pose.position = {c, 0, s};
    rod.pose.orientation = Eigen::AngleAxisd(angle, Vector3d::UnitY());  // turns +x towards -z: the foot is +1
    // Foot at (2 c, 0), head at (0, 2 s); it slides down at rate `slip`: x' = -s a', z' = c a'.
    rod.velocity = slip * Vector3d(s, 0, -c);
    rod.angular_velocity = {0, -slip, 0};
    World world = world_of({rod, half_space({0, 0, 0}, {0, 0, 1}), half_space({0, 0, 0}, {1, 0, 0})}, floor);
    world.planar = true;
    world.bodies[2].material = 1;
    world.materials = 2;
    world.laws.assign(4, {});
    world.laws[0].friction.sliding = floor;
    world.laws[1].friction.sliding = world.laws[2].friction.sliding = wall;
    return analyse(world);
}

TEST(AccelerationAnalysis, LadderStandsUpToTheAngleOfStatics) {
    // Smooth wall: it stands where cot(angle) <= 2 mu of the floor.
    const double mu = 0.4, limit = std::atan(1.0 / (2.0 * mu));
    const Analysis steep = ladder(limit + 0.01, mu, 0.0, 0.0);
    ASSERT_EQ(steep.contacts.size(), 2u);
    EXPECT_EQ(steep.fixture, Fixture::stable);
    EXPECT_EQ(steep.cone.solutions[0].loose_forces, 0);
    EXPECT_EQ(ladder(limit - 0.01, mu, 0.0, 0.0).fixture, Fixture::collapses);
}

TEST(AccelerationAnalysis, LadderAgainstARoughWallHasLooseForces) {
    const Analysis a = ladder(1.2, 0.6, 0.6, 0.0);
    ASSERT_FALSE(a.cone.solutions.empty());
    EXPECT_EQ(a.cone.solutions[0].loose_forces, 1);
    EXPECT_NEAR(a.cone.solutions[0].acceleration.norm(), 0.0, 1e-9);
}

TEST(AccelerationAnalysis, SlidingLadderOnSmoothSurfacesFollowsItsEquationOfMotion) {
    // Both ends slide without friction: (I + m) angle'' = -m g cos(angle), whatever the rate, while the wall pushes.
    const double angle = 1.0, rate = 0.3;
    const Analysis a = ladder(angle, 0.0, 0.0, rate);
    ASSERT_EQ(a.contacts.size(), 2u);
    EXPECT_EQ(a.contacts[0].state, ContactState::sliding);
    ASSERT_EQ(a.cone.existence, Existence::unique);
    const double expected = -g * std::cos(angle) / (1.0 + 1.0 / 3.0);
    // angular velocity y = angle rate: the foot side (+x of the rod) turns up as the angle falls.
    EXPECT_NEAR(a.cone.solutions[0].acceleration[2], expected, 1e-8);
    // x = cos(angle): x'' = -sin angle'' - cos angle'^2, and the wall gives it.
    EXPECT_NEAR(a.cone.solutions[0].acceleration[0], -std::sin(angle) * expected - std::cos(angle) * rate * rate, 1e-8);
}

TEST(AccelerationAnalysis, MovingWallDragsWhatTouchesIt) {
    World world = world_of({ball(0.1, {0, 0, 0.1}), half_space({0, 0, 0}, {0, 0, 1})}, 0.25);
    world.bodies[1].velocity = {0, 2.0, 0};
    const Analysis a = analyse(world);
    EXPECT_EQ(a.contacts[0].state, ContactState::sliding);
    EXPECT_NEAR(a.cone.solutions.at(0).acceleration[1], 0.25 * g, 1e-9);
    EXPECT_EQ(a.fixture, Fixture::not_at_rest);
}

TEST(AccelerationAnalysis, EllipticFrictionHoldsFurtherAlongItsStrongAxis) {
    World world = world_of({ball(0.1, {0, 0, 0.1}), half_space({0, 0, 0}, {0, 0, 1})}, 0.1);
    world.laws[0].friction.aspect = 3.0;
    const auto slip_of = [&](const Vector3d& gravity) {
        world.gravity = gravity;
        return analyse(world).cone.solutions.at(0);
    };
    // Which world axis the first tangent is, is the world's affair: it rolls on one of them, it slides on the other.
    const double angle = std::atan(3.5 * 0.2);
    const bool x =
        slip_of(g * Vector3d(std::sin(angle), 0, -std::cos(angle))).transitions[0] == Transition::rolling_to_rolling;
    const bool y =
        slip_of(g * Vector3d(0, std::sin(angle), -std::cos(angle))).transitions[0] == Transition::rolling_to_rolling;
    EXPECT_NE(x, y);
}

TEST(AccelerationAnalysis, NothingTouchesMeansFreeFall) {
    const Analysis a = analyse(world_of({ball(0.1, {0, 0, 3.0}), half_space({0, 0, 0}, {0, 0, 1})}, 0.2));
    EXPECT_TRUE(a.contacts.empty());
    ASSERT_EQ(a.cone.existence, Existence::unique);
    EXPECT_NEAR(a.cone.solutions[0].acceleration[2], -g, 1e-12);
    EXPECT_EQ(a.fixture, Fixture::collapses);
}

TEST(AccelerationAnalysis, SeparatingContactTakesNoPart) {
    World world = world_of({ball(0.1, {0, 0, 0.1}), half_space({0, 0, 0}, {0, 0, 1})}, 0.2);
    world.bodies[0].velocity = {0, 0, 0.5};
    const Analysis a = analyse(world);
    EXPECT_EQ(a.contacts.at(0).state, ContactState::separating);
    EXPECT_TRUE(a.active.empty());
    EXPECT_NEAR(a.cone.solutions.at(0).acceleration[2], -g, 1e-12);
}

TEST(AccelerationAnalysis, RefusesBadStatesAndTooManyContacts) {
    World world = world_of({ball(0.1, {0, 0, 0.1}), half_space({0, 0, 0}, {0, 0, 1})}, 0.2);
    State bad = world.start();
    bad.v[0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(static_cast<void>(reference::analyse(world, bad)), model::Error);
    AnalysisSettings none;
    none.max_contacts = 0;
    EXPECT_THROW(static_cast<void>(reference::analyse(world, world.start(), none)), model::Error);
    AnalysisSettings negative;
    negative.gap_tolerance = -1.0;
    EXPECT_THROW(static_cast<void>(reference::analyse(world, world.start(), negative)), model::Error);
}

TEST(AccelerationAnalysis, ManyContactsAreSolvedWithoutTheSearch) {
    // 16 balls side by side on a table, at rest: 16 contacts are more than the search takes.
    std::vector<Body> bodies;
    for (int i = 0; i < 16; ++i) bodies.push_back(ball(0.1, {0.3 * i, 0, 0.1}));
    bodies.push_back(half_space({0, 0, 0}, {0, 0, 1}));
    const Analysis a = analyse(world_of(std::move(bodies), 0.3));
    EXPECT_FALSE(a.cone.searched);
    ASSERT_EQ(a.cone.existence, Existence::some);
    EXPECT_LT(a.cone.solutions[0].residual, 1e-8);
    EXPECT_EQ(a.fixture, Fixture::may_rest);
}

}  // namespace
}  // namespace scree::reference
