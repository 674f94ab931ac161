// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/acceleration_law.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// P(z) onto the disc or square of half-width `radius`, and its derivatives.
struct Projection {
    VectorXd value, by_radius;
    MatrixXd by_point;
};

Projection project(RollingLaw law, const VectorXd& z, double radius) {
    const Index n = z.size();
    Projection p{z, VectorXd::Zero(n), MatrixXd::Identity(n, n)};
    if (law == RollingLaw::pyramid) {
        for (Index k = 0; k < n; ++k) {
            if (std::abs(z[k]) <= radius) continue;
            p.by_radius[k] = std::copysign(1.0, z[k]);
            p.value[k] = p.by_radius[k] * radius;
            p.by_point(k, k) = 0.0;
        }
        return p;
    }
    const double length = z.norm();
    if (length <= radius) return p;
    const VectorXd along = z / length;
    p.value = radius * along;
    p.by_radius = along;
    p.by_point = radius / length * (MatrixXd::Identity(n, n) - along * along.transpose());
    return p;
}

/// F and, where wanted, its generalised Jacobian in c.
VectorXd map_and_slope(const AccelerationProblem& p, RollingLaw law, const VectorXd& c, MatrixXd* slope) {
    const VectorXd a = p.A * c + p.b;
    VectorXd f(c.size());
    if (slope != nullptr) slope->setZero(c.size(), c.size());
    const Index d = p.dimension, t = d - 1;
    for (Index k = 0; k < p.count(); ++k) {
        const ActiveContact& contact = p.contacts[std::size_t(k)];
        const Index n = k * d;
        const double w = contact.weight;
        const bool open = w * c[n] - a[n] < 0.0;
        f[n] = open ? w * c[n] : a[n];
        if (slope != nullptr) {
            if (open)
                (*slope)(n, n) = w;
            else
                slope->row(n) = p.A.row(n);
        }
        if (contact.sliding) {
            f.segment(n + 1, t) = w * c.segment(n + 1, t);
            f[n + 1] += w * contact.mu * c[n];
            if (slope == nullptr) continue;
            slope->block(n + 1, n + 1, t, t).diagonal().setConstant(w);
            (*slope)(n + 1, n) = w * contact.mu;
            continue;
        }
        const VectorXd z = w * c.segment(n + 1, t) - a.segment(n + 1, t);
        const Projection onto = project(law, z, contact.mu * w * std::max(0.0, c[n]));
        f.segment(n + 1, t) = w * c.segment(n + 1, t) - onto.value;
        if (slope == nullptr) continue;
        slope->middleRows(n + 1, t) = onto.by_point * p.A.middleRows(n + 1, t);
        slope->block(n + 1, n + 1, t, t) += w * (MatrixXd::Identity(t, t) - onto.by_point);
        if (c[n] > 0.0) slope->block(n + 1, n, t, 1) -= contact.mu * w * onto.by_radius;
    }
    return f;
}

Transition transition_of(bool sliding, double a_n, double a_t, double least) {
    if (a_n > least) return sliding ? Transition::sliding_to_separating : Transition::rolling_to_separating;
    if (sliding) return Transition::sliding_to_sliding;
    return a_t > least ? Transition::rolling_to_sliding : Transition::rolling_to_rolling;
}

Index null_dimension(const MatrixXd& m) {
    if (m.cols() == 0 || m.rows() == 0) return m.cols();
    Eigen::ColPivHouseholderQR<MatrixXd> qr(m);
    qr.setThreshold(1e-9);
    return m.cols() - qr.rank();
}

/// Force changes that keep to the modes to first order, a column each, and what they must keep at zero, a row each:
/// contacts that stay put may change all components and keep a = 0; those that slide change along their ray, and keep
/// a_n = 0 and the direction of a_t.
struct FreeDirections {
    std::vector<VectorXd> forces, kept;
};

void add_directions(const AccelerationProblem& p, const VectorXd& a, Index k, bool rolls_on, FreeDirections& free) {
    const ActiveContact& contact = p.contacts[std::size_t(k)];
    const Index d = p.dimension, t = d - 1;
    const auto unit = [&](Index r) { return VectorXd(VectorXd::Unit(p.size(), k * d + r)); };
    free.kept.push_back(unit(0));
    if (rolls_on) {
        for (Index r = 0; r < d; ++r) {
            if (r > 0) free.kept.push_back(unit(r));
            if (r == 0 || contact.mu > 0.0) free.forces.emplace_back(p.force_unit(k) * unit(r));
        }
        return;
    }
    VectorXd along = VectorXd::Unit(t, 0);
    if (!contact.sliding) along = a.segment(k * d + 1, t).normalized();
    VectorXd ray = unit(0);
    ray.segment(k * d + 1, t) = -contact.mu * along;
    free.forces.emplace_back(p.force_unit(k) * ray);
    if (contact.sliding || t == 1 || contact.mu <= 0.0) return;
    VectorXd across = VectorXd::Zero(p.size());
    across[k * d + 1] = -along[1];
    across[k * d + 2] = along[0];
    free.kept.push_back(across);
}

void count_loose(const AccelerationProblem& p, const VectorXd& a, AccelerationSolution& s) {
    FreeDirections free;
    for (Index k = 0; k < p.count(); ++k) {
        const Transition transition = s.transitions[std::size_t(k)];
        if (transition == Transition::rolling_to_separating || transition == Transition::sliding_to_separating)
            continue;
        add_directions(p, a, k, transition == Transition::rolling_to_rolling, free);
    }
    s.loose_forces = s.loose_motions = 0;
    if (free.forces.empty()) return;
    MatrixXd forces(p.size(), Index(free.forces.size())), rows(Index(free.kept.size()), p.size());
    for (std::size_t i = 0; i < free.forces.size(); ++i) forces.col(Index(i)) = free.forces[i];
    for (std::size_t i = 0; i < free.kept.size(); ++i) rows.row(Index(i)) = free.kept[i].transpose();
    s.loose_forces = null_dimension(p.mass.matrixL().solve(p.rows.transpose() * forces));
    s.loose_motions = null_dimension(rows * p.A * forces / p.scale) - s.loose_forces;
}

}  // namespace

