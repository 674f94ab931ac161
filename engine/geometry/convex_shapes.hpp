// SPDX-License-Identifier: BSD-3-Clause
// The convex shapes of a run, in the arrays that kernels read.
#pragma once

#include "engine/model/math.hpp"
#include "kernels/items/convex_shape.hpp"

#include <span>
#include <vector>

namespace scree::reference {
struct Polytope;
}
namespace scree::geometry {

/// Builds and owns shapes. Each add_...() returns the number of the new shape; lengths are at unit scale in body axes,
/// about the centre of mass [m]. Throws model::Error (input) for lengths that are not positive and finite (`rounding`:
/// not negative) and exponents outside (0, 2], naming both.
class ConvexShapes {
public:
    std::int32_t add_sphere(double radius);
    /// A ball swept along the z axis from -half_length to half_length.
    std::int32_t add_capsule(double radius, double half_length);
    /// `half`: of the core; the body is larger by the rounding on each side. So for all that have one.
    std::int32_t add_box(model::Vec3 half, double rounding = 0.0);
    std::int32_t add_cylinder(double radius, double half_length, double rounding = 0.0);
    /// Axis z: base at z = -height / 4, apex at 3 height / 4.
    std::int32_t add_cone(double radius, double height, double rounding = 0.0);
    std::int32_t add_ellipsoid(model::Vec3 semi_axes);
    std::int32_t add_superquadric(model::Vec3 semi_axes, double e1, double e2);
    /// The hull of points in body axes: their centre of mass is the caller's care (reference::centred). Points inside
    /// or on faces are left out, the others keep their order. Throws also for points that are not finite, fewer than 4,
    /// more than 10 000, or in one plane to 1e-9 of their extent, and when the origin lies outside.
    std::int32_t add_polyhedron(std::span<const model::Vec3> points, double rounding = 0.0);

    [[nodiscard]] std::span<const kernels::ConvexShape> shapes() const { return shapes_; }
    /// Reads this object's arrays: valid until the next add_...().
    [[nodiscard]] kernels::ShapeView view() const;

    // The arrays of ShapeView, for copies to another memory.
    [[nodiscard]] const std::vector<double>& vertices() const { return vertices_; }
    [[nodiscard]] const std::vector<double>& vertex_blocks() const { return vertex_blocks_; }
    [[nodiscard]] const std::vector<std::int32_t>& first_neighbour() const { return first_neighbour_; }
    [[nodiscard]] const std::vector<std::int32_t>& neighbours() const { return neighbours_; }
    [[nodiscard]] const std::vector<double>& planes() const { return planes_; }
    [[nodiscard]] const std::vector<std::int32_t>& first_corner() const { return first_corner_; }
    [[nodiscard]] const std::vector<std::int32_t>& corners() const { return corners_; }
    [[nodiscard]] const std::vector<double>& plane_blocks() const { return plane_blocks_; }
    [[nodiscard]] const std::vector<std::int32_t>& face_beyond() const { return face_beyond_; }
    [[nodiscard]] const std::vector<double>& ways() const { return ways_; }

private:
    std::int32_t add(kernels::ConvexShape shape, double core_radius, double rounding);
    void add_corners_and_faces(const reference::Polytope& hull, kernels::ConvexShape& shape);

    std::vector<kernels::ConvexShape> shapes_;
    std::vector<double> vertices_, vertex_blocks_, planes_, plane_blocks_, ways_;
    std::vector<std::int32_t> first_neighbour_{0}, neighbours_, first_corner_{0}, corners_, face_beyond_;
};

}  // namespace scree::geometry
