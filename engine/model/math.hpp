// SPDX-License-Identifier: BSD-3-Clause
// Vectors and rotations of the plain-data model. Right-handed Cartesian axes, SI units, double precision.
#pragma once

#include <array>
#include <cmath>

namespace scree::model {

/// A point [m], a direction, a velocity [m/s] or an angular velocity [rad/s], by context.
struct Vec3 {
    double x = 0.0, y = 0.0, z = 0.0;

    friend constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
    friend constexpr Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
    friend constexpr Vec3 operator*(Vec3 a, double s) { return s * a; }
    friend constexpr bool operator==(Vec3 a, Vec3 b) = default;
};

[[nodiscard]] constexpr double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
[[nodiscard]] constexpr Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline double norm(Vec3 a) { return std::sqrt(dot(a, a)); }
/// The unit vector along `a`; the zero vector stays zero.
[[nodiscard]] inline Vec3 normalized(Vec3 a) {
    const double n = norm(a);
    return n > 0.0 ? (1.0 / n) * a : a;
}

/// A unit quaternion (w, x, y, z) that rotates body axes into world axes.
struct Quat {
    double w = 1.0, x = 0.0, y = 0.0, z = 0.0;
    friend constexpr bool operator==(Quat a, Quat b) = default;
};

[[nodiscard]] constexpr Quat operator*(Quat a, Quat b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
[[nodiscard]] constexpr Quat conjugate(Quat q) { return {q.w, -q.x, -q.y, -q.z}; }
/// Rotates `v` by the unit quaternion `q`.
[[nodiscard]] constexpr Vec3 rotate(Quat q, Vec3 v) {
    const Vec3 u{q.x, q.y, q.z};
    const Vec3 t = 2.0 * cross(u, v);
    return v + q.w * t + cross(u, t);
}
/// The rotation by `angle` [rad] about the (not necessarily unit) `axis`.
[[nodiscard]] inline Quat from_axis_angle(Vec3 axis, double angle) {
    const Vec3 u = normalized(axis);
    const double s = std::sin(0.5 * angle);
    return {std::cos(0.5 * angle), s * u.x, s * u.y, s * u.z};
}

}  // namespace scree::model
