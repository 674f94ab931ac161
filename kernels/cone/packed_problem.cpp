// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cone/packed_problem.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace scree::kernels {
namespace {

/// The constant rows of a contact, in the order of RowField.
std::array<double, RowField::count> row_of(const ProblemDownload& p, std::size_t c) {
    const auto inverse = [&](Index body, std::size_t k) {
        return body < 0 ? 0.0 : p.inverse_mass[2 * std::size_t(body) + k];
    };
    const Index a = p.a[c], b = p.b[c];
    const double masses = inverse(a, 0) + inverse(b, 0);
    const double dn = masses + p.compliance[c];
    const double dt =
        masses + p.lever_a[c] * p.lever_a[c] * inverse(a, 1) + p.lever_b[c] * p.lever_b[c] * inverse(b, 1);
    return {p.normal[3 * c], p.normal[3 * c + 1], p.normal[3 * c + 2], p.lever_a[c],
            p.lever_b[c],    p.bias[c],           p.friction[c],       1.0 / dn,
            1.0 / dt,        p.compliance[c]};
}

}  // namespace

PackedProblem::PackedProblem(const ProblemDownload& p) : contacts_(Index(p.a.size())) {
    const auto n = std::size_t(p.bodies);
    const Index total = padded(contacts_, W), ground = p.bodies;
    std::vector<float> rows(std::size_t(total) * RowField::count), velocity(8 * (n + 1), 0.0F), inverse;
    std::vector<Index> a(std::size_t(total), ground), b(std::size_t(total), ground), a_start(n + 1, 0),
        b_start(n + 1, 0);
    inverse.assign(p.inverse_mass.begin(), p.inverse_mass.end());
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < 6; ++k) velocity[8 * i + k + (k > 2 ? 1 : 0)] = float(p.free_velocity[6 * i + k]);

    // Padding: ground against ground, pushed apart.
    std::array<double, RowField::count> row{0, 0, 1, 0, 0, 1, 0, 1, 1, 0};
    const auto padding = row;
    for (Index c = 0; c < total; ++c) {
        const auto at = std::size_t(c);
        row = c < contacts_ ? row_of(p, at) : padding;
        for (int f = 0; f < RowField::count; ++f)
            rows[std::size_t(tiled<W, RowField::count>(c, f))] = float(row[std::size_t(f)]);
        if (c >= contacts_) continue;
        a[at] = p.a[at];
        ++a_start[std::size_t(p.a[at]) + 1];
        if (p.b[at] >= 0) {
            b[at] = p.b[at];
            ++b_start[std::size_t(p.b[at]) + 1];
        } else if (p.wall_velocity[3 * at] != 0.0 || p.wall_velocity[3 * at + 1] != 0.0 ||
                   p.wall_velocity[3 * at + 2] != 0.0) {
            // A moving wall has its own row of velocities.
            b[at] = Index(velocity.size() / 8);
            for (std::size_t k = 0; k < 8; ++k) velocity.push_back(k < 3 ? float(p.wall_velocity[3 * at + k]) : 0.0F);
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        a_start[i + 1] += a_start[i];
        b_start[i + 1] += b_start[i];
    }
    std::vector<Index> b_list(std::size_t(b_start.back())), next(b_start.begin(), b_start.end() - 1);
    for (Index c = 0; c < contacts_; ++c)
        if (const Index partner = p.b[std::size_t(c)]; partner >= 0)
            b_list[std::size_t(next[std::size_t(partner)]++)] = c;

    rows_.assign(rows);
    velocity_.assign(velocity);
    inverse_mass_.assign(inverse);
    a_.assign(a);
    b_.assign(b);
    a_start_.assign(a_start);
    b_start_.assign(b_start);
    b_list_.assign(b_list);
    view_.contacts = total;
    for (const double mu : p.friction) view_.friction_max = std::max(view_.friction_max, float(mu));
    view_.bodies = p.bodies;
    view_.rows_of_velocity = Index(velocity.size() / 8);
    view_.rows = rows_.data();
    view_.body_a = a_.data();
    view_.body_b = b_.data();
    view_.a_start = a_start_.data();
    view_.b_start = b_start_.data();
    view_.b_list = b_list_.data();
    view_.inverse_mass = inverse_mass_.data();
    view_.free_velocity = velocity_.data();
}

void PackedProblem::set_zero(ConeSolution<Cpu, float>& solution) const {
    solution.g.assign(std::vector<float>(std::size_t(view_.contacts) * 3, 0.0F));
}

}  // namespace scree::kernels
