// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/convex_shapes.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/collision.hpp"
#include "engine/reference/polytope.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

namespace scree::geometry {
namespace {

using kernels::ConvexShape;
using kernels::ShapeKind;

void check_length(double value, const char* what) {
    if (value > 0.0 && std::isfinite(value)) return;
    throw model::Error(model::ErrorKind::input,
                       std::string(what) + " is " + std::to_string(value) + "; it must be positive and finite");
}

void check_lengths(model::Vec3 values, const char* what) {
    for (const double value : {values.x, values.y, values.z}) check_length(value, what);
}

void check_rounding(double rounding) {
    if (rounding >= 0.0 && std::isfinite(rounding)) return;
    throw model::Error(model::ErrorKind::input,
                       "rounding is " + std::to_string(rounding) + "; it must be finite and not negative");
}

void check_exponent(double value, const char* what) {
    if (value > 0.0 && value <= 2.0) return;
    throw model::Error(model::ErrorKind::input,
                       std::string(what) + " is " + std::to_string(value) + "; it must be in (0, 2]");
}

ConvexShape with_lengths(ShapeKind kind, double a, double b, double c) {
    ConvexShape shape;
    shape.kind = kind;
    shape.a = a;
    shape.b = b;
    shape.c = c;
    return shape;
}

/// Radius of the largest ball about the origin inside the core; of a superquadric of a smaller one.
double inner_radius_of_core(const ConvexShape& s) {
    switch (s.kind) {
        case ShapeKind::box:
        case ShapeKind::ellipsoid:
            return std::min({s.a, s.b, s.c});
        case ShapeKind::cylinder:
            return std::min(s.a, s.c);
        case ShapeKind::cone:  // to the base, and to the mantle
            return std::min(0.5 * s.c, 1.5 * s.c * s.a / std::hypot(s.a, 2.0 * s.c));
        case ShapeKind::superquadric:
            // With exponents up to 1 it holds the ellipsoid of its semi axes, in any case their octahedron.
            if (std::max(s.e1, s.e2) <= 1.0) return std::min({s.a, s.b, s.c});
            return 1.0 / std::hypot(1.0 / s.a, 1.0 / s.b, 1.0 / s.c);
        case ShapeKind::polyhedron:
            return s.inner_radius;
        default:
            return 0.0;  // a point, a segment
    }
}

/// Its corners numbered as those of ShapeKind::box.
reference::Polytope box_of(model::Vec3 half) {
    reference::Polytope box;
    const Eigen::Vector3d size(half.x, half.y, half.z);
    for (unsigned k = 0; k < 8; ++k)
        box.vertices.emplace_back((k & 1u) != 0 ? half.x : -half.x, (k & 2u) != 0 ? half.y : -half.y,
                                  (k & 4u) != 0 ? half.z : -half.z);
    for (unsigned axis = 0; axis < 3; ++axis)
        for (const bool upper : {false, true}) {
            const unsigned fixed = upper ? 1u << axis : 0u, p = 1u << (axis + 1) % 3, q = 1u << (axis + 2) % 3;
            box.normals.emplace_back((upper ? 1.0 : -1.0) * Eigen::Vector3d::Unit(axis));
            box.offsets.push_back(size[axis]);
            box.faces.push_back({fixed, fixed | (upper ? p : q), fixed | p | q, fixed | (upper ? q : p)});
        }
    return box;
}

}  // namespace

std::int32_t ConvexShapes::add(ConvexShape shape, double core_radius, double rounding) {
    check_rounding(rounding);
    shape.rounding = rounding;
    shape.bounding_radius = core_radius + rounding;
    shape.inner_radius = inner_radius_of_core(shape) + rounding;
    shapes_.push_back(shape);
    return std::int32_t(shapes_.size()) - 1;
}

std::int32_t ConvexShapes::add_sphere(double radius) {
    check_length(radius, "sphere radius");
    return add(with_lengths(ShapeKind::sphere, 0.0, 0.0, 0.0), 0.0, radius);
}

std::int32_t ConvexShapes::add_capsule(double radius, double half_length) {
    check_length(radius, "capsule radius");
    check_length(half_length, "capsule half-length");
    return add(with_lengths(ShapeKind::capsule, 0.0, 0.0, half_length), half_length, radius);
}

std::int32_t ConvexShapes::add_box(model::Vec3 half, double rounding) {
    check_lengths(half, "box half-length");
    check_rounding(rounding);  // before the tables grow
    ConvexShape shape = with_lengths(ShapeKind::box, half.x, half.y, half.z);
    add_corners_and_faces(box_of(half), shape);
    return add(shape, std::hypot(half.x, half.y, half.z), rounding);
}

std::int32_t ConvexShapes::add_cylinder(double radius, double half_length, double rounding) {
    check_length(radius, "cylinder radius");
    check_length(half_length, "cylinder half-length");
    return add(with_lengths(ShapeKind::cylinder, radius, 0.0, half_length), std::hypot(radius, half_length), rounding);
}

std::int32_t ConvexShapes::add_cone(double radius, double height, double rounding) {
    check_length(radius, "cone radius");
    check_length(height, "cone height");
    return add(with_lengths(ShapeKind::cone, radius, 0.0, 0.5 * height),
               std::max(0.75 * height, std::hypot(radius, 0.25 * height)), rounding);
}

std::int32_t ConvexShapes::add_ellipsoid(model::Vec3 s) {
    check_lengths(s, "ellipsoid semi-axis");
    return add(with_lengths(ShapeKind::ellipsoid, s.x, s.y, s.z), std::max({s.x, s.y, s.z}), 0.0);
}

std::int32_t ConvexShapes::add_superquadric(model::Vec3 s, double e1, double e2) {
    check_lengths(s, "superquadric semi-axis");
    check_exponent(e1, "superquadric exponent e1");
    check_exponent(e2, "superquadric exponent e2");
    ConvexShape shape = with_lengths(ShapeKind::superquadric, s.x, s.y, s.z);
    shape.e1 = e1;
    shape.e2 = e2;
    return add(shape, reference::superquadric_radius({s.x, s.y, s.z}, e1, e2), 0.0);
}

std::int32_t ConvexShapes::add_polyhedron(std::span<const model::Vec3> points, double rounding) {
    std::vector<Eigen::Vector3d> given;
    given.reserve(points.size());
    for (const model::Vec3& p : points) given.emplace_back(p.x, p.y, p.z);
    const reference::Polytope hull = reference::make_polytope(given);
    for (const double offset : hull.offsets)
        if (!(offset > 0.0))
            throw model::Error(model::ErrorKind::input, "a polyhedron does not hold its origin",
                               "give its points about the centre of mass");
    check_rounding(rounding);

    ConvexShape shape;
    shape.kind = ShapeKind::polyhedron;
    add_corners_and_faces(hull, shape);
    double radius = 0.0;
    for (const Eigen::Vector3d& v : hull.vertices) radius = std::max(radius, v.norm());
    return add(shape, radius, rounding);
}

/// Tables of the corners, edges and faces of a core with corners alone, and their places in the shape.
void ConvexShapes::add_corners_and_faces(const reference::Polytope& hull, ConvexShape& shape) {
    shape.first_vertex = std::int32_t(vertices_.size() / 3);
    shape.vertex_count = std::int32_t(hull.vertices.size());
    shape.first_face = std::int32_t(planes_.size() / 4);
    shape.face_count = std::int32_t(hull.faces.size());
    shape.inner_radius = *std::min_element(hull.offsets.begin(), hull.offsets.end());
    for (const Eigen::Vector3d& v : hull.vertices) vertices_.insert(vertices_.end(), {v.x(), v.y(), v.z()});
    constexpr std::size_t block = kernels::vertex_block;
    shape.first_block = std::int32_t(vertex_blocks_.size() / (3 * block));
    for (std::size_t first = 0; first < hull.vertices.size(); first += block)
        for (Eigen::Index axis = 0; axis < 3; ++axis)
            for (std::size_t k = first; k < first + block; ++k)
                vertex_blocks_.push_back(hull.vertices[k < hull.vertices.size() ? k : 0][axis]);
    shape.first_plane_block = std::int32_t(plane_blocks_.size() / (4 * block));
    for (std::size_t first = 0; first < hull.faces.size(); first += block)
        for (Eigen::Index row = 0; row < 4; ++row)
            for (std::size_t k = first; k < first + block; ++k) {
                const std::size_t f = k < hull.faces.size() ? k : 0;
                plane_blocks_.push_back(row < 3 ? hull.normals[f][row] : hull.offsets[f]);
            }
    std::vector<std::set<std::int32_t>> neighbours(hull.vertices.size());
    std::map<std::pair<unsigned, unsigned>, std::int32_t> face_of;  // by the ends of an edge, counter-clockwise
    const auto for_each_edge = [&](std::size_t f, const auto& use) {
        const auto& loop = hull.faces[f];
        for (std::size_t k = 0; k < loop.size(); ++k) use(loop[k], loop[(k + 1) % loop.size()]);
    };
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        const Eigen::Vector3d& n = hull.normals[f];
        planes_.insert(planes_.end(), {n.x(), n.y(), n.z(), hull.offsets[f]});
        for_each_edge(f, [&](unsigned from, unsigned to) {
            corners_.push_back(std::int32_t(from));
            neighbours[from].insert(std::int32_t(to));
            neighbours[to].insert(std::int32_t(from));
            face_of[{from, to}] = std::int32_t(f);
        });
        first_corner_.push_back(std::int32_t(corners_.size()));
    }
    for (std::size_t f = 0; f < hull.faces.size(); ++f)
        for_each_edge(f, [&](unsigned from, unsigned to) {
            const auto found = face_of.find({to, from});
            face_beyond_.push_back(found == face_of.end() ? -1 : found->second);
        });
    for (std::size_t v = 0; v < neighbours.size(); ++v) {
        for (const std::int32_t other : neighbours[v]) {
            const Eigen::Vector3d way = (hull.vertices[std::size_t(other)] - hull.vertices[v]).normalized();
            ways_.insert(ways_.end(), {way.x(), way.y(), way.z()});
            neighbours_.push_back(other);
        }
        first_neighbour_.push_back(std::int32_t(neighbours_.size()));
    }
}

kernels::ShapeView ConvexShapes::view() const {
    return {shapes_.data(),       vertices_.data(),    vertex_blocks_.data(), first_neighbour_.data(),
            neighbours_.data(),   planes_.data(),      first_corner_.data(),  corners_.data(),
            plane_blocks_.data(), face_beyond_.data(), ways_.data()};
}

}  // namespace scree::geometry
