// SPDX-License-Identifier: BSD-3-Clause
// Bodies on lattices: places, counts, jitter, copies of shapes.
#include "engine/geometry/bodies.hpp"
#include "tests/unit/geometry/packing_checks.hpp"
#include "tests/unit/geometry/source_scenes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

namespace scree::geometry {
namespace {

using model::LatticeSource;
using model::Scene;
using model::Vec3;
using test::all_notes;
using test::expect_error;
using test::lattice;
using test::least_gap;
using test::most_outside;
using test::scene_with;

TEST(GeometryLattice, SimpleCubicLatticeFillsItsBoxExactly) {
    const BodySet set = make_bodies(scene_with(lattice(LatticeSource::Kind::sc, {4, 6, 8}, 1.0)));
    ASSERT_EQ(set.bodies.size(), 24U);
    EXPECT_EQ(set.bodies[0].position, (Vec3{1, 1, 1}));
    EXPECT_EQ(set.bodies[1].position, (Vec3{3, 1, 1}));
    EXPECT_EQ(set.bodies[2].position, (Vec3{1, 3, 1}));
    EXPECT_EQ(set.bodies[6].position, (Vec3{1, 1, 3}));
    EXPECT_EQ(set.bodies[23].position, (Vec3{3, 5, 7}));
    EXPECT_EQ(set.reports[0].requested, 24U);
    EXPECT_EQ(set.reports[0].rejected, 0U);
}

TEST(GeometryLattice, LatticeOfADecimalSpacingLosesNoLayerToRounding) {
    // 0.1 / 0.01 is not 10 in binary.
    EXPECT_EQ(make_bodies(scene_with(lattice(LatticeSource::Kind::sc, {0.1, 0.1, 0.1}, 0.005))).bodies.size(), 1000U);
}

TEST(GeometryLattice, FaceCentredLatticeHasFourSpheresPerCube) {
    // n cubes of edge e between the centres: 4 n^3 + 6 n^2 + 3 n + 1 points.
    const double edge = std::numbers::sqrt2;  // spacing 1
    const double side = 3 * edge + 1.0;
    const BodySet set = make_bodies(scene_with(lattice(LatticeSource::Kind::fcc, {side, side, side}, 0.5)));
    EXPECT_EQ(set.bodies.size(), 4U * 27U + 6U * 9U + 3U * 3U + 1U);
    EXPECT_NEAR(least_gap(set.bodies), 0.0, 1e-14);
    EXPECT_LE(most_outside(set.bodies, {0, 0, 0}, {side, side, side}), 1e-14);
}

int neighbours_at(const std::vector<model::Sphere>& bodies, Vec3 center, double distance) {
    int count = 0;
    for (const model::Sphere& b : bodies) count += std::abs(norm(b.position - center) - distance) < 1e-9 ? 1 : 0;
    return count;
}

TEST(GeometryLattice, ClosePackedLatticesHaveTwelveNeighbours) {
    for (const auto kind : {LatticeSource::Kind::fcc, LatticeSource::Kind::hcp}) {
        const BodySet set = make_bodies(scene_with(lattice(kind, {6, 6, 6}, 0.45, 1.0)));
        std::size_t inner = 0;
        for (const model::Sphere& b : set.bodies) {
            const Vec3 d = b.position - Vec3{3, 3, 3};
            if (std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) > 1.0) continue;
            EXPECT_EQ(neighbours_at(set.bodies, b.position, 1.0), 12);
            ++inner;
        }
        EXPECT_GE(inner, 4U);
        EXPECT_NEAR(least_gap(set.bodies), 0.1, 1e-12);
        EXPECT_LE(most_outside(set.bodies, {0, 0, 0}, {6, 6, 6}), 1e-12);
    }
}

TEST(GeometryLattice, HexagonalLatticeHasItsLayerDistance) {
    const BodySet set = make_bodies(scene_with(lattice(LatticeSource::Kind::hcp, {6, 6, 6}, 0.5, 1.0)));
    const double height = std::sqrt(2.0 / 3.0);
    EXPECT_EQ(neighbours_at(set.bodies, set.bodies[0].position + Vec3{0, 0, 2 * height}, 0.0), 1);  // A B A
}

TEST(GeometryLattice, LatticeStopsAtItsCountOrSaysThatTheBoxIsTooSmall) {
    LatticeSource source = lattice(LatticeSource::Kind::sc, {4, 4, 4}, 1.0);
    source.count = 5;
    EXPECT_EQ(make_bodies(scene_with(source)).bodies.size(), 5U);
    source.count = 9;
    const BodySet set = make_bodies(scene_with(source));
    EXPECT_EQ(set.reports[0].requested, 9U);
    EXPECT_EQ(set.reports[0].inserted, 8U);
    EXPECT_EQ(set.reports[0].rejected, 1U);
    EXPECT_NE(all_notes(set.reports[0]).find("only 8"), std::string::npos);
}

TEST(GeometryLattice, LargestJitterAllowedNeverMakesAnOverlap) {
    for (const auto& [kind, sum] :
         {std::pair{LatticeSource::Kind::sc, 1.0}, std::pair{LatticeSource::Kind::fcc, std::numbers::sqrt2},
          std::pair{LatticeSource::Kind::hcp, 1.6051716}}) {
        LatticeSource source = lattice(kind, {8, 8, 8}, 0.4, 1.0);
        source.jitter = 0.1 / sum * (1.0 - 1e-6);  // half the gap of 0.2
        const BodySet set = make_bodies(scene_with(source));
        EXPECT_GT(set.bodies.size(), 300U);
        EXPECT_GE(least_gap(set.bodies), 0.0);
        EXPECT_LT(least_gap(set.bodies), 0.15);  // it does move
        EXPECT_LE(most_outside(set.bodies, {0, 0, 0}, {8, 8, 8}), 1e-12);

        source.jitter = 0.1 / sum * (1.0 + 1e-6);
        expect_error(scene_with(source), "for the free gap of 0.2 m");
    }
}

TEST(GeometryLattice, CopiesOfAShapeStandCloserThanTheSpheresAroundThem) {
    // Bricks of 2 x 1 x 1 on a face-centred lattice: running bond, face to face.
    LatticeSource source = lattice(LatticeSource::Kind::fcc, {10, 10, 10}, std::sqrt(1.5), std::numbers::sqrt2);
    Scene scene = scene_with(source);
    expect_error(scene, "allowed: at least the diameter");
    scene.sources[0].shape = model::SolidBox{{1.0, 0.5, 0.5}};
    const BodySet bricks = make_bodies(scene);
    EXPECT_GT(bricks.bodies.size(), 200U);
    EXPECT_EQ(bricks.reports[0].overlaps, 0U);
    EXPECT_NEAR(least_gap(bricks.bodies), std::numbers::sqrt2 - 2 * std::sqrt(1.5), 1e-12);

    // Turned, they stand in each other, which is said.
    scene.sources[0].turned_at_random = true;
    EXPECT_GT(make_bodies(scene).reports[0].overlaps, 200U);
    source.jitter = 1e-3;
    scene.sources[0].what = source;
    expect_error(scene, "for the free gap of 0 m");
    // Bricks of 2 m^3 with 1.99 m^3 for each.
    source.jitter = 0.0;
    source.spacing *= 0.998;
    scene.sources[0].what = source;
    expect_error(scene, "at least 1.41421 m, at which the copies fill the space");
}

TEST(GeometryLattice, JitterDependsOnTheSeed) {
    LatticeSource source = lattice(LatticeSource::Kind::sc, {8, 8, 8}, 0.4, 1.0);
    source.jitter = 0.05;
    const Vec3 first = make_bodies(scene_with(source)).bodies[0].position;
    EXPECT_EQ(make_bodies(scene_with(source)).bodies[0].position, first);
    source.seed = 2;
    EXPECT_NE(make_bodies(scene_with(source)).bodies[0].position, first);
}

TEST(GeometryLattice, LatticesThatMakeNoSenseAreErrors) {
    using K = LatticeSource::Kind;
    expect_error(scene_with(lattice(K::sc, {1, 1, 1}, 0.0)), "radius is 0");
    expect_error(scene_with(lattice(K::sc, {1, 1, 1}, 0.1, 0.19)), "spacing is 0.19");
    expect_error(scene_with(lattice(K::sc, {1, 1, 0.1}, 0.1)), "holds no sphere");
    expect_error(scene_with(lattice(K::sc, {1, INFINITY, 1}, 0.1)), "not finite");
    expect_error(scene_with(lattice(K::hcp, {1000, 1000, 1000}, 0.1)), "spheres are wanted, allowed: 2147483646");
    LatticeSource source = lattice(K::fcc, {1e9, 1e9, 1e9}, 1e-3);
    source.count = 3000000000;
    expect_error(scene_with(source), "allowed: 2147483646");
    source.count = 3;
    EXPECT_EQ(make_bodies(scene_with(source)).bodies.size(), 3U);
}

}  // namespace
}  // namespace scree::geometry
