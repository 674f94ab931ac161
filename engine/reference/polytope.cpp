// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/polytope.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/hull.hpp"
#include "engine/reference/placed.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace scree::reference {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double coplanar = 1e-10;  // of the extent
constexpr double flat = 1e-9;       // of the extent
constexpr std::size_t most_points = 10'000;

[[noreturn]] void refuse(const std::string& what) { throw model::Error(model::ErrorKind::input, what); }

/// Largest distance from the first point [m]; also checks the points.
double extent(std::span<const Vector3d> points, std::size_t least, const char* what) {
    if (points.size() < least || points.size() > most_points)
        refuse(std::string(what) + " has " + std::to_string(points.size()) + " points; it takes " +
               std::to_string(least) + " to " + std::to_string(most_points));
    double size = 0.0;
    for (const Vector3d& p : points) {
        if (!p.allFinite()) refuse(std::string(what) + " has a point that is not finite");
        size = std::max(size, (p - points.front()).norm());
    }
    if (!(size > 0.0)) refuse(std::string(what) + " has all its points in one place");
    return size;
}

template <class Measure>
std::size_t farthest(std::span<const Vector3d> points, Measure measure) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < points.size(); ++k)
        if (measure(points[k]) > measure(points[best])) best = k;
    return best;
}

/// Numbers of four points that span the most that a greedy choice finds.
std::array<std::size_t, 4> first_tetrahedron(std::span<const Vector3d> points, double size) {
    const Vector3d& start = points.front();
    const std::size_t i = farthest(points, [&](const Vector3d& p) { return (p - start).norm(); });
    const Vector3d& from = points[i];
    const std::size_t j = farthest(points, [&](const Vector3d& p) { return (p - from).norm(); });
    const Vector3d line = (points[j] - from).normalized();
    const auto off_line = [&](const Vector3d& p) { return (p - from).cross(line).norm(); };
    const std::size_t k = farthest(points, off_line);
    if (!(off_line(points[k]) > flat * size)) refuse("a polytope has all its points in one line");
    const Vector3d normal = line.cross(points[k] - from).normalized();
    const auto off_plane = [&](const Vector3d& p) { return std::abs(normal.dot(p - from)); };
    const std::size_t l = farthest(points, off_plane);
    if (!(off_plane(points[l]) > flat * size)) refuse("a polytope has all its points in one plane");
    return {i, j, k, l};
}

/// Corners of the hull of points of a plane, counter-clockwise, without points on its edges (monotone chain).
std::vector<unsigned> outline(std::span<const Vector2d> at, std::vector<unsigned> which, double tolerance) {
    std::sort(which.begin(), which.end(), [&](unsigned l, unsigned r) {
        return at[l].x() < at[r].x() || (at[l].x() == at[r].x() && at[l].y() < at[r].y());
    });
    // Does c lie left of the line from a to b by more than the tolerance?
    const auto left = [&](unsigned a, unsigned b, unsigned c) {
        const Vector2d u = at[c] - at[a], v = at[b] - at[a];
        return v.x() * u.y() - v.y() * u.x() > 0.0 && (v.x() * u.y() - v.y() * u.x()) > tolerance * u.norm();
    };
    std::vector<unsigned> loop;
    const auto chain = [&](auto first, auto last) {
        const std::size_t start = loop.size();
        for (auto it = first; it != last; ++it) {
            while (loop.size() >= start + 2 && !left(loop[loop.size() - 2], loop.back(), *it)) loop.pop_back();
            loop.push_back(*it);
        }
        loop.pop_back();  // the next chain starts with it
    };
    chain(which.begin(), which.end());
    chain(which.rbegin(), which.rend());
    return loop;
}

/// All points of the plane of a triangle of the hull, as one face.
void add_face(Polytope& shape, const Hull& hull, const Hull::Face& triangle, double tolerance) {
    const auto [t1, t2] = across(triangle.normal);
    const Vector3d origin = hull.points()[triangle.corner[0]];
    std::vector<Vector2d> at;
    std::vector<unsigned> which;
    for (unsigned k = 0; k < hull.points().size(); ++k) {
        const Vector3d r = hull.points()[k] - origin;
        at.emplace_back(t1.dot(r), t2.dot(r));
        if (std::abs(triangle.normal.dot(r)) <= tolerance) which.push_back(k);
    }
    shape.normals.push_back(triangle.normal);
    shape.faces.push_back(outline(at, which, tolerance));
}

double area(const Hull& hull, const Hull::Face& f) {
    const auto& p = hull.points();
    return (p[f.corner[1]] - p[f.corner[0]]).cross(p[f.corner[2]] - p[f.corner[0]]).norm();
}

