// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/ncp_step.hpp"

#include "engine/reference/ncp_limits.hpp"
#include "engine/reference/step_input.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree::reference {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

NcpStep::NcpStep(const World& world, const State& state, double h, const NcpSettings& settings,
                 const ContactMemories& memories, bool last)
    : world_(world),
      state_(state),
      h_(h),
      settings_(settings),
      memories_(memories),
      last_(last),
      inertia_(world.mass(state.q)),
      mass_(inertia_),
      guess_(world, state, h, mass_, free_, memories) {
    free_ = free_velocities(world, state, h, mass_);
    if (!free_.allFinite()) refuse_step("a force is not finite at time " + in_digits(state.time) + " s");
    units_ = units_of_step(world, state, h, free_);
    tolerance_ = std::max(settings.tolerance, rounding_of_step(world, state, units_));
    near_ = pairs_in_reach();
}

std::string NcpStep::names(const BodyPair& pair) const {
    return "'" + world_.bodies[pair.first].name + "' and '" + world_.bodies[pair.second].name + "'";
}

bool NcpStep::reject(const std::string& why) {
    failure_ = why;
    return false;
}

std::vector<NcpStep::NearPair> NcpStep::pairs_in_reach() const {
    const double reach = 4.0 * h_ * units_.velocity;
    std::vector<NearPair> near;
    for (const BodyPair& bodies : pairs_within(world_, state_.time, state_.q, reach)) {
        const double gap = pair_gap(world_, bodies, state_.time, state_.q).gap;
        if (!(gap <= reach)) continue;
        check_law(world_, bodies.first, bodies.second);
        near.push_back({bodies, gap, guess_.knows(bodies) || closes(bodies, gap)});
    }
    return near;
}

/// Does a gap of the pair close when the bodies move without contact?
bool NcpStep::closes(const BodyPair& pair, double gap) const {
    const double way = way_of(world_, pair, free_, h_);
    if (gap > way) return false;
    for (const NearPoint& near : touching_points(world_, pair, state_.time, state_.q, gap + 2.0 * way)) {
        const Contact c = world_.contact_at(pair.first, pair.second, 0.5 * (near.on_a + near.on_b), near.normal,
                                            near.gap, state_.time, state_.q);
        if (near.gap + h_ * (c.normal.dot(free_) + c.drift_normal) < 0.0) return true;
    }
    return false;
}

double NcpStep::floor_of(const NearPair& pair) const {
    const double size =
        std::min(size_of(world_.bodies[pair.bodies.first].shape), size_of(world_.bodies[pair.bodies.second].shape));
    return std::min(0.0, pair.gap + (keep_overlaps_ ? 0.0 : recovery_rate * size * h_));
}

bool NcpStep::solve() {
    if (solve_all_pairs()) return true;
    keep_overlaps_ = true;
    const bool relaxed =
        std::any_of(near_.begin(), near_.end(), [](const NearPair& pair) { return pair.active && pair.gap < 0.0; });
    return relaxed && solve_all_pairs();
}

bool NcpStep::solve_all_pairs() {
    for (;;) {
        pairs_.clear();
        floors_.clear();
        for (const NearPair& pair : near_) {
            if (!pair.active) continue;
            pairs_.push_back(pair.bodies);
            floors_.push_back(floor_of(pair));
        }
        if (!solve_active()) return false;
        if (!missed_pairs()) return true;
    }
}

/// Enters the pairs left out that overlap at the end of the step.
bool NcpStep::missed_pairs() {
    const VectorXd q = world_.moved(state_.q, found_.v, h_);
    const double time = state_.time + h_;
    bool missed = false;
    for (const BodyPair& bodies : pairs_within(world_, time, q, 0.0)) {
        auto known = std::find_if(near_.begin(), near_.end(), [&](const NearPair& p) { return p.bodies == bodies; });
        if (known != near_.end() && known->active) continue;
        const double gap = pair_gap(world_, bodies, time, q).gap;
        const double before = known != near_.end() ? known->gap : pair_gap(world_, bodies, state_.time, state_.q).gap;
        const NearPair pair{bodies, before, true};
        // The accuracy of the gap, and of those of the pairs that take part.
        if (gap >= floor_of(pair) - std::max(1e-11, 10.0 * tolerance_) * units_.length) continue;
        missed = true;
        if (known != near_.end()) {
            known->active = true;
            continue;
        }
        check_law(world_, bodies.first, bodies.second);
        near_.insert(std::upper_bound(near_.begin(), near_.end(), pair,
                                      [](const NearPair& x, const NearPair& y) { return x.bodies < y.bodies; }),
                     pair);
    }
    return missed;
}

