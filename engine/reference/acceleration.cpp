// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/acceleration.hpp"

#include "engine/complementarity/friction_problem.hpp"
#include "engine/model/error.hpp"
#include "engine/reference/existence_condition.hpp"
#include "engine/reference/mode_search.hpp"
#include "engine/reference/relaxed_friction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

void check(const State& state, const AnalysisSettings& settings) {
    const auto fail = [](const std::string& what, const std::string& hint) {
        throw model::Error(model::ErrorKind::input, what, hint);
    };
    if (!state.q.allFinite() || !state.v.allFinite() || !std::isfinite(state.time))
        fail("the state holds a value that is not finite", "");
    if (!(settings.gap_tolerance >= 0.0) || !std::isfinite(settings.gap_tolerance))
        fail(fmt::format("gap tolerance = {:g} (allowed: >= 0 m)", settings.gap_tolerance), "");
    if (!(settings.speed_tolerance >= 0.0) || !std::isfinite(settings.speed_tolerance))
        fail(fmt::format("speed tolerance = {:g} (allowed: >= 0 m/s)", settings.speed_tolerance), "");
}

/// The largest number of contacts whose modes are searched: beyond, the boxes do not suffice for the open and closed
/// modes alone.
constexpr Index most_searched = 14;

VectorXd from_lemke(const AccelerationProblem& p, std::string& status) {
    const PyramidProblem pyramid = pyramid_problem(p);
    complementarity::LemkeResult lemke;
    try {
        lemke = complementarity::solve_lemke(pyramid.lcp);
    } catch (const std::invalid_argument& error) {
        throw model::Error(model::ErrorKind::numerics, error.what(), "the masses or radii may be out of range");
    }
    status = complementarity::name_of(lemke.status);
    if (lemke.status != complementarity::LinearStatus::solved) return {};
    return pyramid.forces * lemke.z;
}

/// By the solvers of friction problems, which know contacts that all roll.
VectorXd from_friction_solvers(const AccelerationProblem& p) {
    if (std::any_of(p.contacts.begin(), p.contacts.end(), [](const auto& c) { return c.sliding; })) return {};
    complementarity::FrictionProblem problem;
    problem.dimension = p.dimension;
    problem.W = p.A.sparseView();
    problem.q = p.b;
    problem.mu.resize(p.count());
    for (Index k = 0; k < p.count(); ++k) problem.mu[k] = p.contacts[std::size_t(k)].mu;
    complementarity::FrictionSettings settings;
    settings.tolerance = 0.1 * solution_tolerance;
    return complementarity::solve_best(problem, settings).r;
}

LawReport report_of(const AccelerationProblem& p, RollingLaw law, const AnalysisSettings& settings,
                    const std::vector<VectorXd>& starts) {
    LawReport report;
    SearchOutcome search;
    report.searched = p.count() <= most_searched;
    if (report.searched) search = search_modes(p, law, settings.max_boxes);
    if (!search.complete)
        for (const VectorXd& start : starts) {
            if (start.size() == 0) continue;
            const VectorXd c = residual_of(p, law, start) > 1e-12 ? polished(p, law, start) : start;
            const bool known = std::any_of(search.forces.begin(), search.forces.end(),
                                           [&](const VectorXd& other) { return same_motion(p, c, other); });
            if (!known && residual_of(p, law, c) <= solution_tolerance) search.forces.push_back(c);
        }
    for (const VectorXd& c : search.forces) report.solutions.push_back(solution_of(p, law, c));
    report.boxes = search.boxes;
    report.refuted = search.refuted;
    report.undecided = search.undecided;
    report.weakest_refutation = search.weakest_refutation;
    const bool family = std::any_of(report.solutions.begin(), report.solutions.end(),
                                    [](const auto& s) { return s.loose_motions > 0; });
    if (report.solutions.size() > 1 || family)
        report.existence = Existence::several;
    else if (search.complete)
        report.existence = report.solutions.empty() ? Existence::none : Existence::unique;
    else
        report.existence = report.solutions.empty() ? Existence::unknown : Existence::some;
    return report;
}