/// Keeps the vertices that faces use, in the order of `order`, and sets the offsets.
void finish(Polytope& shape, const std::vector<Vector3d>& points, const std::vector<std::size_t>& order) {
    constexpr unsigned unused = ~0u;
    std::vector<unsigned> number(points.size(), unused);
    for (const auto& loop : shape.faces)
        for (const unsigned v : loop) number[v] = 0;
    std::vector<std::size_t> by_input;
    for (std::size_t k = 0; k < points.size(); ++k)
        if (number[k] != unused) by_input.push_back(k);
    std::sort(by_input.begin(), by_input.end(), [&](std::size_t l, std::size_t r) { return order[l] < order[r]; });
    for (const std::size_t k : by_input) {
        number[k] = unsigned(shape.vertices.size());
        shape.vertices.push_back(points[k]);
    }
    for (std::size_t f = 0; f < shape.faces.size(); ++f) {
        double offset = -std::numeric_limits<double>::infinity();
        for (unsigned& v : shape.faces[f]) {
            v = number[v];
            offset = std::max(offset, shape.normals[f].dot(shape.vertices[v]));
        }
        shape.offsets.push_back(offset);
    }
}

}  // namespace

Polytope make_polytope(std::span<const Vector3d> points) {
    const double size = extent(points, 4, "a polytope");
    const auto first = first_tetrahedron(points, size);
    Hull hull({points[first[0]], points[first[1]], points[first[2]], points[first[3]]});
    std::vector<std::size_t> order(first.begin(), first.end());
    const double tolerance = coplanar * size;
    for (std::size_t k = 0; k < points.size(); ++k)
        if (hull.add(points[k], tolerance)) order.push_back(k);
    for (const Vector3d& p : points)
        for (const Hull::Face& f : hull.faces())
            if (f.normal.dot(p) - f.offset > 10.0 * tolerance)
                refuse("a polytope has points too near to each other or to its faces: leave them out");

    // The largest triangles know their planes best.
    std::vector<Hull::Face> triangles = hull.faces();
    std::stable_sort(triangles.begin(), triangles.end(),
                     [&](const Hull::Face& l, const Hull::Face& r) { return area(hull, l) > area(hull, r); });
    Polytope shape;
    std::vector<std::pair<Vector3d, double>> planes;
    for (const Hull::Face& triangle : triangles) {
        const bool covered = std::any_of(planes.begin(), planes.end(), [&](const auto& plane) {
            return std::all_of(triangle.corner.begin(), triangle.corner.end(), [&](std::size_t c) {
                return std::abs(plane.first.dot(hull.points()[c]) - plane.second) <= tolerance;
            });
        });
        if (covered) continue;
        planes.emplace_back(triangle.normal, triangle.offset);
        add_face(shape, hull, triangle, tolerance);
    }
    finish(shape, hull.points(), order);
    return shape;
}

Polytope make_polygon(std::span<const Vector3d> points) {
    const double size = extent(points, 3, "a polygon");
    std::vector<Vector2d> at;
    std::vector<unsigned> which;
    for (unsigned k = 0; k < points.size(); ++k) {
        if (std::abs(points[k].y()) > flat * size) refuse("a polygon has a point off the plane y = 0");
        at.emplace_back(points[k].x(), points[k].z());
        which.push_back(k);
    }
    std::vector<unsigned> loop = outline(at, which, coplanar * size);
    if (loop.size() < 3) refuse("a polygon has all its points in one line");
    // Start from the first point given that is a corner.
    std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
    Polytope shape;
    for (const unsigned k : loop) shape.vertices.emplace_back(at[k].x(), 0.0, at[k].y());
    for (unsigned k = 0; k < shape.vertices.size(); ++k) {
        const unsigned next = (k + 1) % unsigned(shape.vertices.size());
        const Vector3d along = shape.vertices[next] - shape.vertices[k];
        shape.normals.push_back(Vector3d(along.z(), 0.0, -along.x()).normalized());
        shape.offsets.push_back(shape.normals.back().dot(shape.vertices[k]));
        shape.faces.push_back({k, next});
    }
    return shape;
}

Polytope regular_polygon(std::size_t corners, double radius) {
    if (!(radius > 0.0) || !std::isfinite(radius)) refuse("a polygon's radius must be positive and finite");
    if (corners > most_points) refuse("a polygon takes at most " + std::to_string(most_points) + " corners");
    std::vector<Vector3d> points;
    for (std::size_t k = 0; k < corners; ++k) {
        const double angle = 2.0 * std::numbers::pi * double(k) / double(corners);
        points.emplace_back(radius * std::cos(angle), 0.0, radius * std::sin(angle));
    }
    return make_polygon(points);
}

Polytope rod(double half_length, double half_thickness) {
    if (!(half_length > 0.0 && half_thickness > 0.0)) refuse("a rod's half-length and half-thickness must be positive");
    const std::vector<Vector3d> corners{{half_length, 0.0, half_thickness},
                                        {-half_length, 0.0, half_thickness},
                                        {-half_length, 0.0, -half_thickness},
                                        {half_length, 0.0, -half_thickness}};
    return make_polygon(corners);
}

}  // namespace scree::reference
