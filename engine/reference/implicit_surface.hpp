// SPDX-License-Identifier: BSD-3-Clause
// Shapes as intersections of smooth inequalities f_k(y) <= 0 in body axes (papers/002, appendix). Each f_k is a length
// [m], about the distance from its surface, and its gradient nowhere vanishes near the surface:
//
//   sphere, ellipsoid   (y.D y - 1) s / 2 with the smallest half-axis s
//   superquadric        s (N(y) - 1) with the gauge N = ((|x/a|^p2 + |y/b|^p2)^(p1/p2) + |z/c|^p1)^(1/p1), p = 2/e: a
//                       norm, hence convex and of degree one (the usual inside-outside function is N^p1, whose
//                       derivatives vanish or grow without bound). |t| is sqrt(t^2 + 1e-18), which keeps the second
//                       derivatives finite on the coordinate planes and moves the surface by no more than 1e-9 s.
//   half-space, box, cylinder, polytope: planes and the round side
//   bowl                (R^2 - |y|^2) / 2R: not convex; the same stationarity conditions hold at nearest points.
#pragma once

#include "engine/reference/shape.hpp"

#include <Eigen/Core>

#include <vector>

namespace scree::reference {

struct Inequality {
    double value = 0.0;        ///< [m], <= 0 inside
    Eigen::Vector3d gradient;  ///< [-]
    Eigen::Matrix3d hessian;   ///< [1/m]
};

/// How many inequalities the shape has; in planar worlds those that bound y alone are left out.
[[nodiscard]] Eigen::Index inequality_count(const Shape& shape, bool planar);

/// Number k of them at y (body axes).
[[nodiscard]] Inequality inequality(const Shape& shape, Eigen::Index k, const Eigen::Vector3d& y);

/// The `most` inequalities whose values at y are largest, in rising order: those that may hold nearby.
[[nodiscard]] std::vector<Eigen::Index> nearest_inequalities(const Shape& shape, const Eigen::Vector3d& y, bool planar,
                                                             Eigen::Index most);

/// Largest f_k(y): <= 0 in the shape, > 0 outside.
[[nodiscard]] double outside(const Shape& shape, const Eigen::Vector3d& y, bool planar);

}  // namespace scree::reference
