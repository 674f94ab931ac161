// SPDX-License-Identifier: BSD-3-Clause
// The same cone problem told in other words: other numbers of bodies and contacts, other finders, axes, units.
#pragma once

#include "tests/support/reference_problem.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace scree::test {

/// A problem, and where what it describes is in the original: body i is original body `body[i]`, contact c is original
/// contact `contact[c]`, told by the other body where `turned[c]` (impulses and normals change sign).
struct RenumberedProblem {
    ReferenceProblem problem;
    std::vector<int> body, contact;
    std::vector<bool> turned;
};

/// Bodies and contacts in random order, half of the pairs found by the other body.
inline RenumberedProblem renumbered(const ReferenceProblem& p, unsigned seed) {
    std::mt19937 random(seed);
    RenumberedProblem r;
    r.problem = p;
    r.body.resize(std::size_t(p.bodies()));
    std::iota(r.body.begin(), r.body.end(), 0);
    std::shuffle(r.body.begin(), r.body.end(), random);
    std::vector<int> place(r.body.size());
    for (std::size_t i = 0; i < r.body.size(); ++i) {
        const auto old = std::size_t(r.body[i]);
        place[old] = int(i);
        for (std::size_t k = 0; k < 2; ++k) r.problem.inverse_mass[2 * i + k] = p.inverse_mass[2 * old + k];
        for (std::size_t k = 0; k < 6; ++k) r.problem.free_velocity[6 * i + k] = p.free_velocity[6 * old + k];
        if (p.arms) r.problem.inertia[i] = p.inertia[old];
    }
    struct Row {
        ReferenceContact contact;
        int from;
        bool turned;
    };
    std::vector<Row> rows;
    for (int c = 0; c < p.count(); ++c) {
        Row row{p.contacts[std::size_t(c)], c, false};
        ReferenceContact& k = row.contact;
        k.a = place[std::size_t(k.a)];
        if (k.b >= 0) k.b = place[std::size_t(k.b)];
        if (k.b >= 0 && random() % 2 == 0) {
            row.turned = true;
            std::swap(k.a, k.b);
            std::swap(k.lever_a, k.lever_b);
            std::swap(k.arm_a, k.arm_b);
            k.n = -k.n;
        }
        rows.push_back(row);
    }
    std::shuffle(rows.begin(), rows.end(), random);
    std::stable_sort(rows.begin(), rows.end(), [](const Row& x, const Row& y) { return x.contact.a < y.contact.a; });
    r.problem.contacts.clear();
    for (const Row& row : rows) {
        r.problem.contacts.push_back(row.contact);
        r.contact.push_back(row.from);
        r.turned.push_back(row.turned);
    }
    return r;
}

/// World axes turned by an orthogonal matrix; of determinant -1 it is a mirror, in which spins are pseudovectors.
inline ReferenceProblem turned_problem(const ReferenceProblem& p, const Eigen::Matrix3d& q) {
    const double sign = q.determinant() > 0.0 ? 1.0 : -1.0;
    ReferenceProblem t = p;
    for (std::size_t i = 0; i < std::size_t(p.bodies()); ++i) {
        Eigen::Map<Eigen::Vector3d> v(&t.free_velocity[6 * i]), w(&t.free_velocity[6 * i + 3]);
        v = Eigen::Vector3d(q * v);
        w = Eigen::Vector3d(sign * (q * w));
        if (p.arms) t.inertia[i] = q * p.inertia[i] * q.transpose();
    }
    for (ReferenceContact& c : t.contacts) {
        c.n = q * c.n;
        c.arm_a = q * c.arm_a;
        c.arm_b = q * c.arm_b;
        c.wall_velocity = q * c.wall_velocity;
        c.wall_spin = sign * (q * c.wall_spin);
    }
    return t;
}

/// What one metre, kilogram and second are in the new units.
struct Units {
    double length = 1.0, mass = 1.0, time = 1.0;
    [[nodiscard]] double speed() const { return length / time; }
    [[nodiscard]] double impulse() const { return mass * speed(); }
};

inline ReferenceProblem in_units(const ReferenceProblem& p, const Units& u) {
    ReferenceProblem q = p;
    for (std::size_t i = 0; i < q.inverse_mass.size(); ++i)
        q.inverse_mass[i] /= i % 2 == 0 ? u.mass : u.mass * u.length * u.length;
    for (std::size_t i = 0; i < q.free_velocity.size(); ++i) q.free_velocity[i] *= i % 6 < 3 ? u.speed() : 1.0 / u.time;
    for (Eigen::Matrix3d& inertia : q.inertia) inertia *= u.mass * u.length * u.length;
    for (ReferenceContact& c : q.contacts) {
        c.lever_a *= u.length;
        c.lever_b *= u.length;
        c.arm_a *= u.length;
        c.arm_b *= u.length;
        c.bias *= u.speed();
        c.compliance /= u.mass;
        c.rolling *= u.length;
        c.spinning *= u.length;
        c.wall_velocity *= u.speed();
        c.wall_spin /= u.time;
    }
    return q;
}

}  // namespace scree::test