bool rests(const Analysis& analysis, const AccelerationSolution& solution) {
    const double size =
        std::max(analysis.acceleration_scale,
                 solution.acceleration.size() > 0 ? analysis.free_acceleration.cwiseAbs().maxCoeff() : 0.0);
    return solution.acceleration.size() == 0 ||
           solution.acceleration.cwiseAbs().maxCoeff() <= least_acceleration * size;
}

/// Corollary 1 and the paragraph after it.
Fixture fixture_of(const Analysis& analysis, bool at_rest) {
    if (!at_rest) return Fixture::not_at_rest;
    const auto stays = [&](const AccelerationSolution& s) { return rests(analysis, s); };
    const auto& solutions = analysis.cone.solutions;
    const bool some_rest = std::any_of(solutions.begin(), solutions.end(), stays);
    const bool all_rest = std::all_of(solutions.begin(), solutions.end(), stays);
    switch (analysis.cone.existence) {
        case Existence::unique:
            return some_rest ? Fixture::stable : Fixture::collapses;
        case Existence::several:
            // Of an incomplete search, a solution at rest may be the one that is missing.
            return some_rest ? (all_rest ? Fixture::may_rest : Fixture::may_collapse) : Fixture::unknown;
        case Existence::some:
            return some_rest ? Fixture::may_rest : Fixture::unknown;
        default:
            return Fixture::unknown;
    }
}

bool moves(const State& state, const std::vector<ContactReport>& contacts, double tolerance) {
    if (state.v.size() > 0 && state.v.cwiseAbs().maxCoeff() > tolerance) return true;
    return std::any_of(contacts.begin(), contacts.end(), [&](const ContactReport& c) {
        return std::abs(c.normal_speed) > tolerance || c.slip.norm() > tolerance;
    });
}

}  // namespace

Analysis analyse(const System& system, const State& state, const AnalysisSettings& settings) {
    check(state, settings);
    Analysis analysis;
    analysis.contacts = classify(system, state, settings);
    if (analysis.contacts.size() > settings.max_contacts)
        throw model::Error(model::ErrorKind::input,
                           fmt::format("{} contacts are closed (allowed: at most {})", analysis.contacts.size(),
                                       settings.max_contacts),
                           "analyse a part of the scene");
    analysis.impact = std::any_of(analysis.contacts.begin(), analysis.contacts.end(),
                                  [](const auto& c) { return c.state == ContactState::approaching; });
    const AccelerationProblem p =
        acceleration_problem(system, state, analysis.contacts, analysis.active, analysis.notes);
    analysis.free_acceleration = p.free_acceleration;
    analysis.acceleration_scale = p.scale;
    if (!p.A.allFinite() || !p.b.allFinite() || !p.free_acceleration.allFinite())
        throw model::Error(model::ErrorKind::numerics, "the accelerations without contact are not finite numbers",
                           "masses and speeds may be out of range");
    if (analysis.impact) return analysis;

    const VectorXd by_lemke = from_lemke(p, analysis.lemke);
    const bool round = p.dimension == 3 && std::any_of(p.contacts.begin(), p.contacts.end(),
                                                       [](const auto& c) { return !c.sliding && c.mu > 0.0; });
    analysis.pyramid = report_of(p, RollingLaw::pyramid, settings, {by_lemke});
    // Where no contact rolls in space, both laws are one.
    std::vector<VectorXd> starts{by_lemke};
    if (round && p.count() > most_searched) starts.insert(starts.begin(), from_friction_solvers(p));
    analysis.cone = round ? report_of(p, RollingLaw::cone, settings, starts) : analysis.pyramid;
    analysis.condition = existence_condition(p, RollingLaw::cone);
    const bool slides = std::any_of(p.contacts.begin(), p.contacts.end(), [](const auto& c) { return c.sliding; });
    if (slides && analysis.cone.solutions.empty() && p.count() <= most_searched)
        analysis.relaxed = relaxed_friction(p, settings.max_boxes);
    analysis.fixture = fixture_of(analysis, !moves(state, analysis.contacts, settings.speed_tolerance));
    return analysis;
}

}  // namespace scree::reference
