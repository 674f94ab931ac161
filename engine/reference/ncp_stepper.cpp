// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/ncp_stepper.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/collision.hpp"
#include "engine/reference/ncp_limits.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>
#include <utility>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// One step of one world.
class Step {
public:
    Step(const World& world, const State& state, double h, const NcpSettings& settings, ContactMemories& memories)
        : world_(world),
          state_(state),
          h_(h),
          settings_(settings),
          memories_(memories),
          mass_(world.mass(state.q)),
          guess_(world, state, h, mass_, free_, memories) {
        free_ = state.v + h * mass_.solve(world.force(state.time, state.q, state.v));
        if (!free_.allFinite()) refuse_step("a force is not finite at time " + std::to_string(state.time) + " s");
        units_ = units_of_step(world, state, h, free_);
        tolerance_ = std::max(settings.tolerance, rounding_of_step(world, state, units_));
    }

    StepOutcome run(State& state) {
        std::set<BodyPair> forced;
        for (;;) {
            const std::vector<BodyPair> pairs = candidates(forced);
            if (solve(pairs)) {
                const std::vector<BodyPair> missed = overlapping(pairs);
                if (missed.empty()) return finish(pairs, state);
                forced.insert(missed.begin(), missed.end());
                continue;
            }
            fail(pairs);
        }
    }

private:
    /// Distance of the bounding spheres, minus infinity for unbounded bodies.
    [[nodiscard]] double apart(const BodyPair& pair, double time, const VectorXd& q) const {
        const auto [a, b] = pair;
        return (world_.pose(b, time, q).position - world_.pose(a, time, q).position).norm() -
               bounding_radius(world_.bodies[a].shape) - bounding_radius(world_.bodies[b].shape);
    }

    [[nodiscard]] std::vector<BodyPair> candidates(const std::set<BodyPair>& forced) const {
        std::vector<BodyPair> pairs;
        for (std::size_t a = 0; a < world_.bodies.size(); ++a)
            for (std::size_t b = a + 1; b < world_.bodies.size(); ++b) {
                if (world_.bodies[a].fixed && world_.bodies[b].fixed) continue;
                if (forced.count({a, b}) == 0 && apart({a, b}, state_.time, state_.q) > 4.0 * h_ * units_.velocity)
                    continue;
                check_law(world_, a, b);
                pairs.emplace_back(a, b);
            }
        return pairs;
    }

