// SPDX-License-Identifier: BSD-3-Clause
// A ReferenceProblem in a backend's memory, as solvers see it, and back.
#pragma once

#include "kernels/cone/cone_solver.hpp"
#include "tests/support/reference_problem.hpp"

#include <vector>

namespace scree::test {

using kernels::Array;
using kernels::Index;

/// Relative velocity at the contact for an impulse there, without compliance.
inline Eigen::Matrix3d own_block(const ReferenceProblem& p, const ReferenceContact& k) {
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    const auto add = [&](int body, const Eigen::Vector3d& arm) {
        if (body < 0 || p.inverse_mass[std::size_t(2 * body)] <= 0.0) return;
        const Eigen::Matrix3d x = cross_matrix(arm);
        sum += p.inverse_mass[std::size_t(2 * body)] * Eigen::Matrix3d::Identity() -
               x * p.inertia[std::size_t(body)].inverse() * x;
    };
    add(k.a, k.arm_a);
    add(k.b, k.arm_b);
    return sum;
}

template <class Backend, class R>
class PackedProblem {
public:
    static constexpr int W = Backend::tile;

    explicit PackedProblem(const ReferenceProblem& p) : rows_per_contact_(p.rows()) {
        using kernels::RollingField;
        using kernels::RowField;
        const int n = p.bodies();
        real_contacts_ = Index(p.count());
        const Index total = kernels::padded(real_contacts_, W);
        std::vector<R> rows(std::size_t(total) * RowField::count), rolling(std::size_t(total) * RollingField::count);
        std::vector<R> arms(p.arms ? std::size_t(total) * kernels::ArmField::count : 0, R(0));
        std::vector<R> inertia(p.arms ? std::size_t(n) * kernels::InertiaRow::size : 0, R(0));
        if (p.arms) {
            const Eigen::MatrixXd inverse_masses = dense_inverse_mass(p);
            for (int i = 0; i < n; ++i) {
                const auto put = [&](int first, const Eigen::Matrix3d& m) {
                    const double six[] = {m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(0, 2), m(1, 2)};
                    for (int k = 0; k < 6; ++k)
                        inertia[std::size_t(kernels::InertiaRow::size * i + first + k)] = R(six[k]);
                };
                put(kernels::InertiaRow::inverse, inverse_masses.block<3, 3>(6 * i + 3, 6 * i + 3));
                put(kernels::InertiaRow::tensor, p.inertia[std::size_t(i)]);
            }
        }
        std::vector<R> velocity(8 * (std::size_t(n) + 1), R(0)), inverse;
        std::vector<Index> a(std::size_t(total), n), b(std::size_t(total), n), a_start(std::size_t(n) + 1, 0);
        std::vector<std::vector<Index>> partners(std::size_t(n) + 1);
        for (const double m : p.inverse_mass) inverse.push_back(R(m));
        for (std::size_t i = 0; i < std::size_t(n); ++i)
            for (std::size_t k = 0; k < 6; ++k) velocity[8 * i + k + (k > 2 ? 1 : 0)] = R(p.free_velocity[6 * i + k]);
        const auto mass_of = [&](int body, std::size_t k) {
            return body < 0 ? 0.0 : p.inverse_mass[2 * std::size_t(body) + k];
        };
        for (Index c = 0; c < total; ++c) {
            ReferenceContact k;  // The padding: ground against ground, pushed apart.
            k.bias = 1.0;
            double dn = 1.0, dt = 1.0, dr = 1.0;
            if (c < real_contacts_) {
                k = p.contacts[std::size_t(c)];
                a[std::size_t(c)] = k.a;
                b[std::size_t(c)] = k.b >= 0 ? k.b : n;
                ++a_start[std::size_t(k.a) + 1];
                if (k.b >= 0) partners[std::size_t(k.b)].push_back(c);
                if (k.b < 0 && (k.wall_velocity.norm() > 0.0 || k.wall_spin.norm() > 0.0)) {
                    b[std::size_t(c)] = Index(velocity.size() / 8);
                    for (const Eigen::Vector3d& v : {k.wall_velocity, k.wall_spin})
                        velocity.insert(velocity.end(), {R(v.x()), R(v.y()), R(v.z()), R(0)});
                }
                dn = mass_of(k.a, 0) + mass_of(k.b, 0) + k.compliance;
                dt = mass_of(k.a, 0) + mass_of(k.b, 0) + k.lever_a * k.lever_a * mass_of(k.a, 1) +
                     k.lever_b * k.lever_b * mass_of(k.b, 1);
                dr = mass_of(k.a, 1) + mass_of(k.b, 1);
                if (p.arms) {
                    const Eigen::Matrix3d own = own_block(p, k);
                    const Eigen::Vector3d u = k.n.unitOrthogonal(), w = k.n.cross(u);
                    dn = k.n.dot(own * k.n) + k.compliance;
                    Eigen::Matrix2d tangential;
                    tangential << u.dot(own * u), u.dot(own * w), w.dot(own * u), w.dot(own * w);
                    dt = tangential.selfadjointView<Eigen::Lower>().eigenvalues().maxCoeff();
                    const double fields[] = {k.arm_a.x(), k.arm_a.y(), k.arm_a.z(),
                                             k.arm_b.x(), k.arm_b.y(), k.arm_b.z()};
                    for (int f = 0; f < 6; ++f) arms[std::size_t(kernels::tiled<W, 6>(c, f))] = R(fields[f]);
                }
            }
            const double values[] = {k.n.x(), k.n.y(),    k.n.z(),  k.lever_a, k.lever_b,
                                     k.bias,  k.friction, 1.0 / dn, 1.0 / dt,  k.compliance};
            for (int f = 0; f < RowField::count; ++f)
                rows[std::size_t(kernels::tiled<W, RowField::count>(c, f))] = R(values[f]);
            const double rolls[] = {k.rolling, k.spinning, 1.0 / dr};
            for (int f = 0; f < RollingField::count; ++f)
                rolling[std::size_t(kernels::tiled<W, RollingField::count>(c, f))] = R(rolls[f]);
        }
        std::vector<Index> b_start(1, 0), b_list;
        for (std::size_t i = 0; i < std::size_t(n); ++i) {
            a_start[i + 1] += a_start[i];
            b_list.insert(b_list.end(), partners[i].begin(), partners[i].end());
            b_start.push_back(Index(b_list.size()));
        }
        rows_.assign(rows);
        if (p.rolling) rolling_.assign(rolling);
        arms_.assign(arms);
        inertia_.assign(inertia);
        velocity_.assign(velocity);
        inverse_mass_.assign(inverse);
        a_.assign(a);
        b_.assign(b);
        a_start_.assign(a_start);
        b_start_.assign(b_start);
        b_list_.assign(b_list);
        view_.contacts = total;
        view_.bodies = Index(n);
        view_.rows_of_velocity = Index(velocity.size() / 8);
        view_.rows = rows_.data();
        view_.rolling = p.rolling ? rolling_.data() : nullptr;
        view_.arms = p.arms ? arms_.data() : nullptr;
        view_.inertia = p.arms ? inertia_.data() : nullptr;
        view_.body_a = a_.data();
        view_.body_b = b_.data();
        view_.a_start = a_start_.data();
        view_.b_start = b_start_.data();
        view_.b_list = b_list_.data();
        view_.inverse_mass = inverse_mass_.data();
        view_.free_velocity = velocity_.data();
        view_.coulomb = p.coulomb;
        for (const auto& k : p.contacts) view_.friction_max = std::max(view_.friction_max, R(k.friction));
    }

