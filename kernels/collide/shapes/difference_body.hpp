// SPDX-License-Identifier: BSD-3-Clause
// Two cores as one body, their Minkowski difference b - a, seen from the origin. The separating function
//
//   s(d) = min over b of d.b - max over a of d.a     (d unit)
//
// has the signed distance of the cores as its maximum: their distance when apart, minus the least shift that parts them
// when they overlap. Everything here is in the frame of A: its origin is exact, however far from the world's the pair
// is.
#pragma once

#include "kernels/collide/shapes/manifold.hpp"

namespace scree::kernels {

SCREE_HD inline Vector3d negative(Vector3d a) { return {-a.x, -a.y, -a.z}; }
SCREE_HD inline Vector3d unit(Vector3d a) { return (1.0 / norm(a)) * a; }
SCREE_HD inline bool finite(Vector3d a) {
    return size_of(a.x) + size_of(a.y) + size_of(a.z) < 1e300;  // false for NaN, too
}

/// Two unit vectors across the unit vector d; (d, first, second) is right-handed.
struct Across {
    Vector3d first, second;
};
SCREE_HD inline Across across(Vector3d d) {
    const double x = size_of(d.x), y = size_of(d.y), z = size_of(d.z);
    const Vector3d least = x <= y && x <= z ? Vector3d{1, 0, 0} : (y <= z ? Vector3d{0, 1, 0} : Vector3d{0, 0, 1});
    const Vector3d first = unit(least - dot(least, d) * d);
    return {first, cross(d, first)};
}

/// A direction and what separates along it.
struct Direction {
    Vector3d d{0, 0, 1};         ///< Unit, from a to b.
    double separation = -1e300;  ///< s(d) [m]
    Vector3d lowest{0, 0, 0};    ///< The point of the difference body that is lowest along d: lowest . d = separation.
    std::int32_t corner_a = 0, corner_b = 0;
};

/// A pair in the frame of A.
struct DifferenceBody {
    const ShapeView& view;  ///< Outlives the pair.
    const ConvexShape *a, *b;
    double scale_a, scale_b;
    Vector3d axis[3];  ///< Of B.
    Vector3d offset;   ///< Origin of B [m].
    double size;       ///< Sum of the bounding radii of the cores: what tolerances are relative to [m].

    DifferenceBody(ShapeView&& shapes, const PlacedShape& first, const PlacedShape& second) = delete;
    SCREE_HD DifferenceBody(const ShapeView& shapes, const PlacedShape& first, const PlacedShape& second)
        : view(shapes), a(first.shape), b(second.shape), scale_a(first.scale), scale_b(second.scale) {
        for (int k = 0; k < 3; ++k) axis[k] = first.to_body(second.axis[k]);
        offset = first.to_body(second.position - first.position);
        size = scale_a * (a->bounding_radius - a->rounding) + scale_b * (b->bounding_radius - b->rounding);
    }

    /// Axes of A to axes of B.
    [[nodiscard]] SCREE_HD Vector3d to_b(Vector3d d) const {
        return {dot(axis[0], d), dot(axis[1], d), dot(axis[2], d)};
    }
    [[nodiscard]] SCREE_HD Vector3d from_b(Vector3d d) const { return d.x * axis[0] + d.y * axis[1] + d.z * axis[2]; }

    [[nodiscard]] SCREE_HD Vector3d support_a(Vector3d d, std::int32_t& corner) const {
        return scale_a * core_support(view, *a, d, corner);
    }
    [[nodiscard]] SCREE_HD Vector3d support_b(Vector3d d, std::int32_t& corner) const {
        return offset + from_b(scale_b * core_support(view, *b, to_b(d), corner));
    }
    [[nodiscard]] SCREE_HD_CALL_IN_REGISTERS Direction along(Vector3d d) const {
        Direction found;
        found.d = d;
        found.lowest = support_b(negative(d), found.corner_b) - support_a(d, found.corner_a);
        found.separation = dot(found.lowest, d);
        return found;
    }
    /// From A's origin to B's, or a fixed direction where they coincide.
    [[nodiscard]] SCREE_HD Vector3d towards() const {
        const double apart = norm(offset);
        return apart > 1e-12 * size ? (1.0 / apart) * offset : Vector3d{0, 0, 1};
    }
};

/// How fast the farthest point of the core moves as the unit direction d turns along t: the Hessian of the support
/// function times t [unit scale, body axes]. 0 at corners and along edges.
SCREE_HD inline Vector3d support_slope(const ShapeView& view, const ConvexShape& s, Vector3d d, Vector3d t) {
    if (s.kind == ShapeKind::ellipsoid) {
        // h = |S d|: H t = S^2 t / h - S^2 d (S^2 d . t) / h^3
        const Vector3d square{s.a * s.a, s.b * s.b, s.c * s.c};
        const Vector3d sd{square.x * d.x, square.y * d.y, square.z * d.z};
        const double inverse = 1.0 / square_root(dot(sd, d));
        const Vector3d st{square.x * t.x, square.y * t.y, square.z * t.z};
        return inverse * (st - (dot(sd, t) * inverse * inverse) * sd);
    }
    if (is_frustum(s.kind)) {
        std::int32_t corner;
        const Vector3d at = core_support(view, s, d, corner);
        const double square = d.x * d.x + d.y * d.y;
        if (!(square > 1e-24)) return {0, 0, 0};
        const double radius = square_root(at.x * at.x + at.y * at.y);
        const double k = radius * (d.x * t.y - d.y * t.x) / (square * square_root(square));
        return {-k * d.y, k * d.x, 0.0};
    }
    if (s.kind == ShapeKind::superquadric) {
        // Central differences: it only steers Newton's method, which is judged by the separation itself.
        constexpr double step = 3e-6;
        std::int32_t corner;
        const Vector3d ahead = core_support(view, s, d + step * t, corner);
        return (0.5 / step) * (ahead - core_support(view, s, d - step * t, corner));
    }
    return {0, 0, 0};
}

/// The same for the difference body: slopes of both shapes along t, an axis vector across the unit vector d.
SCREE_HD_CALL inline Vector3d difference_slope(const DifferenceBody& pair, Vector3d d, Vector3d t) {
    Vector3d sum{0, 0, 0};
    if (!is_polyhedral(pair.a->kind)) sum += pair.scale_a * support_slope(pair.view, *pair.a, d, t);
    if (!is_polyhedral(pair.b->kind)) {
        const Vector3d of_b = support_slope(pair.view, *pair.b, pair.to_b(negative(d)), pair.to_b(t));
        sum += pair.from_b(pair.scale_b * of_b);
    }
    return sum;
}

}  // namespace scree::kernels
