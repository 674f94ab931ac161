// SPDX-License-Identifier: BSD-3-Clause
// The probe packing with bodies of other shapes than spheres.
#include "engine/geometry/bodies.hpp"
#include "engine/measure/packing.hpp"
#include "tests/unit/measure/bodies.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace scree::measure {
namespace {

using model::Vec3;
constexpr double pi = std::numbers::pi;
/// Fractions to rounding: some ten operations on numbers of the order of one.
constexpr double rounding = 1e-14;

struct Values {
    double fraction, coordination, no_rattlers, rattlers, count;
};

/// A scene of single bodies, which begin where they are measured.
class Bodies {
public:
    Bodies() { scene_.materials.push_back({"wood"}); }

    Bodies& add(const model::Solid& shape, Vec3 position, model::Quat orientation = {}) {
        model::BodySource body;
        body.shape = shape;
        body.position = position;
        body.orientation = orientation;
        model::Source source;
        source.what = body;
        scene_.sources.push_back(source);
        return *this;
    }
    model::Scene& scene() { return scene_; }

    [[nodiscard]] Values measure(Vec3 lower, Vec3 upper) const {
        model::Probe probe;
        probe.kind = model::Probe::Kind::packing;
        probe.box = {lower, upper};
        model::Snapshot s;
        for (const model::Sphere& body : geometry::make_bodies(scene_).bodies) {
            test::add_body(s, body.position, body.radius, std::uint32_t(body.source));
            s.orientation.back() = body.orientation;
        }
        Packing packing(scene_, probe);
        std::array<double, 5> v{};
        packing.evaluate(s, v);
        return {v[0], v[1], v[2], v[3], v[4]};
    }

private:
    model::Scene scene_;
};

const model::SolidBox cube{{0.5, 0.5, 0.5}};

TEST(PackingOfSolids, OfAWallOfBlocksIsOne) {
    Bodies bodies;
    for (int x = 0; x < 3; ++x)
        for (int y = 0; y < 3; ++y)
            for (int z = 0; z < 3; ++z) bodies.add(cube, {double(x), double(y), double(z)});
    EXPECT_NEAR(bodies.measure({-0.3, 0.1, 0.2}, {1.9, 2.2, 1.7}).fraction, 1.0, rounding);
    EXPECT_NEAR(bodies.measure({-1.5, -0.5, -0.5}, {2.5, 2.5, 2.5}).fraction, 0.75, rounding);
}

TEST(PackingOfSolids, CutsATurnedBoxExactly) {
    Bodies bodies;
    bodies.add(model::SolidBox{{2.0, 0.5, 0.5}}, {0, 0, 0}, model::from_axis_angle({0, 1, 0}, pi / 4.0));
    // Its section at height z below the corner at 2.5 / sqrt(2) is 2 d wide, d the distance to the corner, up to the
    // width of the bar.
    const double top = 2.5 * std::sqrt(0.5), d = 0.4;
    EXPECT_NEAR(bodies.measure({-3, -1, top - d}, {3, 1, top + 1}).fraction * 6 * 2 * (1 + d), d * d, 10 * rounding);
    EXPECT_NEAR(bodies.measure({-3, -1, 0}, {3, 1, 3}).fraction * 36, 2.0, 10 * rounding);
}

TEST(PackingOfSolids, CountsImagesAcrossPeriodicFaces) {
    Bodies bodies;
    bodies.add(model::SolidBox{{0.2, 0.3, 0.1}}, {0.05, 0.9, 0.5}, model::from_axis_angle({1, 2, 3}, 0.8));
    for (auto& faces : bodies.scene().periodic) faces = {true, 0.0, 1.0};
    EXPECT_NEAR(bodies.measure({0, 0, 0}, {1, 1, 1}).fraction, 8.0 * 0.006, rounding);
}

TEST(PackingOfSolids, OfRoundBodiesIsExactInsideAndWithin1e4Cut) {
    for (const model::Solid& shape :
         {model::Solid(model::SolidEllipsoid{{0.5, 0.3, 0.2}}), model::Solid(model::SolidCylinder{0.3, 0.4, 0.1}),
          model::Solid(model::SolidCapsule{0.2, 0.3}),
          model::Solid(model::SolidSuperquadric{{0.4, 0.4, 0.2}, 0.5, 0.7}),
          model::Solid(model::SolidBox{{0.3, 0.3, 0.4}, 0.1})}) {
        Bodies bodies;
        bodies.add(shape, {0, 0, 0}, model::from_axis_angle({1, -1, 2}, 1.1));
        const double volume = bodies.measure({-1, -1, -1}, {1, 1, 1}).fraction * 8.0;
        EXPECT_NEAR(bodies.measure({-0.65, -0.65, -0.65}, {0.65, 0.65, 0.65}).fraction * 1.3 * 1.3 * 1.3, volume,
                    rounding);
        // Half of it, as the shapes are their own mirror image.
        EXPECT_NEAR(bodies.measure({0, -1, -1}, {1, 1, 1}).fraction * 4.0, volume / 2.0, 1e-4 * volume);
        // What lies on both sides of faces at odd places is the whole.
        const double parts = bodies.measure({-1, -1, -1}, {0.1, 1, 1}).fraction * 1.1 * 4.0 +
                             bodies.measure({0.1, -1, -1}, {1, 1, 1}).fraction * 0.9 * 4.0;
        EXPECT_NEAR(parts, volume, 1e-13);
    }
}

TEST(PackingOfSolids, OfAClumpIsThatOfItsUnion) {
    // Two balls a radius apart share 5/16 of one; the clump is cut through its middle, where one ball's cap sticks out.
    const double r = 0.5, ball = 4.0 / 3.0 * pi * r * r * r;
    const model::SolidCompound clump{
        {{model::SolidSphere{r}, {0, 0, -r / 2}, {}}, {model::SolidSphere{r}, {0, 0, r / 2}, {}}}};
    Bodies bodies;
    bodies.add(clump, {0, 0, 0}, model::from_axis_angle({1, 1, 0}, 0.4));
    const double volume = (2.0 - 5.0 / 16.0) * ball;
    EXPECT_NEAR(bodies.measure({-1, -1, -1}, {1, 1, 1}).fraction * 8.0, volume, 1e-12);
    EXPECT_NEAR(bodies.measure({-1, -1, 0}, {1, 1, 1}).fraction * 4.0, volume / 2.0, 1e-11);
    // Of other compounds both parts count, as for the mass.
    Bodies twice;
    twice.add(model::SolidCompound{{{cube, {}, {}}, {cube, {}, {}}}}, {0, 0, 0});
    EXPECT_NEAR(twice.measure({0, -1, -1}, {1, 1, 1}).fraction * 4.0, 1.0, rounding);
}

TEST(PackingOfSolids, CountsAPartnerOnceHoweverManyPointsTouch) {
    Bodies column;
    for (int z = 0; z < 3; ++z) column.add(cube, {0, 0, double(z)});  // four points each
    const Values v = column.measure({-1, -1, -1}, {1, 1, 4});
    EXPECT_DOUBLE_EQ(v.coordination, 4.0 / 3.0);
    EXPECT_DOUBLE_EQ(v.no_rattlers, 2.0);
    EXPECT_EQ(v.count, 3.0);
    std::get<model::BodySource>(column.scene().sources[1].what).collide = false;
    EXPECT_EQ(column.measure({-1, -1, -1}, {1, 1, 4}).coordination, 0.0);
    // Two pairs of balls side by side: two points between the clumps.
    const model::SolidCompound pair{
        {{model::SolidSphere{0.5}, {0, 0, -0.4}, {}}, {model::SolidSphere{0.5}, {0, 0, 0.4}, {}}}};
    Bodies clumps;
    clumps.add(pair, {0, 0, 0}).add(pair, {1, 0, 0});
    EXPECT_EQ(clumps.measure({-1, -1, -1}, {2, 1, 1}).coordination, 1.0);
}

TEST(PackingOfSolids, CountsNoContactOfTheSpheresAround) {
    Bodies apart;
    apart.add(model::SolidBox{{0.5, 0.5, 0.05}}, {0, 0, 0}).add(model::SolidBox{{0.5, 0.5, 0.05}}, {0, 0, 0.102});
    EXPECT_EQ(apart.measure({-1, -1, -1}, {1, 1, 1}).coordination, 0.0);
    Bodies close;  // a gap of 1e-5, below 1e-4 times the diameter of 1.4
    close.add(model::SolidBox{{0.5, 0.5, 0.05}}, {0, 0, 0}).add(model::SolidBox{{0.5, 0.5, 0.05}}, {0, 0, 0.10001});
    EXPECT_EQ(close.measure({-1, -1, -1}, {1, 1, 1}).coordination, 1.0);
}

TEST(PackingOfSolids, TakesCopiesAtTheirSizeAndSpheresBesideThem) {
    Bodies bodies;
    model::Source copies;
    copies.shape = cube;
    copies.what = model::LatticeSource{.lower = {0, 0, 0}, .upper = {2, 2, 2}, .radius = std::sqrt(0.75) / 2.0};
    bodies.scene().sources.push_back(copies);
    model::Source ball;
    ball.what = model::SphereSource{{5, 5, 5}, 0.5};
    bodies.scene().sources.push_back(ball);
    const double copied = bodies.measure({0, 0, 0}, {2, 2, 2}).fraction * 8.0;
    EXPECT_NEAR(copied, 8.0 * 0.125, rounding);  // edges of half a metre
    EXPECT_NEAR(bodies.measure({5, 4, 4}, {6, 6, 6}).fraction * 4.0, pi / 12.0, rounding);
}

}  // namespace
}  // namespace scree::measure
