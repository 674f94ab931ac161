// SPDX-License-Identifier: BSD-3-Clause
// The cone complementarity problem in plain doubles, written from the formulas of NST eq. 7-11 alone: dense operator,
// projection by bisection, natural map, and a Gauss-Seidel solver. What every kernel of kernels/cone is compared with.
#pragma once

// GCC 12 takes the undefined operands of its own AVX-512 intrinsics for uninitialised variables (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <Eigen/Dense>
#pragma GCC diagnostic pop

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::test {

struct ReferenceContact {
    int a = 0;
    int b = -1;  ///< -1: a wall.
    Eigen::Vector3d n = Eigen::Vector3d::UnitZ();
    double lever_a = 0.0, lever_b = 0.0, bias = 0.0, friction = 0.0, compliance = 0.0;
    double rolling = 0.0, spinning = 0.0;
    Eigen::Vector3d arm_a = Eigen::Vector3d::Zero(), arm_b = Eigen::Vector3d::Zero();  ///< With ReferenceProblem::arms.
    Eigen::Vector3d wall_velocity = Eigen::Vector3d::Zero(), wall_spin = Eigen::Vector3d::Zero();
};

struct ReferenceProblem {
    std::vector<double> inverse_mass;        ///< 1/m, 1/I per body.
    std::vector<double> free_velocity;       ///< v, w per body.
    std::vector<ReferenceContact> contacts;  ///< Sorted by a.
    bool coulomb = true;
    bool rolling = false;
    bool arms = false;                     ///< Arms of any direction, inertia tensors.
    std::vector<Eigen::Matrix3d> inertia;  ///< World axes, per body; with arms. Inverse mass zero: fixed.

    [[nodiscard]] int bodies() const { return int(inverse_mass.size() / 2); }
    [[nodiscard]] int count() const { return int(contacts.size()); }
    [[nodiscard]] int rows() const { return rolling ? 6 : 3; }  ///< Per contact: u and, with rolling, w.
};

inline Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& n) {
    Eigen::Matrix3d m;
    m << 0, -n.z(), n.y(), n.z(), 0, -n.x(), -n.y(), n.x(), 0;
    return m;
}

/// D^T, dense: relative velocities of all contacts from (v, w) of all bodies.
inline Eigen::MatrixXd dense_jacobian(const ReferenceProblem& p) {
    Eigen::MatrixXd j = Eigen::MatrixXd::Zero(p.rows() * p.count(), 6 * p.bodies());
    for (int c = 0; c < p.count(); ++c) {
        const ReferenceContact& contact = p.contacts[std::size_t(c)];
        const auto place = [&](int body, double sign, double lever, const Eigen::Vector3d& arm) {
            if (body < 0) return;
            j.block<3, 3>(p.rows() * c, 6 * body) = sign * Eigen::Matrix3d::Identity();
            j.block<3, 3>(p.rows() * c, 6 * body + 3) =
                p.arms ? Eigen::Matrix3d(-sign * cross_matrix(arm)) : Eigen::Matrix3d(lever * cross_matrix(contact.n));
            if (p.rolling) j.block<3, 3>(p.rows() * c + 3, 6 * body + 3) = sign * Eigen::Matrix3d::Identity();
        };
        place(contact.a, -1.0, contact.lever_a, contact.arm_a);
        place(contact.b, 1.0, contact.lever_b, contact.arm_b);
    }
    return j;
}
inline Eigen::MatrixXd dense_inverse_mass(const ReferenceProblem& p) {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(6 * p.bodies(), 6 * p.bodies());
    for (int i = 0; i < p.bodies(); ++i) {
        const auto at = std::size_t(2 * i);
        m.block<3, 3>(6 * i, 6 * i) = p.inverse_mass[at] * Eigen::Matrix3d::Identity();
        m.block<3, 3>(6 * i + 3, 6 * i + 3) = p.inverse_mass[at + 1] * Eigen::Matrix3d::Identity();
        if (p.arms && p.inverse_mass[at] > 0.0)
            m.block<3, 3>(6 * i + 3, 6 * i + 3) = p.inertia[std::size_t(i)].inverse();
    }
    return m;
}
/// N = D^T M^-1 D + E.
inline Eigen::MatrixXd dense_operator(const ReferenceProblem& p) {
    const Eigen::MatrixXd j = dense_jacobian(p);
    Eigen::MatrixXd n = j * dense_inverse_mass(p) * j.transpose();
    for (int c = 0; c < p.count(); ++c) {
        const ReferenceContact& contact = p.contacts[std::size_t(c)];
        n.block<3, 3>(p.rows() * c, p.rows() * c) += contact.compliance * contact.n * contact.n.transpose();
    }
    return n;
}
/// D^T v*, walls included, without the bias.
inline Eigen::VectorXd free_relative_velocity(const ReferenceProblem& p) {
    Eigen::VectorXd u = dense_jacobian(p) * Eigen::Map<const Eigen::VectorXd>(p.free_velocity.data(), 6 * p.bodies());
    for (int c = 0; c < p.count(); ++c) {
        u.segment<3>(p.rows() * c) += p.contacts[std::size_t(c)].wall_velocity;
        if (p.rolling) u.segment<3>(p.rows() * c + 3) += p.contacts[std::size_t(c)].wall_spin;
    }
    return u;
}
/// v+ = v* + M^-1 D gamma.
inline Eigen::VectorXd velocity_after(const ReferenceProblem& p, const Eigen::VectorXd& gamma) {
    return Eigen::Map<const Eigen::VectorXd>(p.free_velocity.data(), 6 * p.bodies()) +
           Eigen::VectorXd(dense_inverse_mass(p) * (dense_jacobian(p).transpose() * gamma));
}

