// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/ncp_guess.hpp"

#include "engine/complementarity/friction_problem.hpp"
#include "engine/reference/ncp_pairs.hpp"

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

/// One point of a pair that may touch.
struct NcpGuess::Point {
    std::size_t pair = 0;
    NearPoint near;
};

std::vector<NcpGuess::Point> NcpGuess::points_of(const std::vector<BodyPair>& pairs,
                                                 const std::optional<VectorXd>& about) const {
    const double time = about ? state_.time + h_ : state_.time;
    const VectorXd q = about ? world_.moved(state_.q, *about, h_) : state_.q;
    std::vector<Point> points;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const double way = std::max(way_of(world_, pairs[i], free_, h_), way_of(world_, pairs[i], state_.v, h_));
        const double gap = pair_gap(world_, pairs[i], time, q).gap;
        const double size =
            std::min(size_of(world_.bodies[pairs[i].first].shape), size_of(world_.bodies[pairs[i].second].shape));
        for (const NearPoint& near : touching_points(world_, pairs[i], time, q, gap + 2.0 * way + 1e-3 * size))
            points.push_back({i, near});
    }
    return points;
}

NearestPair NcpGuess::nearest(const BodyPair& pair, const VectorXd& v, const Vector3d& direction) const {
    const Shape &a = world_.bodies[pair.first].shape, &b = world_.bodies[pair.second].shape;
    const double end = state_.time + h_;
    const VectorXd q = world_.moved(state_.q, v, h_);
    const double size = std::min(size_of(a), size_of(b));
    const auto then =
        nearest_pair(a, world_.pose(pair.first, end, q), b, world_.pose(pair.second, end, q), world_.planar, direction);
    if (then && then->gap > -0.5 * size && then->normal.dot(direction) > 0.0) return *then;
    const Pose now_a = world_.pose(pair.first, state_.time, state_.q),
               now_b = world_.pose(pair.second, state_.time, state_.q);
    if (const auto now = nearest_pair(a, now_a, b, now_b, world_.planar, direction)) return *now;
    return guessed_pair(a, now_a, b, now_b, world_.planar, direction);
}

NcpTrial NcpGuess::predict(const std::vector<BodyPair>& pairs, const std::vector<double>& floors,
                           const std::optional<VectorXd>& about) const {
    Index rows = world_.planar ? 2 : 3;
    for (const BodyPair& pair : pairs) rows = std::max(rows, 1 + friction_extents(world_, pair).size());
    const std::vector<Point> points = points_of(pairs, about);
    const auto count = Index(points.size());
    MatrixXd j = MatrixXd::Zero(rows * count, world_.velocities());
    VectorXd drift = VectorXd::Zero(rows * count);
    FrictionProblem problem;
    problem.dimension = int(rows);
    problem.mu = VectorXd::Zero(count);
    const double time = about ? state_.time + h_ : state_.time;
    const VectorXd q = about ? world_.moved(state_.q, *about, h_) : state_.q;
    for (Index i = 0; i < count; ++i) {
        const Point& point = points[std::size_t(i)];
        const BodyPair& pair = pairs[point.pair];
        const Contact c = world_.contact_at(pair.first, pair.second, 0.5 * (point.near.on_a + point.near.on_b),
                                            point.near.normal, point.near.gap, time, q);
        const VectorXd e = friction_extents(world_, pair);
        j.row(rows * i) = c.normal;
        // About the end the gap is that of the end already: its motion there is taken off again.
        drift[rows * i] = (point.near.gap - floors[point.pair]) / h_ + (about ? -c.normal.dot(*about) : c.drift_normal);
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
    VectorXd r = VectorXd::Zero(rows * count);
    if (count > 0) r = complementarity::solve_best(problem, settings).r;
    NcpTrial trial;
    trial.v = free_ + response * r;
    trial.impulses.assign(pairs.size(), VectorXd::Zero(impulse_rows));
    trial.loaded.assign(pairs.size(), false);
    const VectorXd q_end = world_.moved(state_.q, trial.v, h_);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        Vector3d on_a = Vector3d::Zero(), on_b = Vector3d::Zero(), direction = Vector3d::UnitZ();
        std::size_t bearing = 0;
        for (Index i = 0; i < count; ++i) {
            if (points[std::size_t(i)].pair != p) continue;
            const NearPoint& near = points[std::size_t(i)].near;
            const double normal = r[rows * i];
            trial.impulses[p].head(rows) += r.segment(rows * i, rows);
            direction = near.normal;
            on_a += normal * near.on_a;
            on_b += normal * near.on_b;
            if (normal > 0.0) ++bearing;
        }
        const double load = trial.impulses[p][0];
        trial.loaded[p] = load > 0.0;
        NearestPair near = nearest(pairs[p], trial.v, direction);
        if (bearing > 1) {
            // Several points bear load: the contact lies flat, and its point is their centre of pressure, moved along.
            const auto moved = [&](std::size_t body, const Vector3d& sum) {
                return world_.pose(body, state_.time + h_, q_end)
                    .to_world(world_.pose(body, time, q).to_body(sum / load));
            };
            near.on_a = moved(pairs[p].first, on_a);
            near.on_b = moved(pairs[p].second, on_b);
        }
        trial.pairs.push_back(std::move(near));
    }
    return trial;
}

bool NcpGuess::knows(const BodyPair& pair) const {
    const auto known = memories_.find(identity_of(pair));
    return known != memories_.end() && known->second.impulses[0] > 0.0;
}

bool NcpGuess::knows(const std::vector<BodyPair>& pairs) const {
    return std::all_of(pairs.begin(), pairs.end(), [&](const BodyPair& pair) { return knows(pair); });
}

std::optional<NcpTrial> NcpGuess::remembered(const std::vector<BodyPair>& pairs, NcpTrial rest) const {
    bool any = false;
    rest.pairs.resize(pairs.size());
    rest.impulses.resize(pairs.size());
    rest.loaded.resize(pairs.size(), false);
    const VectorXd q = world_.moved(state_.q, state_.v, h_);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (!knows(pairs[i])) continue;
        const ContactMemory& known = memories_.at(identity_of(pairs[i]));
        rest.pairs[i] = placed_with(world_.pose(carrier(world_, pairs[i]), state_.time + h_, q), known.pair);
        rest.impulses[i] = known.impulses;
        rest.loaded[i] = true;
        any = true;
    }
    if (!any) return std::nullopt;
    rest.v = state_.v;
    return rest;
}

}  // namespace scree::reference