bool NcpStep::solve_active() {
    residual_ = std::numeric_limits<double>::infinity();
    if (pairs_.empty()) {
        residual_ = 0.0;
        found_ = {free_, {}, {}, {}};
        solved_.clear();
        frames_.clear();
        return passes_through_none();
    }
    // Where faces are flat the nearest points jump from corner to corner: the last step knows better.
    if (guess_.knows(pairs_) && newton(*guess_.remembered(pairs_, {}), 1)) return true;
    std::optional<VectorXd> about;
    // Splitting helps more than many guesses.
    const std::size_t rounds =
        std::max<std::size_t>(last_ ? settings_.rounds : std::min<std::size_t>(settings_.rounds, 3), 1);
    for (std::size_t round = 0; round < rounds; ++round) {
        const NcpTrial trial = guess_.predict(pairs_, floors_, about);
        if (round == 0 && !guess_.knows(pairs_)) {
            const auto warm = guess_.remembered(pairs_, trial);
            if (warm && newton(*warm, 1)) return true;
        }
        if (newton(trial, last_ && round + 1 == rounds ? 12 : 2)) return true;
        // Solved but not admissible: other faces take part there.
        about = residual_ <= tolerance_ ? found_.v : trial.v;
    }
    return false;
}

NcpProblem NcpStep::problem_of(const NcpTrial& trial, double creep) const {
    std::vector<NcpContact> contacts;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        const auto [a, b] = pairs_[i];
        NcpContact c{a, b, trial.pairs[i], world_.law(a, b).friction.sliding, {}, 0, {}, floors_[i]};
        if (trial.loaded[i]) c.extents = friction_extents(world_, pairs_[i]);
        c.start.normal.cwiseAbs().minCoeff(&c.axis);
        if (settings_.rows == ImpulseRows::start) c.frozen = frozen_now(pairs_[i], c);
        contacts.push_back(std::move(c));
    }
    return {world_, state_, h_, std::move(contacts), units_, creep};
}

FrozenContact NcpStep::frozen_now(const BodyPair& pair, const NcpContact& contact) const {
    const auto [a, b] = pair;
    const Pose pose_a = world_.pose(a, state_.time, state_.q), pose_b = world_.pose(b, state_.time, state_.q);
    const auto now = nearest_pair(world_.bodies[a].shape, pose_a, world_.bodies[b].shape, pose_b, world_.planar,
                                  contact.start.normal);
    FrozenContact frozen;
    frozen.frame =
        contact_frame(now ? *now : contact.start, pose_a.position, pose_b.position, contact.axis, world_.planar);
    frozen.weight_a = world_.bodies[a].fixed ? 0.0 : (world_.bodies[b].fixed ? 1.0 : 0.5);
    // The points that may bear load at the end span the face or edge that the contact lies on.
    const double size = std::min(size_of(world_.bodies[a].shape), size_of(world_.bodies[b].shape));
    const double gap = now ? now->gap : contact.start.gap;
    const auto points =
        touching_points(world_, pair, state_.time, state_.q, gap + 2.0 * h_ * units_.velocity + 1e-6 * size);
    const Vector3d& n = frozen.frame.normal;
    while (frozen.open.cols() < (world_.planar ? 1 : 2)) {
        Vector3d longest = Vector3d::Zero();
        for (const NearPoint& point : points) {
            Vector3d way = point.on_a - points.front().on_a;
            way -= n * n.dot(way);
            way -= frozen.open * (frozen.open.transpose() * way);
            if (way.norm() > longest.norm()) longest = way;
        }
        if (longest.norm() < 1e-3 * size) break;
        frozen.open.conservativeResize(Eigen::NoChange, frozen.open.cols() + 1);
        frozen.open.rightCols(1) = longest.normalized();
    }
    return frozen;
}

