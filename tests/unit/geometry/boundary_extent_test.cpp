// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/boundary_extent.hpp"

#include "engine/geometry/tessellate.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::geometry {
namespace {

using model::Vec3;

TEST(BoundaryExtent, HoldsTheTessellationTightly) {
    model::RevolutionShape cone;
    cone.start = {0.1, -0.2, 0.3};
    cone.axis = {1, 2, -0.5};
    cone.length = 0.7;
    cone.radius_start = 0.2;
    cone.radius_end = 0.05;
    model::BoxShape box;
    box.center = {1, 2, 3};
    box.half_extents = {0.1, 0.2, 0.3};
    box.orientation = model::from_axis_angle({1, 1, 1}, 0.4);
    for (const model::BoundaryShape& shape : {model::BoundaryShape(cone), model::BoundaryShape(box)}) {
        const Extent extent = boundary_extent(shape);
        Extent drawn;
        for (const Vec3 p : tessellate(shape, 1.0).vertices) drawn.add(p);
        for (const auto axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
            // Polygons of 64 corners in circles of 0.2 m fall short by 0.2 (1 - cos(pi / 64)) at most.
            EXPECT_NEAR(extent.lower.*axis, drawn.lower.*axis, 2.5e-4);
            EXPECT_NEAR(extent.upper.*axis, drawn.upper.*axis, 2.5e-4);
            EXPECT_LE(extent.lower.*axis, drawn.lower.*axis + 1e-15);
            EXPECT_GE(extent.upper.*axis, drawn.upper.*axis - 1e-15);
        }
    }
}

TEST(BoundaryExtent, OfPlanesAndEmptyMeshesIsEmpty) {
    EXPECT_TRUE(boundary_extent(model::PlaneShape{}).empty);
    EXPECT_TRUE(boundary_extent(model::MeshShape{}).empty);
    EXPECT_EQ(largest_side(Extent{}), 0.0);
}

TEST(BoundaryExtent, LeavesOutVerticesThatNoTriangleUses) {
    model::MeshShape mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {99, 99, 99}};
    mesh.triangles = {{0, 1, 2}};
    EXPECT_EQ(boundary_extent(mesh).upper, (Vec3{1, 2, 0}));
    EXPECT_EQ(largest_side(boundary_extent(mesh)), 2.0);
}

TEST(OpenEdges, AreThoseOfOneTriangle) {
    EXPECT_EQ(open_edges(model::MeshShape{}), 0U);
    model::BoxShape box;
    box.container = false;
    model::MeshShape mesh = tessellate(box, 1.0);
    EXPECT_EQ(open_edges(mesh), 0U);
    mesh.triangles.pop_back();
    EXPECT_EQ(open_edges(mesh), 3U);
    box.container = true;
    box.open[5] = true;
    EXPECT_EQ(open_edges(tessellate(box, 1.0)), 4U);
}

TEST(OpenEdges, TakeVerticesAtOnePlaceForOne) {
    // A closed box, each triangle with corners of its own; one of them at -0 instead of 0.
    model::BoxShape box;
    box.half_extents = {0.5, 0.5, 0.5};
    box.center = {0.5, 0.5, 0.5};
    const model::MeshShape whole = tessellate(box, 1.0);
    model::MeshShape soup;
    for (const auto& triangle : whole.triangles) {
        const auto first = static_cast<std::uint32_t>(soup.vertices.size());
        for (const std::uint32_t corner : triangle) soup.vertices.push_back(whole.vertices[corner]);
        soup.triangles.push_back({first, first + 1, first + 2});
    }
    for (Vec3& v : soup.vertices) {
        if (v.x != 0.0) continue;
        v.x = -0.0;
        break;
    }
    EXPECT_EQ(open_edges(soup), 0U);
}

}  // namespace
}  // namespace scree::geometry
