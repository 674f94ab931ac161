// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/ncp_stepper.hpp"

#include "engine/complementarity/friction_problem.hpp"
#include "engine/model/error.hpp"
#include "engine/reference/collision.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace scree::reference {
namespace {

using complementarity::FrictionProblem;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

using Pair = std::pair<std::size_t, std::size_t>;

std::uint64_t identity_of(const Pair& pair) {
    return (std::uint64_t(pair.first) << 40) | (std::uint64_t(pair.second) << 16);
}

[[noreturn]] void refuse(const std::string& what, const std::string& hint = {}) {
    throw model::Error(model::ErrorKind::input, "NcpStepper: " + what, hint);
}

/// The two bodies' axes in which a pair is remembered: those of a free one.
std::size_t carrier(const World& world, const Pair& pair) {
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

/// A guess or a solution of the step.
struct Trial {
    VectorXd v;
    std::vector<NearestPair> pairs;
    std::vector<VectorXd> impulses;  // (p_n, y) of each
    std::vector<bool> loaded;        // p_n > 0: friction takes part
};

/// One step of one world.
class Step {
public:
    Step(const World& world, const State& state, double h, const NcpSettings& settings,
         std::map<std::uint64_t, NcpStepper::Memory>& memory)
        : world_(world),
          state_(state),
          h_(h),
          settings_(settings),
          memory_(memory),
          inverse_mass_(world.mass(state.q)) {
        const VectorXd change = h * inverse_mass_.solve(world.force(state.time, state.q, state.v));
        if (!change.allFinite()) refuse("a force is not finite at time " + std::to_string(state.time));
        free_ = state.v + change;
        set_units(change);
    }

    StepOutcome run(State& state) {
        std::set<Pair> forced;
        for (;;) {
            const std::vector<Pair> pairs = candidates(forced);
            if (solve(pairs)) {
                const std::vector<Pair> missed = overlapping(pairs);
                if (missed.empty()) return finish(pairs, state);
                forced.insert(missed.begin(), missed.end());
                continue;
            }
            fail(pairs);
        }
    }

private:
    void set_units(const VectorXd& change) {
        units_.length = std::numeric_limits<double>::infinity();
        double log_mass = 0.0, far = 0.0;
        Index count = 0;
        const auto speed = [&](std::size_t body, const VectorXd& v) {
            const auto twist = world_.twist(body, v);
            const double size = size_of(world_.bodies[body].shape);
            return twist.head<3>().norm() + (std::isfinite(size) ? size * twist.tail<3>().norm() : 0.0);
        };
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const Body& body = world_.bodies[i];
            units_.length = std::min(units_.length, size_of(body.shape));
            fastest_ = std::max(fastest_, speed(i, free_));
            if (body.fixed) continue;
            if (!std::isfinite(size_of(body.shape)) || std::holds_alternative<Hollow>(body.shape))
                refuse("body '" + body.name + "' is a half-space or bowl and must be fixed");
            fastest_ = std::max(fastest_, speed(i, state_.v));
            fastest_ = std::max(fastest_, speed(i, change));
            far = std::max(far, world_.pose(i, state_.time, state_.q).position.cwiseAbs().maxCoeff());
            log_mass += std::log(body.mass);
            ++count;
        }
        if (count > 0) units_.mass = std::exp(log_mass / double(count));
        if (!std::isfinite(units_.length)) units_.length = 1.0;
        units_.velocity = fastest_ > 0.0 ? fastest_ : 1e-6 * units_.length / h_;
        units_.gap = std::clamp(h_ * units_.velocity, 1e-3 * units_.length, units_.length);
        constexpr double rounding = 16.0 * std::numeric_limits<double>::epsilon();
        tolerance_ = std::max(settings_.tolerance, rounding * (far + units_.length) / units_.gap);
    }

    /// Distance of the bounding spheres, minus infinity for unbounded bodies.
    [[nodiscard]] double apart(const Pair& pair, double time, const VectorXd& q) const {
        const auto [a, b] = pair;
        return (world_.pose(b, time, q).position - world_.pose(a, time, q).position).norm() -
               bounding_radius(world_.bodies[a].shape) - bounding_radius(world_.bodies[b].shape);
    }

    [[nodiscard]] std::vector<Pair> candidates(const std::set<Pair>& forced) const {
        std::vector<Pair> pairs;
        for (std::size_t a = 0; a < world_.bodies.size(); ++a)
            for (std::size_t b = a + 1; b < world_.bodies.size(); ++b) {
                if (world_.bodies[a].fixed && world_.bodies[b].fixed) continue;
                if (forced.count({a, b}) == 0 && apart({a, b}, state_.time, state_.q) > 4.0 * h_ * fastest_) continue;
                check_law(a, b);
                pairs.emplace_back(a, b);
            }
        return pairs;
    }

    void check_law(std::size_t a, std::size_t b) const {
        const ContactLaw& law = world_.law(a, b);
        const std::string names = " of '" + world_.bodies[a].name + "' and '" + world_.bodies[b].name + "'";
        const FrictionLaw& f = law.friction;
        if (law.restitution != 0.0)
            refuse("the restitution" + names + " must be 0",
                   "the conditions hold for the gap itself: impacts are plastic");
        if (!(f.sliding >= 0.0) || !std::isfinite(f.sliding))
            refuse("the coefficient of friction" + names + " is negative or not finite");
        if ((f.sticking >= 0.0 && f.sticking != f.sliding) || f.fall_speed != 0.0)
            refuse("the friction" + names + " must have one coefficient");
        if (!(f.aspect > 0.0) || !(f.torsion_radius >= 0.0))
            refuse("the friction ellipsoid" + names + " has a size out of range");
    }

    [[nodiscard]] VectorXd extents(const Pair& pair) const {
        const FrictionLaw& law = world_.law(pair.first, pair.second).friction;
        if (law.sliding == 0.0) return {};
        if (world_.planar) return VectorXd::Ones(1);
        VectorXd e(law.torsion_radius > 0.0 ? 3 : 2);
        e[0] = 1.0;
        e[1] = law.aspect;
        if (e.size() == 3) e[2] = law.torsion_radius;
        return e;
    }

    [[nodiscard]] std::optional<NearestPair> nearest(const Pair& pair, const VectorXd& v,
                                                     const std::optional<Vector3d>& guess) const {
        const auto [a, b] = pair;
        const VectorXd q = world_.moved(state_.q, v, h_);
        const double time = state_.time + h_;
        return nearest_pair(world_.bodies[a].shape, world_.pose(a, time, q), world_.bodies[b].shape,
                            world_.pose(b, time, q), world_.planar, guess);
    }

    /// Nearest points where `v` moves the bodies; where these overlap too much, where they are now.
    [[nodiscard]] std::optional<NearestPair> nearest_or_now(const Pair& pair, const VectorXd& v) const {
        std::optional<Vector3d> guess;
        const auto known = memory_.find(identity_of(pair));
        if (known != memory_.end())
            guess = world_.pose(carrier(world_, pair), state_.time, state_.q).orientation * known->second.pair.normal;
        const auto [a, b] = pair;
        const auto now = [&] {
            return nearest_pair(world_.bodies[a].shape, world_.pose(a, state_.time, state_.q), world_.bodies[b].shape,
                                world_.pose(b, state_.time, state_.q), world_.planar, guess);
        };
        if (!guess) {
            if (const auto first = now()) guess = first->normal;
        }
        const auto then = nearest(pair, v, guess);
        const double size = std::min(size_of(world_.bodies[a].shape), size_of(world_.bodies[b].shape));
        if (then && then->gap > -0.5 * size) return then;
        return now();
    }

    /// Velocities and impulses from the gaps linearised about the places where trial.v moves the bodies.
    void predict(const std::vector<Pair>& pairs, Trial& trial) const {
        Index rows = world_.planar ? 2 : 3;
        for (const Pair& pair : pairs) rows = std::max(rows, 1 + extents(pair).size());
        const auto count = Index(pairs.size());
        const Index nv = world_.velocities();
        MatrixXd j = MatrixXd::Zero(rows * count, nv);
        VectorXd drift = VectorXd::Zero(rows * count);
        FrictionProblem problem;
        problem.dimension = int(rows);
        problem.mu = VectorXd::Zero(count);
        const VectorXd q = world_.moved(state_.q, trial.v, h_);
        for (Index i = 0; i < count; ++i) {
            const Pair& pair = pairs[std::size_t(i)];
            const NearestPair& near = trial.pairs[std::size_t(i)];
            const Contact c = world_.contact_at(pair.first, pair.second, 0.5 * (near.on_a + near.on_b), near.normal,
                                                near.gap, state_.time + h_, q);
            const VectorXd e = extents(pair);
            j.row(rows * i) = c.normal;
            drift[rows * i] = near.gap / h_ - c.normal.dot(trial.v);
            problem.mu[i] = c.law.friction.sliding;
            for (Index k = 0; k < e.size(); ++k) {
                const bool torsion = k == c.tangent.rows();
                j.row(rows * i + 1 + k) = e[k] * (torsion ? c.twist : Eigen::RowVectorXd(c.tangent.row(k)));
                if (!torsion) drift[rows * i + 1 + k] = e[k] * c.drift_tangent[k];
            }
        }
        const MatrixXd response = inverse_mass_.solve(j.transpose());
        problem.W = MatrixXd(j * response).sparseView();
        problem.q = j * free_ + drift;
        complementarity::FrictionSettings settings;
        settings.tolerance = 1e-8;
        const auto solved = complementarity::solve_best(problem, settings);
        trial.v = free_ + response * solved.r;
        trial.impulses.assign(pairs.size(), VectorXd::Zero(most_rows));
        trial.loaded.assign(pairs.size(), false);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            trial.impulses[i].head(rows) = solved.r.segment(rows * Index(i), rows);
            trial.loaded[i] = trial.impulses[i][0] > 0.0;
        }
    }

