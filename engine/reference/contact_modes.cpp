// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/contact_modes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using Kind = ModeCell::Kind;
constexpr double pi = std::numbers::pi;
constexpr int sectors = 8;

bool is_planar(const AccelerationProblem& p) { return p.dimension == 2; }

/// Width of the directions of one cell of a round cone.
double interval_of(const ActiveContact& contact, ModeLaw law, const ModeCell& cell) {
    if (friction_is_known(contact, law)) return 0.0;
    if (cell.kind == Kind::slide) return cell.to - cell.from;
    if (cell.kind == Kind::stick) return cell.to > cell.from ? cell.to - cell.from : 2.0 * pi;
    return 0.0;
}

}  // namespace

bool friction_is_known(const ActiveContact& contact, ModeLaw law) {
    return contact.mu <= 0.0 || (contact.sliding && law != ModeLaw::relaxed);
}

double widest_interval(const AccelerationProblem& p, ModeLaw law, const ModeBox& box) {
    if (law != ModeLaw::cone || is_planar(p)) return 0.0;
    double widest = 0.0;
    for (std::size_t k = 0; k < box.size(); ++k) widest = std::max(widest, interval_of(p.contacts[k], law, box[k]));
    return widest;
}

bool is_final(const AccelerationProblem& p, ModeLaw law, const ModeBox& box) {
    for (std::size_t k = 0; k < box.size(); ++k) {
        if (box[k].kind == Kind::any) return false;
        if (box[k].kind == Kind::closed && !friction_is_known(p.contacts[k], law) && !p.contacts[k].sliding)
            return false;
    }
    return true;
}

std::vector<ModeBox> split(const AccelerationProblem& p, ModeLaw law, const ModeBox& box) {
    std::vector<ModeBox> parts;
    const auto add = [&](std::size_t k, const ModeCell& cell) {
        parts.push_back(box);
        parts.back()[k] = cell;
    };
    for (std::size_t k = 0; k < box.size(); ++k) {
        if (box[k].kind != Kind::any) continue;
        add(k, {Kind::closed});
        add(k, {Kind::open});
        return parts;
    }
    for (std::size_t k = 0; k < box.size(); ++k) {
        if (box[k].kind != Kind::closed || friction_is_known(p.contacts[k], law) || p.contacts[k].sliding) continue;
        add(k, {Kind::stick});
        if (law == ModeLaw::cone && !is_planar(p)) {
            for (int s = 0; s < sectors; ++s)
                add(k, {Kind::slide, 2.0 * pi * s / sectors, 2.0 * pi * (s + 1) / sectors, {0, 0}});
            return parts;
        }
        const int second = is_planar(p) ? 0 : 1;
        for (int s = -1; s <= 1; ++s)
            for (int o = -second; o <= second; ++o)
                if (s != 0 || o != 0) add(k, {Kind::slide, 0.0, 0.0, {s, o}});
        return parts;
    }
    const double widest = widest_interval(p, law, box);
    for (std::size_t k = 0; k < box.size() && widest > 0.0; ++k) {
        const ModeCell& cell = box[k];
        if (interval_of(p.contacts[k], law, cell) < widest) continue;
        const int pieces = cell.to > cell.from ? 2 : sectors;
        for (int s = 0; s < pieces; ++s)
            add(k, {cell.kind, cell.from + widest * s / pieces, cell.from + widest * (s + 1) / pieces, {0, 0}});
        break;
    }
    return parts;
}

bool holds(const AccelerationProblem& p, const ModeBox& box, const VectorXd& c, double slack) {
    const VectorXd a = p.A * c + p.b;
    const double least = 0.5 * least_acceleration * p.scale;
    for (Index k = 0; k < p.count(); ++k) {
        const ModeCell& cell = box[std::size_t(k)];
        const Index n = k * p.dimension;
        if (cell.kind == Kind::any) continue;
        if ((cell.kind == Kind::open) != (a[n] > least)) return false;
        if (cell.kind == Kind::open || cell.kind == Kind::closed) continue;
        const VectorXd tangent = a.segment(n + 1, p.dimension - 1);
        if ((cell.kind == Kind::slide) != (tangent.norm() > least)) return false;
        if (cell.kind != Kind::slide) continue;
        if (cell.to > cell.from) {
            const double middle = 0.5 * (cell.from + cell.to);
            const double off = std::remainder(std::atan2(tangent[1], tangent[0]) - middle, 2.0 * pi);
            if (std::abs(off) > 0.5 * (cell.to - cell.from) + slack) return false;
            continue;
        }
        for (Index r = 0; r < tangent.size(); ++r) {
            const int sign = tangent[r] > least ? 1 : tangent[r] < -least ? -1 : 0;
            if (sign != cell.sign[r]) return false;
        }
    }
    return true;
}

}  // namespace scree::reference
