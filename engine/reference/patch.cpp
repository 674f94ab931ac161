// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/patch.hpp"

#include "engine/reference/supporting_face.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::reference {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

double turn(const Vector2d& u, const Vector2d& v) { return u.x() * v.y() - u.y() * v.x(); }

/// Corners of a supporting face seen along the direction of separation, counter-clockwise, with their heights along it.
struct Outline {
    struct Corner {
        Vector2d at;
        double height;
        unsigned number;
    };
    std::vector<Corner> corners;
    Vector2d rise = Vector2d::Zero();  ///< Of the height, over a face
    double tolerance = 0.0;

    [[nodiscard]] bool is_face() const { return corners.size() > 2; }
    [[nodiscard]] std::size_t edges() const { return corners.size() == 2 ? 1 : corners.size(); }
    [[nodiscard]] const Corner& end(std::size_t edge) const { return corners[(edge + 1) % corners.size()]; }

    [[nodiscard]] bool holds(const Vector2d& p) const {
        for (std::size_t k = 0; k < edges(); ++k) {
            const Vector2d from = corners[k].at, along = end(k).at - from;
            const double beside = turn(along.normalized(), p - from);
            if (is_face() ? beside < -tolerance : std::abs(beside) > tolerance) return false;
        }
        if (is_face()) return true;
        const Vector2d along = corners[1].at - corners[0].at;
        const double at = along.normalized().dot(p - corners[0].at);
        return at >= -tolerance && at <= along.norm() + tolerance;
    }

    [[nodiscard]] double height(const Vector2d& p) const {
        const Corner& first = corners.front();
        if (is_face()) return first.height + rise.dot(p - first.at);
        const Vector2d along = corners[1].at - first.at;
        const double part = std::clamp(along.dot(p - first.at) / along.squaredNorm(), 0.0, 1.0);
        return first.height + part * (corners[1].height - first.height);
    }
};

/// Plane coordinates across the direction of separation, and the way back.
struct View {
    Vector3d origin, d, t1, t2;

    [[nodiscard]] Outline outline(const SupportingFace& face, double tolerance) const {
        Outline outline;
        outline.tolerance = tolerance;
        for (const auto& corner : face.corners) {
            const Vector3d r = corner.at - origin;
            outline.corners.push_back({{t1.dot(r), t2.dot(r)}, d.dot(r), corner.number});
        }
        const double up = face.normal.dot(d);
        if (outline.is_face()) outline.rise = -Vector2d(t1.dot(face.normal), t2.dot(face.normal)) / up;
        if (up < 0.0) std::reverse(outline.corners.begin(), outline.corners.end());
        return outline;
    }
    [[nodiscard]] Vector3d at(const Vector2d& p, double height) const {
        return origin + p.x() * t1 + p.y() * t2 + height * d;
    }
};

unsigned feature(unsigned kind, unsigned of_a, unsigned of_b) {
    return kind << 30 | (of_a & 0x7fffu) << 15 | (of_b & 0x7fffu);
}

struct Shared {
    Vector2d at;
    unsigned feature;
};

/// The corners of what two outlines share. Of points that coincide the first is kept, in a fixed order.
std::vector<Shared> shared_corners(const Outline& a, const Outline& b, double coincident) {
    std::vector<Shared> list;
    const auto add = [&](const Vector2d& p, unsigned which) {
        for (const Shared& other : list)
            if ((other.at - p).norm() <= coincident) return;
        list.push_back({p, which});
    };
    for (const auto& corner : b.corners)
        if (a.holds(corner.at)) add(corner.at, feature(2, 0, corner.number));
    for (const auto& corner : a.corners)
        if (b.holds(corner.at)) add(corner.at, feature(1, corner.number, 0));
    for (std::size_t i = 0; i < a.edges(); ++i) {
        const Vector2d p = a.corners[i].at, u = a.end(i).at - p;
        for (std::size_t j = 0; j < b.edges(); ++j) {
            const Vector2d q = b.corners[j].at, v = b.end(j).at - q;
            const double sine = turn(u, v);
            if (std::abs(sine) <= 1e-9 * u.norm() * v.norm()) continue;  // parallel: told by the corners
            const double s = turn(q - p, v) / sine, t = turn(q - p, u) / sine;
            if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0) continue;
            add(p + s * u, feature(3, a.corners[i].number, b.corners[j].number));
        }
    }
    return list;
}

/// At most 8: the farthest in eight directions fixed to a body, so that the same ones are kept from step to step.
std::vector<Shared> thinned(std::vector<Shared> list, const Vector2d& axis) {
    if (list.size() <= 8) return list;
    std::vector<bool> kept(list.size(), false);
    for (int k = 0; k < 8; ++k) {
        const double angle = 0.25 * std::numbers::pi * k;
        const Vector2d way(std::cos(angle) * axis.x() - std::sin(angle) * axis.y(),
                           std::sin(angle) * axis.x() + std::cos(angle) * axis.y());
        std::size_t best = 0;
        for (std::size_t i = 1; i < list.size(); ++i)
            if (way.dot(list[i].at) > way.dot(list[best].at) + 1e-12 * way.norm()) best = i;
        kept[best] = true;
    }
    std::vector<Shared> few;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (kept[i]) few.push_back(list[i]);
    return few;
}

/// A direction across d that turns with a body: the body's axis that is nearest to square to d.
Vector2d body_axis(const Placed& placed, const View& view) {
    const Vector3d in_body = placed.to_body(view.d);
    Eigen::Index least = 0;
    in_body.cwiseAbs().minCoeff(&least);
    const Vector3d axis = placed.pose.orientation * Vector3d::Unit(least);
    return Vector2d(view.t1.dot(axis), view.t2.dot(axis)).normalized();
}

