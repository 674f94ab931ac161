// SPDX-License-Identifier: BSD-3-Clause
// A convex hull of few points that grows point by point in a thread's own memory: what the search from inside expands.
//
// Invariants
//  1. Faces are triangles, counter-clockwise seen from outside, and close a surface: add() changes nothing unless the
//     edge of what the new point sees is one closed loop.
//  2. At most `most_points` points, so at most 2 most_points - 4 faces.
#pragma once

#include "kernels/collide/shapes/difference_body.hpp"

namespace scree::kernels {

struct GrowingHull {
    static constexpr int most_points = 64, most_faces = 2 * most_points - 4;
    struct Face {
        Vector3d normal;  ///< Unit, outward
        double offset;    ///< Of its plane: normal . x
        std::int8_t corner[3];
        bool done;  ///< The body has no point beyond it.
    };
    int points = 0, faces = 0;
    Vector3d point[most_points];
    Face face[most_faces];

    /// A tetrahedron of four points that are not in one plane, in any order.
    SCREE_HD_CALL void begin(const Vector3d four[4]) {
        points = 4;
        faces = 0;
        for (int k = 0; k < 4; ++k) point[k] = four[k];
        const bool right = dot(cross(four[1] - four[0], four[2] - four[0]), four[3] - four[0]) < 0.0;
        add_face(0, right ? 1 : 2, right ? 2 : 1);
        add_face(0, right ? 3 : 1, right ? 1 : 3);
        add_face(0, right ? 2 : 3, right ? 3 : 2);
        add_face(1, right ? 3 : 2, right ? 2 : 3);
    }

    /// Grows the hull to hold p. False, and no change, when no face sees p, when rounding leaves no clean edge between
    /// the faces that see p and those that do not, or when the hull is full.
    SCREE_HD_CALL bool add(Vector3d p, double tolerance) {
        if (points == most_points) return false;
        // next[i] = j: the horizon goes from corner i to j. An edge that two seen faces share cancels.
        std::int8_t next[most_points];
        std::uint64_t leaving[most_points];  // bit j of [i]: a seen face has the edge from i to j
        for (int k = 0; k < points; ++k) {
            next[k] = -1;
            leaving[k] = 0;
        }
        int seen = 0;
        std::int8_t order[most_faces];
        for (int f = 0; f < faces; ++f) {
            if (!(dot(face[f].normal, p) - face[f].offset > tolerance)) continue;
            order[seen++] = std::int8_t(f);
            const std::int8_t* c = face[f].corner;
            leaving[c[0]] |= std::uint64_t(1) << c[1];
            leaving[c[1]] |= std::uint64_t(1) << c[2];
            leaving[c[2]] |= std::uint64_t(1) << c[0];
        }
        if (seen == 0 || seen == faces) return false;
        int length = 0;
        std::int8_t first = -1;
        for (int s = 0; s < seen; ++s) {
            const Face& f = face[order[s]];
            for (int e = 0; e < 3; ++e) {
                const std::int8_t from = f.corner[e], to = f.corner[e == 2 ? 0 : e + 1];
                if ((leaving[to] >> from & 1u) != 0) continue;
                if (next[from] >= 0) return false;
                next[from] = to;
                first = from;
                ++length;
            }
        }
        if (length < 3) return false;
        std::int8_t at = first;
        for (int k = 0; k < length; ++k) {
            if (at < 0) return false;
            at = next[at];
            if (at == first && k + 1 < length) return false;
        }
        if (at != first || faces - seen + length > most_faces) return false;
        // A point on the line of a horizon edge would make a face without a normal.
        for (int k = 0; k < length; ++k) {
            const Vector3d e = point[next[at]] - point[at], r = p - point[at];
            const Vector3d n = cross(e, r);
            if (!(dot(n, n) > 1e-28 * dot(e, e) * dot(r, r))) return false;
            at = next[at];
        }
        for (int s = seen - 1; s >= 0; --s) face[order[s]] = face[--faces];
        point[points] = p;
        for (int k = 0; k < length; ++k) {
            add_face(at, next[at], points);
            at = next[at];
        }
        ++points;
        return true;
    }

private:
    SCREE_HD void add_face(int i, int j, int k) {
        Face& f = face[faces++];
        const Vector3d n = cross(point[j] - point[i], point[k] - point[i]);
        const double length = norm(n);
        f.normal = (length > 0.0 ? 1.0 / length : 0.0) * n;
        f.offset = dot(f.normal, point[i]);
        f.corner[0] = std::int8_t(i);
        f.corner[1] = std::int8_t(j);
        f.corner[2] = std::int8_t(k);
        f.done = false;
    }
};

}  // namespace scree::kernels
