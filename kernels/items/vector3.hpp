// SPDX-License-Identifier: BSD-3-Clause
// Three-vectors on a lane type P.
#pragma once

#include "kernels/items/real.hpp"

namespace scree::kernels {

template <class P>
struct Vector3 {
    P x, y, z;

    SCREE_HD friend Vector3 operator+(Vector3 a, Vector3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    SCREE_HD friend Vector3 operator-(Vector3 a, Vector3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    SCREE_HD friend Vector3 operator*(P s, Vector3 a) { return {s * a.x, s * a.y, s * a.z}; }
    SCREE_HD Vector3& operator+=(Vector3 b) { return *this = *this + b; }
};

template <class P>
SCREE_HD P dot(Vector3<P> a, Vector3<P> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class P>
SCREE_HD Vector3<P> cross(Vector3<P> a, Vector3<P> b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class P>
SCREE_HD P norm(Vector3<P> a) {
    return square_root(dot(a, a));
}

}  // namespace scree::kernels
