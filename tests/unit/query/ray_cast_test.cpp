// SPDX-License-Identifier: BSD-3-Clause
#include "engine/model/error.hpp"
#include "engine/query/scene_query.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace scree::query {
namespace {

using model::Quat;
using model::Vec3;
using test::SceneMaker;

// Distances of closed forms are exact but for rounding; searched ones stop at 1e-13 of the size.
constexpr double rounding = 2e-12;

std::optional<RayHit> cast(const SceneMaker& maker, const Ray& ray) {
    simulation::Simulation simulation(maker.scene());
    return SceneQuery(simulation.scene(), simulation.snapshot(false)).cast(ray);
}

std::optional<RayHit> cast_at(const model::Solid& solid, const Ray& ray, Quat orientation = {}) {
    SceneMaker maker(1e-3);
    maker.solid(solid, {.position = {}, .orientation = orientation});
    return cast(maker, ray);
}

void expect_hit(const std::optional<RayHit>& hit, double distance, Vec3 normal, double tolerance = rounding) {
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->distance, distance, tolerance);
    EXPECT_NEAR(norm(hit->normal - normal), 0.0, 1e-6);
    EXPECT_FALSE(hit->inside);
}

TEST(RayCast, AnEmptySceneHasNothingToHit) { EXPECT_FALSE(cast(SceneMaker(1e-3), {.origin = {}})); }

TEST(RayCast, ASphereIsHitWhereTheQuadraticSays) {
    SceneMaker maker(1e-3);
    maker.sphere({.position = {1, 2, 3}, .radius = 0.5});
    const auto hit = cast(maker, {.origin = {1, 2, 10}, .direction = {0, 0, -7}});
    expect_hit(hit, 6.5, {0, 0, 1});
    EXPECT_EQ(hit->body, 1u);
    EXPECT_EQ(hit->boundary, -1);
    EXPECT_NEAR(norm(hit->point - Vec3{1, 2, 3.5}), 0.0, rounding);
    // 0.3 beside the centre: 0.4 before it.
    expect_hit(cast(maker, {.origin = {1.3, 2, 10}, .direction = {0, 0, -1}}), 6.6, {0.6, 0, 0.8});
    EXPECT_FALSE(cast(maker, {.origin = {1.51, 2, 10}, .direction = {0, 0, -1}}));
    EXPECT_FALSE(cast(maker, {.origin = {1, 2, 10}, .direction = {0, 0, 1}})) << "it lies behind";
    EXPECT_FALSE(cast(maker, {.origin = {1, 2, 10}, .max_distance = 6.4})) << "it lies beyond";
    EXPECT_TRUE(cast(maker, {.origin = {1, 2, 10}, .max_distance = 6.5}));
}

TEST(RayCast, ATangentTouches) {
    SceneMaker maker(1e-3);
    maker.sphere({.position = {}, .radius = 0.5});
    expect_hit(cast(maker, {.origin = {0.5, 0, 2}}), 2.0, {1, 0, 0});
    EXPECT_FALSE(cast(maker, {.origin = {std::nextafter(0.5, 1.0) + 1e-12, 0, 2}}));
    // Along a face of a box, and along an edge of it: they belong to it.
    expect_hit(cast_at(model::SolidBox{{1, 1, 1}}, {.origin = {1, 0, 3}}), 2.0, {0, 0, 1});
    ASSERT_TRUE(cast_at(model::SolidBox{{1, 1, 1}}, {.origin = {1, 1, 3}}));
    EXPECT_FALSE(cast_at(model::SolidBox{{1, 1, 1}}, {.origin = {1.0 + 1e-10, 0, 3}}));
}

TEST(RayCast, FromInsideItHitsAtOnce) {
    for (const model::Solid& solid :
         {model::Solid(model::SolidBox{{1, 1, 1}}), model::Solid(model::SolidSphere{1.0}),
          model::Solid(model::SolidCapsule{0.5, 1.0}), model::Solid(model::SolidEllipsoid{{1, 2, 3}})}) {
        const auto hit = cast_at(solid, {.origin = {0, 0, 0}, .direction = {1, 2, 2}});
        ASSERT_TRUE(hit);
        EXPECT_TRUE(hit->inside);
        EXPECT_EQ(hit->distance, 0.0);
        EXPECT_NEAR(norm(hit->normal - Vec3{-1.0 / 3, -2.0 / 3, -2.0 / 3}), 0.0, 1e-15);
    }
}

