// SPDX-License-Identifier: BSD-3-Clause
// Beds of cubes, tetrahedra and ellipsoids settle between periodic faces: nothing is lost, they come to rest, and are
// packed as densely as experiments say. scenes/settle_boxes.yaml and its like are the large ones.
#include "engine/geometry/solid.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace scree::test {
namespace {

struct Bed {
    const char* name;
    model::Solid shape;
    double radius;  ///< [m]
    std::size_t count;
    double rolling_resistance;  ///< [m]
    bool (*holds)(Vec3);        ///< Whether a point [axes of the shape] lies inside.
    double loose, dense;        ///< Packing fractions.
    /// Of the slice that is measured [m], below the bed's top. The fraction of a slice of 15 mm of cubes differs by
    /// .016 from seed to seed.
    double top;
};

class SettlingSolids : public testing::TestWithParam<Bed> {};
// Cubes and tetrahedra: Baker and Kudrolli, "Maximum and minimum stable random packings of Platonic solids" (2010),
// frictional dice. Ellipsoids: from loose spheres to the densest that Donev and others found, "Improving the density of
// jammed disordered packings using ellipsoids" (2004); without rolling resistance single ones rock for ever.
INSTANTIATE_TEST_SUITE_P(
    Shapes, SettlingSolids,
    testing::Values(
        Bed{"cubes", model::SolidBox{{0.01, 0.01, 0.01}}, 0.01 * std::numbers::sqrt3, 150, 0,
            [](Vec3 p) {
                return std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) < 0.01;
            },
            0.54, 0.67, 0.052},
        Bed{"tetrahedra",
            model::SolidPolytope{
                {{0.01, 0.01, 0.01}, {0.01, -0.01, -0.01}, {-0.01, 0.01, -0.01}, {-0.01, -0.01, 0.01}}},
            0.01 * std::numbers::sqrt3, 250, 0,
            [](Vec3 p) {
                return std::max({-p.x - p.y - p.z, p.y + p.z - p.x, p.x + p.z - p.y, p.x + p.y - p.z}) < 0.01;
            },
            0.51, 0.64, 0.027},
        Bed{"ellipsoids", model::SolidEllipsoid{{0.0125, 0.01, 0.008}}, 0.0125, 150, 1e-4,
            [](Vec3 p) { return std::hypot(p.x / 0.0125, p.y / 0.01, p.z / 0.008) < 1.0; }, 0.55, 0.735, 0.05}));

/// Solid fraction between two heights, on a grid of points.
double fraction_of(const model::Snapshot& s, const Bed& bed, double width, double lower, double upper) {
    model::BodySource source;
    source.shape = bed.shape;
    const model::Quat axes = geometry::solid_facts(source, 1000.0, false).orientation;  // of the body, in the shape's

    constexpr int across = 48, along = 24;
    int inside = 0;
    for (int i = 0; i < across * across * along; ++i) {
        const Vec3 p{(i % across + 0.5) / across * width, (i / across % across + 0.5) / across * width,
                     lower + (i / across / across + 0.5) / along * (upper - lower)};
        for (std::size_t k = 0; k < s.id.size(); ++k) {
            Vec3 d = p - s.position[k];
            d.x -= width * std::round(d.x / width);
            d.y -= width * std::round(d.y / width);
            if (dot(d, d) > s.radius[k] * s.radius[k]) continue;
            if (bed.holds(rotate(axes, rotate(conjugate(s.orientation[k]), d)))) {
                ++inside;
                break;
            }
        }
    }
    return double(inside) / (across * across * along);
}

TEST_P(SettlingSolids, ComeToRestAndLoseNothing) {
    const Bed& bed = GetParam();
    const double width = 10.0 * bed.radius;
    SceneMaker scene(1e-3);
    scene.solver(2e-3, 1000).law({.friction = 0.3, .restitution = 0.2, .rolling = bed.rolling_resistance});
    scene.plane();
    scene.periodic(0, 0.0, width).periodic(1, 0.0, width);
    model::Source source;
    source.material = scene.material(1000.0);
    source.shape = bed.shape;
    source.turned_at_random = true;
    model::RandomSource rain;
    rain.region.lower = {0, 0, 0};
    rain.region.upper = {width, width, 0.3 * double(bed.count) * bed.radius};
    rain.sizes.radius = bed.radius;
    rain.count = bed.count;
    source.what = rain;
    scene.edit().sources.push_back(source);
    Experiment run(scene);
    ASSERT_EQ(run.simulation().body_count(), std::int64_t(bed.count));
    double most = 0.0, last = 0.0;
    run.until(2.0, [&] {
        last = run.report().kinetic_translation + run.report().kinetic_rotation;
        most = std::max(most, last);
    });
    EXPECT_EQ(run.simulation().body_count(), std::int64_t(bed.count));
    EXPECT_LT(last, 1e-8 * most);
    const double fraction = fraction_of(run.now(), bed, width, 0.012, bed.top);
    EXPECT_GT(fraction, bed.loose) << bed.name;
    EXPECT_LT(fraction, bed.dense) << bed.name;
    EXPECT_LT(run.report().overlap_relative, 0.01);
}

}  // namespace
}  // namespace scree::test
