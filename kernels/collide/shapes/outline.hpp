// SPDX-License-Identifier: BSD-3-Clause
// Supporting faces seen along the direction of separation, and the corners of what two of them share.
#pragma once

#include "kernels/collide/shapes/supporting_face.hpp"

namespace scree::kernels {

struct Vector2d {
    double x, y;
    SCREE_HD friend Vector2d operator-(Vector2d a, Vector2d b) { return {a.x - b.x, a.y - b.y}; }
};
SCREE_HD inline double dot(Vector2d a, Vector2d b) { return a.x * b.x + a.y * b.y; }
/// Positive: v is turned counter-clockwise from u.
SCREE_HD inline double turn(Vector2d u, Vector2d v) { return u.x * v.y - u.y * v.x; }

/// Plane coordinates across the direction of separation.
struct ViewAlong {
    Vector3d d, t1, t2;
    [[nodiscard]] SCREE_HD Vector2d across(Vector3d p) const { return {dot(t1, p), dot(t2, p)}; }
    [[nodiscard]] SCREE_HD Vector3d at(Vector2d p, double height) const { return p.x * t1 + p.y * t2 + height * d; }
};

/// Corners of a supporting face in the view, counter-clockwise, with heights along it.
struct Outline {
    int count = 0;
    Vector2d at[SupportingFace::capacity];
    double height[SupportingFace::capacity];
    Vector2d edge[SupportingFace::capacity];  ///< From the corner to the next.
    /// Of the edge from the corner to the next, |x| + |y|: as good as its length where tolerances are scaled by it.
    double span[SupportingFace::capacity];
    std::int16_t number[SupportingFace::capacity];
    Vector2d rise{0, 0};  ///< Of the height, over a face
    double tolerance = 0.0;
    // Of a frustum's face: its circle in the view, an ellipse.
    double cap_radius = 0.0;
    Vector2d cap_centre{0, 0};
    double side_radius[2];  ///< As SupportingFace has them.

    SCREE_HD Outline(const ViewAlong& view, const SupportingFace& face, double how_near) : tolerance(how_near) {
        count = face.count;
        const double up = dot(face.normal, view.d);
        for (int k = 0; k < count; ++k) {
            const int from = up < 0.0 ? count - 1 - k : k;
            at[k] = view.across(face.corner[from]);
            height[k] = dot(view.d, face.corner[from]);
            number[k] = face.number[from];
        }
        if (count > 2) rise = {-dot(view.t1, face.normal) / up, -dot(view.t2, face.normal) / up};
        cap_radius = face.cap_radius;
        if (cap_radius > 0.0) cap_centre = view.across(face.cap_centre);
        const bool turned = up < 0.0;
        side_radius[0] = face.side_radius[turned ? 1 : 0];
        side_radius[1] = face.side_radius[turned ? 0 : 1];
        for (int k = 0; k < edges(); ++k) {
            edge[k] = at[k + 1 == count ? 0 : k + 1] - at[k];
            span[k] = size_of(edge[k].x) + size_of(edge[k].y);
        }
    }

    [[nodiscard]] SCREE_HD double shortest() const {
        double least = 1e300;
        for (int k = 0; k < edges(); ++k) least = smaller(least, span[k]);
        return least;
    }
    [[nodiscard]] SCREE_HD bool is_face() const { return count > 2; }
    [[nodiscard]] SCREE_HD int edges() const { return count == 2 ? 1 : count; }

    [[nodiscard]] SCREE_HD bool holds(Vector2d p) const {
        if (cap_radius > 0.0) {
            // On the disc: its points are at (p, rise . p) from the centre.
            const Vector2d r = p - cap_centre;
            const double up = dot(rise, r), most = cap_radius + tolerance;
            return dot(r, r) + up * up <= most * most;
        }
        if (is_face()) {
            for (int k = 0; k < count; ++k)
                if (turn(edge[k], p - at[k]) < -tolerance * span[k]) return false;
            return true;
        }
        const Vector2d e = edge[0], r = p - at[0];
        const double near = tolerance * span[0], along = dot(e, r);
        return size_of(turn(e, r)) <= near && along >= -near && along <= dot(e, e) + near;
    }

