// SPDX-License-Identifier: BSD-3-Clause
// The linear constraints of a box of contact modes.
#include "engine/reference/contact_modes.hpp"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using Kind = ModeCell::Kind;
constexpr double pi = std::numbers::pi;
constexpr int sides_of_stick = 16;

Vector2d direction(double angle) { return {std::cos(angle), std::sin(angle)}; }

/// Corners of the square |c_k| <= mu with some components chosen: sign -1, 1, or 0 for both.
MatrixXd square_generators(double mu, int tangents, const int* sign) {
    std::vector<VectorXd> list{VectorXd::Ones(1)};
    for (int k = 0; k < tangents; ++k) {
        std::vector<VectorXd> next;
        for (const VectorXd& g : list)
            for (const int s : {-1, 1}) {
                if (sign[k] != 0 && s != sign[k]) continue;
                next.emplace_back(g.size() + 1);
                next.back() << g, s * mu;
            }
        list = std::move(next);
    }
    MatrixXd all(1 + tangents, Index(list.size()));
    for (std::size_t i = 0; i < list.size(); ++i) all.col(Index(i)) = list[i];
    return all;
}

/// Around the arc of friction forces against accelerations with direction in [from, to].
MatrixXd arc_generators(double mu, double from, double to) {
    const double half = 0.5 * (to - from);
    MatrixXd g = MatrixXd::Ones(3, 3);
    g.block<2, 1>(1, 0) = -mu * direction(from);
    g.block<2, 1>(1, 1) = -mu * direction(to);
    g.block<2, 1>(1, 2) = -mu / std::cos(half) * direction(from + half);
    return g;
}

bool is_planar(const AccelerationProblem& p) { return p.dimension == 2; }

MatrixXd force_generators(const AccelerationProblem& p, ModeLaw law, const ActiveContact& contact,
                          const ModeCell& cell) {
    const int t = p.dimension - 1;
    if (cell.kind == Kind::open) return MatrixXd(1 + t, 0);
    if (contact.sliding || contact.mu <= 0.0) {
        constexpr int against[2] = {-1, 0};
        if (contact.sliding && law == ModeLaw::relaxed && contact.mu > 0.0) {
            // Half of the square: both ends of the first component, at zero and against the slip.
            MatrixXd g = square_generators(contact.mu, t, against);
            MatrixXd both(1 + t, 2 * g.cols());
            both << g, g;
            both.row(1).tail(g.cols()).setZero();
            return both;
        }
        MatrixXd g = MatrixXd::Zero(1 + t, 1);
        g(0, 0) = 1.0;
        if (contact.sliding) g(1, 0) = -contact.mu;
        return g;
    }
    const bool round = law == ModeLaw::cone && !is_planar(p);
    if (cell.kind == Kind::slide) {
        if (round) return arc_generators(contact.mu, cell.from, cell.to);
        const int against[2] = {-cell.sign[0], -cell.sign[1]};
        return square_generators(contact.mu, t, against);
    }
    if (round && cell.to > cell.from) {
        // arc_generators() are against a direction of acceleration.
        MatrixXd g(3, 4);
        g << arc_generators(contact.mu, cell.from, cell.to), Eigen::Vector3d::Unit(0);
        g.block<2, 3>(1, 0) *= -1.0;
        return g;
    }
    constexpr int both[2] = {0, 0};
    return round ? cone_generators(contact.mu, t, sides_of_stick, true) : square_generators(contact.mu, t, both);
}

/// Rows of a box system, as they come: coefficients of x are forces-rows of A plus slacks.
class Rows {
public:
    Rows(const AccelerationProblem& p, const MatrixXd& forces) : p_(p), reach_(p.A * forces / p.scale) {}

    /// The acceleration `row` is `sum of coefficient * slack + shift`.
    void equals(Index row, const std::vector<std::pair<Index, double>>& slacks, double shift = 0.0) {
        equations_.push_back({row, slacks, shift - p_.b[row] / p_.scale});
    }
    /// The sum of these slacks is at least the least acceleration.
    void at_least(std::vector<std::pair<Index, double>> slacks) {
        slacks.emplace_back(slack(), -1.0);
        for (auto& s : slacks) s.second = -s.second;
        equations_.push_back({-1, std::move(slacks), least_acceleration});
    }
    Index slack() { return count_++; }

