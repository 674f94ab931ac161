// SPDX-License-Identifier: BSD-3-Clause
#include "engine/urdf/mesh_hull.hpp"

#include "engine/geometry/mesh_file.hpp"
#include "engine/model/error.hpp"
#include "engine/reference/mass_properties.hpp"
#include "engine/reference/polytope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

namespace scree::urdf {
namespace {

using Eigen::Vector3d;
using Points = std::vector<Vector3d>;

/// Hulls of more points would take long; extreme points in many directions come first then.
constexpr std::size_t most_points = 2000;
/// Of the extent: what lies deeper below the hull makes a mesh that is not convex.
constexpr double dent = 0.01;

/// The points farthest along `count` directions, evenly spread (a Fibonacci lattice), in the order given.
Points extreme_points(const Points& points, std::size_t count) {
    const double golden = std::numbers::pi * (3.0 - std::sqrt(5.0));
    std::set<std::size_t> kept;
    for (std::size_t k = 0; k < count; ++k) {
        const double z = 1.0 - (2.0 * double(k) + 1.0) / double(count), r = std::sqrt(1.0 - z * z);
        const Vector3d direction(r * std::cos(golden * double(k)), r * std::sin(golden * double(k)), z);
        std::size_t best = 0;
        for (std::size_t i = 1; i < points.size(); ++i)
            if (direction.dot(points[i]) > direction.dot(points[best])) best = i;
        kept.insert(best);
    }
    Points out;
    for (const std::size_t i : kept) out.push_back(points[i]);
    return out;
}

/// How deep the surface of the mesh lies below the hull, at most, over the extent; at most 5000 triangles are looked
/// at.
double deepest(const model::MeshShape& mesh, const Points& vertices, const reference::Polytope& hull) {
    Vector3d low = vertices[0], high = vertices[0];
    for (const Vector3d& v : vertices) low = low.cwiseMin(v), high = high.cwiseMax(v);
    double depth = 0.0;
    const std::size_t stride = mesh.triangles.size() / 5000 + 1;
    for (std::size_t t = 0; t < mesh.triangles.size(); t += stride) {
        const auto& corner = mesh.triangles[t];
        const Vector3d middle = (vertices[corner[0]] + vertices[corner[1]] + vertices[corner[2]]) / 3.0;
        double below = std::numeric_limits<double>::infinity();
        for (std::size_t f = 0; f < hull.normals.size(); ++f)
            below = std::min(below, hull.offsets[f] - hull.normals[f].dot(middle));
        depth = std::max(depth, below);
    }
    return depth / (high - low).maxCoeff();
}

}  // namespace

MeshHull hull_of_mesh(const std::filesystem::path& file, model::Vec3 scale) {
    const model::MeshShape mesh = geometry::read_mesh(file);
    Points vertices;
    vertices.reserve(mesh.vertices.size());
    for (const model::Vec3 v : mesh.vertices) vertices.emplace_back(scale.x * v.x, scale.y * v.y, scale.z * v.z);
    MeshHull made;
    try {
        const bool many = vertices.size() > most_points;
        reference::Polytope hull =
            reference::make_polytope(many ? extreme_points(vertices, most_points / 2) : vertices);
        const double full = reference::mass_properties(hull, 1.0, false).volume;
        if (const double depth = deepest(mesh, vertices, hull); depth > dent)
            made.changes.push_back(fmt::format(
                "is not convex: collides as its convex hull, which lies up to {:.2g} of its extent above it", depth));
        if (const std::size_t corners = hull.vertices.size(); corners > most_corners) {
            hull = reference::make_polytope(extreme_points(hull.vertices, most_corners));
            made.changes.push_back(
                fmt::format("has a hull of {}{} corners: collides as the hull of {} of them, {:.2g} % smaller",
                            many ? "more than " : "", corners, hull.vertices.size(),
                            100.0 * (1.0 - reference::mass_properties(hull, 1.0, false).volume / full)));
        }
        for (const Vector3d& v : hull.vertices) made.polytope.vertices.push_back({v.x(), v.y(), v.z()});
        const Vector3d center = reference::mass_properties(hull, 1.0, false).centre;
        made.center = {center.x(), center.y(), center.z()};
    } catch (const model::Error& error) {
        throw model::Error(error.kind(), error.message(),
                           error.hint().empty() ? "a collision mesh must have a volume" : error.hint(), file.string());
    }
    return made;
}

}  // namespace scree::urdf
