// SPDX-License-Identifier: BSD-3-Clause
// What is left of a triangle in front of planes: a convex polygon.
#pragma once

#include "kernels/collide/shapes/mesh_triangles.hpp"

namespace scree::kernels {

struct CutTriangle {
    static constexpr int capacity = 12;  ///< A plane adds one corner at most; beyond that no plane cuts.
    int count = 3;
    bool cut = false;
    Vector3d at[capacity];

    SCREE_HD explicit CutTriangle(const TriangleCorners& t) {
        at[0] = t.a;
        at[1] = t.b;
        at[2] = t.c;
    }
    /// Keeps what lies farther than `above` in front of the plane through `point` with the unit normal.
    SCREE_HD_CALL void keep_in_front(Vector3d point, Vector3d normal, double above) {
        double height[capacity];
        int behind = 0;
        for (int k = 0; k < count; ++k) {
            height[k] = dot(at[k] - point, normal) - above;
            behind += height[k] <= 0.0 ? 1 : 0;
        }
        if (behind == 0 || (behind < count && count == capacity)) return;
        cut = true;
        if (behind == count) {
            count = 0;
            return;
        }
        Vector3d left[capacity];
        int n = 0;
        for (int k = 0; k < count; ++k) {
            const int next = k + 1 == count ? 0 : k + 1;
            if (height[k] > 0.0) left[n++] = at[k];
            if ((height[k] > 0.0) != (height[next] > 0.0)) {
                const double part = height[k] / (height[k] - height[next]);
                left[n++] = at[k] + part * (at[next] - at[k]);
            }
        }
        count = n;
        for (int k = 0; k < n; ++k) at[k] = left[k];
    }
};

}  // namespace scree::kernels