    /// Of an edge: how far along it a point lies, 0 to 1 between its ends.
    [[nodiscard]] SCREE_HD double part_at(Vector2d p) const {
        const double square = dot(edge[0], edge[0]);
        return square > 0.0 ? dot(edge[0], p - at[0]) / square : 0.0;
    }
    /// Of an edge: how far beside its line a point lies.
    [[nodiscard]] SCREE_HD double beside(Vector2d p) const {
        const double square = dot(edge[0], edge[0]);
        return square > 0.0 ? size_of(turn(edge[0], p - at[0])) / square_root(square) : 0.0;
    }

    /// How far a point of a face lies inside its rim.
    [[nodiscard]] SCREE_HD double depth_inside(Vector2d p) const {
        const Vector2d r = p - cap_centre;
        if (cap_radius > 0.0) return cap_radius - square_root(dot(r, r));
        double least = 1e300;
        for (int k = 0; k < count; ++k) {
            const double square = dot(edge[k], edge[k]);
            if (square > 0.0) least = smaller(least, turn(edge[k], p - at[k]) / square_root(square));
        }
        return least;
    }

    [[nodiscard]] SCREE_HD double height_at(Vector2d p) const {
        if (is_face()) return height[0] + dot(rise, p - at[0]);
        return height[0] + clamped(part_at(p), 0.0, 1.0) * (height[1] - height[0]);
    }
    [[nodiscard]] SCREE_HD bool has_side() const { return side_radius[0] > 0.0 || side_radius[1] > 0.0; }
    /// Of an edge: radius of the round side there.
    [[nodiscard]] SCREE_HD double side_radius_at(Vector2d p) const {
        return side_radius[0] + clamped(part_at(p), 0.0, 1.0) * (side_radius[1] - side_radius[0]);
    }
};

/// Two edges that all but lie along each other, under a rounding or the side of a frustum one of them at least. Seen
/// along the common normal they cross in one point, which may be anywhere, and beside it the round sides part by next
/// to nothing: what bears is the line. Its ends count, with the gaps that the roundness leaves there.
struct SidesAlongEachOther {
    /// Of the distance of the lines about which the sides turn: as far beside a line an end is still taken (its normal
    /// is off by so much); and so little that the crossing is left out (its gap is less by 5e-7 of that distance).
    static constexpr double taken = 2e-2, same = 1e-3;

    const Outline& a;
    const Outline& b;
    double rounding;  ///< Of both; below 0: such edges are taken as sharp ones.

