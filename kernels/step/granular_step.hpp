// SPDX-License-Identifier: BSD-3-Clause
// The production step (design "The step"): broad phase, contact set, free velocity, cone solve, update, outlets.
// Written once on Backend and precision; granular_step_cpu.cpp and granular_step_cuda.cu instantiate it.
#pragma once

#include "kernels/collide/contact_set.hpp"
#include "kernels/collide/reach_items.hpp"
#include "kernels/cone/make_solver.hpp"
#include "kernels/joints/joint_set.hpp"
#include "kernels/motion/free_rotation.hpp"
#include "kernels/motion/motion_items.hpp"
#include "kernels/step/contact_account.hpp"
#include "kernels/step/hold_back_items.hpp"
#include "kernels/step/impact_limit.hpp"
#include "kernels/step/poisson_impacts.hpp"
#include "kernels/step/sleepers.hpp"
#include "kernels/step/step_engine.hpp"
#include "kernels/step/step_items.hpp"

#include <chrono>
#include <cmath>
#include <string>

namespace scree::kernels {

template <class Backend, class R>
class GranularStep final : public StepEngine {
public:
    static constexpr int W = Backend::tile;
    using Row = typename Backend::template Row<R>;

    GranularStep(const WorldDescription& world, Backend backend)
        : backend_(std::move(backend)), world_(world), solver_(make_solver<Backend, R>(world.solver, scratch_)) {
        world_.position = {};
        for (std::size_t i = 0; i < world.velocity.size(); ++i)
            if (!(world.inverse_mass[i / 6 * 2] > 0.0))
                fixed_bodies_move_ = fixed_bodies_move_ || world.velocity[i] != 0.0;
        upload_bodies(world);
        if (!world.body_parts.empty()) assign_parts();
        assign_wrenches();
        assign_joints();
        sleepers_.assign(world, bodies_);
        model_.settings = world.contact;
        model_.materials = world.materials;
        std::vector<PairLaw<R>> laws;
        for (const auto& law : world.laws) {
            laws.push_back({R(law.friction), R(law.restitution), R(law.rolling), R(law.spinning), R(law.cohesion),
                            R(law.stiffness), R(law.tangential_restitution), R(law.damper)});
            model_.any_tangential = model_.any_tangential || law.tangential_restitution > 0.0;
            model_.any_rolling = model_.any_rolling || law.rolling > 0.0 || law.spinning > 0.0;
            model_.friction_max = std::max(model_.friction_max, R(law.friction));
            model_.any_cohesion = model_.any_cohesion || law.cohesion > 0.0;
        }
        model_.laws.assign(laws);
        boundaries_.assign(world.parts, world.meshes);
        outlets_.assign(world.outlets);
    }