/// The minimiser x >= 0 of d_n (x - a)^2 + sum_k d_k max(0, b_k - mu_k x)^2, by bisection of the derivative.
inline double project_by_bisection(double a, const std::vector<double>& b, const std::vector<double>& mu, double dn,
                                   const std::vector<double>& d) {
    const auto slope = [&](long double x) {
        long double s = (long double)dn * (x - (long double)a);
        for (std::size_t k = 0; k < b.size(); ++k)
            s -= (long double)d[k] * (long double)mu[k] * std::max(0.0L, (long double)b[k] - (long double)mu[k] * x);
        return s;
    };
    if (slope(0.0L) >= 0.0L) return 0.0;
    long double low = 0.0L, high = 1e-300L;
    while (slope(high) < 0.0L) high *= 2.0L;
    for (int k = 0; k < 200; ++k) {
        const long double middle = 0.5L * (low + high);
        (slope(middle) < 0.0L ? low : high) = middle;
    }
    return double(0.5L * (low + high));
}

struct ReferenceResidual {
    double rms = 0.0, max = 0.0, approach_max = 0.0, cone_violation_max = 0.0, dissipation = 0.0;
    std::vector<double> squared;  ///< |r|^2 per contact.
    double gap = 0.0;             ///< sum |gamma . u^| [J]
};

