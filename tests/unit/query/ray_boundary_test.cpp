// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/random_stream.hpp"
#include "engine/geometry/tessellate.hpp"
#include "engine/query/boundary_queries.hpp"
#include "engine/query/scene_query.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace scree::query {
namespace {

using kernels::Vector3d;
using model::Vec3;
using test::SceneMaker;

constexpr double rounding = 1e-12;
constexpr double infinity = std::numeric_limits<double>::infinity();

Touch touch(const model::BoundaryShape& shape, Vec3 from, Vec3 along, double limit = infinity) {
    const Vec3 u = normalized(along);
    return BoundarySurface(shape).touch({{from.x, from.y, from.z}, {u.x, u.y, u.z}}, limit);
}

void expect_touch(const Touch& touch, double distance, Vec3 normal) {
    ASSERT_TRUE(touch.found);
    EXPECT_NEAR(touch.distance, distance, rounding);
    EXPECT_NEAR(norm(Vec3{touch.normal.x, touch.normal.y, touch.normal.z} - normal), 0.0, rounding);
}

model::RevolutionShape tube() { return {.start = {}, .length = 2.0, .radius_start = 1.0, .radius_end = 1.0}; }

TEST(RayBoundary, BehindAPlaneIsSolid) {
    const model::PlaneShape plane{{0, 0, 1}, {0, 0, 1}};
    expect_touch(touch(plane, {5, 5, 3}, {0, 3, -4}), 2.5, {0, 0, 1});
    EXPECT_FALSE(touch(plane, {0, 0, 3}, {1, 0, 0}).found) << "parallel";
    EXPECT_FALSE(touch(plane, {0, 0, 3}, {0, 0, 1}).found);
    EXPECT_FALSE(touch(plane, {0, 0, 3}, {0, 0, -1}, 1.9).found);
    EXPECT_TRUE(touch(plane, {0, 0, 0}, {0, 0, 1}).inside);
    EXPECT_FALSE(touch(plane, {0, 0, 1}, {1, 0, 0}).found) << "in the plane itself";
}

TEST(RayBoundary, ASolidBoxIsHitOutsideAndHoldsWhatIsInside) {
    model::BoxShape box{{1, 0, 0}, {1, 2, 3}, {}};
    box.container = false;
    expect_touch(touch(box, {-3, 0, 0}, {1, 0, 0}), 3.0, {-1, 0, 0});
    expect_touch(touch(box, {1, 1.5, 9}, {0, 0, -1}), 6.0, {0, 0, 1});
    EXPECT_FALSE(touch(box, {1, 2.1, 9}, {0, 0, -1}).found);
    EXPECT_TRUE(touch(box, {1, 2.0, 9}, {0, 0, -1}).found) << "along a face";
    EXPECT_TRUE(touch(box, {1, 1, 1}, {0, 0, -1}).inside);
    EXPECT_FALSE(touch(box, {1, 0, 3}, {0, 0, 1}).found) << "from the surface outwards";
    EXPECT_FALSE(touch(box, {5, 0, 0}, {1, 0, 0}).found);
}

TEST(RayBoundary, AContainerIsSeenFromInsideAndFromOutside) {
    model::BoxShape box{{0, 0, 0}, {1, 1, 1}, {}};
    box.open[5] = true;  // no lid
    expect_touch(touch(box, {0, 0, 0}, {1, 0, 0}), 1.0, {-1, 0, 0});
    expect_touch(touch(box, {3, 0, 0}, {-1, 0, 0}), 2.0, {1, 0, 0});
    expect_touch(touch(box, {0.5, 0.5, 3}, {0, 0, -1}), 4.0, {0, 0, 1});
    EXPECT_FALSE(touch(box, {0, 0, 0}, {0, 0, 1}).found);
    for (const Vec3 way : {Vec3{1, 1, 0}, Vec3{1, 1, -1}, Vec3{-1, 0, -1}})  // into edges and corners
        EXPECT_TRUE(touch(box, {0, 0, 0}, way).found);
}

TEST(RayBoundary, ACylinderIsAThinWallWithOpenEnds) {
    expect_touch(touch(tube(), {0, 0, 1}, {1, 0, 0}), 1.0, {-1, 0, 0});
    expect_touch(touch(tube(), {3, 0.6, 1}, {-1, 0, 0}), 2.2, {0.8, 0.6, 0});
    EXPECT_FALSE(touch(tube(), {0, 0, 1}, {0, 0, 1}).found) << "along the axis";
    EXPECT_FALSE(touch(tube(), {1, 0, -1}, {0, 0, 1}).found) << "in the wall itself";
    EXPECT_FALSE(touch(tube(), {0, 0, 2.5}, {1, 0, 0}).found) << "above it";
    EXPECT_TRUE(touch(tube(), {3, 1, 1}, {-1, 0, 0}).found) << "a tangent";
    auto closed = tube();
    closed.cap_start = closed.cap_end = true;
    expect_touch(touch(closed, {0.3, 0.4, 1}, {0, 0, 1}), 1.0, {0, 0, -1});
    expect_touch(touch(closed, {0, 0, -2}, {0, 0, 1}), 2.0, {0, 0, -1});
    expect_touch(touch(closed, {0, 0, 1}, {0, 0, -1}), 1.0, {0, 0, 1});
    EXPECT_TRUE(touch(closed, {0, 0, 1}, {1, 0, 1}).found) << "into the rim";
}

TEST(RayBoundary, AConeIsHitOnItsOwnNappe) {
    // Tip at the origin, radius 1 at z = 1; the other nappe of its equation is not there.
    const model::RevolutionShape cone{.start = {}, .length = 1.0, .radius_start = 0.0, .radius_end = 1.0};
    const double half = std::sqrt(0.5);
    expect_touch(touch(cone, {3, 0, 0.5}, {-1, 0, 0}), 2.5, {half, 0, -half});
    expect_touch(touch(cone, {0, 0, 0.5}, {1, 0, 0}), 0.5, {-half, 0, half});
    EXPECT_FALSE(touch(cone, {3, 0, -0.5}, {-1, 0, 0}).found);
    EXPECT_TRUE(touch(cone, {0, 0, 5}, {0, 0, -1}).found) << "into the tip";
    // Parallel to a line of the cone: one crossing only.
    expect_touch(touch(cone, {0.5, 0, 0}, {-1, 0, 1}), 0.25 / half, {half, 0, -half});
    EXPECT_FALSE(touch(cone, {1.5, 0, 1}, {-1, 0, -1}).found) << "it meets the other nappe";
}

TEST(RayBoundary, AMeshIsHitAsItsTrianglesAre) {
    geometry::RandomStream random(7);
    const auto point = [&](double size) {
        return Vec3{random.between(-size, size), random.between(-size, size), random.between(-size, size)};
    };
    model::MeshShape mesh;
    for (std::uint32_t t = 0; t < 500; ++t) {
        const Vec3 a = point(1.0);
        mesh.vertices.insert(mesh.vertices.end(), {a, a + point(0.3), a + point(0.3)});
        mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    const BoundarySurface surface(mesh);
    int hits = 0;
    for (int k = 0; k < 2000; ++k) {
        const Vec3 from = point(2.0), way = normalized(point(1.0) - from);
        // Where the ray crosses the plane, on the inner side of all three edges.
        double nearest = infinity;
        for (const auto& t : mesh.triangles) {
            const Vec3 v[3] = {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
            const Vec3 n = cross(v[1] - v[0], v[2] - v[0]);
            const double s = dot(v[0] - from, n) / dot(way, n);
            const Vec3 at = from + s * way;
            bool inside = s >= 0.0;
            for (int e = 0; e < 3; ++e) inside = inside && dot(cross(v[(e + 1) % 3] - v[e], at - v[e]), n) >= 0.0;
            if (inside) nearest = std::min(nearest, s);
        }
        const Touch found = surface.touch({{from.x, from.y, from.z}, {way.x, way.y, way.z}}, infinity);
        ASSERT_EQ(found.found, nearest < infinity) << k;
        if (!found.found) continue;
        ++hits;
        EXPECT_NEAR(found.distance, nearest, 1e-10);
        EXPECT_LE(dot(Vec3{found.normal.x, found.normal.y, found.normal.z}, way), 0.0);
    }
    EXPECT_GT(hits, 500);
}

TEST(RayBoundary, RaysDoNotSlipBetweenTrianglesThatMeet) {
    auto closed = tube();
    closed.cap_start = closed.cap_end = true;
    const model::MeshShape mesh = geometry::tessellate(closed, 1.0);
    const BoundarySurface surface(mesh);
    for (const auto& t : mesh.triangles)
        for (int e = 0; e < 3; ++e) {
            const Vec3 a = mesh.vertices[t[std::size_t(e)]], b = mesh.vertices[t[std::size_t((e + 1) % 3)]];
            for (const double share : {0.0, 0.3, 0.5}) {
                const Vec3 from{0.1, 0.2, 0.9}, way = normalized(a + share * (b - a) - from);
                EXPECT_TRUE(surface.touch({{from.x, from.y, from.z}, {way.x, way.y, way.z}}, infinity).found);
            }
        }
}

TEST(RayBoundary, SurfacesAgreeWithTheirTriangles) {
    // 64 segments lie within 1 - cos(pi / 64) = 1.2e-3 of the radius of their circle; along a ray that meets the wall
    // at an angle with sine above 0.3 that is 4e-3. Rays that come near a rim may tell differently.
    model::RevolutionShape funnel{.start = {0.2, 0.1, -0.5},
                                  .axis = normalized(Vec3{1, 2, 3}),
                                  .length = 1.5,
                                  .radius_start = 1,
                                  .radius_end = 0.3};
    funnel.cap_start = funnel.cap_end = true;
    model::BoxShape box{{0.1, 0.2, 0.3}, {1, 0.8, 0.6}, model::from_axis_angle({1, 1, 0}, 0.4)};
    geometry::RandomStream random(11);
    for (const model::BoundaryShape& shape : {model::BoundaryShape(funnel), model::BoundaryShape(box)}) {
        const BoundarySurface exact(shape), triangles(geometry::tessellate(shape, 1.0));
        int compared = 0, different = 0;
        for (int k = 0; k < 4000; ++k) {
            const auto any = [&] { return random.between(-2.0, 2.0); };
            const Vec3 from{any(), any(), any()}, way = normalized(0.5 * Vec3{any(), any(), any()} - from);
            const Line line{{from.x, from.y, from.z}, {way.x, way.y, way.z}};
            const Touch a = exact.touch(line, infinity), b = triangles.touch(line, infinity);
            if (!a.found && !b.found) continue;
            ++compared;
            if (a.found != b.found) {
                ++different;
                continue;
            }
            if (std::abs(dot(a.normal, line.along)) < 0.3) continue;
            if (std::abs(a.distance - b.distance) > 4e-3) ++different;
        }
        EXPECT_GT(compared, 1000);
        EXPECT_LT(different, compared / 100);
    }
}

TEST(RayBoundary, MovingBoundariesAreSeenWhereTheyAreAndRemovedOnesNot) {
    SceneMaker maker(1e-2);
    model::Motion rise;
    rise.velocity = {0, 0, 1};
    const std::size_t lift = maker.boundary(model::PlaneShape{{0, 0, 0}, {0, 0, 1}}, {rise});
    maker.edit().boundaries[lift].remove_at = 0.505;
    maker.edit().boundaries[lift].name = "lift";
    simulation::Simulation simulation(maker.scene());
    SceneQuery query(simulation.scene());
    for (int k = 0; k < 50; ++k) simulation.step();
    query.update(simulation.snapshot(false));
    const auto hit = query.cast({.origin = {0, 0, 3}});
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->distance, 2.5, rounding);
    EXPECT_EQ(hit->name, "lift");
    EXPECT_EQ(hit->boundary, 0);
    EXPECT_EQ(hit->body, 0u);
    simulation.step();
    query.update(simulation.snapshot(false));
    EXPECT_FALSE(query.cast({.origin = {0, 0, 3}}));
}

TEST(RayBoundary, TheNearerOfBodyAndBoundaryIsHit) {
    SceneMaker maker(1e-3);
    maker.plane({0, 0, -1});
    maker.sphere({.position = {}, .radius = 0.5});
    simulation::Simulation simulation(maker.scene());
    const SceneQuery query(simulation.scene(), simulation.snapshot(false));
    EXPECT_EQ(query.cast({.origin = {0, 0, 3}})->body, 1u);
    EXPECT_EQ(query.cast({.origin = {0.6, 0, 3}})->boundary, 0);
}

}  // namespace
}  // namespace scree::query