NearPoint nearest_point(const Separation& nearest, unsigned feature) {
    return {nearest.on_a, nearest.on_b, nearest.direction, nearest.gap, feature};
}

/// One shape touches with a corner: exactly that corner and the point opposite.
NearPoint corner_point(const Placed& a, const Placed& b, const Separation& nearest, const SupportingFace& face_a,
                       const SupportingFace& face_b, double tolerance) {
    NearPoint point = nearest_point(nearest, feature(0, 0, 0));
    const Vector3d apart = nearest.gap * nearest.direction;
    if (face_b.corners.size() == 1) {
        point.feature = feature(2, 0, face_b.corners[0].number);
        const Vector3d corner = face_b.corners[0].at;
        if (std::abs(outside(a, corner - apart)) <= tolerance) {
            point.on_b = corner;
            point.on_a = corner - apart;
        }
    } else {
        point.feature = feature(1, face_a.corners[0].number, 0);
        const Vector3d corner = face_a.corners[0].at;
        if (std::abs(outside(b, corner + apart)) <= tolerance) {
            point.on_a = corner;
            point.on_b = corner + apart;
        }
    }
    return point;
}

}  // namespace

std::vector<NearPoint> patch(const Placed& a, const Placed& b, const Separation& nearest, double reach) {
    const SupportingFace face_a = supporting_face(a, nearest.direction);
    const SupportingFace face_b = supporting_face(b, -nearest.direction);
    const double size = std::min(bounding_radius(a.shape), bounding_radius(b.shape));
    const double tolerance = 1e-10 * size;
    if (face_a.corners.size() == 1 || face_b.corners.size() == 1)
        return {corner_point(a, b, nearest, face_a, face_b, tolerance)};

    const auto [t1, t2] = across(nearest.direction);
    const View view{0.5 * (nearest.on_a + nearest.on_b), nearest.direction, t1, t2};
    const Outline outline_a = view.outline(face_a, tolerance), outline_b = view.outline(face_b, tolerance);
    const bool round_b = std::holds_alternative<Cylinder>(b.shape) && !std::holds_alternative<Cylinder>(a.shape);
    std::vector<NearPoint> points;
    double least = std::numeric_limits<double>::infinity();
    for (const Shared& s :
         thinned(shared_corners(outline_a, outline_b, 1e-6 * size), body_axis(round_b ? b : a, view))) {
        const double from = outline_a.height(s.at), to = outline_b.height(s.at);
        least = std::min(least, to - from);
        if (to - from < reach)
            points.push_back({view.at(s.at, from), view.at(s.at, to), nearest.direction, to - from, s.feature});
    }
    if (!(least <= nearest.gap + 1e-12 * size)) points.push_back(nearest_point(nearest, feature(0, 0, 0)));
    return points;
}

std::vector<NearPoint> on_half_space(const Placed& placed, const Pose& plane, double reach) {
    const Vector3d up = plane.orientation * Vector3d::UnitZ();
    std::vector<NearPoint> found;
    const auto add = [&](const Vector3d& in_body, unsigned number) {
        const Vector3d p = placed.pose.to_world(in_body);
        const double gap = up.dot(p - plane.position);
        if (gap < reach) found.push_back({p, p - gap * up, -up, gap, number});
    };
    const auto add_box = [&](const Vector3d& half) {
        for (unsigned k = 0; k < 8; ++k)
            if (!placed.planar || (k & 2u) == 0)
                add({(k & 1u) != 0 ? half.x() : -half.x(), placed.planar ? 0.0 : ((k & 2u) != 0 ? half.y() : -half.y()),
                     (k & 4u) != 0 ? half.z() : -half.z()},
                    k);
    };
    const auto* cylinder = std::get_if<Cylinder>(&placed.shape);
    if (const auto* polytope = std::get_if<Polytope>(&placed.shape)) {
        for (unsigned k = 0; k < polytope->vertices.size(); ++k) add(polytope->vertices[k], k);
    } else if (const auto* box = std::get_if<Box>(&placed.shape)) {
        add_box(box->half);
    } else if (cylinder != nullptr && placed.planar) {
        add_box({cylinder->radius, 0.0, cylinder->half_length});
    } else if (cylinder != nullptr) {
        const Vector3d down = placed.to_body(-up);
        const bool stands = std::abs(down.z()) > std::numbers::sqrt2 / 2.0;
        for (const double side : {-1.0, 1.0}) {
            if (stands && side * down.z() < 0.0) continue;
            const unsigned cap = side > 0.0 ? 64u : 0u;
            auto lowest = rim_point(*cylinder, side, down);
            const double r = cylinder->radius, z = side * cylinder->half_length;
            const Vector3d rim[] = {{r, 0.0, z}, {0.0, r, z}, {-r, 0.0, z}, {0.0, -r, z}};
            for (unsigned k = 0; stands && k < 4; ++k) {
                add(rim[k], cap + 8 * k);
                // As good as this one: 1e-6 r beside it is 1e-12 r lower at most.
                if (lowest && (*lowest - rim[k]).norm() < 1e-6 * r) lowest.reset();
            }
            if (lowest) add(*lowest, cap + 32u);
        }
    } else {
        add(placed.to_body(placed.support(-up) - placed.pose.position), 0);
    }
    return found;
}

}  // namespace scree::reference