TEST(RayCast, FromTheSurfaceItHitsOnTheWayInOnly) {
    const model::SolidBox box{{1, 1, 1}};
    EXPECT_FALSE(cast_at(box, {.origin = {0, 0, 1}, .direction = {0.3, 0, 1}}));
    EXPECT_FALSE(cast_at(box, {.origin = {0, 0, 1}, .direction = {1, 0, 0}})) << "along the face";
    expect_hit(cast_at(box, {.origin = {0, 0, 1}, .direction = {0.3, 0, -1}}), 0.0, {0, 0, 1});
    const model::SolidSphere ball{1.0};
    EXPECT_FALSE(cast_at(ball, {.origin = {0, 0, 1}, .direction = {0.3, 0, 1}}));
    expect_hit(cast_at(ball, {.origin = {0, 0, 1}, .direction = {0.3, 0, -1}}), 0.0, {0, 0, 1});
}

TEST(RayCast, ShapesAreHitWhereTheirEquationsSay) {
    const Vec3 down{0, 0, -1};
    expect_hit(cast_at(model::SolidBox{{1, 2, 3}}, {.origin = {0.5, 1, 9}, .direction = down}), 6.0, {0, 0, 1});
    expect_hit(cast_at(model::SolidCapsule{0.5, 1.0}, {.origin = {0.3, 0, 9}, .direction = down}), 7.6, {0.6, 0, 0.8});
    expect_hit(cast_at(model::SolidCapsule{0.5, 1.0}, {.origin = {9, 0, 0.2}, .direction = {-1, 0, 0}}), 8.5,
               {1, 0, 0});
    expect_hit(cast_at(model::SolidCylinder{0.5, 1.0}, {.origin = {0.3, 9, 0}, .direction = {0, -1, 0}}), 8.6,
               {0.6, 0.8, 0});
    expect_hit(cast_at(model::SolidCylinder{0.5, 1.0}, {.origin = {0.3, 0, 9}, .direction = down}), 8.0, {0, 0, 1});
    // A cone of radius 1 and height 4: apex at z = 3; at x = 0.5 its flank is at z = 1.
    const double slope = std::sqrt(17.0);
    expect_hit(cast_at(model::SolidCone{1.0, 4.0}, {.origin = {0.5, 0, 9}, .direction = down}), 8.0,
               {4 / slope, 0, 1 / slope});
    expect_hit(cast_at(model::SolidEllipsoid{{1, 2, 3}}, {.origin = {0.6, 0, 9}, .direction = down}), 9.0 - 2.4,
               normalized(Vec3{0.6, 0, 2.4 / 9}));
    // |x| + |y| + |z| <= 1
    const double third = 1.0 / std::sqrt(3.0);
    expect_hit(cast_at(model::SolidSuperquadric{{1, 1, 1}, 2.0, 2.0}, {.origin = {0.2, 0.3, 9}, .direction = down}),
               8.5, {third, third, third});
    // A box with edges of radius 0.5, hit at 0.3 beyond the core: 0.4 above it.
    expect_hit(cast_at(model::SolidBox{{1, 1, 1}, 0.5}, {.origin = {0.8, 0, 9}, .direction = down}), 8.1,
               {0.6, 0, 0.8});
    expect_hit(cast_at(model::SolidCylinder{1.0, 1.0, 0.5}, {.origin = {0.8, 0, 9}, .direction = down}), 8.1,
               {0.6, 0, 0.8});
}

TEST(RayCast, TurnedShapesAreHitAsTurnedRaysHitThem) {
    const Quat turn = model::from_axis_angle({1, 2, 3}, 0.7);
    const Ray ray{.origin = {0.4, 0.3, 5}, .direction = {0.02, -0.05, -1}};
    const Ray turned{.origin = rotate(turn, ray.origin), .direction = rotate(turn, ray.direction)};
    for (const model::Solid& solid :
         {model::Solid(model::SolidBox{{1, 0.5, 0.7}}), model::Solid(model::SolidCone{1.0, 2.0}),
          model::Solid(model::SolidSuperquadric{{1, 0.8, 0.6}, 0.4, 1.3}),
          model::Solid(model::SolidPolytope{{{1, 0, -1}, {-1, 1, -1}, {-1, -1, -1}, {0.1, 0.2, 2}}})}) {
        const auto a = cast_at(solid, ray), b = cast_at(solid, turned, turn);
        ASSERT_TRUE(a && b);
        EXPECT_NEAR(a->distance, b->distance, 1e-10);
        EXPECT_NEAR(norm(rotate(turn, a->normal) - b->normal), 0.0, 1e-7);
    }
}

