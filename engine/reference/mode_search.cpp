// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/mode_search.hpp"

#include "engine/complementarity/nonnegative_least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace scree::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A system is feasible below the first distance and infeasible above the second, both relative to |f|.
constexpr double zero_distance = 1e-10, proving_distance = 1e-9;
/// Directions narrower than this are not split further: 45 degrees halved six times, 0.7 degrees.
constexpr double narrowest = 0.0125;
/// Directions of one pattern of modes (open, rolling, sliding per contact) are not split further after this many
/// undecided boxes. Where forces are loose enough to lie on a friction cone while nothing moves, boxes of slow slides
/// beside them cannot be refuted, and there are as many as directions; each still gives a start for Gauss-Newton.
constexpr std::size_t most_undecided = 20;

enum class Verdict : std::uint8_t { feasible, refuted, open };

Verdict verdict_of(const complementarity::NonnegativeSolution& s, double size) {
    if (s.distance <= zero_distance * size) return Verdict::feasible;
    // The residual r must be a Farkas vector by itself, whatever the iteration did: r . (E y - f) < 0 for all y >= 0
    // with columns that add up to at most 1000 |f|.
    const bool proves = s.distance >= proving_distance * size && s.farkas_error <= 1e-3 * s.distance / size;
    return proves ? Verdict::refuted : Verdict::open;
}

VectorXd settled(const AccelerationProblem& p, RollingLaw law, const VectorXd& c) {
    return residual_of(p, law, c) > 1e-12 ? polished(p, law, c) : c;
}

MatrixXd in_force_units(const AccelerationProblem& p, MatrixXd forces) {
    for (Eigen::Index k = 0; k < p.count(); ++k) forces.middleRows(k * p.dimension, p.dimension) /= p.force_unit(k);
    return forces;
}

bool slides(const ModeBox& box) {
    return std::any_of(box.begin(), box.end(), [](const ModeCell& cell) {
        return cell.kind == ModeCell::Kind::slide || cell.kind == ModeCell::Kind::closed;
    });
}

std::vector<ModeCell::Kind> pattern_of(const ModeBox& box) {
    std::vector<ModeCell::Kind> pattern;
    for (const ModeCell& cell : box) pattern.push_back(cell.kind);
    return pattern;
}

}  // namespace

SearchOutcome walk_modes(const AccelerationProblem& p, ModeLaw law, std::size_t max_boxes,
                         const std::function<bool(const FeasibleBox&)>& take) {
    SearchOutcome outcome;
    outcome.weakest_refutation = std::numeric_limits<double>::infinity();
    std::map<std::vector<ModeCell::Kind>, std::size_t> undecided_of;
    std::vector<ModeBox> stack{ModeBox(std::size_t(p.count()))};
    while (!stack.empty() && outcome.boxes < max_boxes) {
        const ModeBox box = std::move(stack.back());
        stack.pop_back();
        ++outcome.boxes;
        const BoxSystem system = box_system(p, law, box);
        const auto nearest = complementarity::solve_nonnegative_least_squares(system.E, system.f);
        const double size = std::max(system.f.norm(), least_acceleration);
        const Verdict verdict = verdict_of(nearest, size);
        if (verdict == Verdict::refuted) {
            ++outcome.refuted;
            outcome.weakest_refutation = std::min(outcome.weakest_refutation, nearest.distance / size);
            continue;
        }
        if (is_final(p, law, box)) {
            if (take({box, system, nearest.x})) continue;
            std::size_t& undecided = undecided_of[pattern_of(box)];
            if (widest_interval(p, law, box) <= narrowest || undecided >= most_undecided) {
                ++undecided;
                ++outcome.undecided;
                continue;
            }
        }
        // The first part is looked at first: closed contacts before open ones, rolling before sliding.
        std::vector<ModeBox> parts = split(p, law, box);
        std::move(parts.rbegin(), parts.rend(), std::back_inserter(stack));
    }
    outcome.complete = stack.empty() && outcome.undecided == 0;
    if (outcome.refuted == 0) outcome.weakest_refutation = 0.0;
    return outcome;
}

bool same_motion(const AccelerationProblem& p, const VectorXd& c, const VectorXd& other) {
    const VectorXd one = p.motion(c), two = p.motion(other);
    if (one.size() == 0) return true;
    const double size = std::max({one.cwiseAbs().maxCoeff(), two.cwiseAbs().maxCoeff(), p.scale});
    return (one - two).cwiseAbs().maxCoeff() <= 1e-7 * size;
}

SearchOutcome search_modes(const AccelerationProblem& p, RollingLaw law, std::size_t max_boxes) {
    std::vector<VectorXd> found;
    const auto keep = [&](const VectorXd& c) {
        const bool known =
            std::any_of(found.begin(), found.end(), [&](const VectorXd& other) { return same_motion(p, c, other); });
        if (!known) found.push_back(c);
    };
    const ModeLaw modes = law == RollingLaw::cone ? ModeLaw::cone : ModeLaw::pyramid;
    SearchOutcome outcome = walk_modes(p, modes, max_boxes, [&](const FeasibleBox& at) {
        // Directions of solutions are as good as residuals allow: their error is that of a_t over its length.
        constexpr double slack = 1e-6;
        // Wide boxes may hold several solutions; where nothing slides there is one motion (A is semidefinite).
        const auto is_narrow = [&](const ModeBox& box) {
            return std::all_of(box.begin(), box.end(), [](const ModeCell& cell) {
                return cell.kind != ModeCell::Kind::slide || cell.to - cell.from <= 0.1;
            });
        };
        const auto is_held = [&] {
            return std::any_of(found.begin(), found.end(),
                               [&](const VectorXd& c) { return holds(p, at.box, c, slack); });
        };
        const auto take = [&](const VectorXd& x) {
            const VectorXd c = settled(p, law, at.system.forces * x);
            if (residual_of(p, law, c) <= solution_tolerance) keep(c);
        };
        if (!is_held()) take(at.x);
        // Where something slides, one box may hold a family of motions: the one with the least forces is kept too.
        if (slides(at.box)) {
            const auto x = complementarity::solve_constrained_least_squares(
                in_force_units(p, at.system.forces), at.system.E, at.system.f, least_acceleration);
            if (x) take(*x);
        }
        return is_held() && is_narrow(at.box);
    });
    outcome.forces = std::move(found);
    return outcome;
}

}  // namespace scree::reference