    [[nodiscard]] SCREE_HD bool are_edges() const {
        return a.count == 2 && b.count == 2 && rounding >= 0.0 && (rounding > 0.0 || a.has_side() || b.has_side());
    }
    /// Of the cores, at a point of either.
    struct Gap {
        double gap;  ///< [m]
        bool near, all_but_on;
    };
    [[nodiscard]] SCREE_HD Gap at(Vector2d p) const {
        const double straight = b.height_at(p) - a.height_at(p);
        const double distance = straight + a.side_radius_at(p) + b.side_radius_at(p);
        const double beside = a.beside(p) + b.beside(p);  // it lies on one of them
        if (!(distance > 0.0) || beside > taken * distance) return {straight, false, false};
        const double by_roundness = square_root(distance * distance + beside * beside) - distance;
        return {straight + by_roundness, true, beside <= same * distance};
    }
};

/// Calls emit(point, feature) for the corners of what two outlines share: corners of b over a, corners of a, crossings
/// of edges. Points may coincide, and several may have one feature: what is near a corner (by `near` times the shortest
/// edge) is named after it, of b if it can be. So corners that lie all but on each other make one point, whichever of
/// them is inside; and edges that do, whose crossing may be anywhere along them, add none between their ends. True
/// where two sides lie along each other so nearly that the point of the least gap, their crossing, was left out.
template <class Emit>
SCREE_HD bool for_each_shared_corner(const SidesAlongEachOther& sides, double near, const Emit& emit_named) {
    const Outline &a = sides.a, &b = sides.b;
    near *= smaller(a.shortest(), b.shortest());
    const double near_squared = near * near;
    const bool exact = near <= 0.0 || a.cap_radius > 0.0 || b.cap_radius > 0.0;
    const auto emit = [&](Vector2d p, std::int32_t feature) {
        const auto is_near = [&](Vector2d corner) { return dot(p - corner, p - corner) <= near_squared; };
        for (int k = 0; !exact && k < b.count; ++k)
            if (is_near(b.at[k])) return emit_named(p, contact_feature(2, 0, b.number[k]));
        for (int k = 0; !exact && k < a.count; ++k)
            if (is_near(a.at[k])) return emit_named(p, contact_feature(1, a.number[k], 0));
        emit_named(p, feature);
    };
    const auto fixed = [](const Outline& o, int k) { return o.cap_radius <= 0.0 || (o.number[k] & 39) % 8 == 0; };
    // A frustum that stands wholly on the other face: four points at fixed azimuths, and the lowest.
    const auto stands = [&](const Outline& cap, const Outline& on) {
        if (cap.cap_radius <= 0.0 || !on.is_face()) return false;
        for (int k = 0; k < cap.count; ++k)
            if (fixed(cap, k) && !on.holds(cap.at[k])) return false;
        return true;
    };
    if (sides.are_edges()) {
        int ends = 0;
        bool same = true;
        const auto end = [&](const Outline& on, Vector2d p, std::int32_t feature) {
            const double part = on.part_at(p), span = on.tolerance / larger(on.span[0], 1e-300);
            if (part < -span || part > 1.0 + span) return;
            const auto gap = sides.at(p);
            if (!gap.near && !on.holds(p)) return;
            ++ends;
            same = same && gap.all_but_on;
            emit(p, feature);
        };
        for (int k = 0; k < 2; ++k) end(a, b.at[k], contact_feature(2, 0, b.number[k]));
        for (int k = 0; k < 2; ++k) end(b, a.at[k], contact_feature(1, a.number[k], 0));
        if (ends > 1 && same) return true;
    }
    const bool a_stands = stands(a, b), b_stands = !a_stands && stands(b, a);
    if (!a_stands && !sides.are_edges())
        for (int k = 0; k < b.count; ++k)
            if ((!b_stands || fixed(b, k)) && a.holds(b.at[k])) emit(b.at[k], contact_feature(2, 0, b.number[k]));
    if (!b_stands && !sides.are_edges())
        for (int k = 0; k < a.count; ++k)
            if ((!a_stands || fixed(a, k)) && b.holds(a.at[k])) emit(a.at[k], contact_feature(1, a.number[k], 0));
    if (a_stands || b_stands) return false;
    for (int i = 0; i < a.edges(); ++i) {
        const Vector2d p = a.at[i], u = a.edge[i];
        for (int j = 0; j < b.edges(); ++j) {
            const Vector2d q = b.at[j], v = b.edge[j];
            const double sine = turn(u, v);
            const double s = turn(q - p, v), t = turn(q - p, u);
            const double sign = sine < 0.0 ? -1.0 : 1.0, size = sign * sine;
            if (sign * s < 0.0 || sign * s > size || sign * t < 0.0 || sign * t > size) continue;
            if (size <= 1e-9 * a.span[i] * b.span[j]) continue;  // parallel: told by the corners
            if (!exact && a.is_face() && b.is_face() && size <= near * smaller(a.span[i], b.span[j])) continue;
            const double part = s / sine;
            emit({p.x + part * u.x, p.y + part * u.y}, contact_feature(3, a.number[i], b.number[j]));
        }
    }
    return false;
}

}  // namespace scree::kernels
