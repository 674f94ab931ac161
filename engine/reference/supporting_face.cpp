// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/supporting_face.hpp"

#include "engine/reference/collision.hpp"

#include <cmath>
#include <numbers>

namespace scree::reference {
namespace {

using Corner = SupportingFace::Corner;
using Eigen::Vector3d;

/// All of it in body axes, for one direction d.
struct Facing {
    Vector3d d;
    bool planar;

    [[nodiscard]] static Corner box_corner(const Box& s, unsigned number, bool planar) {
        Vector3d at;
        for (int k = 0; k < 3; ++k) at[k] = (number >> k & 1u) != 0 ? s.half[k] : -s.half[k];
        if (planar) at.y() = 0.0;
        return {at, number};
    }

    SupportingFace operator()(const Box& s) const {
        unsigned farthest = 0;
        for (unsigned k = 0; k < 3; ++k)
            if (d[k] > 0.0) farthest |= 1u << k;
        if (planar) farthest &= 5u;
        Eigen::Index most = 0, least = 0;
        const double along = d.cwiseAbs().maxCoeff(&most);
        SupportingFace face;
        face.corners = {box_corner(s, farthest, planar)};
        if (along >= facing) {
            const unsigned fixed = farthest & (1u << most);
            const unsigned p = 1u << (most + 1) % 3, q = 1u << (most + 2) % 3;
            face.normal = Vector3d::Unit(most) * (fixed != 0 ? 1.0 : -1.0);
            face.corners.clear();
            if (planar) {
                const unsigned other = most == 0 ? 4u : 1u;
                for (const unsigned c : {fixed, fixed | other}) face.corners.push_back(box_corner(s, c, true));
            } else {
                for (const unsigned c : {fixed, fixed | p, fixed | p | q, fixed | q})
                    face.corners.push_back(box_corner(s, c, false));
                if (fixed == 0) std::swap(face.corners[1], face.corners[3]);  // seen from the other side
            }
        } else if (!planar && d.cwiseAbs().minCoeff(&least) <= crossing) {
            const unsigned bit = 1u << least;
            face.corners = {box_corner(s, farthest & ~bit, false), box_corner(s, farthest | bit, false)};
        }
        return face;
    }

    SupportingFace operator()(const Cylinder& s) const {
        if (planar) return (*this)(Box{{s.radius, s.radius, s.half_length}});
        SupportingFace face;
        const double side = std::copysign(1.0, d.z());
        const unsigned cap = side > 0.0 ? 64u : 0u;
        const auto lowest = rim_point(s, side, d);
        if (std::abs(d.z()) >= facing) {
            face.normal = side * Vector3d::UnitZ();
            add_cap(s, side, cap, lowest, face.corners);
        } else if (std::abs(d.z()) <= crossing) {
            const Vector3d below = *rim_point(s, -1.0, d), above = *rim_point(s, 1.0, d);
            face.corners = {{below, 32u}, {above, 96u}};
        } else {
            face.corners = {{*lowest, cap + 32u}};
        }
        return face;
    }

    /// The rim in order of angle, with the lowest point in its place among the fixed ones.
    static void add_cap(const Cylinder& s, double side, unsigned cap, const std::optional<Vector3d>& lowest,
                        std::vector<Corner>& corners) {
        constexpr unsigned count = 32;
        const double turn = 2.0 * std::numbers::pi / count;
        double at = -1.0;
        if (lowest) {
            at = std::atan2(lowest->y(), lowest->x()) / turn;
            if (at < 0.0) at += count;
        }
        for (unsigned k = 0; k < count; ++k) {
            const double angle = turn * k;
            corners.push_back(
                {{s.radius * std::cos(angle), s.radius * std::sin(angle), side * s.half_length}, cap + k});
            // Not where it is as good as on a fixed one: 1e-6 r beside it is 1e-12 r lower at most.
            if (lowest && at > k + 1e-6 && at < k + 1 - 1e-6) corners.push_back({*lowest, cap + 32u});
        }
        if (side < 0.0) std::reverse(corners.begin(), corners.end());
    }

    SupportingFace operator()(const Polytope& s) const {
        SupportingFace face;
        std::size_t best = 0;
        for (std::size_t k = 1; k < s.normals.size(); ++k)
            if (s.normals[k].dot(d) > s.normals[best].dot(d)) best = k;
        if (best < s.faces.size() && s.normals[best].dot(d) >= facing) {
            face.normal = s.normals[best];
            for (const unsigned v : s.faces[best]) face.corners.push_back({s.vertices[v], v});
            return face;
        }
        unsigned farthest = 0;
        for (unsigned v = 1; v < s.vertices.size(); ++v)
            if (s.vertices[v].dot(d) > s.vertices[farthest].dot(d)) farthest = v;
        face.corners = {{s.vertices[farthest], farthest}};
        if (planar) return face;
        double least = crossing;
        for (const unsigned v : neighbours(s, farthest)) {
            const double turned = std::abs((s.vertices[v] - s.vertices[farthest]).normalized().dot(d));
            if (turned > least) continue;
            least = turned;
            const unsigned first = std::min(v, farthest), second = std::max(v, farthest);
            face.corners = {{s.vertices[first], first}, {s.vertices[second], second}};
        }
        return face;
    }

