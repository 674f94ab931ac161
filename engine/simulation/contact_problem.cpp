// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/contact_problem.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/nearest_pair.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace scree::simulation {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using kernels::ProblemDownload;
using reference::cross_matrix;

Vector3d row(const std::vector<double>& rows, std::size_t i) { return {rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]}; }

/// [n, t1, t2], right-handed; t1 is normal to the axis that n is farthest from.
Matrix3d axes(const Vector3d& n) {
    Index least = 0;
    n.cwiseAbs().minCoeff(&least);
    Matrix3d t;
    t.col(0) = n.normalized();  // mixed precision: of unit length to 1e-7 only
    t.col(1) = t.col(0).cross(Vector3d::Unit(least)).normalized();
    t.col(2) = t.col(0).cross(t.col(1));
    return t;
}

/// One end of a contact: u gets sign v + turn w of its body.
struct End {
    std::size_t contact = 0;
    double sign = 0.0;
    Matrix3d turn;
};

/// What a body resists with.
struct Resistance {
    double inverse_mass = 0.0;
    Matrix3d inverse_inertia;
};

/// J_i M^-1 J_j^T of one body.
Matrix3d coupling(const End& i, const End& j, const Resistance& body) {
    return body.inverse_mass * i.sign * j.sign * Matrix3d::Identity() +
           i.turn * body.inverse_inertia * j.turn.transpose();
}

class Assembly {
public:
    explicit Assembly(const ProblemDownload& step)
        : step_(step), contacts_(step.a.size()), ends_(std::size_t(step.bodies)) {
        for (std::size_t c = 0; c < contacts_; ++c) {
            axes_.push_back(axes(row(step.normal, c)));
            add_end(step.a[c], end_of_a(c));
            add_end(step.b[c], end_of_b(c));
        }
        Index blocks = Index(contacts_);
        for (const auto& ends : ends_) blocks += Index(ends.size()) * Index(ends.size());
        if (blocks > largest_blocks)
            throw model::Error(model::ErrorKind::usage,
                               "the contacts of the step couple in up to " + std::to_string(blocks) +
                                   " blocks (allowed: " + std::to_string(largest_blocks) + ")",
                               "problem_N.json holds the step without its operator: --problem-format json");
    }

    [[nodiscard]] complementarity::Operator delassus() const {
        complementarity::Operator w(Index(3 * contacts_), Index(3 * contacts_));
        std::vector<std::pair<std::size_t, Matrix3d>> blocks;
        for (std::size_t c = 0; c < contacts_; ++c) {
            blocks.clear();
            blocks.emplace_back(c, step_.compliance[c] * axes_[c].col(0) * axes_[c].col(0).transpose());
            couple(step_.a[c], end_of_a(c), blocks);
            couple(step_.b[c], end_of_b(c), blocks);
            std::stable_sort(blocks.begin(), blocks.end(),
                             [](const auto& x, const auto& y) { return x.first < y.first; });
            std::size_t kept = 0;  // two spheres may touch twice, across periodic faces
            for (std::size_t k = 1; k < blocks.size(); ++k)
                if (blocks[k].first == blocks[kept].first) {
                    blocks[kept].second += blocks[k].second;
                } else {
                    blocks[++kept] = blocks[k];
                }
            blocks.resize(kept + 1);
            for (auto& [other, block] : blocks) block = axes_[c].transpose() * block * axes_[other];
            for (Index i = 0; i < 3; ++i) {
                const auto at = Index(3 * c) + i;
                w.startVec(at);
                for (const auto& [other, block] : blocks)
                    for (Index j = 0; j < 3; ++j) w.insertBack(at, Index(3 * other) + j) = block(i, j);
            }
        }
        w.finalize();
        return w;
    }