TEST(RayCast, ACompoundIsHitPartByPart) {
    // Two balls at x = -1 and 1: a ray between them passes.
    model::SolidCompound dumbbell;
    dumbbell.parts = {{model::SolidSphere{0.5}, {-1, 0, 0}, {}}, {model::SolidSphere{0.5}, {1, 0, 0}, {}}};
    EXPECT_FALSE(cast_at(dumbbell, {.origin = {0, 0, 3}}));
    expect_hit(cast_at(dumbbell, {.origin = {1, 0, 3}}), 2.5, {0, 0, 1});
    expect_hit(cast_at(dumbbell, {.origin = {3, 0, 0}, .direction = {-1, 0, 0}}), 1.5, {1, 0, 0});
}

TEST(RayCast, WhereTwoPartsMeetIsInsideTheBody) {
    model::SolidCompound bar;  // from x = -2 to 2
    bar.parts = {{model::SolidBox{{1, 1, 1}}, {-1, 0, 0}, {}}, {model::SolidBox{{1, 1, 1}}, {1, 0, 0}, {}}};
    for (const Vec3 way : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{1, 0.5, -0.2}}) {
        const auto hit = cast_at(bar, {.origin = {0, 0.2, 0.3}, .direction = way});
        ASSERT_TRUE(hit);
        EXPECT_TRUE(hit->inside);
        EXPECT_EQ(hit->distance, 0.0);
    }
    expect_hit(cast_at(bar, {.origin = {-2, 0, 0}, .direction = {1, 0, 0}}), 0.0, {-1, 0, 0});
    const auto seam = cast_at(bar, {.origin = {0, 0, 1}, .direction = {0.1, 0, -1}});
    ASSERT_TRUE(seam);
    EXPECT_FALSE(seam->inside) << "from outside, where the parts meet";
    EXPECT_FALSE(cast_at(bar, {.origin = {0, 0, 1}, .direction = {0.1, 0, 1}}));
}

TEST(RayCast, PolygonsOfPlanarScenesArePrisms) {
    SceneMaker maker(1e-3);
    maker.edit().settings.planar = true;
    maker.edit().settings.stepper = model::Stepper::ncp;
    // Its centre of mass, the mean of the corners, is at the origin of the world; the flank goes from (2, -1) to (-1,
    // 2).
    maker.solid(model::SolidPolytope{{{0, 0, 0}, {3, 0, 0}, {0, 0, 3}}}, {.position = {}});
    expect_hit(cast(maker, {.origin = {0, 0, 5}}), 4.0, {std::sqrt(0.5), 0, std::sqrt(0.5)});
    EXPECT_FALSE(cast(maker, {.origin = {-1.1, 0, 5}}));
}

TEST(RayCast, FarOriginsCostNoDigitsButTheirOwn) {
    const double far = 1e6;
    const auto ball = cast_at(model::SolidSphere{0.5}, {.origin = {0.3, 0, far}});
    expect_hit(ball, far - 0.4, {0.6, 0, 0.8}, 1e-9);
    expect_hit(cast_at(model::SolidCylinder{0.5, 1}, {.origin = {0.3, far, 0}, .direction = {0, -1, 0}}), far - 0.4,
               {0.6, 0.8, 0}, 2e-9);
}

TEST(RayCast, OfEquallyDistantBodiesTheLowestIdIsHit) {
    SceneMaker maker(1e-3);
    for (int k = 0; k < 20; ++k) maker.sphere({.position = {}, .radius = 0.5});
    EXPECT_EQ(cast(maker, {.origin = {0, 0, 3}})->body, 1u);
}