    [[nodiscard]] NcpProblem problem_of(const std::vector<BodyPair>& pairs, const NcpTrial& trial) const {
        std::vector<NcpContact> contacts;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto [a, b] = pairs[i];
            NcpContact c{a, b, trial.pairs[i], world_.law(a, b).friction.sliding, {}, 0, {}};
            if (trial.loaded[i]) c.extents = friction_extents(world_, pairs[i]);
            c.start.normal.cwiseAbs().minCoeff(&c.axis);
            if (settings_.rows == ImpulseRows::start) c.frozen = frame_now(pairs[i], c);
            contacts.push_back(std::move(c));
        }
        return {world_, state_, h_, std::move(contacts), units_};
    }

    [[nodiscard]] ContactFrame frame_now(const BodyPair& pair, const NcpContact& contact) const {
        const auto [a, b] = pair;
        const Pose pose_a = world_.pose(a, state_.time, state_.q), pose_b = world_.pose(b, state_.time, state_.q);
        const auto now = nearest_pair(world_.bodies[a].shape, pose_a, world_.bodies[b].shape, pose_b, world_.planar,
                                      contact.start.normal);
        return contact_frame(now ? *now : contact.start, pose_a.position, pose_b.position, contact.axis, world_.planar);
    }

    /// Newton's method from `trial`; contacts that turn out loaded or not against its guess are entered as they are.
    bool newton(const std::vector<BodyPair>& pairs, NcpTrial trial, std::size_t starts) {
        for (std::size_t change = 0; change < 4 + pairs.size(); ++change) {
            const bool solved = newton_once(pairs, trial, starts);
            bool same = true;
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                const bool loaded = found_.impulses[i][0] > 1e-11 * units_.mass * units_.velocity;
                same = same && loaded == trial.loaded[i];
                trial.loaded[i] = loaded;
            }
            if (same || change + 1 == 4 + pairs.size()) return solved && same && certified(pairs);
            trial.v = found_.v;
            trial.pairs = found_.pairs;
            trial.impulses = found_.impulses;
        }
        return false;
    }

    bool newton_once(const std::vector<BodyPair>& pairs, const NcpTrial& trial, std::size_t starts) {
        const NcpProblem problem = problem_of(pairs, trial);
        complementarity::MixedSettings settings;
        settings.tolerance = tolerance_;
        settings.starts = starts;
        settings.max_iterations = 50;
        settings.spread = 0.1;
        settings.seed = settings_.seed;
        settings.interrupt = settings_.interrupt;
        const auto result =
            complementarity::solve_mixed_nonlinear(problem, problem.start_from(trial.v, trial.impulses), settings);
        iterations_ += result.iterations;
        residual_ = result.residual;
        unpack(problem, result.z);
        return result.status == complementarity::MixedStatus::solved;
    }

    void unpack(const NcpProblem& problem, const VectorXd& scaled) {
        const VectorXd z = problem.physical(scaled);
        const MatrixXd basis = coordinate_basis(world_.planar);
        const Index d = basis.cols();
        found_ = {z.head(world_.velocities()), {}, {}, {}};
        solved_ = problem.contacts();
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
        }
    }

    /// What the equations do not say: signs of single multipliers, and the inequalities that did not take part.
    [[nodiscard]] bool certified(const std::vector<BodyPair>& pairs) const {
        const VectorXd q = world_.moved(state_.q, found_.v, h_);
        const double slack = 10.0 * tolerance_;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto [a, b] = pairs[i];
            const NearestPair& near = found_.pairs[i];
            if (near.multipliers_a.minCoeff() < -slack || near.multipliers_b.minCoeff() < -slack) return false;
            const auto excess = [&](std::size_t body, const Vector3d& point) {
                return outside(world_.bodies[body].shape, world_.pose(body, state_.time + h_, q).to_body(point),
                               world_.planar);
            };
            if (excess(a, near.on_a) > slack * units_.length || excess(b, near.on_b) > slack * units_.length)
                return false;
        }
        return true;
    }

    bool solve(const std::vector<BodyPair>& pairs) {
        residual_ = std::numeric_limits<double>::infinity();
        if (pairs.empty()) {
            residual_ = 0.0;
            found_ = {free_, {}, {}, {}};
            return true;
        }
        NcpTrial trial{free_, {}, {}, {}};
        for (std::size_t round = 0; round < std::max<std::size_t>(settings_.rounds, 1); ++round) {
            trial.pairs.clear();
            for (const BodyPair& pair : pairs) {
                const auto near = guess_.nearest(pair, trial.v);
                if (!near) lost(pair);
                trial.pairs.push_back(*near);
            }
            guess_.predict(pairs, trial);
            if (round == 0) {
                // Where faces are flat the nearest points jump from corner to corner: the last step knows better.
                const auto warm = guess_.remembered(pairs, trial);
                if (warm && newton(pairs, *warm, 1)) return true;
            }
            if (newton(pairs, trial, round + 1 < settings_.rounds ? 2 : 12)) return true;
            // Solved but not certified: other faces take part there.
            if (residual_ <= tolerance_) trial.v = found_.v;
        }
        return false;
    }

    /// Pairs left out that overlap at the end of the step.
    [[nodiscard]] std::vector<BodyPair> overlapping(const std::vector<BodyPair>& pairs) const {
        std::vector<BodyPair> missed;
        const VectorXd q = world_.moved(state_.q, found_.v, h_);
        for (std::size_t a = 0; a < world_.bodies.size(); ++a)
            for (std::size_t b = a + 1; b < world_.bodies.size(); ++b) {
                const BodyPair pair{a, b};
                if ((world_.bodies[a].fixed && world_.bodies[b].fixed) ||
                    std::find(pairs.begin(), pairs.end(), pair) != pairs.end())
                    continue;
                if (apart(pair, state_.time + h_, q) < 0.0) missed.push_back(pair);
            }
        return missed;
    }

    /// The contact in whose rows the impulses acted: those of the end of the step (`time`, `q`), or of its start.
    [[nodiscard]] ContactOutcome outcome_of(const NcpContact& solved, const NearestPair& near, const VectorXd& p,
                                            double time, const VectorXd& q) const {
        const BodyPair pair{solved.body_a, solved.body_b};
        const bool at_start = solved.frozen.has_value();
        const double when = at_start ? state_.time : time;
        const VectorXd& where = at_start ? state_.q : q;
        const Vector3d centre_a = world_.pose(pair.first, when, where).position;
        const Vector3d centre_b = world_.pose(pair.second, when, where).position;
        const ContactFrame frame =
            at_start ? *solved.frozen : contact_frame(near, centre_a, centre_b, solved.axis, world_.planar);
        const Vector3d point = 0.5 * (centre_a + frame.arm_a + centre_b + frame.arm_b);
        ContactOutcome c;
        c.contact = world_.contact_at(pair.first, pair.second, point, frame.normal, near.gap, when, where);
        c.contact.identity = identity_of(pair);
        c.normal_impulse = p[0];
        const VectorXd e = friction_extents(world_, pair);
        // The iteration keeps the axis of its tangents, the world chooses by the normal: they may be a quarter turn
        // apart.
        Vector3d along = Vector3d::Zero();
        if (e.size() > 0) along += e[0] * p[1] * frame.tangent_1;
        if (e.size() > 1) along += e[1] * p[2] * frame.tangent_2;
        const auto [t1, t2] = tangents_of(frame.normal, world_.planar);
        c.tangent_impulse = VectorXd::Constant(world_.planar ? 1 : 2, along.dot(t1));
        if (!world_.planar) c.tangent_impulse[1] = along.dot(t2);
        if (e.size() == 3) c.twist_impulse = e[2] * p[3];
        return c;
    }

    StepOutcome finish(const std::vector<BodyPair>& pairs, State& state) {
        StepOutcome outcome;
        outcome.iterations = iterations_;
        outcome.residual = residual_;
        outcome.converged = true;
        const VectorXd q = world_.moved(state.q, found_.v, h_);
        const double time = state.time + h_;
        memories_.clear();
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const NearestPair& near = found_.pairs[i];
            const VectorXd& p = found_.impulses[i];
            outcome.contacts.push_back(outcome_of(solved_[i], near, p, time, q));
            memories_[identity_of(pairs[i])] = memory_of(world_, pairs[i], time, q, near, p);
        }
        state = {time, q, found_.v};
        return outcome;
    }

    [[nodiscard]] std::string names(const BodyPair& pair) const {
        return "'" + world_.bodies[pair.first].name + "' and '" + world_.bodies[pair.second].name + "'";
    }
    [[noreturn]] void lost(const BodyPair& pair) const {
        std::ostringstream what;
        what << "NcpStepper: no nearest points of " << names(pair) << " at time " << state_.time << " s";
        throw model::Error(model::ErrorKind::numerics, what.str(), "they may overlap deeply: a smaller step");
    }
    [[noreturn]] void fail(const std::vector<BodyPair>& pairs) const {
        std::ostringstream what;
        what << "NcpStepper: the step at time " << state_.time << " s has no certified solution (residual " << residual_
             << ", wanted " << tolerance_ << "); contacts:";
        for (std::size_t i = 0; i < pairs.size() && i < 8; ++i) what << " " << names(pairs[i]);
        throw model::Error(model::ErrorKind::numerics, what.str(), "try a smaller step");
    }

    const World& world_;
    const State& state_;
    double h_;
    const NcpSettings& settings_;
    ContactMemories& memories_;
    Eigen::LLT<MatrixXd> mass_;
    VectorXd free_;  ///< Velocities without contact.
    NcpGuess guess_;
    NcpUnits units_;
    double tolerance_ = 0.0;
    NcpTrial found_;
    std::vector<NcpContact> solved_;  ///< What found_ solves, pair by pair.
    double residual_ = 0.0;
    std::size_t iterations_ = 0;
};

}  // namespace

StepOutcome NcpStepper::step(const System& system, State& state, double h) {
    const auto* world = dynamic_cast<const World*>(&system);
    if (world == nullptr) refuse_step("steps worlds of rigid bodies only");
    check_steppable(*world, state, h);
    return Step(*world, state, h, settings_, memories_).run(state);
}

}  // namespace scree::reference