    /// The trial with what the last step knew of contacts that bore load.
    [[nodiscard]] std::optional<Trial> remembered(const std::vector<Pair>& pairs, Trial trial) const {
        bool any = false;
        const VectorXd q = world_.moved(state_.q, state_.v, h_);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto known = memory_.find(identity_of(pairs[i]));
            if (known == memory_.end() || !(known->second.impulses[0] > 0.0)) continue;
            trial.pairs[i] =
                placed_with(world_.pose(carrier(world_, pairs[i]), state_.time + h_, q), known->second.pair);
            trial.impulses[i] = known->second.impulses;
            trial.loaded[i] = true;
            any = true;
        }
        if (!any) return std::nullopt;
        trial.v = state_.v;
        return trial;
    }

    [[nodiscard]] NcpProblem problem_of(const std::vector<Pair>& pairs, const Trial& trial) const {
        std::vector<NcpContact> contacts;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto [a, b] = pairs[i];
            NcpContact c{a, b, trial.pairs[i], world_.law(a, b).friction.sliding, {}, 0, {}};
            if (trial.loaded[i]) c.extents = extents(pairs[i]);
            c.start.normal.cwiseAbs().minCoeff(&c.axis);
            if (settings_.rows == ImpulseRows::start) c.frozen = frame_now(pairs[i], c);
            contacts.push_back(std::move(c));
        }
        return {world_, state_, h_, std::move(contacts), units_};
    }

    [[nodiscard]] ContactFrame frame_now(const Pair& pair, const NcpContact& contact) const {
        const auto [a, b] = pair;
        const Pose pose_a = world_.pose(a, state_.time, state_.q), pose_b = world_.pose(b, state_.time, state_.q);
        const auto now = nearest_pair(world_.bodies[a].shape, pose_a, world_.bodies[b].shape, pose_b, world_.planar,
                                      contact.start.normal);
        return contact_frame(now ? *now : contact.start, pose_a.position, pose_b.position, contact.axis, world_.planar);
    }

    /// Newton's method from `trial`; contacts that turn out loaded or not against its guess are entered as they are.
    bool newton(const std::vector<Pair>& pairs, Trial trial, std::size_t starts) {
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

    bool newton_once(const std::vector<Pair>& pairs, const Trial& trial, std::size_t starts) {
        const NcpProblem problem = problem_of(pairs, trial);
        complementarity::MixedSettings settings;
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
        return result.status == complementarity::MixedStatus::solved;
    }

    void unpack(const NcpProblem& problem, const VectorXd& scaled) {
        const VectorXd z = problem.physical(scaled);
        const MatrixXd basis = coordinate_basis(world_.planar);
        const Index d = basis.cols();
        found_ = {z.head(world_.velocities()), {}, {}, {}};
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
            VectorXd impulses = VectorXd::Zero(most_rows);
            impulses[0] = z[at.normal_impulse];
            impulses.segment(1, c.extents.size()) = z.segment(at.friction, c.extents.size());
            found_.pairs.push_back(std::move(pair));
            found_.impulses.push_back(std::move(impulses));
        }
    }

    /// What the equations do not say: signs of single multipliers, and the inequalities that did not take part.
    [[nodiscard]] bool certified(const std::vector<Pair>& pairs) const {
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

    bool solve(const std::vector<Pair>& pairs) {
        residual_ = std::numeric_limits<double>::infinity();
        if (pairs.empty()) {
            residual_ = 0.0;
            found_ = {free_, {}, {}, {}};
            return true;
        }
        Trial trial{free_, {}, {}, {}};
        for (std::size_t round = 0; round < std::max<std::size_t>(settings_.rounds, 1); ++round) {
            trial.pairs.clear();
            for (const Pair& pair : pairs) {
                const auto near = nearest_or_now(pair, trial.v);
                if (!near) lost(pair);
                trial.pairs.push_back(*near);
            }
            predict(pairs, trial);
            if (round == 0) {
                // Where faces are flat the nearest points jump from corner to corner: the last step knows better.
                const auto warm = remembered(pairs, trial);
                if (warm && newton(pairs, *warm, 1)) return true;
            }
            if (newton(pairs, trial, round + 1 < settings_.rounds ? 2 : 12)) return true;
        }
        return false;
    }

    /// Pairs left out that overlap at the end of the step.
    [[nodiscard]] std::vector<Pair> overlapping(const std::vector<Pair>& pairs) const {
        std::vector<Pair> missed;
        const VectorXd q = world_.moved(state_.q, found_.v, h_);
        for (std::size_t a = 0; a < world_.bodies.size(); ++a)
            for (std::size_t b = a + 1; b < world_.bodies.size(); ++b) {
                const Pair pair{a, b};
                if ((world_.bodies[a].fixed && world_.bodies[b].fixed) ||
                    std::find(pairs.begin(), pairs.end(), pair) != pairs.end())
                    continue;
                if (apart(pair, state_.time + h_, q) < 0.0) missed.push_back(pair);
            }
        return missed;
    }

    StepOutcome finish(const std::vector<Pair>& pairs, State& state) {
        StepOutcome outcome;
        outcome.iterations = iterations_;
        outcome.residual = residual_;
        outcome.converged = true;
        const VectorXd q = world_.moved(state.q, found_.v, h_);
        const double time = state.time + h_;
        memory_.clear();
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto [a, b] = pairs[i];
            const NearestPair& near = found_.pairs[i];
            const VectorXd& p = found_.impulses[i];
            ContactOutcome c;
            c.contact = world_.contact_at(a, b, 0.5 * (near.on_a + near.on_b), near.normal, near.gap, time, q);
            c.contact.identity = identity_of(pairs[i]);
            c.normal_impulse = p[0];
            const VectorXd e = extents(pairs[i]);
            c.tangent_impulse = VectorXd::Zero(world_.planar ? 1 : 2);
            const Index tangents = std::min(c.tangent_impulse.size(), e.size());
            for (Index k = 0; k < tangents; ++k) c.tangent_impulse[k] = e[k] * p[1 + k];
            if (e.size() == 3) c.twist_impulse = e[2] * p[3];
            outcome.contacts.push_back(std::move(c));
            memory_[identity_of(pairs[i])] = {seen_from(world_.pose(carrier(world_, pairs[i]), time, q), near), p};
        }
        state = {time, q, found_.v};
        return outcome;
    }

    [[nodiscard]] std::string names(const Pair& pair) const {
        return "'" + world_.bodies[pair.first].name + "' and '" + world_.bodies[pair.second].name + "'";
    }
    [[noreturn]] void lost(const Pair& pair) const {
        std::ostringstream what;
        what << "NcpStepper: no nearest points of " << names(pair) << " at time " << state_.time << " s";
        throw model::Error(model::ErrorKind::numerics, what.str(), "they may overlap deeply: a smaller step");
    }
    [[noreturn]] void fail(const std::vector<Pair>& pairs) const {
        std::ostringstream what;
        what << "NcpStepper: the step at time " << state_.time << " s has no certified solution (residual " << residual_
             << ", wanted " << tolerance_ << "); contacts:";
        for (std::size_t i = 0; i < pairs.size() && i < 8; ++i) what << " " << names(pairs[i]);
        throw model::Error(model::ErrorKind::numerics, what.str(), "try a smaller step");
    }

    static constexpr Index most_rows = 4;  // p_n, y_t, y_o, y_r

    const World& world_;
    const State& state_;
    double h_;
    const NcpSettings& settings_;
    std::map<std::uint64_t, NcpStepper::Memory>& memory_;
    Eigen::LLT<MatrixXd> inverse_mass_;
    VectorXd free_;
    NcpUnits units_;
    double fastest_ = 0.0, tolerance_ = 0.0;
    Trial found_;
    double residual_ = 0.0;
    std::size_t iterations_ = 0;
};

}  // namespace

StepOutcome NcpStepper::step(const System& system, State& state, double h) {
    const auto* world = dynamic_cast<const World*>(&system);
    if (world == nullptr) refuse("steps worlds of rigid bodies only");
    if (!(h > 0.0) || !std::isfinite(h)) refuse("the step must be positive and finite");
    if (state.q.size() != world->coordinates() || state.v.size() != world->velocities())
        refuse("the state does not belong to this world");
    if (!state.q.allFinite() || !state.v.allFinite() || !std::isfinite(state.time))
        refuse("the state is not finite at time " + std::to_string(state.time));
    return Step(*world, state, h, settings_, memory_).run(state);
}

}  // namespace scree::reference
