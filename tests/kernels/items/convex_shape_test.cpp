// SPDX-License-Identifier: BSD-3-Clause
// Farthest points of convex shapes, and the builder of their arrays.
#include "kernels/items/convex_shape.hpp"

#include "engine/geometry/convex_shapes.hpp"
#include "engine/model/error.hpp"
#include "engine/reference/collision.hpp"
#include "tests/support/placed_shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace scree::kernels {
namespace {

using geometry::ConvexShapes;
using reference::testing::ShapePairs;

static_assert(std::is_trivially_copyable_v<ConvexShape> && std::is_trivially_copyable_v<PlacedShape>);

TEST(ConvexShape, HasTheFarthestPointsOfTheReference) {
    ShapePairs random(1, false);
    for (std::size_t kind = 0; kind < 6; ++kind)
        for (int k = 0; k < 300; ++k) {
            const reference::Shape shape = random.shape(kind);
            if (const auto* p = std::get_if<reference::Polytope>(&shape);
                p != nullptr && *std::min_element(p->offsets.begin(), p->offsets.end()) < 0.01)
                continue;
            ConvexShapes list;
            const PlacedShape placed = test::placed(list, test::add(list, shape), {});
            EXPECT_NEAR(placed.bounding_radius(), reference::bounding_radius(shape), kind == 3 ? 1.0 : 1e-14);
            for (int i = 0; i < 20; ++i) {
                const Eigen::Vector3d d = random.direction();
                const Eigen::Vector3d expected = reference::support(shape, d);
                const Vector3d found = support(list.view(), placed, test::vector_of(d));
                // The same formulas: rounding, which powers with large exponents raise.
                EXPECT_NEAR((expected - test::eigen_of(found)).norm(), 0.0, 1e-12);
                EXPECT_LE(norm(found), placed.bounding_radius() * (1.0 + 1e-14));
            }
        }
}

TEST(ConvexShape, OfAConeHasItsCentreOfMassAtTheOrigin) {
    ConvexShapes list;
    const PlacedShape cone = test::placed(list, list.add_cone(0.3, 1.0), {});
    EXPECT_NEAR(support(list.view(), cone, {0, 0, 1}).z, 0.75, 1e-15);
    EXPECT_NEAR(support(list.view(), cone, {0, 0, -1}).z, -0.25, 1e-15);
    const Vector3d rim = support(list.view(), cone, {1, 0, 0});
    EXPECT_NEAR(rim.x, 0.3, 1e-15);
    EXPECT_NEAR(rim.z, -0.25, 1e-15);
}

TEST(ConvexShape, IsScaledWithItsRounding) {
    ConvexShapes list;
    PlacedShape box = test::placed(list, list.add_box({1, 2, 3}, 0.5), {});
    box.scale = 2.0;
    EXPECT_NEAR(support(list.view(), box, {0, 0, 1}).z, 7.0, 1e-15);
    EXPECT_NEAR(box.bounding_radius(), 2.0 * (std::sqrt(14.0) + 0.5), 1e-14);
}

TEST(ConvexShape, KnowsHowFarSuperquadricsReach) {
    ConvexShapes list;
    list.add_superquadric({0.5, 0.4, 0.3}, 1.0, 1.5);
    list.add_superquadric({0.5, 0.4, 0.3}, 0.5, 1.5);
    EXPECT_NEAR(list.shapes()[0].bounding_radius, 0.5, 1e-15);
    // Across z its sections are ellipse-like, at most .5 wide: x^4 / .5^4 + z^4 / .3^4 = 1 reaches (.5^4 + .3^4)^(1/4).
    EXPECT_NEAR(list.shapes()[1].bounding_radius, std::pow(0.0625 + 0.0081, 0.25), 1e-15);
}

TEST(ConvexShapes, GiveAPolyhedronItsFacesAndEdges) {
    ConvexShapes list;
    std::vector<model::Vec3> corners{{0, 0, 0}};  // a point inside is left out
    for (int k = 0; k < 8; ++k) corners.push_back({k & 1 ? 0.5 : -0.5, k & 2 ? 0.4 : -0.4, k & 4 ? 0.3 : -0.3});
    list.add_polyhedron(corners);
    const std::int32_t second = list.add_polyhedron(corners);
    const ConvexShape& box = list.shapes()[std::size_t(second)];
    const ShapeView view = list.view();
    EXPECT_EQ(box.first_vertex, 8);
    EXPECT_EQ(box.vertex_count, 8);
    EXPECT_EQ(box.face_count, 6);
    for (std::int32_t v = 0; v < 8; ++v)
        EXPECT_EQ(view.first_neighbour[box.first_vertex + v + 1] - view.first_neighbour[box.first_vertex + v], 3);
    for (std::int32_t f = 0; f < 6; ++f) {
        const double* plane = view.planes + 4 * (box.first_face + f);
        const std::int32_t first = view.first_corner[box.first_face + f];
        ASSERT_EQ(view.first_corner[box.first_face + f + 1] - first, 4);
        Vector3d corner[4];
        for (std::int32_t k = 0; k < 4; ++k) {
            const double* v = view.vertices + 3 * (box.first_vertex + view.corners[first + k]);
            corner[k] = {v[0], v[1], v[2]};
            EXPECT_NEAR(dot(corner[k], {plane[0], plane[1], plane[2]}), plane[3], 1e-15);
        }
        EXPECT_GT(dot(cross(corner[1] - corner[0], corner[2] - corner[1]), {plane[0], plane[1], plane[2]}), 0.0);
    }
}

TEST(ConvexShapes, RefuseWhatIsNoSolid) {
    ConvexShapes list;
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_THROW(list.add_sphere(0.0), model::Error);
    EXPECT_THROW(list.add_sphere(infinity), model::Error);
    EXPECT_THROW(list.add_box({1, -1, 1}), model::Error);
    EXPECT_THROW(list.add_box({1, 1, 1}, -0.1), model::Error);
    EXPECT_THROW(list.add_cylinder(1.0, std::numeric_limits<double>::quiet_NaN()), model::Error);
    EXPECT_THROW(list.add_superquadric({1, 1, 1}, 0.0, 1.0), model::Error);
    EXPECT_THROW(list.add_superquadric({1, 1, 1}, 1.0, 2.5), model::Error);
    const std::vector<model::Vec3> flat{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    EXPECT_THROW(list.add_polyhedron(flat), model::Error);
    const std::vector<model::Vec3> few{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}};
    EXPECT_THROW(list.add_polyhedron(few), model::Error);
    const std::vector<model::Vec3> aside{{1, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, 0, 1}};
    EXPECT_THROW(list.add_polyhedron(aside), model::Error);
    EXPECT_TRUE(list.shapes().empty());
    EXPECT_TRUE(list.vertices().empty());
}

}  // namespace
}  // namespace scree::kernels