TEST(RayCast, DirectionsMayHaveAnyLength) {
    SceneMaker maker(1e-3);
    maker.sphere({.position = {}, .radius = 0.5});
    for (const double length : {1e-300, 1e300}) expect_hit(cast(maker, {{0, 0, 2}, {0, 0, -length}}), 1.5, {0, 0, 1});
}

TEST(RayCast, BadRaysAreErrorsWithAHint) {
    simulation::Simulation simulation(SceneMaker(1e-3).scene());
    const SceneQuery query(simulation.scene(), simulation.snapshot(false));
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    for (const Ray& ray :
         {Ray{.direction = {0, 0, 0}}, Ray{.direction = {nan, 0, 1}}, Ray{.direction = {infinity, 0, 1}},
          Ray{.origin = {0, nan, 0}}, Ray{.max_distance = -1.0}, Ray{.max_distance = nan}}) {
        try {
            (void)query.cast(ray);
            ADD_FAILURE() << "no error";
        } catch (const model::Error& error) {
            EXPECT_EQ(error.kind(), model::ErrorKind::input);
            EXPECT_FALSE(error.hint().empty());
        }
    }
}

TEST(RayCast, AQuerySeesTheSnapshotThatItWasGiven) {
    SceneMaker maker(1e-3);
    maker.acceleration({}).sphere({.position = {}, .radius = 0.5, .velocity = {0, 0, 1}});
    simulation::Simulation simulation(maker.scene());
    SceneQuery query(simulation.scene());
    EXPECT_FALSE(query.cast({.origin = {0, 0, 3}})) << "no bodies yet";
    query.update(simulation.snapshot(false));
    EXPECT_NEAR(query.cast({.origin = {0, 0, 3}})->distance, 2.5, rounding);
    for (int k = 0; k < 100; ++k) simulation.step();
    query.update(simulation.snapshot(false));
    EXPECT_NEAR(query.cast({.origin = {0, 0, 3}})->distance, 2.4, 1e-6);
}

TEST(RayCast, ASnapshotOfAnotherSceneIsRefused) {
    SceneMaker with_floor(1e-3), with_ball(1e-3);
    with_floor.plane();
    with_ball.sphere({});
    simulation::Simulation floor(with_floor.scene()), ball(with_ball.scene());
    EXPECT_THROW(SceneQuery(floor.scene(), ball.snapshot(false)), model::Error);
    simulation::Simulation empty(SceneMaker(1e-3).scene());
    EXPECT_THROW(SceneQuery(empty.scene(), ball.snapshot(false)), model::Error);
}

TEST(RayCast, ARayGoesOnThroughPeriodicFaces) {
    SceneMaker maker(1e-3);
    maker.periodic(0, 0.0, 10.0).sphere({.position = {1, 0, 0}, .radius = 0.5});
    const auto hit = cast(maker, {.origin = {4, 0, 0}, .direction = {1, 0, 0}});
    expect_hit(hit, 6.5, {-1, 0, 0});
    EXPECT_NEAR(hit->point.x, 0.5, rounding);
    expect_hit(cast(maker, {.origin = {24, 0, 0}, .direction = {1, 0, 0}}), 6.5, {-1, 0, 0});
    EXPECT_FALSE(cast(maker, {.origin = {4, 0, 0}, .direction = {1, 0, 0}, .max_distance = 6.4}));
    EXPECT_FALSE(cast(maker, {.origin = {4, 0, 1}, .direction = {1, 0, 0}})) << "it ends after so many faces";
    // It climbs by 1 on each way around: at the second return to x = 1 it meets the ball's centre.
    const double around = std::sqrt(404.0);
    expect_hit(cast(maker, {.origin = {1, 0, -2}, .direction = {10, 0, 1}}), around - 0.5,
               {-20 / around, 0, -2 / around});
}

TEST(RayCast, BodiesThatReachOverAPeriodicFaceAreOnBothSides) {
    SceneMaker maker(1e-3);
    maker.periodic(0, 0.0, 10.0).sphere({.position = {0.2, 0, 0}, .radius = 0.5});
    expect_hit(cast(maker, {.origin = {9.8, 0, 3}}), 3.0 - 0.3, {-0.8, 0, 0.6});
    expect_hit(cast(maker, {.origin = {5, 0, 0}, .direction = {1, 0, 0}}), 4.7, {-1, 0, 0});
}

}  // namespace
}  // namespace scree::query
