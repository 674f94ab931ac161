// SPDX-License-Identifier: BSD-3-Clause
#include "engine/urdf/mass.hpp"

#include "engine/reference/mass_properties.hpp"

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include <algorithm>

namespace scree::urdf {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double rounding = 1e-6;

Matrix3d matrix_of(const std::array<double, 6>& i) {
    Matrix3d m;
    m << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
    return m;
}
Vector3d of(model::Vec3 v) { return {v.x, v.y, v.z}; }
Quaterniond of(model::Quat q) { return {q.w, q.x, q.y, q.z}; }

/// Lifts what rounding puts below what a body can have.
Vector3d allowed(Vector3d moments) {
    moments = moments.cwiseMax(0.0);
    for (int k = 0; k < 3; ++k) {
        double &a = moments[(k + 1) % 3], &b = moments[(k + 2) % 3];
        const double lacks = moments[k] - (a + b);
        if (lacks <= -1e-12 * moments[k]) continue;
        a += 0.5 * lacks + 1e-12 * moments[k];
        b += 0.5 * lacks + 1e-12 * moments[k];
    }
    return moments;
}

}  // namespace

std::string fault_of_inertia(const std::array<double, 6>& inertia) {
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(matrix_of(inertia), Eigen::EigenvaluesOnly);
    const Vector3d& m = solver.eigenvalues();  // increasing
    const auto text = [&] {
        return fmt::format("its principal moments are {:g}, {:g} and {:g} kg m^2", m[0], m[1], m[2]);
    };
    if (!m.allFinite() || !(m[2] > 0.0)) return text() + " (allowed: > 0)";
    if (m[0] < -rounding * m[2]) return text() + " (allowed: >= 0)";
    if (m[2] > m[0] + m[1] + rounding * m[2]) return text() + " (allowed: each at most the sum of the other two)";
    return {};
}

Mass sum_of(std::span<const PlacedInertial> inertials) {
    Mass sum;
    Vector3d center = Vector3d::Zero();
    for (const auto& [link, inertial] : inertials) {
        sum.mass += inertial.mass;
        center += inertial.mass * of(link.point(inertial.origin.position));
    }
    center /= sum.mass;
    Matrix3d total = Matrix3d::Zero();
    for (const auto& [link, inertial] : inertials) {
        const Frame at = link * inertial.origin;
        const Matrix3d axes = of(at.rotation).toRotationMatrix();
        const Vector3d arm = of(at.position) - center;
        total += axes * matrix_of(inertial.inertia) * axes.transpose() +
                 inertial.mass * (arm.squaredNorm() * Matrix3d::Identity() - arm * arm.transpose());
    }
    const Quaterniond principal = reference::principal_axes(0.5 * (total + total.transpose()));
    const Matrix3d turn = principal.toRotationMatrix();
    const Vector3d moments = allowed((turn.transpose() * total * turn).diagonal());
    sum.center = {center.x(), center.y(), center.z()};
    sum.moments = {moments.x(), moments.y(), moments.z()};
    sum.axes = {principal.w(), principal.x(), principal.y(), principal.z()};
    return sum;
}

}  // namespace scree::urdf