VectorXd natural_map(const AccelerationProblem& problem, RollingLaw law, const VectorXd& c) {
    return map_and_slope(problem, law, c, nullptr);
}

double residual_of(const AccelerationProblem& problem, RollingLaw law, const VectorXd& c) {
    if (c.size() == 0) return 0.0;
    if (!c.allFinite()) return HUGE_VAL;
    return natural_map(problem, law, c).cwiseAbs().maxCoeff() / problem.scale;
}

VectorXd polished(const AccelerationProblem& p, RollingLaw law, VectorXd c) {
    if (c.size() == 0) return c;
    // In units of accelerations, all contacts weigh alike.
    VectorXd unit(c.size());
    for (Index i = 0; i < c.size(); ++i) unit[i] = p.force_unit(i / p.dimension);
    MatrixXd slope;
    VectorXd f = map_and_slope(p, law, c, &slope) / p.scale;
    double damping = 1e-12;
    const Index n = c.size();
    for (int iteration = 0; iteration < 60 && f.norm() > 1e-14; ++iteration) {
        MatrixXd stacked(2 * n, n);
        stacked << slope * unit.asDiagonal() / p.scale, std::sqrt(damping) * MatrixXd::Identity(n, n);
        VectorXd right = VectorXd::Zero(2 * n);
        right.head(n) = -f;
        const VectorXd trial = c + unit.cwiseProduct(VectorXd(stacked.colPivHouseholderQr().solve(right)));
        MatrixXd trial_slope;
        const VectorXd trial_f = map_and_slope(p, law, trial, &trial_slope) / p.scale;
        if (trial_f.norm() < f.norm()) {
            c = trial;
            f = trial_f;
            slope = trial_slope;
            damping = std::max(1e-14, 0.1 * damping);
        } else {
            damping *= 30.0;
            if (damping > 1e8) break;
        }
    }
    return c;
}

PyramidProblem pyramid_problem(const AccelerationProblem& p) {
    std::vector<Index> sliding, rolling;
    for (Index k = 0; k < p.count(); ++k) (p.contacts[std::size_t(k)].sliding ? sliding : rolling).push_back(k);
    const Index d = p.dimension, t = d - 1, normals = p.count(), bonds = t * Index(rolling.size());
    const Index n = normals + 2 * bonds;
    // Order of the normal unknowns: sliding ones first, as in (30).
    std::vector<Index> order = sliding;
    order.insert(order.end(), rolling.begin(), rolling.end());
    PyramidProblem result;
    result.forces = MatrixXd::Zero(p.size(), n);
    MatrixXd rows = MatrixXd::Zero(n, p.size());  // Rows of a that the LCP has, in its order.
    MatrixXd rest = MatrixXd::Zero(n, n);         // What is added to them: a-, and all of the s- rows.
    VectorXd row_scale = VectorXd::Ones(n), constant = VectorXd::Zero(n);
    for (Index i = 0; i < normals; ++i) {
        const Index k = order[std::size_t(i)];
        const ActiveContact& contact = p.contacts[std::size_t(k)];
        const double unit = p.force_unit(k);
        result.forces(k * d, i) = unit;
        rows(i, k * d) = 1.0;
        constant[i] = p.b[k * d];
        if (contact.sliding) {
            result.forces(k * d + 1, i) = -contact.mu * unit;
            continue;
        }
        for (Index r = 0; r < t; ++r) {
            const Index s = normals + r * Index(rolling.size()) + i - Index(sliding.size()), a = s + bonds;
            result.forces(k * d + 1 + r, i) = -contact.mu * unit;
            result.forces(k * d + 1 + r, s) = unit;
            rows(s, k * d + 1 + r) = 1.0;
            constant[s] = p.b[k * d + 1 + r];
            rest(s, a) = 1.0;
            rest(a, i) = 2.0 * contact.mu;
            rest(a, s) = -1.0;
        }
    }
    result.lcp.matrix = rows * p.A * result.forces / p.scale + rest;
    result.lcp.vector = constant / p.scale;
    return result;
}

AccelerationSolution solution_of(const AccelerationProblem& p, RollingLaw law, const VectorXd& c) {
    AccelerationSolution s;
    const Index d = p.dimension, t = d - 1;
    const VectorXd a = p.size() > 0 ? VectorXd(p.A * c + p.b) : VectorXd();
    s.normal_force.resize(p.count());
    s.normal_acceleration.resize(p.count());
    s.tangent_force.resize(t, p.count());
    s.tangent_acceleration.resize(t, p.count());
    for (Index k = 0; k < p.count(); ++k) {
        const ActiveContact& contact = p.contacts[std::size_t(k)];
        s.normal_force[k] = c[k * d];
        s.normal_acceleration[k] = a[k * d];
        s.tangent_force.col(k) = contact.frame.transpose() * c.segment(k * d + 1, t);
        s.tangent_acceleration.col(k) = contact.frame.inverse() * a.segment(k * d + 1, t);
        s.transitions.push_back(transition_of(contact.sliding, a[k * d], a.segment(k * d + 1, t).norm(),
                                              0.5 * least_acceleration * p.scale));
    }
    s.acceleration = p.motion(c);
    s.residual = residual_of(p, law, c);
    if (p.size() > 0) count_loose(p, a, s);
    return s;
}

}  // namespace scree::reference