    [[nodiscard]] const kernels::ConeProblem<R, W>& view() const { return view_; }
    [[nodiscard]] Index real_contacts() const { return real_contacts_; }

    /// Impulses as solvers keep them, from rows per contact.
    void set_impulses(const Eigen::VectorXd& gamma, kernels::ConeSolution<Backend, R>& solution) const {
        const auto fields = [&](int offset) {
            std::vector<R> tiled(std::size_t(view_.contacts) * 3, R(0));
            for (Index c = 0; c < real_contacts_; ++c)
                for (int k = 0; k < 3; ++k)
                    tiled[std::size_t(kernels::tiled<W, 3>(c, k))] = R(gamma[rows_per_contact_ * c + offset + k]);
            return tiled;
        };
        solution.g.assign(fields(0));
        if (rows_per_contact_ == 6) solution.m.assign(fields(3));
    }
    void set_zero(kernels::ConeSolution<Backend, R>& solution) const {
        set_impulses(Eigen::VectorXd::Zero(rows_per_contact_ * real_contacts_), solution);
    }
    [[nodiscard]] Eigen::VectorXd impulses(const kernels::ConeSolution<Backend, R>& solution) const {
        Eigen::VectorXd gamma(rows_per_contact_ * real_contacts_);
        const auto read = [&](const Array<R, Backend>& from, int offset) {
            std::vector<R> host(std::size_t(view_.contacts) * 3);
            from.copy_to(host);
            for (Index c = 0; c < real_contacts_; ++c)
                for (int k = 0; k < 3; ++k)
                    gamma[rows_per_contact_ * c + offset + k] = double(host[std::size_t(kernels::tiled<W, 3>(c, k))]);
        };
        read(solution.g, 0);
        if (rows_per_contact_ == 6) read(solution.m, 3);
        return gamma;
    }
    /// (v, w) of all bodies from rows of eight.
    [[nodiscard]] Eigen::VectorXd velocities(const Array<R, Backend>& rows) const {
        std::vector<R> host(std::size_t(view_.rows_of_velocity) * 8);
        rows.copy_to(host);
        Eigen::VectorXd v(6 * view_.bodies);
        for (int i = 0; i < view_.bodies; ++i)
            for (int k = 0; k < 6; ++k) v[6 * i + k] = double(host[std::size_t(8 * i + k + (k > 2 ? 1 : 0))]);
        return v;
    }

private:
    int rows_per_contact_;
    Index real_contacts_ = 0;
    kernels::ConeProblem<R, W> view_;
    Array<R, Backend> rows_, rolling_, velocity_, inverse_mass_, arms_, inertia_;
    Array<Index, Backend> a_, b_, a_start_, b_start_, b_list_;
};

}  // namespace scree::test