/// Newton's method from `trial`; contacts that turn out loaded or not against its guess are entered as they are.
bool NcpStep::newton(NcpTrial trial, std::size_t starts) {
    for (std::size_t change = 0;; ++change) {
        bool solved = newton_once(trial, starts);
        if (!solved && starts > 1) solved = along_creep(trial);
        bool same = true;
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            const bool loaded = found_.impulses[i][0] > 1e-11 * units_.mass * units_.velocity;
            same = same && loaded == trial.loaded[i];
            trial.loaded[i] = loaded;
        }
        if (same || change == 3 + pairs_.size()) return solved && same && admissible();
        trial.v = found_.v;
        trial.pairs = found_.pairs;
        trial.impulses = found_.impulses;
    }
}

/// Newton's method on contacts that creep, ever less: the solutions lead to one with Coulomb's friction where slip and
/// stick compete and no guess knows which.
bool NcpStep::along_creep(NcpTrial trial) {
    for (double creep = 1.0; creep > 1e-9; creep *= 0.1) {
        if (!newton_once(trial, 1, creep * units_.velocity)) return false;
        trial.v = found_.v;
        trial.pairs = found_.pairs;
        trial.impulses = found_.impulses;
    }
    return newton_once(trial, 1);
}

bool NcpStep::newton_once(const NcpTrial& trial, std::size_t starts, double creep) {
    const NcpProblem problem = problem_of(trial, creep);
    complementarity::MixedSettings settings;
    settings.interrupt = settings_.interrupt;
    settings.tolerance = tolerance_;
    settings.starts = starts;
    settings.max_iterations = 50;
    settings.spread = 0.1;
    settings.seed = settings_.seed;
    const auto result =
        complementarity::solve_mixed_nonlinear(problem, problem.start_from(trial.v, trial.impulses), settings);
    iterations_ += result.iterations;
    residual_ = result.residual;
    unpack(problem, result.z);
    if (result.status == complementarity::MixedStatus::solved) return true;
    VectorXd value;
    problem.evaluate(result.z, value, nullptr);
    Index worst = 0;
    for (Index i = problem.free(); i < value.size(); ++i) value[i] = std::min(value[i], result.z[i]);
    value.cwiseAbs().maxCoeff(&worst);
    const auto contact = problem.contact_of(worst);
    return reject("residual " + in_digits(residual_) + ", wanted " + in_digits(tolerance_) + ", largest in the " +
                  (contact ? "contact of " + names(pairs_[*contact]) : "momenta"));
}

void NcpStep::unpack(const NcpProblem& problem, const VectorXd& scaled) {
    const VectorXd z = problem.physical(scaled);
    const MatrixXd basis = coordinate_basis(world_.planar);
    const Index d = basis.cols();
    found_ = {z.head(world_.velocities()), {}, {}, {}};
    solved_ = problem.contacts();
    frames_.clear();
    for (std::size_t i = 0; i < problem.contacts().size(); ++i) {
        const NcpContact& c = problem.contacts()[i];
        const NcpPlaces& at = problem.places()[i];
        NearestPair pair = c.start;
        pair.on_a = basis * z.segment(at.pair.point_a, d);
        pair.on_b = basis * z.segment(at.pair.point_b, d);
        pair.normal = basis * z.segment(at.pair.normal, d);
        pair.gap = z[at.pair.gap];
        pair.multipliers_a = z.segment(at.pair.multiplier_a, pair.multipliers_a.size());
        pair.multipliers_b = z.segment(at.pair.multiplier_b, pair.multipliers_b.size());
        VectorXd impulses = VectorXd::Zero(impulse_rows);
        impulses[0] = z[at.normal_impulse];
        impulses.segment(1, c.extents.size()) = z.segment(at.friction, c.extents.size());
        found_.pairs.push_back(std::move(pair));
        found_.impulses.push_back(std::move(impulses));
        frames_.push_back(problem.frame_of(i, scaled));
    }
}

}  // namespace scree::reference
