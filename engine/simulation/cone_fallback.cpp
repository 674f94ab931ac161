// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/cone_fallback.hpp"

#include "engine/complementarity/lemke.hpp"
#include "engine/complementarity/polyhedral.hpp"
#include "engine/simulation/contact_problem.hpp"

#include <utility>

namespace scree::simulation {
namespace {

using complementarity::FrictionProblem;
using complementarity::FrictionResult;
using complementarity::FrictionSettings;
using complementarity::FrictionStatus;
using Eigen::Index;
using Eigen::VectorXd;

/// Single precision holds no more of the impulses.
constexpr double tolerance = 1e-8;
/// Pyramids of more contacts take minutes.
constexpr Index most_pyramids = 60;

}  // namespace

VectorXd solve_pyramids(const FrictionProblem& problem, int directions) {
    complementarity::LemkeSettings settings;
    settings.ray_is_failure = true;
    const auto lcp = complementarity::polyhedral_problem(problem, directions);
    const complementarity::LemkeResult solved = complementarity::solve_lemke(lcp, settings);
    if (solved.status != complementarity::LinearStatus::solved) return {};
    return complementarity::polyhedral_impulses(problem, directions, {}, solved.z);
}

bool solve_again(kernels::ProblemDownload& problem, complementarity::Friction friction) {
    const FrictionProblem hard = contact_problem(problem);
    const VectorXd scales = complementarity::contact_scales(hard);
    FrictionSettings settings;
    settings.tolerance = tolerance;
    settings.friction = friction;
    settings.start = contact_impulses(problem);
    const double before =
        complementarity::natural_map_residual(hard, scales, friction, settings.start, hard.W * settings.start + hard.q);
    FrictionResult result = complementarity::solve_best(hard, settings);
    if (result.status != FrictionStatus::solved && friction == complementarity::Friction::coulomb &&
        hard.contacts() <= most_pyramids) {
        settings.start = solve_pyramids(hard, 8);
        if (settings.start.size() > 0) {
            FrictionResult other = complementarity::solve_best(hard, settings);
            if (other.residual < result.residual) result = std::move(other);
        }
    }
    if (!(result.residual < before)) return false;
    set_contact_impulses(problem, result.r);
    return true;
}

}  // namespace scree::simulation