    [[nodiscard]] BoxSystem system(const MatrixXd& forces) const {
        const Index columns = forces.cols();
        BoxSystem s{MatrixXd::Zero(Index(equations_.size()), columns + count_), VectorXd(Index(equations_.size())),
                    MatrixXd::Zero(forces.rows(), columns + count_)};
        s.forces.leftCols(columns) = forces;
        for (std::size_t i = 0; i < equations_.size(); ++i) {
            if (equations_[i].row >= 0) s.E.row(Index(i)).head(columns) = reach_.row(equations_[i].row);
            for (const auto& [at, value] : equations_[i].slacks) s.E(Index(i), columns + at) -= value;
            s.f[Index(i)] = equations_[i].right;
        }
        return s;
    }

private:
    struct Equation {
        Index row;
        std::vector<std::pair<Index, double>> slacks;
        double right;
    };
    const AccelerationProblem& p_;
    MatrixXd reach_;
    std::vector<Equation> equations_;
    Index count_ = 0;
};

void add_slide(const AccelerationProblem& p, ModeLaw law, const ModeCell& cell, Index tangent, Rows& rows) {
    if (law != ModeLaw::cone || is_planar(p)) {
        for (int k = 0; k < p.dimension - 1; ++k) {
            if (cell.sign[k] == 0)
                rows.equals(tangent + k, {});
            else
                rows.equals(tangent + k, {{rows.slack(), cell.sign[k]}}, cell.sign[k] * least_acceleration);
        }
        return;
    }
    const Index one = rows.slack(), two = rows.slack();
    const Vector2d from = direction(cell.from), to = direction(cell.to);
    rows.equals(tangent, {{one, from[0]}, {two, to[0]}});
    rows.equals(tangent + 1, {{one, from[1]}, {two, to[1]}});
    rows.at_least({{one, 1.0}, {two, 1.0}});
}

}  // namespace

MatrixXd cone_generators(double mu, int tangents, int sides, bool around) {
    constexpr int both[2] = {0, 0};
    if (tangents == 1) return square_generators(mu, 1, both);
    MatrixXd g = MatrixXd::Ones(3, sides);
    const double reach = around ? mu / std::cos(pi / sides) : mu;
    for (int k = 0; k < sides; ++k) g.block<2, 1>(1, k) = reach * direction(2.0 * pi * k / sides);
    return g;
}

BoxSystem box_system(const AccelerationProblem& p, ModeLaw law, const ModeBox& box) {
    std::vector<MatrixXd> generators;
    Index columns = 0;
    for (Index k = 0; k < p.count(); ++k) {
        generators.push_back(force_generators(p, law, p.contacts[std::size_t(k)], box[std::size_t(k)]));
        columns += generators.back().cols();
    }
    MatrixXd forces = MatrixXd::Zero(p.size(), columns);
    columns = 0;
    for (Index k = 0; k < p.count(); ++k) {
        const MatrixXd& g = generators[std::size_t(k)];
        forces.block(k * p.dimension, columns, p.dimension, g.cols()) = p.force_unit(k) * g;
        columns += g.cols();
    }
    Rows rows(p, forces);
    for (Index k = 0; k < p.count(); ++k) {
        const ModeCell& cell = box[std::size_t(k)];
        const Index n = k * p.dimension;
        if (cell.kind == Kind::any)
            rows.equals(n, {{rows.slack(), 1.0}});
        else if (cell.kind == Kind::open)
            rows.equals(n, {{rows.slack(), 1.0}}, least_acceleration);
        else
            rows.equals(n, {});
        if (cell.kind == Kind::stick)
            for (int r = 1; r < p.dimension; ++r) rows.equals(n + r, {});
        if (cell.kind == Kind::slide) add_slide(p, law, cell, n + 1, rows);
    }
    return rows.system(forces);
}

}  // namespace scree::reference