    StepReport step(std::span<const BoundaryPose> poses) override {
        StepReport report;
        Clock clock(report, backend_);
        // Slots change only here, before anything of this step refers to them.
        clock.enter(Phase::remove, step_);
        remove_bodies(report);
        report.bodies = bodies_.count;
        if (prescribed_.size() > 0)
            backend_.for_each(bodies_.count, PrescribeItem<R>{prescribed_.data(), place_of_prescribed_.data(),
                                                              bodies_.id.data(), bodies_.position.data(),
                                                              bodies_.orientation.data(), bodies_.velocity.data()});
        poses_.assign(poses.begin(), poses.end());
        boundaries_.set_poses(poses);
        if (sleepers_.enabled()) sleepers_.look_at(backend_, bodies_, poses_);
        clock.enter(Phase::free_velocity, step_);
        report.other_work = set_free_velocity();
        report.linearised_islands = joints_.linearised();
        clock.enter(Phase::broad, step_);
        Grid grid = build_grid();
        if (step_ % reorder_interval == 0 && bodies_.count > 1) {
            // Slots follow the cells: neighbours in space are neighbours in memory.
            reorder(grid);
            set_free_velocity();
            grid = build_grid();
        }
        clock.enter(Phase::contacts, step_);
        CollisionView view = find_neighbours(grid);
        // Who wakes has its mass again, and the step begins again.
        typename ContactSet<Backend, R>::Overlap overlap;
        for (;;) {
            bool woke = sleepers_.wake_by_motion(backend_, bodies_, view, colliders_.count,
                                                 parts_.any() ? parts_.parts().data() : nullptr);
            if (!woke) {
                overlap = find_contacts(view);
                woke = wake_by_contacts();
            }
            if (!woke) {
                clock.enter(Phase::solve, step_);
                report.contacts = contacts_.count();
                if (sleepers_.count() > 0) copy_rows(bodies_.velocity, velocity_before_);
                keep_start();
                if (model_.any_cohesion) shift_cohesion(problem());
                solve(report);
                woke = sleepers_.template wake_by_impulses<W>(backend_, bodies_, problem(), contacts_.count(),
                                                              solution_.g.data());
                if (!woke) break;
                bodies_.velocity.swap(velocity_before_);
                clock.enter(Phase::contacts, step_);
            }
            report.other_work = set_free_velocity();
            grid = build_grid();
            view = find_neighbours(grid);
        }
        report.sleeping_mass = sleepers_.mass();
        report.overlap_max = overlap.largest;
        report.overlap_relative = overlap.relative;
        // With rigid feedback the velocities that are kept come later.
        if (model_.settings.feedback != Feedback::rigid) account(report);
        clock.enter(Phase::advance, step_);
        advance(report, model_.settings.step, contacts_.delay());
        if (model_.settings.feedback == Feedback::rigid) {
            clock.enter(Phase::solve, step_);
            relax(report);
            account(report);
            clock.enter(Phase::advance, step_);
            advance(report, 0.0, nullptr);  // energies of the velocities that are kept
        }
        if (joints_.any() || report.held_back > 0)
            report.work.other = report.contact_work - report.turning_work - report.work.sum();
        if (joints_.any() && bodies_.count > 0) {
            joints_.finish(backend_, bodies_, world_.periodic);
            report.joint_gap = joints_.gap();
        }
        ++step_;
        if (sleepers_.watch(backend_, bodies_, model_.settings.step, step_)) fall_asleep();
        report.sleeping = sleepers_.count();
        clock.finish();
        return report;
    }

    std::vector<RemovedBody> take_removed() override { return std::exchange(removed_, {}); }

    void prescribe(std::span<const PrescribedBody> bodies) override;
    void apply(std::span<const AppliedWrench> wrenches) override;
    void impose(std::span<const ImposedVelocity> velocities) override;
    void drive(std::span<const double> values) override { joints_.drive(values); }
    std::vector<JointLoad> joint_loads() override {
        return joints_.loads(bodies_, world_.periodic, model_.settings.step);
    }
    void append(const WorldDescription& bodies) override;
    void download(BodyDownload& out) override;
    void download(PlaceDownload& out) override;
    void download(ContactDownload& out) override;
    void download(ProblemDownload& out) override;
    std::vector<BoundaryLoad> boundary_loads(std::span<const std::size_t> of) override;
    double unbalanced_force() override;
    std::vector<PassTime> time_passes(int repeats) override;
    SolverOutcome try_solver(const SolverTrial& trial) override;
    EngineState save() override;
    void restore(const EngineState& state) override;

    [[nodiscard]] std::size_t bytes() const override {
        return bodies_.bytes() + free_velocity_.bytes() + unpulled_velocity_.bytes() + start_velocity_.bytes() +
               extent_.bytes() + motion_.bytes() + hit_.bytes() + scratch_.bytes() + grid_builder_.bytes() +
               neighbour_search_.bytes() + contacts_.bytes() + boundaries_.bytes() + solution_.g.bytes() +
               solution_.m.bytes() + solution_.spare_g.bytes() + solution_.spare_m.bytes() +
               solution_.velocity.bytes() + taken_.bytes() + holds_.bytes() + solved_motion_.bytes() +
               left_out_.bytes() + parts_.bytes() + pairs_.bytes() + joints_.bytes() + sleepers_.bytes() +
               velocity_before_.bytes() + impact_limit_.bytes() + poisson_impacts_.bytes() + names_.bytes();
    }
    [[nodiscard]] std::int64_t body_count() const override { return bodies_.count; }
    [[nodiscard]] std::size_t threads() const override;

private:
    // Bodies drift apart in memory as they move; sorting them again costs about half a broad phase.
    static constexpr std::int64_t reorder_interval = 40;
    static constexpr double largest_index = 2147483646.0;

