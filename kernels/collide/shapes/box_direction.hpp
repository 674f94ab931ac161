// SPDX-License-Identifier: BSD-3-Clause
// The direction that separates two boxes most among the normals of their faces and the cross products of their edges:
// separating axes. Of boxes that overlap it is the direction of least translation (the difference body has no other
// faces); of boxes apart only where their nearest points are a corner over a face or crossing edges.
#pragma once

#include "kernels/collide/shapes/difference_body.hpp"

namespace scree::kernels {

/// Ends with the first axis that separates by more than `enough`. Faces win ties with edges: axes of edges that are
/// parallel to 1e-7 have no cross product worth trusting, and are left out.
SCREE_HD_CALL inline Direction box_direction(const DifferenceBody& pair, double enough) {
    const Vector3d* r = pair.axis;  // r[j] . unit i: the cosine of axis i of A and j of B
    const double sa = pair.scale_a, sb = pair.scale_b;
    const double a[3] = {sa * pair.a->a, sa * pair.a->b, sa * pair.a->c};
    const double b[3] = {sb * pair.b->a, sb * pair.b->b, sb * pair.b->c};
    const double t[3] = {pair.offset.x, pair.offset.y, pair.offset.z};
    double c[3][3], size[3][3];
    for (int j = 0; j < 3; ++j) {
        c[0][j] = r[j].x;
        c[1][j] = r[j].y;
        c[2][j] = r[j].z;
        for (int i = 0; i < 3; ++i) size[i][j] = size_of(c[i][j]);
    }
    Direction best;
    for (int i = 0; i < 3; ++i) {
        const double s = size_of(t[i]) - (a[i] + b[0] * size[i][0] + b[1] * size[i][1] + b[2] * size[i][2]);
        if (s > best.separation) {
            best.separation = s;
            best.d = {i == 0 ? with_sign(1.0, t[0]) : 0.0, i == 1 ? with_sign(1.0, t[1]) : 0.0,
                      i == 2 ? with_sign(1.0, t[2]) : 0.0};
        }
    }
    if (best.separation > enough) return best;
    for (int j = 0; j < 3; ++j) {
        const double along = dot(pair.offset, r[j]);
        const double s = size_of(along) - (b[j] + a[0] * size[0][j] + a[1] * size[1][j] + a[2] * size[2][j]);
        if (s > best.separation) {
            best.separation = s;
            best.d = with_sign(1.0, along) * r[j];
        }
    }
    if (best.separation > enough) return best;
    double best_edge = best.separation + 1e-12 * pair.size;
    int edge_i = -1, edge_j = -1;
    for (int i = 0; i < 3; ++i) {
        const int i1 = i == 2 ? 0 : i + 1, i2 = i == 0 ? 2 : i - 1;
        for (int j = 0; j < 3; ++j) {
            const int j1 = j == 2 ? 0 : j + 1, j2 = j == 0 ? 2 : j - 1;
            // axis i of A x axis j of B, not yet unit
            const double square = c[i1][j] * c[i1][j] + c[i2][j] * c[i2][j];
            const double along = t[i2] * c[i1][j] - t[i1] * c[i2][j];
            const double radii = a[i1] * size[i2][j] + a[i2] * size[i1][j] + b[j1] * size[i][j2] + b[j2] * size[i][j1];
            const double s = size_of(along) - radii;
            if (!(square > 1e-14)) continue;
            const double scaled = s / square_root(square);
            if (scaled > best_edge) {
                best_edge = scaled;
                edge_i = i;
                edge_j = j;
            }
        }
    }
    if (edge_i < 0) return best;
    const Vector3d edge{edge_i == 0 ? 1.0 : 0.0, edge_i == 1 ? 1.0 : 0.0, edge_i == 2 ? 1.0 : 0.0};
    const Vector3d n = unit(cross(edge, r[edge_j]));
    best.d = dot(n, pair.offset) < 0.0 ? negative(n) : n;
    best.separation = best_edge;
    return best;
}

/// Does a corner of one box lie opposite a point of the other along the direction? Boxes apart have then their distance
/// along it.
SCREE_HD inline bool corner_lies_opposite(const DifferenceBody& pair, const Direction& best) {
    std::int32_t corner;
    const double near = 1e-9 * pair.size;
    const auto holds = [near](const ConvexShape& s, double scale, Vector3d p) {
        return size_of(p.x) <= scale * s.a + near && size_of(p.y) <= scale * s.b + near &&
               size_of(p.z) <= scale * s.c + near;
    };
    const Vector3d apart = best.separation * best.d;
    const Vector3d of_b = pair.support_b(negative(best.d), corner);
    if (holds(*pair.a, pair.scale_a, of_b - apart)) return true;
    return holds(*pair.b, pair.scale_b, pair.to_b(pair.support_a(best.d, corner) + apart - pair.offset));
}

}  // namespace scree::kernels