    static std::vector<unsigned> neighbours(const Polytope& s, unsigned vertex) {
        std::vector<unsigned> list;
        for (const auto& loop : s.faces)
            for (std::size_t k = 0; k < loop.size(); ++k)
                if (loop[k] == vertex) list.push_back(loop[(k + 1) % loop.size()]);
        return list;
    }

    [[nodiscard]] SupportingFace round(const Shape& s) const { return {{{support(s, d), 0u}}, Vector3d::Zero()}; }
    SupportingFace operator()(const Sphere& s) const { return round(s); }
    SupportingFace operator()(const Ellipsoid& s) const { return round(s); }
    SupportingFace operator()(const Superquadric& s) const { return round(s); }
    SupportingFace operator()(const HalfSpace& s) const { return round(s); }
    SupportingFace operator()(const Hollow& s) const { return round(s); }
};

/// The direction as bodies see it.
Vector3d turned(const Placed& placed, const Vector3d& direction) {
    Vector3d d = placed.to_body(direction);
    if (placed.planar) d.y() = 0.0;
    return d;
}

Vector3d axis_along(const Vector3d& d) {
    Eigen::Index most = 0;
    d.cwiseAbs().maxCoeff(&most);
    return std::copysign(1.0, d[most]) * Vector3d::Unit(most);
}

}  // namespace

std::optional<Vector3d> rim_point(const Cylinder& cylinder, double side, const Vector3d& d) {
    const double beside = std::hypot(d.x(), d.y());
    if (beside < 1e-9) return std::nullopt;
    const double k = cylinder.radius / beside;
    return Vector3d(k * d.x(), k * d.y(), side * cylinder.half_length);
}

SupportingFace supporting_face(const Placed& placed, const Vector3d& direction) {
    SupportingFace face = std::visit(Facing{turned(placed, direction), placed.planar}, placed.shape);
    for (Corner& corner : face.corners) corner.at = placed.pose.to_world(corner.at);
    face.normal = placed.pose.orientation * face.normal;
    return face;
}

std::optional<Vector3d> nearest_normal(const Placed& placed, const Vector3d& direction) {
    const Vector3d d = turned(placed, direction);
    std::optional<Vector3d> normal;
    if (std::holds_alternative<Box>(placed.shape)) normal = axis_along(d);
    const auto* superquadric = std::get_if<Superquadric>(&placed.shape);
    if (superquadric != nullptr && std::min(superquadric->e1, superquadric->e2) < 1.0) normal = axis_along(d);
    if (std::holds_alternative<Cylinder>(placed.shape))
        normal = std::abs(d.z()) > 0.7 ? Vector3d(0.0, 0.0, std::copysign(1.0, d.z()))
                                       : Vector3d(d.x(), d.y(), 0.0).normalized();
    if (const auto* p = std::get_if<Polytope>(&placed.shape); p != nullptr && !p->normals.empty()) {
        const Vector3d* best = &p->normals.front();
        for (const Vector3d& n : p->normals)
            if (n.dot(d) > best->dot(d)) best = &n;
        normal = *best;
    }
    if (normal) normal = placed.pose.orientation * *normal;
    return normal;
}

std::optional<Vector3d> nearest_edge(const Placed& placed, const Vector3d& direction) {
    const Vector3d d = turned(placed, direction);
    std::optional<Vector3d> edge;
    if (std::holds_alternative<Box>(placed.shape)) {
        Eigen::Index least = 0;
        d.cwiseAbs().minCoeff(&least);
        edge = Vector3d::Unit(least);
    }
    if (std::holds_alternative<Cylinder>(placed.shape)) edge = Vector3d::UnitZ();
    if (const auto* p = std::get_if<Polytope>(&placed.shape)) {
        const Vector3d at = support(placed.shape, d);
        double least = 2.0;
        for (const auto& loop : p->faces)
            for (std::size_t k = 0; k < loop.size(); ++k) {
                if (p->vertices[loop[k]] != at) continue;
                const Vector3d u = (p->vertices[loop[(k + 1) % loop.size()]] - at).normalized();
                if (std::abs(u.dot(d)) >= least) continue;
                least = std::abs(u.dot(d));
                edge = u;
            }
    }
    if (edge) edge = placed.pose.orientation * *edge;
    return edge;
}

double outside(const Placed& placed, const Vector3d& point) {
    Vector3d p = placed.pose.to_body(point);
    if (placed.planar) p.y() = 0.0;
    if (const auto* box = std::get_if<Box>(&placed.shape)) {
        Vector3d beyond = p.cwiseAbs() - box->half;
        if (placed.planar) beyond.y() = beyond.x();
        return beyond.maxCoeff();
    }
    if (const auto* cylinder = std::get_if<Cylinder>(&placed.shape))
        return std::max(std::hypot(p.x(), p.y()) - cylinder->radius, std::abs(p.z()) - cylinder->half_length);
    double largest = -std::numeric_limits<double>::infinity();
    if (const auto* polytope = std::get_if<Polytope>(&placed.shape))
        for (std::size_t k = 0; k < polytope->normals.size(); ++k)
            largest = std::max(largest, polytope->normals[k].dot(p) - polytope->offsets[k]);
    return largest;
}

}  // namespace scree::reference