    /// Times phases on the host; backends synchronise at a phase's end so that the times are those of its own work.
    class Clock {
    public:
        Clock(StepReport& report, Backend& backend) : report_(report), backend_(backend) {}
        void enter(Phase phase, std::int64_t step) {
            finish();
            phase_ = int(phase);
            backend_.enter(phase_names[std::size_t(phase_)], step);
        }

        void finish() {
            backend_.synchronize();
            const auto now = std::chrono::steady_clock::now();
            if (phase_ >= 0)
                report_.seconds[std::size_t(phase_)] += std::chrono::duration<double>(now - since_).count();
            since_ = now;
        }

    private:
        StepReport& report_;
        Backend& backend_;
        int phase_ = -1;
        std::chrono::steady_clock::time_point since_;
    };

    /// Velocities of the bodies of a world as they are kept: rows of eight.
    [[nodiscard]] static std::vector<R> rows_of_velocity(const WorldDescription& world) {
        std::vector<R> rows(world.id.size() * 8, R(0));
        for (std::size_t i = 0; i < world.id.size(); ++i)
            for (std::size_t k = 0; k < 3; ++k) {
                rows[8 * i + k] = R(world.velocity[6 * i + k]);
                rows[8 * i + 4 + k] = R(world.velocity[6 * i + 3 + k]);
            }
        return rows;
    }
    void upload_bodies(const WorldDescription& world);
    /// Where bodies are in the lists of the world.
    [[nodiscard]] std::vector<std::size_t> places_by_id() const;
    void assign_parts();
    void assign_wrenches();
    void assign_joints();
    /// The last step's cone problem.
    [[nodiscard]] ConeProblem<R, W> problem() {
        ConeProblem<R, W> p = contacts_.problem(bodies_, free_velocity_, model_, world_.coulomb);
        p.islands = joints_.view();
        return p;
    }
    Grid build_grid();
    void reorder(const Grid& grid);
    /// Work of the gyroscopic terms [J].
    double set_free_velocity();
    /// What find_neighbours() starts from.
    [[nodiscard]] CollisionView colliders_of_step() const;
    CollisionView find_neighbours(const Grid& grid);
    PartSearch part_search(const CollisionView& view);
    typename ContactSet<Backend, R>::Overlap find_contacts(const CollisionView& view);
    /// Whether anything was hit hard enough to matter.
    bool agitate(const CollisionView& view);
    bool wake_by_contacts();
    void copy_rows(const Array<R, Backend>& from, Array<R, Backend>& to) {
        to.resize_discard(Size(bodies_.count) * 8);
        Memory<Backend>::copy(to.data(), from.data(), std::size_t(bodies_.count) * 8 * sizeof(R));
    }
    void fall_asleep();
    /// The cone problem, with rebounds that make no energy. `rebounds_known`: the rows have them already.
    void solve(StepReport& report, bool rebounds_known = false);
    /// By Poisson's law: solves the compression, and with the rebounds that follow from it.
    void find_rebounds(StepReport& report);
    void solve_rows(StepReport& report);
    void limit_impacts(StepReport& report);
    /// V = v* + M^-1 D gamma of the impulses of the solution.
    template <RowKind K>
    void set_velocities_of_impulses(const ConeProblem<R, W>& problem);
    void fall_back(const ConeProblem<R, W>& problem, SolveSettings settings, StepReport& report);
    /// How far velocities may be off where work is judged [m/s]. Newton's rebounds are known, Poisson's grow with the
    /// error of the compression, which must not pass for doubt about the energy that it makes.
    [[nodiscard]] double doubt_of_impacts() const {
        return model_.settings.impact == ImpactLaw::poisson ? 0.0 : law_residual_;
    }
    /// No impulses, room as for those of the step.
    void set_zero(ConeSolution<Backend, R>& solution) {
        solution.g.resize_discard(solution_.g.size());
        solution.m.resize_discard(solution_.m.size());
        backend_.for_each(Index(solution.g.size()), FillItem<R>{solution.g.data(), R(0)});
        backend_.for_each(Index(solution.m.size()), FillItem<R>{solution.m.data(), R(0)});
    }
    /// For impulses whose residual is larger than the velocities of a step, worse than none: the associated law, whose
    /// problem is convex at any friction. Its impulses win no energy and leave no overlap; sliding contacts open.
    void solve_relaxation(ConeProblem<R, W> problem, SolveSettings settings, StepReport& report);
    void shift_cohesion(const ConeProblem<R, W>& problem);
    void relax(StepReport& report);
    /// Of bodies that are no spheres: start_velocity_, once the contacts are known.
    void keep_start();
    /// What the contacts did, and which of them is solved worst, before anything but the solve changes velocities.
    void account(StepReport& report);
    void advance(StepReport& report, double step, const R* delay);
    /// Whether any body leaves out a part of its motion: left_out_.
    bool hold_back(const R* delay, StepReport& report);
    void remove_bodies(StepReport& report);
    void permute(const Index* from, Index count);
    /// v*, without the pull of cohesion, which is an impulse of the contacts.
    [[nodiscard]] const Array<R, Backend>& velocity_without_contacts() const {
        return model_.any_cohesion ? unpulled_velocity_ : free_velocity_;
    }

