// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/bodies.hpp"
#include "engine/geometry/mass.hpp"
#include "engine/model/error.hpp"
#include "tests/unit/geometry/packing_checks.hpp"
#include "tests/unit/geometry/scratch_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

namespace scree::geometry {
namespace {

using model::RandomSource;
using model::Region;
using model::Scene;
using model::SizeDistribution;
using model::Vec3;
using test::error_of;
using test::least_gap;
using test::most_outside;

/// The unit cube, equal spheres.
RandomSource equal_spheres(double radius, double fraction) {
    RandomSource source;
    source.region.upper = {1, 1, 1};
    source.sizes.radius = radius;
    source.fraction = fraction;
    return source;
}

Scene scene_with(const RandomSource& random) {
    Scene scene;
    scene.path = "scenes/test.yaml";
    scene.materials = {{"glass", 2500.0}};
    model::Source source;
    source.name = "rain";
    source.line = 10;
    source.what = random;
    scene.sources.push_back(source);
    return scene;
}

/// A scene whose first source is one sphere in the middle of the unit cube.
Scene scene_with_ball(double radius, const RandomSource& random) {
    Scene scene = scene_with(random);
    model::Source ball;
    ball.name = "ball";
    model::SphereSource sphere;
    sphere.position = {0.5, 0.5, 0.5};
    sphere.radius = radius;
    ball.what = sphere;
    scene.sources.insert(scene.sources.begin(), ball);
    return scene;
}

std::string all_notes(const SourceReport& report) {
    std::string text;
    for (const std::string& note : report.notes) text += note + "\n";
    return text;
}

void expect_error(const RandomSource& source, const std::string& text) {
    const model::Error error = error_of([&] { static_cast<void>(make_bodies(scene_with(source))); });
    EXPECT_NE(error.message().find(text), std::string::npos) << error.what();
    EXPECT_NE(error.message().find("source 'rain'"), std::string::npos);
    EXPECT_EQ(error.line(), 10U);
}

// Distances are compared to 1e-12 of the unit cube: rounding of positions near 1.
constexpr double rounding = 1e-12;

TEST(GeometryRandomPacking, EqualSpheresReachTheFractionWithoutOverlap) {
    for (const double fraction : {0.05, 0.30, 0.36}) {
        const BodySet set = make_bodies(scene_with(equal_spheres(0.04, fraction)));
        const SourceReport& report = set.reports[0];
        EXPECT_EQ(report.inserted, static_cast<std::size_t>(std::round(fraction / sphere_volume(0.04))));
        EXPECT_EQ(report.rejected, 0U);
        EXPECT_EQ(report.requested, report.inserted);
        EXPECT_GE(least_gap(set.bodies), -rounding);
        EXPECT_LE(most_outside(set.bodies, {0, 0, 0}, {1, 1, 1}), rounding);
        EXPECT_NEAR(report.mass, 2500.0 * fraction, 2500.0 * sphere_volume(0.04));
        EXPECT_EQ(report.radius_mean, 0.04);
        EXPECT_NE(all_notes(report).find("solid fraction"), std::string::npos);
    }
}

TEST(GeometryRandomPacking, CountIsInsertedExactly) {
    RandomSource source = equal_spheres(0.02, 0.0);
    source.count = 321;
    EXPECT_EQ(make_bodies(scene_with(source)).bodies.size(), 321U);
}

TEST(GeometryRandomPacking, SameSeedSameBodies) {
    RandomSource source = equal_spheres(0.05, 0.25);
    const BodySet a = make_bodies(scene_with(source)), b = make_bodies(scene_with(source));
    source.seed = 2;
    const BodySet c = make_bodies(scene_with(source));
    ASSERT_EQ(a.bodies.size(), b.bodies.size());
    for (std::size_t i = 0; i < a.bodies.size(); ++i) EXPECT_EQ(a.bodies[i].position, b.bodies[i].position);
    EXPECT_NE(a.bodies[0].position, c.bodies[0].position);
}

TEST(GeometryRandomPacking, WideMixtureIsInsertedLargestFirst) {
    RandomSource source = equal_spheres(0.0, 0.35);
    source.sizes.kind = SizeDistribution::Kind::sieve;
    source.sizes.passing = {{0.01, 0.0}, {0.03, 0.4}, {0.15, 1.0}};
    const BodySet set = make_bodies(scene_with(source));
    const SourceReport& report = set.reports[0];
    EXPECT_EQ(report.rejected, 0U);
    EXPECT_GT(report.radius_max / report.radius_min, 10.0);
    EXPECT_NEAR(report.mass, 2500.0 * 0.35, 2500.0 * 0.35 * 0.02);  // 2 %: the few largest spheres
    EXPECT_GE(least_gap(set.bodies), -rounding);
    EXPECT_LE(most_outside(set.bodies, {0, 0, 0}, {1, 1, 1}), rounding);
    for (std::size_t i = 1; i < set.bodies.size(); ++i) EXPECT_LE(set.bodies[i].radius, set.bodies[i - 1].radius);
    double passing = 0.0;
    for (const model::Sphere& b : set.bodies) passing += b.radius < 0.03 ? sphere_mass(2500.0, b.radius) : 0.0;
    EXPECT_NEAR(passing / report.mass, 0.4, 0.02);
    EXPECT_NE(all_notes(report).find("50, 90 % of the mass"), std::string::npos);
}

TEST(GeometryRandomPacking, GapIsKeptBetweenSurfaces) {
    RandomSource source = equal_spheres(0.04, 0.15);
    source.gap = 0.01;
    EXPECT_GE(least_gap(make_bodies(scene_with(source)).bodies), 0.01 - rounding);
}

TEST(GeometryRandomPacking, EarlierBodiesAreAvoided) {
    RandomSource source = equal_spheres(0.03, 0.15);
    source.gap = 0.002;
    const BodySet set = make_bodies(scene_with_ball(0.4, source));
    EXPECT_EQ(set.reports[1].rejected, 0U);
    EXPECT_GE(least_gap(set.bodies), 0.002 - rounding);
}

TEST(GeometryRandomPacking, TinySpheresMayComeBeforeLargeOnes) {
    Scene scene = scene_with(equal_spheres(0.01, 0.001));
    scene.sources.push_back(scene_with(equal_spheres(0.1, 0.02)).sources[0]);
    const BodySet set = make_bodies(scene);
    EXPECT_EQ(set.reports[1].inserted, 5U);
    EXPECT_GE(least_gap(set.bodies), -rounding);
}

TEST(GeometryRandomPacking, PeriodicImagesAreAvoided) {
    Scene scene = scene_with_ball(0.2, equal_spheres(0.05, 0.2));
    std::get<model::SphereSource>(scene.sources[0].what).position = {0.05, 0.95, 0.5};
    scene.periodic[0] = {true, 0.0, 1.0};
    scene.periodic[1] = {true, 0.0, 1.0};
    const BodySet set = make_bodies(scene);
    EXPECT_EQ(set.reports[1].rejected, 0U);
    EXPECT_GE(least_gap(set.bodies, {1, 1, 0}), -rounding);
}

TEST(GeometryRandomPacking, RegionThatCrossesAPeriodicFaceStaysFreeOfItsOwnImages) {
    RandomSource source = equal_spheres(0.05, 0.2);
    source.region.upper = {1.3, 1, 1};
    Scene scene = scene_with(source);
    scene.periodic[0] = {true, 0.0, 1.0};
    EXPECT_GE(least_gap(make_bodies(scene).bodies, {1, 0, 0}), -rounding);
}

TEST(GeometryRandomPacking, CylinderHoldsItsSpheres) {
    RandomSource source = equal_spheres(0.05, 0.25);
    source.region.kind = Region::Kind::cylinder;
    source.region.start = {1, 2, 3};
    source.region.axis = {1, 1, 1};
    source.region.length = 2.0;
    source.region.radius = 0.4;
    const BodySet set = make_bodies(scene_with(source));
    EXPECT_EQ(set.reports[0].rejected, 0U);
    EXPECT_GE(least_gap(set.bodies), -rounding);
    const Vec3 axis = normalized(Vec3{1, 1, 1});
    for (const model::Sphere& b : set.bodies) {
        const Vec3 d = b.position - source.region.start;
        const double along = dot(d, axis);
        EXPECT_GE(along, 0.05 - rounding);
        EXPECT_LE(along, 1.95 + rounding);
        EXPECT_LE(norm(d - along * axis), 0.35 + rounding);
    }
}

TEST(GeometryRandomPacking, SphereHoldsItsSpheres) {
    RandomSource source = equal_spheres(0.05, 0.25);
    source.region.kind = Region::Kind::sphere;
    source.region.center = {1, 2, 3};
    source.region.radius = 0.6;
    const BodySet set = make_bodies(scene_with(source));
    EXPECT_EQ(set.reports[0].rejected, 0U);
    EXPECT_GE(least_gap(set.bodies), -rounding);
    for (const model::Sphere& b : set.bodies) EXPECT_LE(norm(b.position - Vec3{1, 2, 3}), 0.55 + rounding);
}

TEST(GeometryRandomPacking, CentresAreUniformInADiluteCylinder) {
    RandomSource source = equal_spheres(0.001, 0.0);
    source.count = 4000;
    source.region.kind = Region::Kind::cylinder;
    source.region.axis = {0, 0, 2};
    source.region.length = 1.0;
    source.region.radius = 1.0;
    double square = 0.0, height = 0.0;
    for (const model::Sphere& b : make_bodies(scene_with(source)).bodies) {
        square += b.position.x * b.position.x + b.position.y * b.position.y;
        height += b.position.z;
    }
    // Mean square distance 1/2 with deviation 0.29, mean height 1/2 with 0.29: 5 deviations of the mean of 4000.
    EXPECT_NEAR(square / 4000, 0.5 * 0.999 * 0.999, 0.023);
    EXPECT_NEAR(height / 4000, 0.5, 0.023);
}

TEST(GeometryRandomPacking, OverfullRegionStopsAndReports) {
    const BodySet set = make_bodies(scene_with(equal_spheres(0.08, 0.6)));
    const SourceReport& report = set.reports[0];
    EXPECT_GT(report.rejected, 0U);
    EXPECT_EQ(report.inserted + report.rejected, report.requested);
    EXPECT_EQ(report.inserted, set.bodies.size());
    EXPECT_GE(least_gap(set.bodies), -rounding);
    EXPECT_NE(all_notes(report).find("found no place"), std::string::npos);
    EXPECT_NE(all_notes(report).find("not tried"), std::string::npos);
}

TEST(GeometryRandomPacking, SpheresLargerThanTheRegionAreRejectedTheOthersInserted) {
    RandomSource source = equal_spheres(0.0, 0.0);
    source.count = 100;
    source.region.upper = {1, 1, 0.1};
    source.sizes.kind = SizeDistribution::Kind::uniform;
    source.sizes.lower = 0.01;
    source.sizes.upper = 0.06;
    const SourceReport report = make_bodies(scene_with(source)).reports[0];
    EXPECT_EQ(report.rejected, 20U);
    EXPECT_LE(report.radius_max, 0.05);
    EXPECT_NE(all_notes(report).find("20 are larger than the region"), std::string::npos);
}

TEST(GeometryRandomPacking, SphereThatJustFitsIsPlaced) {
    RandomSource source = equal_spheres(0.5, 0.0);
    source.count = 1;
    const BodySet set = make_bodies(scene_with(source));
    ASSERT_EQ(set.bodies.size(), 1U);
    EXPECT_EQ(set.bodies[0].position, (Vec3{0.5, 0.5, 0.5}));
}

TEST(GeometryRandomPacking, SourcesThatMakeNoSenseAreErrors) {
    expect_error(equal_spheres(0.1, 0.0), "fraction is 0");
    expect_error(equal_spheres(0.1, 0.61), "fraction is 0.61");
    expect_error(equal_spheres(0.1, NAN), "fraction is nan");
    expect_error(equal_spheres(0.0, 0.1), "radius is 0");
    expect_error(equal_spheres(1e-5, 0.3), "allowed: 2147483646");
    RandomSource source = equal_spheres(0.1, 0.1);
    source.count = 3;
    expect_error(source, "both 'count' and 'fraction'");
    source.count = 0;
    source.gap = -1.0;
    expect_error(source, "gap is -1");
    source.gap = 0.0;
    source.region.upper = {1, 0, 1};
    expect_error(source, "is empty");
    source.region.upper = {1, INFINITY, 1};
    expect_error(source, "not finite");
    source.region.kind = Region::Kind::sphere;
    expect_error(source, "radius is 0");
    source.region.kind = Region::Kind::cylinder;
    source.region.radius = 1.0;
    expect_error(source, "length is 0");
    source.region.length = 1.0;
    source.region.axis = {};
    expect_error(source, "axis has no direction");
}

}  // namespace
}  // namespace scree::geometry
