// SPDX-License-Identifier: BSD-3-Clause
// Vectors and numbers with their derivatives for the unknowns of one contact: the product and quotient rules, once.
#pragma once

#include "engine/reference/nearest_pair.hpp"

#include <Eigen/Core>

namespace scree::reference {

/// Unknowns that the rows of a contact depend on: the velocities of two bodies, its points, normal, gap, impulses and
/// slip. The bound keeps the derivatives off the heap.
inline constexpr int most_rates = 28;
using Rates = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, most_rates>;
using RateRow = Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, most_rates>;

/// A vector in space and its derivatives.
struct Vary {
    Eigen::Vector3d value;
    Rates by;  ///< [3 x size]
};

inline Vary operator+(const Vary& a, const Vary& b) { return {a.value + b.value, a.by + b.by}; }
inline Vary operator-(const Vary& a, const Vary& b) { return {a.value - b.value, a.by - b.by}; }
inline Vary cross(const Vary& a, const Vary& b) {
    return {a.value.cross(b.value), cross_matrix(a.value) * b.by - cross_matrix(b.value) * a.by};
}

/// A number and its derivatives.
struct VaryScalar {
    double value;
    RateRow by;  ///< [size]
};

inline VaryScalar dot(const Vary& a, const Vary& b) {
    return {a.value.dot(b.value), a.value.transpose() * b.by + b.value.transpose() * a.by};
}
inline Vary operator*(const VaryScalar& s, const Vary& a) {
    return {s.value * a.value, s.value * a.by + a.value * s.by};
}
inline VaryScalar operator*(const VaryScalar& s, const VaryScalar& a) {
    return {s.value * a.value, s.value * a.by + a.value * s.by};
}

inline VaryScalar operator/(const VaryScalar& s, const VaryScalar& a) {
    const double q = s.value / a.value;
    return {q, (s.by - q * a.by) / a.value};
}

inline Vary constant(const Eigen::Vector3d& value, Eigen::Index size) { return {value, Rates::Zero(3, size)}; }

inline Vary normalized(const Vary& a) {
    const double length = a.value.norm();
    const Eigen::Vector3d e = a.value / length;
    return {e, (a.by - e * (e.transpose() * a.by)) / length};
}

}  // namespace scree::reference
