// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/shape_surface.hpp"

#include "engine/geometry/convex_shapes.hpp"
#include "engine/geometry/random_stream.hpp"
#include "engine/geometry/solid_moments.hpp"
#include "engine/measure/sphere_box_overlap.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace scree::geometry {
namespace {

using model::Vec3;
constexpr double pi = std::numbers::pi, far = std::numeric_limits<double>::infinity();
/// What the header promises, of the shape's volume.
constexpr double promised = 1e-4;

struct Solid {
    ClosedSurface surface;
    double volume;

    /// Of the part beyond a plane, turned first.
    [[nodiscard]] double beyond(Vec3 lower, model::Quat turn = {}) const {
        std::vector<Vec3> points;
        for (const Vec3 p : surface.points) points.push_back(rotate(turn, p));
        return volume_in_box(points, surface.triangles, lower, {far, far, far});
    }
};

/// `add`: adds a shape to a set.
template <class Add>
Solid solid(double volume, Add add) {
    ConvexShapes shapes;
    const std::int32_t shape = add(shapes);
    Solid made{surface_of(shapes.view(), shapes.shapes()[std::size_t(shape)], volume), volume};
    EXPECT_NEAR(volume_of(made.surface), volume, 1e-13 * volume);  // it is scaled to it, to rounding
    return made;
}

TEST(ShapeSurface, OfBoxesAndPolyhedraIsExact) {
    const Solid box = solid(8.0 * 0.024, [](auto& s) { return s.add_box({0.2, 0.3, 0.4}); });
    EXPECT_NEAR(box.beyond({0.1, -far, -far}), 0.1 * 0.6 * 0.8, 1e-16);
    const double h = std::sqrt(0.5);
    EXPECT_NEAR(solid(8.0,
                      [](auto& s) {
                          return s.add_box({1, 1, 1});
                      })
                    .beyond({0.0, -far, 0.0}, {h, 0, 0, h}),
                2.0, 1e-14);
    const std::vector<Vec3> octahedron{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const Solid eight = solid(4.0 / 3.0, [&](auto& s) { return s.add_polyhedron(octahedron); });
    EXPECT_NEAR(eight.beyond({-far, -far, 0.5}), 2.0 / 3.0 / 8.0, 1e-15);
}

TEST(ShapeSurface, OfAnEllipsoidIsCutAsItsImageUnderAnAffineMap) {
    RandomStream random(1);
    const Solid ball = solid(4.0 / 3.0 * pi, [](auto& s) { return s.add_ellipsoid({1, 1, 1}); });
    const Solid flat = solid(4.0 / 3.0 * pi * 0.1, [](auto& s) { return s.add_ellipsoid({1, 0.5, 0.2}); });
    for (int k = 0; k < 200; ++k) {
        const Vec3 lower{random.between(-1, 1), random.between(-1, 1), k % 3 == 0 ? -far : random.between(-1, 1)};
        const double exact = measure::sphere_box_overlap({}, 1.0, lower, {far, far, far});
        const model::Quat turn = model::from_axis_angle({random.unit(), random.unit(), 1}, random.between(-3, 3));
        EXPECT_NEAR(ball.beyond(lower, turn), exact, promised * ball.volume);
        EXPECT_NEAR(flat.beyond({lower.x, 0.5 * lower.y, 0.2 * lower.z}), 0.1 * exact, promised * flat.volume);
    }
}

TEST(ShapeSurface, OfCylindersAndConesIsCutAcrossAndAlong) {
    RandomStream random(2);
    const Solid rod = solid(2.0 * pi, [](auto& s) { return s.add_cylinder(1.0, 1.0); });
    const Solid cone = solid(2.0 / 3.0 * pi, [](auto& s) { return s.add_cone(1.0, 2.0); });
    for (int k = 0; k < 100; ++k) {
        const double at = random.between(-1, 1);
        EXPECT_NEAR(rod.beyond({-far, -far, at}), pi * (1.0 - at), 1e-13);
        const double segment = 2.0 * (std::acos(at) - at * std::sqrt(1.0 - at * at));
        EXPECT_NEAR(rod.beyond({at, -far, -far}, model::from_axis_angle({0, 0, 1}, at)), segment,
                    promised * rod.volume);
        const double above = 0.5 - at;  // below the apex at 1.5
        EXPECT_NEAR(cone.beyond({-far, -far, 1.0 + at}), above > 0.0 ? pi / 12.0 * above * above * above : 0.0, 1e-13);
    }
}

TEST(ShapeSurface, OfRoundedShapesIsCutThroughTheirRounding) {
    const double r = 0.3;
    const model::SolidBox box{{1.3, 1.1, 0.9}, r};
    const Solid rounded = solid(moments_of(box).volume, [&](auto& s) { return s.add_box({1, 0.8, 0.6}, r); });
    const model::SolidCapsule capsule{0.5, 1.0};
    const Solid pill = solid(moments_of(capsule).volume, [](auto& s) { return s.add_capsule(0.5, 1.0); });
    const model::SolidCylinder cylinder{0.9, 0.7, 0.2};
    const Solid drum = solid(moments_of(cylinder).volume, [](auto& s) { return s.add_cylinder(0.7, 0.5, 0.2); });
    for (double t = 0.0; t < 1.0; t += 0.05) {
        // Sections at x = 1 + r t: the core's face, strips and quarter discs of the ball's section about it.
        const auto to = [&](double x) {
            const double root = std::sqrt(r * r - x * x), strip = 0.5 * (x * root + r * r * std::asin(x / r));
            return 4.0 * 0.8 * 0.6 * x + 4.0 * (0.8 + 0.6) * strip + pi * (r * r * x - x * x * x / 3.0);
        };
        EXPECT_NEAR(rounded.beyond({1.0 + r * t, -far, -far}), to(r) - to(r * t), promised * rounded.volume);
        const double height = 0.5 - 0.5 * t;  // of a cap of the capsule's end
        EXPECT_NEAR(pill.beyond({-far, -far, 1.0 + 0.5 * t}), pi * height * height * (1.5 - height) / 3.0,
                    promised * pill.volume);
        // (a + s)^2 with s^2 = r^2 - z^2, integrated from z = q t to q.
        const double q = 0.2, a = 0.7, z = q * t;
        const double round = 0.5 * q * q * (pi / 2.0 - std::asin(t)) - 0.5 * z * std::sqrt(q * q - z * z);
        const double expected = pi * ((a * a + q * q) * (q - z) - (q * q * q - z * z * z) / 3.0 + 2.0 * a * round);
        EXPECT_NEAR(drum.beyond({-far, -far, 0.5 + z}), expected, promised * drum.volume);
    }
}

TEST(ShapeSurface, OfSuperquadricsIsCutAcrossTheirAxis) {
    for (const auto& [e1, e2] : {std::pair{0.1, 0.1}, {0.3, 1.0}, {1.0, 0.3}, {1.5, 1.5}, {2.0, 2.0}, {0.05, 2.0}}) {
        // Sections are superellipses of area A (1 - |z|^(2/e1))^e1.
        const double root = std::tgamma(1.0 + 0.5 * e2), area = 4.0 * root * root / std::tgamma(1.0 + e2);
        const double volume = area * e1 * std::beta(0.5 * e1, e1 + 1.0);
        const Solid s = solid(volume, [e1 = e1, e2 = e2](auto& to) { return to.add_superquadric({1, 1, 1}, e1, e2); });
        EXPECT_NEAR(s.beyond({0, 0, 0}), volume / 8.0, promised * volume);
        EXPECT_NEAR(s.beyond({0.0, -far, -far}), volume / 2.0, promised * volume);
        for (const double cut : {-0.8, -0.2, 0.1, 0.5, 0.9}) {
            double expected = 0.0;
            constexpr int slices = 20'000;  // the midpoint rule errs by less than 1e-6
            for (int k = 0; k < slices; ++k) {
                const double z = cut + (1.0 - cut) * (k + 0.5) / slices;
                expected += area * std::pow(1.0 - std::pow(std::abs(z), 2.0 / e1), e1) * (1.0 - cut) / slices;
            }
            EXPECT_NEAR(s.beyond({-far, -far, cut}), expected, promised * volume) << e1 << ' ' << e2 << ' ' << cut;
        }
    }
}

TEST(ShapeSurface, OfPicturesIsClosedAndHasNothingTwice) {
    ConvexShapes shapes;
    const double sphere = 4.0 / 3.0 * pi, h = 0.5;
    std::vector<double> volumes;
    const auto add = [&](std::int32_t, double volume) { volumes.push_back(volume); };
    add(shapes.add_sphere(1.0), sphere);
    add(shapes.add_box({0.2, 0.3, 0.4}), 8.0 * 0.024);
    add(shapes.add_box({1, 0.8, 0.6}, 0.3), moments_of(model::SolidBox{{1.3, 1.1, 0.9}, 0.3}).volume);
    add(shapes.add_capsule(0.5, 1.0), moments_of(model::SolidCapsule{0.5, 1.0}).volume);
    add(shapes.add_cylinder(1.0, 1.0), 2.0 * pi);
    add(shapes.add_cone(1.0, 2.0), 2.0 / 3.0 * pi);
    add(shapes.add_ellipsoid({1, h, 0.2}), 0.1 * sphere);
    add(shapes.add_superquadric({1, 1, 1}, 0.3, 1.0), pi * 0.3 * std::beta(0.15, 1.3));
    add(shapes.add_polyhedron(std::vector<Vec3>{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}), 8.0 / 3.0);
    for (std::size_t k = 0; k < volumes.size(); ++k) {
        const ClosedSurface surface = picture_of(shapes.view(), shapes.shapes()[k]);
        EXPECT_NEAR(volume_of(surface), volumes[k], 0.06 * volumes[k]) << k;
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
        for (const auto& t : surface.triangles)
            for (std::size_t e = 0; e < 3; ++e) ++edges[{t[e], t[(e + 1) % 3]}];
        for (const auto& [edge, times] : edges) {
            EXPECT_EQ(times, 1) << k;
            EXPECT_TRUE(edges.contains({edge.second, edge.first})) << k;
        }
        std::set<std::array<double, 3>> points;
        for (const Vec3 p : surface.points) points.insert({p.x, p.y, p.z});
        EXPECT_EQ(points.size(), surface.points.size()) << k;
        EXPECT_LE(surface.points.size(), 200U) << k;
    }
}

TEST(ShapeSurface, IsNotThatOfASphere) {
    ConvexShapes shapes;
    (void)shapes.add_sphere(1.0);
    EXPECT_THROW((void)surface_of(shapes.view(), shapes.shapes()[0], 1.0), std::logic_error);
}

}  // namespace
}  // namespace scree::geometry