    Backend backend_;
    WorldDescription world_;
    std::int64_t step_ = 0;
    Scratch<Backend> scratch_;
    BodyState<Backend, R> bodies_;
    Array<R, Backend> free_velocity_;
    Array<R, Backend> unpulled_velocity_;  ///< v* before shift_cohesion(), rows of eight; empty without cohesion.
    Array<R, Backend>
        start_velocity_;  ///< Before the step, rows of eight, ground and walls included; see keep_start().
    Array<float, Backend> extent_;
    Array<float, Backend> motion_;  ///< Rows of four, see CollisionView.
    BodyParts<Backend, R> parts_;   ///< None where all bodies are spheres.
    PartPairs<Backend, R> pairs_;
    JointSet<Backend, R> joints_;
    Sleepers<Backend, R> sleepers_;
    ImpactLimit<Backend, R> impact_limit_;
    PoissonImpacts<Backend, R> poisson_impacts_;
    Array<R, Backend> velocity_before_;  ///< Where sleepers may make the solve be made again.
    Array<PrescribedBody, Backend> prescribed_;
    Array<Index, Backend> place_of_prescribed_;  ///< By id.
    bool fixed_bodies_move_ = false;             ///< With velocities of their own that never change.
    Colliders<R> colliders_;                     ///< Of this step.
    Array<float, Backend> hit_;                  ///< See HitItem.
    Array<std::uint64_t, Backend> holds_;        ///< See Hold.
    Array<double, Backend> solved_motion_;       ///< See SolvedMotion; empty where all bodies are spheres.
    Array<double, Backend> left_out_;            ///< See LeftOutItem.
    GridBuilder<Backend> grid_builder_{&scratch_};
    NeighbourSearch<Backend> neighbour_search_;
    ContactModel<Backend, R> model_;
    ContactSet<Backend, R> contacts_;
    BoundarySet<Backend> boundaries_;
    Array<OutletPart, Backend> outlets_;
    std::unique_ptr<ConeSolver<Backend, R>> solver_;
    ConeSolution<Backend, R> solution_;
    Array<Index, Backend> taken_;
    Array<Index, Backend> names_;  ///< See NameContactItem.
    std::vector<double> applied_;  ///< As WorldDescription::wrench, what apply() set; empty: nothing.
    std::vector<BoundaryPose> poses_;
    std::vector<RemovedBody> removed_;
    double law_residual_ = 0.0;    ///< Largest of a contact, by the law that the last solve was for [m/s].
    double velocity_scale_ = 0.0;  ///< What the last step's tolerance is relative to [m/s].
};

}  // namespace scree::kernels
