// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/ncp_guess.hpp"

#include "engine/complementarity/friction_problem.hpp"

#include <algorithm>

namespace scree::reference {
namespace {

using complementarity::FrictionProblem;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// The two bodies' axes in which a pair is remembered: those of a free one.
std::size_t carrier(const World& world, const BodyPair& pair) {
    return world.bodies[pair.first].fixed ? pair.second : pair.first;
}

NearestPair seen_from(const Pose& pose, NearestPair pair) {
    pair.on_a = pose.to_body(pair.on_a);
    pair.on_b = pose.to_body(pair.on_b);
    pair.normal = pose.orientation.conjugate() * pair.normal;
    return pair;
}

NearestPair placed_with(const Pose& pose, NearestPair pair) {
    pair.on_a = pose.to_world(pair.on_a);
    pair.on_b = pose.to_world(pair.on_b);
    pair.normal = pose.orientation * pair.normal;
    return pair;
}

}  // namespace

std::uint64_t identity_of(const BodyPair& pair) {
    return (std::uint64_t(pair.first) << 40) | (std::uint64_t(pair.second) << 16);
}

VectorXd friction_extents(const World& world, const BodyPair& pair) {
    const FrictionLaw& law = world.law(pair.first, pair.second).friction;
    if (law.sliding == 0.0) return {};
    if (world.planar) return VectorXd::Ones(1);
    VectorXd e(law.torsion_radius > 0.0 ? 3 : 2);
    e[0] = 1.0;
    e[1] = law.aspect;
    if (e.size() == 3) e[2] = law.torsion_radius;
    return e;
}

ContactMemory memory_of(const World& world, const BodyPair& bodies, double time, const VectorXd& q,
                        const NearestPair& pair, const VectorXd& impulses) {
    return {seen_from(world.pose(carrier(world, bodies), time, q), pair), impulses};
}

std::optional<NearestPair> NcpGuess::nearest(const BodyPair& pair, const VectorXd& v) const {
    std::optional<Vector3d> guess;
    const auto known = memories_.find(identity_of(pair));
    if (known != memories_.end())
        guess = world_.pose(carrier(world_, pair), state_.time, state_.q).orientation * known->second.pair.normal;
    const std::size_t a = pair.first, b = pair.second;
    const auto at = [&](double time, const VectorXd& q) {
        return nearest_pair(world_.bodies[a].shape, world_.pose(a, time, q), world_.bodies[b].shape,
                            world_.pose(b, time, q), world_.planar, guess);
    };
    if (!guess) {
        if (const auto first = at(state_.time, state_.q)) guess = first->normal;
    }
    auto then = at(state_.time + h_, world_.moved(state_.q, v, h_));
    const double size = std::min(size_of(world_.bodies[a].shape), size_of(world_.bodies[b].shape));
    if (then && then->gap > -0.5 * size) return then;
    return at(state_.time, state_.q);
}

void NcpGuess::predict(const std::vector<BodyPair>& pairs, NcpTrial& trial) const {
    Index rows = world_.planar ? 2 : 3;
    for (const BodyPair& pair : pairs) rows = std::max(rows, 1 + friction_extents(world_, pair).size());
    const auto count = Index(pairs.size());
    const Index nv = world_.velocities();
    MatrixXd j = MatrixXd::Zero(rows * count, nv);
    VectorXd drift = VectorXd::Zero(rows * count);
    FrictionProblem problem;
    problem.dimension = int(rows);
    problem.mu = VectorXd::Zero(count);
    const VectorXd q = world_.moved(state_.q, trial.v, h_);
    for (Index i = 0; i < count; ++i) {
        const BodyPair& pair = pairs[std::size_t(i)];
        const NearestPair& near = trial.pairs[std::size_t(i)];
        const Contact c = world_.contact_at(pair.first, pair.second, 0.5 * (near.on_a + near.on_b), near.normal,
                                            near.gap, state_.time + h_, q);
        const VectorXd e = friction_extents(world_, pair);
        j.row(rows * i) = c.normal;
        drift[rows * i] = near.gap / h_ - c.normal.dot(trial.v);
        problem.mu[i] = c.law.friction.sliding;
        for (Index k = 0; k < e.size(); ++k) {
            const bool torsion = k == c.tangent.rows();
            j.row(rows * i + 1 + k) = e[k] * (torsion ? c.twist : Eigen::RowVectorXd(c.tangent.row(k)));
            if (!torsion) drift[rows * i + 1 + k] = e[k] * c.drift_tangent[k];
        }
    }
    const MatrixXd response = mass_.solve(j.transpose());
    problem.W = MatrixXd(j * response).sparseView();
    problem.q = j * free_ + drift;
    complementarity::FrictionSettings settings;
    settings.tolerance = 1e-8;
    const auto solved = complementarity::solve_best(problem, settings);
    trial.v = free_ + response * solved.r;
    trial.impulses.assign(pairs.size(), VectorXd::Zero(impulse_rows));
    trial.loaded.assign(pairs.size(), false);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        trial.impulses[i].head(rows) = solved.r.segment(rows * Index(i), rows);
        trial.loaded[i] = trial.impulses[i][0] > 0.0;
    }
}

std::optional<NcpTrial> NcpGuess::remembered(const std::vector<BodyPair>& pairs, NcpTrial trial) const {
    bool any = false;
    const VectorXd q = world_.moved(state_.q, state_.v, h_);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto known = memories_.find(identity_of(pairs[i]));
        if (known == memories_.end() || !(known->second.impulses[0] > 0.0)) continue;
        trial.pairs[i] = placed_with(world_.pose(carrier(world_, pairs[i]), state_.time + h_, q), known->second.pair);
        trial.impulses[i] = known->second.impulses;
        trial.loaded[i] = true;
        any = true;
    }
    if (!any) return std::nullopt;
    trial.v = state_.v;
    return trial;
}

}  // namespace scree::reference