/// The natural map of numerics section 7 per contact, r = w gamma - P_K(w gamma - u^), w = tr(N_ii) / 3.
inline ReferenceResidual reference_residual(const ReferenceProblem& p, const Eigen::VectorXd& gamma) {
    const Eigen::MatrixXd n = dense_operator(p);
    const Eigen::VectorXd u = n * gamma + free_relative_velocity(p);
    ReferenceResidual result;
    double squares = 0.0;
    for (int c = 0; c < p.count(); ++c) {
        const ReferenceContact& k = p.contacts[std::size_t(c)];
        const int at = p.rows() * c;
        const Eigen::Vector3d g = gamma.segment<3>(at), v = u.segment<3>(at);
        const double w = n.block<3, 3>(at, at).trace() / 3.0;
        const double gn = g.dot(k.n), un = v.dot(k.n) + k.bias;
        const Eigen::Vector3d gt = g - gn * k.n, ut = v - v.dot(k.n) * k.n;
        double hat = un + (p.coulomb ? k.friction * ut.norm() : 0.0);
        Eigen::Vector3d m = Eigen::Vector3d::Zero(), spin = Eigen::Vector3d::Zero();
        double wr = 1.0;
        if (p.rolling) {
            m = gamma.segment<3>(at + 3);
            spin = u.segment<3>(at + 3);
            wr = n(at + 3, at + 3);
        }
        const double sn = spin.dot(k.n), mn = m.dot(k.n);
        const Eigen::Vector3d st = spin - sn * k.n, mt = m - mn * k.n;
        if (p.rolling && p.coulomb) hat += k.rolling * st.norm() + k.spinning * std::abs(sn);
        // In impulses: the projection of gamma - u^ / w in the metric (w, w, w_r, w_r).
        const double an = gn - hat / w;
        const Eigen::Vector3d tt = gt - ut / w, rt = mt - st / wr;
        const double rn = mn - sn / wr;
        const double x = project_by_bisection(an, {tt.norm(), rt.norm(), std::abs(rn)},
                                              {k.friction, k.rolling, k.spinning}, w, {w, wr, wr});
        const auto cut = [](double length, double limit) { return length > limit ? limit / length : 1.0; };
        const double lever = std::max(k.lever_a, k.lever_b);
        double square = std::pow(w * (gn - x), 2) + (w * (gt - cut(tt.norm(), k.friction * x) * tt)).squaredNorm();
        if (p.rolling)
            square += std::pow(lever * wr * (mn - cut(std::abs(rn), k.spinning * x) * rn), 2) +
                      (lever * wr * (mt - cut(rt.norm(), k.rolling * x) * rt)).squaredNorm();
        squares += square;
        result.squared.push_back(square);
        result.max = std::max(result.max, std::sqrt(square));
        result.approach_max = std::max(result.approach_max, -un);
        result.cone_violation_max = std::max(result.cone_violation_max, gt.norm() - k.friction * gn);
        // Moments act on the spin itself: the cone's share of it is in `hat`.
        const double product = gn * hat + gt.dot(ut) + m.dot(spin);
        result.dissipation += product;
        result.gap += std::abs(product);
    }
    if (p.count() > 0) result.rms = std::sqrt(squares / p.count());
    return result;
}

/// Projected Gauss-Seidel on the dense operator, exact per contact: for a sphere N_ii = diag(d_n, d_t, d_t), so that
/// the contact's own problem has a closed form in either law. Without rolling rows. Stops when a sweep changes no
/// contact's velocity by more than `tolerance` [m/s].
inline Eigen::VectorXd solve_by_gauss_seidel(const ReferenceProblem& p, double tolerance, int sweeps) {
    const Eigen::MatrixXd n = dense_operator(p);
    const Eigen::VectorXd free = free_relative_velocity(p);
    Eigen::VectorXd gamma = Eigen::VectorXd::Zero(n.rows());
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        double change = 0.0;
        for (int c = 0; c < p.count(); ++c) {
            const ReferenceContact& k = p.contacts[std::size_t(c)];
            const Eigen::Matrix3d own = n.block<3, 3>(3 * c, 3 * c);
            const double dn = k.n.dot(own * k.n), dt = (own.trace() - dn) / 2.0;
            const Eigen::Vector3d old = gamma.segment<3>(3 * c);
            const Eigen::Vector3d u = n.block(3 * c, 0, 3, n.cols()) * gamma + free.segment<3>(3 * c);
            const double a = old.dot(k.n) - (u.dot(k.n) + k.bias) / dn;
            const Eigen::Vector3d t = (old - old.dot(k.n) * k.n) - (u - u.dot(k.n) * k.n) / dt;
            // Associated: the projection of (a, |t|) in the metric (d_n, d_t).
            const double along = (dn * a + k.friction * dt * t.norm()) / (dn + k.friction * k.friction * dt);
            const double x = std::max(0.0, p.coulomb || t.norm() <= k.friction * a ? a : along);
            const double cut = t.norm() > k.friction * x ? k.friction * x / t.norm() : 1.0;
            gamma.segment<3>(3 * c) = x * k.n + cut * t;
            change = std::max(change, dt * (gamma.segment<3>(3 * c) - old).norm());
        }
        if (change <= tolerance) break;
    }
    return gamma;
}

}  // namespace scree::test
