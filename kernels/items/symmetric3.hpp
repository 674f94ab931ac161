// SPDX-License-Identifier: BSD-3-Clause
// Symmetric 3 x 3 matrices as six doubles (xx yy zz xy xz yz), and rotations of vectors and of them.
#pragma once

#include "kernels/items/vector3.hpp"

namespace scree::kernels {

/// S v
SCREE_HD inline Vector3<double> times(const double (&s)[6], Vector3<double> v) {
    return {s[0] * v.x + s[3] * v.y + s[4] * v.z, s[3] * v.x + s[1] * v.y + s[5] * v.z,
            s[4] * v.x + s[5] * v.y + s[2] * v.z};
}

/// The inverse; zeros where S is singular.
SCREE_HD inline void invert(const double (&s)[6], double (&inverse)[6]) {
    const double c[6] = {s[1] * s[2] - s[5] * s[5], s[0] * s[2] - s[4] * s[4], s[0] * s[1] - s[3] * s[3],
                         s[4] * s[5] - s[3] * s[2], s[3] * s[5] - s[4] * s[1], s[3] * s[4] - s[0] * s[5]};
    const double determinant = s[0] * c[0] + s[3] * c[3] + s[4] * c[4];
    for (int k = 0; k < 6; ++k) inverse[k] = determinant != 0.0 ? c[k] / determinant : 0.0;
}

/// The columns of the rotation of a unit quaternion (w x y z): the body's axes in the world.
struct Axes {
    Vector3<double> x, y, z;

    SCREE_HD static Axes of(const double* q) {
        const double w = q[0], a = q[1], b = q[2], c = q[3];
        return {{1.0 - 2.0 * (b * b + c * c), 2.0 * (a * b + w * c), 2.0 * (a * c - w * b)},
                {2.0 * (a * b - w * c), 1.0 - 2.0 * (a * a + c * c), 2.0 * (b * c + w * a)},
                {2.0 * (a * c + w * b), 2.0 * (b * c - w * a), 1.0 - 2.0 * (a * a + b * b)}};
    }
    [[nodiscard]] SCREE_HD Vector3<double> to_world(Vector3<double> v) const { return v.x * x + v.y * y + v.z * z; }
    [[nodiscard]] SCREE_HD Vector3<double> to_body(Vector3<double> v) const {
        return {dot(v, x), dot(v, y), dot(v, z)};
    }
    /// R S R^T
    SCREE_HD void turn(const double (&s)[6], double (&turned)[6]) const {
        const Vector3<double> sx = s[0] * x + s[3] * y + s[4] * z, sy = s[3] * x + s[1] * y + s[5] * z,
                              sz = s[4] * x + s[5] * y + s[2] * z;
        turned[0] = x.x * sx.x + y.x * sy.x + z.x * sz.x;
        turned[1] = x.y * sx.y + y.y * sy.y + z.y * sz.y;
        turned[2] = x.z * sx.z + y.z * sy.z + z.z * sz.z;
        turned[3] = x.x * sx.y + y.x * sy.y + z.x * sz.y;
        turned[4] = x.x * sx.z + y.x * sy.z + z.x * sz.z;
        turned[5] = x.y * sx.z + y.y * sy.z + z.y * sz.z;
    }
};

/// v turned by the rotation vector r [rad].
SCREE_HD inline Vector3<double> turned(Vector3<double> v, Vector3<double> r) {
    const double squared = dot(r, r);
    const Vector3<double> rv = cross(r, v), rrv = cross(r, rv);
    // sin(t) / t and (1 - cos t) / t^2
    double s = 1.0 - squared / 6.0, c = 0.5 - squared / 24.0;
    if (squared > 1e-8) {
        const double angle = square_root(squared), half = sin(0.5 * angle);
        s = sin(angle) / angle;
        c = 2.0 * half * half / squared;
    }
    return v + s * rv + c * rrv;
}

}  // namespace scree::kernels