    [[nodiscard]] Eigen::VectorXd free_velocity() const {
        Eigen::VectorXd q(Index(3 * contacts_));
        for (std::size_t c = 0; c < contacts_; ++c) {
            Vector3d u = row(step_.wall_velocity, c);
            if (!step_.offset.empty()) u += row(step_.offset, c);
            const auto add = [&](kernels::Index body, const End& end) {
                if (body < 0) return;
                const auto b = std::size_t(body);
                u += end.sign * row(step_.free_velocity, 2 * b) + end.turn * row(step_.free_velocity, 2 * b + 1);
            };
            add(step_.a[c], end_of_a(c));
            add(step_.b[c], end_of_b(c));
            q.segment<3>(Index(3 * c)) = axes_[c].transpose() * u;
            q[Index(3 * c)] += step_.bias[c];
        }
        return q;
    }

private:
    /// Fixed bodies and walls couple nothing.
    [[nodiscard]] bool moves(kernels::Index body) const {
        return body >= 0 &&
               (step_.inverse_mass[2 * std::size_t(body)] > 0.0 || step_.inverse_mass[2 * std::size_t(body) + 1] > 0.0);
    }
    void add_end(kernels::Index body, const End& end) {
        if (moves(body)) ends_[std::size_t(body)].push_back(end);
    }
    /// Levers turn about the normal, arms about themselves.
    [[nodiscard]] End end_of_a(std::size_t c) const {
        if (!step_.arm_a.empty()) return {c, -1.0, cross_matrix(row(step_.arm_a, c))};
        return {c, -1.0, step_.lever_a[c] * cross_matrix(axes_[c].col(0))};
    }
    [[nodiscard]] End end_of_b(std::size_t c) const {
        if (!step_.arm_b.empty()) return {c, 1.0, -cross_matrix(row(step_.arm_b, c))};
        return {c, 1.0, step_.lever_b[c] * cross_matrix(axes_[c].col(0))};
    }
    [[nodiscard]] Resistance resistance(std::size_t body) const {
        Resistance r{step_.inverse_mass[2 * body], step_.inverse_mass[2 * body + 1] * Matrix3d::Identity()};
        if (step_.inverse_inertia.empty()) return r;
        const double* s = &step_.inverse_inertia[6 * body];
        r.inverse_inertia << s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2];
        return r;
    }
    void couple(kernels::Index body, const End& own, std::vector<std::pair<std::size_t, Matrix3d>>& blocks) const {
        if (!moves(body)) return;
        const Resistance resistance_of_body = resistance(std::size_t(body));
        for (const End& other : ends_[std::size_t(body)])
            blocks.emplace_back(other.contact, coupling(own, other, resistance_of_body));
    }

    const ProblemDownload& step_;
    std::size_t contacts_;
    std::vector<std::vector<End>> ends_;  ///< Per body.
    std::vector<Matrix3d> axes_;
};

}  // namespace

complementarity::FrictionProblem contact_problem(const ProblemDownload& step) {
    if (step.jointed)
        throw model::Error(model::ErrorKind::input,
                           "the scene has joints, whose rows a friction problem's file has no place for",
                           "dump a scene without joints");
    if (step.rolling)
        throw model::Error(
            model::ErrorKind::usage,
            "contacts that resist rolling or spinning have six rows, and files of friction problems three");
    const Assembly assembly(step);
    complementarity::FrictionProblem problem;
    problem.W = assembly.delassus();
    problem.q = assembly.free_velocity();
    problem.mu = Eigen::Map<const Eigen::VectorXd>(step.friction.data(), Index(step.friction.size()));
    return problem;
}

Eigen::VectorXd contact_impulses(const ProblemDownload& step) {
    Eigen::VectorXd r(Index(step.impulse.size()));
    for (std::size_t c = 0; c < step.a.size(); ++c)
        r.segment<3>(Index(3 * c)) = axes(row(step.normal, c)).transpose() * row(step.impulse, c);
    return r;
}

void set_contact_impulses(ProblemDownload& step, const Eigen::VectorXd& r) {
    for (std::size_t c = 0; c < step.a.size(); ++c) {
        const Vector3d impulse = axes(row(step.normal, c)) * r.segment<3>(Index(3 * c));
        for (std::size_t k = 0; k < 3; ++k) step.impulse[3 * c + k] = impulse[Index(k)];
    }
}

}  // namespace scree::simulation
