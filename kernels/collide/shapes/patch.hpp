// SPDX-License-Identifier: BSD-3-Clause
// The points of contact of two shapes whose best direction is known: where the faces and edges that look along it lie
// opposite each other.
//
// Invariants
//  1. The first point has the smallest gap, that of the best direction to rounding.
//  2. Each further point has its own gap along the common normal, so a patch that opens like a wedge is told exactly.
//  3. What is kept of more than eight points depends on positions alone: the deepest, then again and again the one
//     farthest from those kept; the first of equals.
#pragma once

#include "kernels/collide/shapes/outline.hpp"

namespace scree::kernels {

/// Candidates of a patch in the frame of A.
struct PatchPoints {
    static constexpr int capacity = 64;
    int count = 0;
    Vector2d at[capacity];
    double from[capacity], gap[capacity];  ///< Height of A's core; gap of the cores.
    std::int32_t feature[capacity];

    /// Of points that coincide the first is kept, and of those with one feature the first, unless another is deeper;
    /// the gap is the least of them.
    SCREE_HD void add(Vector2d p, double height_a, double height_b, std::int32_t its_feature, double coincident) {
        const double its_gap = height_b - height_a;
        for (int k = 0; k < count; ++k) {
            const Vector2d r = at[k] - p;
            const bool same_place = dot(r, r) <= coincident * coincident;
            if (!same_place && feature[k] != its_feature) continue;
            if (!same_place && gap[k] - its_gap > coincident) {
                at[k] = p;
                from[k] = height_a;
            }
            gap[k] = smaller(gap[k], its_gap);
            return;
        }
        if (count == capacity) return;
        at[count] = p;
        from[count] = height_a;
        gap[count] = its_gap;
        feature[count++] = its_feature;
    }
};

/// Numbers of at most `most` of the points for which take(k) is true: the deepest first, then again and again the one
/// farthest from those kept.
template <class Take, class Gap, class SquaredDistance>
SCREE_HD int spread(int count, int most, const Take& take, const Gap& gap, const SquaredDistance& squared_distance,
                    int* kept) {
    int taken = 0, deepest = -1;
    for (int k = 0; k < count; ++k) {
        if (!take(k)) continue;
        if (taken < most) kept[taken] = k;
        ++taken;
        if (deepest < 0 || gap(k) < gap(deepest)) deepest = k;
    }
    if (taken <= most) {
        for (int n = 0, before = deepest; n < taken; ++n) {  // the deepest to the front, the others keep their order
            const int here = kept[n];
            kept[n] = before;
            if (here == deepest) break;
            before = here;
        }
        return taken;
    }
    kept[0] = deepest;
    int n = 1;
    for (; n < most; ++n) {
        double farthest = 0.0;
        for (int k = 0; k < count; ++k) {
            if (!take(k)) continue;
            double nearest = 1e300;
            for (int other = 0; other < n; ++other) nearest = smaller(nearest, squared_distance(k, kept[other]));
            if (nearest > farthest * (1.0 + 1e-9)) {
                farthest = nearest;
                kept[n] = k;
            }
        }
        if (farthest == 0.0) break;  // the rest coincide with those kept
    }
    return n;
}

/// Writes the manifold of the pair (with A placed as `a`) for its best direction. Gaps up to `reach`, roundings
/// subtracted. True when a point of the patch is known to have the gap of the direction: that proves the direction the
/// best for shapes apart.
SCREE_HD_CALL inline bool fill_patch(const DifferenceBody& pair, const PlacedShape& a, const Direction& best,
                                     double reach, Manifold& manifold) {
    manifold.count = 0;
    manifold.normal = a.to_world_axes(best.d);
    const double round_a = pair.scale_a * pair.a->rounding, round_b = pair.scale_b * pair.b->rounding;
    const auto put = [&](Vector3d core, double core_gap, std::int32_t feature) {
        if (core_gap - round_a - round_b > reach) return;
        ManifoldPoint& p = manifold.point[manifold.count++];
        p.gap = core_gap - round_a - round_b;
        p.point = a.position + a.to_world_axes(core + (round_a + 0.5 * p.gap) * best.d);
        p.feature = feature;
    };

    // The farthest points that along() found are those of `best`; round shapes touch there.
    std::int32_t corner;
    SupportingFace face_a;
    const bool known_a = pair.a->kind == ShapeKind::polyhedron, known_b = pair.b->kind == ShapeKind::polyhedron;
    if (known_a) corner = best.corner_a;
    const Vector3d at_a =
        known_a ? vertex_of(pair.view, *pair.a, corner) : core_support(pair.view, *pair.a, best.d, corner);
    supporting_face(pair.view, *pair.a, best.d, corner, at_a, face_a);
    if (face_a.count == 1) {
        std::int32_t feature = contact_feature(1, face_a.number[0], 0);
        if (is_smooth(pair.a->kind)) {
            // A corner of B is known better than the farthest point of a round core.
            const Vector3d to = pair.to_b(negative(best.d));
            const Vector3d at_b = core_support(pair.view, *pair.b, to, corner);
            SupportingFace face_b;
            supporting_face(pair.view, *pair.b, to, corner, at_b, face_b);
            if (face_b.count == 1 && !is_smooth(pair.b->kind)) {
                const Vector3d on_b = pair.offset + pair.from_b(pair.scale_b * face_b.corner[0]);
                put(on_b - best.separation * best.d, best.separation, contact_feature(2, 0, face_b.number[0]));
                return false;
            }
        }
        put(pair.scale_a * face_a.corner[0], best.separation, feature);
        return false;
    }
    SupportingFace face_b;
    const Vector3d to = pair.to_b(negative(best.d));
    if (known_b) corner = best.corner_b;
    const Vector3d at_b =
        known_b ? vertex_of(pair.view, *pair.b, corner) : core_support(pair.view, *pair.b, to, corner);
    supporting_face(pair.view, *pair.b, to, corner, at_b, face_b);
    for (int k = 0; k < face_b.count; ++k)
        face_b.corner[k] = pair.offset + pair.from_b(pair.scale_b * face_b.corner[k]);
    if (face_b.count == 1) {
        put(face_b.corner[0] - best.separation * best.d, best.separation, contact_feature(2, 0, face_b.number[0]));
        return false;
    }
    for (int k = 0; k < face_a.count; ++k) face_a.corner[k] = pair.scale_a * face_a.corner[k];
    for (int k = 0; k < 2; ++k) {
        face_a.side_radius[k] *= pair.scale_a;
        face_b.side_radius[k] *= pair.scale_b;
    }
    face_a.cap_radius *= pair.scale_a;
    face_a.cap_centre = pair.scale_a * face_a.cap_centre;
    face_b.normal = pair.from_b(face_b.normal);
    face_b.cap_radius *= pair.scale_b;
    face_b.cap_centre = pair.offset + pair.from_b(pair.scale_b * face_b.cap_centre);

    const double size = smaller(pair.scale_a * (pair.a->bounding_radius - pair.a->rounding),
                                pair.scale_b * (pair.b->bounding_radius - pair.b->rounding));
    const Across sides = across(best.d);
    const ViewAlong view{best.d, sides.first, sides.second};
    const Outline outline_a(view, face_a, 1e-8 * size), outline_b(view, face_b, 1e-8 * size);
    PatchPoints points;
    double least = 1e300;
    // Triangles of a mesh share their corners, which are none of it.
    const bool of_mesh = pair.a->kind == ShapeKind::triangle || pair.b->kind == ShapeKind::triangle;
    const SidesAlongEachOther edges{outline_a, outline_b, round_a + round_b};
    const auto take = [&](Vector2d p, std::int32_t feature) {
        const double from = outline_a.height_at(p);
        const double gap = edges.are_edges() ? edges.at(p).gap : outline_b.height_at(p) - from;
        least = smaller(least, gap);
        if (gap - round_a - round_b <= reach) points.add(p, from, from + gap, feature, 1e-6 * size);
    };
    const bool along = for_each_shared_corner(edges, of_mesh ? 0.0 : 1e-3, take);
    if (along) {  // Without the crossing the deepest end stands for it.
        double deepest = 1e300;
        for (int k = 0; k < points.count; ++k) deepest = smaller(deepest, points.gap[k]);
        for (int k = 0; k < points.count; ++k) points.gap[k] -= larger(deepest - best.separation, 0.0);
    }
    const bool attained = along || least <= best.separation + 1e-9 * size;
    if (!attained) {
        // The faces miss each other by rounding, at a rim: the farthest point of the smaller shape is near, that of the
        // larger may be anywhere on its face.
        const bool a_is_smaller = pair.scale_a * pair.a->bounding_radius <= pair.scale_b * pair.b->bounding_radius;
        const Vector3d core_b = pair.offset + pair.from_b(pair.scale_b * at_b);
        put(a_is_smaller ? pair.scale_a * at_a : core_b - best.separation * best.d, best.separation,
            contact_feature(0, 0, 0));
    }
    int kept[Manifold::capacity];
    const int count = spread(
        points.count, Manifold::capacity - manifold.count, [](int) { return true; },
        [&](int k) { return points.gap[k]; },
        [&](int i, int k) {
            const Vector2d r = points.at[i] - points.at[k];
            return dot(r, r);
        },
        kept);
    for (int k = 0; k < count; ++k)
        put(view.at(points.at[kept[k]], points.from[kept[k]]), points.gap[kept[k]], points.feature[kept[k]]);
    return attained;
}

}  // namespace scree::kernels
