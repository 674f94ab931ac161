// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/tessellate.hpp"

#include "tests/unit/geometry/scratch_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace scree::geometry {
namespace {

using model::MeshShape;
using model::Vec3;

Vec3 area_vector(const MeshShape& mesh, std::size_t t) {
    const auto& v = mesh.triangles[t];
    const Vec3 a = mesh.vertices.at(v[0]);
    return 0.5 * cross(mesh.vertices.at(v[1]) - a, mesh.vertices.at(v[2]) - a);
}

double area(const MeshShape& mesh) {
    double sum = 0.0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) sum += norm(area_vector(mesh, t));
    return sum;
}

/// Volume enclosed by triangles that turn counter-clockwise from outside; negative when from inside.
double volume(const MeshShape& mesh) {
    double sum = 0.0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        sum += dot(mesh.vertices[mesh.triangles[t][0]], area_vector(mesh, t)) / 3.0;
    }
    return sum;
}

/// True when every edge is used once in each direction.
bool is_closed(const MeshShape& mesh) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (const auto& t : mesh.triangles) {
        for (std::size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
    }
    for (const auto& [edge, count] : edges) {
        const auto twin = edges.find({edge.second, edge.first});
        if (count != 1 || twin == edges.end()) return false;
    }
    return true;
}

// Area of the regular polygon of 64 sides inscribed in the unit circle.
const double polygon = 32.0 * std::sin(std::numbers::pi / 32.0);

TEST(GeometryTessellate, PlaneIsASquareAroundTheFootOfTheCentre) {
    const model::PlaneShape plane{{0, 0, 1}, {0, 0, 2}};
    const MeshShape mesh = tessellate(plane, 3.0, {10, 20, 30});
    ASSERT_EQ(mesh.triangles.size(), 2U);
    EXPECT_NEAR(area(mesh), 36.0, 1e-12);
    Vec3 middle;
    for (const Vec3& v : mesh.vertices) {
        EXPECT_NEAR(v.z, 1.0, 1e-12);
        middle = middle + 0.25 * v;
    }
    EXPECT_LE(norm(middle - Vec3{10, 20, 1}), 1e-12);
    EXPECT_GT(area_vector(mesh, 0).z, 0.0);
    EXPECT_GT(area_vector(mesh, 1).z, 0.0);
}

TEST(GeometryTessellate, SolidBoxFacesOutAndContainerFacesIn) {
    model::BoxShape box;
    box.center = {1, 2, 3};
    box.half_extents = {1, 2, 3};
    box.orientation = model::from_axis_angle({1, 1, 0}, 0.7);
    box.container = false;
    const MeshShape solid = tessellate(box, 1.0);
    EXPECT_TRUE(is_closed(solid));
    EXPECT_EQ(solid.triangles.size(), 12U);
    EXPECT_NEAR(volume(solid), 48.0, 1e-12);
    box.container = true;
    EXPECT_NEAR(volume(tessellate(box, 1.0)), -48.0, 1e-12);
}

TEST(GeometryTessellate, OpenFacesOfAContainerAreLeftOut) {
    model::BoxShape box;
    box.half_extents = {1, 2, 3};
    box.open = {false, false, false, false, false, true};
    const MeshShape mesh = tessellate(box, 1.0);
    EXPECT_EQ(mesh.triangles.size(), 10U);
    EXPECT_NEAR(area(mesh), 2 * 4 * 6 + 2 * 2 * 6 + 2 * 4, 1e-12);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        EXPECT_FALSE(area_vector(mesh, t).z < -1e-9) << "the face at +z is open";
    }
    box.container = false;  // a solid box has no open faces
    EXPECT_EQ(tessellate(box, 1.0).triangles.size(), 12U);
}

TEST(GeometryTessellate, CappedCylinderIsClosedAndFacesItsSide) {
    model::RevolutionShape cylinder;
    cylinder.start = {1, 2, 3};
    cylinder.axis = {1, 2, -2};
    cylinder.length = 5.0;
    cylinder.radius_start = cylinder.radius_end = 2.0;
    cylinder.cap_start = cylinder.cap_end = true;
    cylinder.side = model::Side::outside;
    const MeshShape outside = tessellate(cylinder, 1.0);
    EXPECT_TRUE(is_closed(outside));
    EXPECT_NEAR(volume(outside), 5.0 * 4.0 * polygon, 1e-10);
    cylinder.side = model::Side::inside;
    const MeshShape inside = tessellate(cylinder, 1.0);
    EXPECT_TRUE(is_closed(inside));
    EXPECT_NEAR(volume(inside), -5.0 * 4.0 * polygon, 1e-10);
}

TEST(GeometryTessellate, FrustumAndConesHaveTheVolumeOfTheirPolygons) {
    model::RevolutionShape cone;
    cone.length = 3.0;
    cone.side = model::Side::outside;
    cone.cap_start = cone.cap_end = true;
    for (const auto& [a, b] : {std::pair{2.0, 1.0}, std::pair{2.0, 0.0}, std::pair{0.0, 2.0}}) {
        cone.radius_start = a;
        cone.radius_end = b;
        const MeshShape mesh = tessellate(cone, 1.0);
        EXPECT_TRUE(is_closed(mesh));
        EXPECT_NEAR(volume(mesh), polygon * (a * a + a * b + b * b), 1e-10);  // length / 3 = 1
    }
}

TEST(GeometryTessellate, OpenCylinderHasNoCaps) {
    const model::RevolutionShape cylinder;
    EXPECT_EQ(tessellate(cylinder, 1.0).triangles.size(), 128U);
}

TEST(GeometryTessellate, MeshIsCopied) {
    MeshShape mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.triangles = {{0, 1, 2}};
    const MeshShape copy = tessellate(mesh, 1.0);
    EXPECT_EQ(copy.vertices, mesh.vertices);
    EXPECT_EQ(copy.triangles, mesh.triangles);
}

TEST(GeometryTessellate, DegenerateShapesAreErrors) {
    model::BoxShape box;
    box.half_extents.y = 0.0;
    model::RevolutionShape cone;
    cone.radius_start = cone.radius_end = 0.0;
    const auto fails = [](const model::BoundaryShape& shape, double size) {
        return test::error_of([&] { static_cast<void>(tessellate(shape, size)); }).kind() == model::ErrorKind::input;
    };
    EXPECT_TRUE(fails(box, 1.0));
    EXPECT_TRUE(fails(cone, 1.0));
    EXPECT_TRUE(fails(model::PlaneShape{{}, {0, 0, 0}}, 1.0));
    EXPECT_TRUE(fails(model::PlaneShape{}, 0.0));
}

}  // namespace
}  // namespace scree::geometry
