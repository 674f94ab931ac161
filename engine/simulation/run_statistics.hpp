// SPDX-License-Identifier: BSD-3-Clause
// What a run adds up over its steps, for series.csv and summary.json.
#pragma once

#include "engine/io/checkpoint.hpp"
#include "engine/model/scene.hpp"
#include "engine/simulation/deepest_overlap.hpp"
#include "engine/simulation/energy_balance.hpp"
#include "engine/simulation/value_history.hpp"
#include "kernels/step/step_engine.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

namespace scree::simulation {

/// RMS residual of a step in units of the speed that the solver's tolerance refers to (g h; without gravity the free
/// approach speed): comparable with solver.tolerance.
[[nodiscard]] double relative_residual(const kernels::StepReport& report, double tolerance_setting);

/// Sums since t = 0 (kept in checkpoints, so that a continued run reports the whole run) and times of this process.
class RunStatistics {
public:
    /// The part that depends on the steps only.
    struct Totals {
        std::uint64_t steps = 0, converged = 0;
        std::uint64_t contacts = 0, contacts_max = 0;  ///< Sum and largest over the steps.
        std::uint64_t iterations = 0;                  ///< Sum over the steps.
        double joint_gap_max = 0.0;                    ///< [m or rad]
        std::uint64_t linearised = 0;  ///< Steps with such islands, see kernels::StepReport::linearised_islands.
        std::uint64_t held_back = 0;   ///< Sum over the steps, see kernels::StepReport::held_back.
        std::uint64_t sleeping = 0, sleeping_max = 0;         ///< Bodies after the last step, largest of all.
        std::uint64_t fallback_tried = 0, fallback_used = 0;  ///< Steps; see kernels::WorldDescription::fallback.
        std::uint64_t relaxed = 0;                            ///< Steps; see kernels::StepReport::relaxed.
        std::uint64_t handed_over = 0;                        ///< Steps; see kernels::StepReport::handed_over.
        std::uint64_t limited_clusters = 0;  ///< Sum over the steps, see kernels::StepReport::limited_clusters.
        double residual_max = 0.0;           ///< Relative [-].
        double overlap_max = 0.0;            ///< [m]
        double overlap_relative_max = 0.0;   ///< [-]
    };
    /// The last step.
    struct Last {
        std::uint64_t bodies = 0, contacts = 0, iterations = 0, converged = 1;
        double residual = 0.0;                                     ///< Relative [-].
        double overlap = 0.0, overlap_relative = 0.0;              ///< [m], [-]
        double kinetic_translation = 0.0, kinetic_rotation = 0.0;  ///< [J]
        double speed_max = 0.0;                                    ///< [m/s]
        // Not in checkpoints: the next step has its own.
        double residual_max = 0.0;         ///< Of the worst contact, relative [-].
        double complementarity_gap = 0.0;  ///< [J]
        kernels::WorstContact worst;
    };
    /// How far the steps can be trusted, over the run. All relative [-].
    struct Histories {
        ValueHistory residual_rms, residual_max;  ///< In units of relative_residual().
        ValueHistory complementarity;             ///< See kernels::StepReport::complementarity_relative.
        ValueHistory energy_defect;               ///< Size of EnergyBalance::relative_defect(); empty where it is none.
    };
    /// The contact with the largest relative residual of all steps.
    struct WorstOfRun {
        kernels::WorstContact contact;
        double residual = 0.0;   ///< Relative [-].
        std::uint64_t step = 0;  ///< 0: there was none.
    };
    /// This process only.
    struct Process {
        std::uint64_t steps = 0;
        double body_steps = 0.0;
        double contact_iterations = 0.0;  ///< Sum of contacts x iterations.
        std::array<double, std::size_t(kernels::Phase::count)> seconds{};
        std::uint64_t bodies_max = 0;
    };

    explicit RunStatistics(const model::Scene& scene);

    /// The bodies at t = 0.
    void start(const model::Snapshot& snapshot);
    /// One step; `free_mass` of the bodies that took part [kg].
    void add(const kernels::StepReport& report, double free_mass);

    /// After add(): whether an overlap is so much deeper than deepest_overlap() that it is worth looking whose it is.
    [[nodiscard]] bool wants_deepest_overlap() const;
    /// What was found there, or nothing.
    void note_deepest_overlap(const std::optional<DeepestOverlap>& overlap);
    [[nodiscard]] const std::optional<DeepestOverlap>& deepest_overlap() const { return deepest_; }

    /// After add(): whether all free bodies are slower than stop.rest_speed at `time` [s].
    void note_rest(bool slow, double time);
    /// Since when they have been, at every step [s]; infinity: they are not, or the rule is off.
    [[nodiscard]] double slow_since() const { return slow_since_; }

    [[nodiscard]] const Totals& totals() const { return totals_; }
    [[nodiscard]] const Last& last() const { return last_; }
    [[nodiscard]] const Process& process() const { return process_; }
    [[nodiscard]] const EnergyBalance& energy() const { return energy_; }
    void leave_energy_open() { energy_.leave_open(); }
    [[nodiscard]] const Histories& histories() const { return histories_; }
    [[nodiscard]] const WorstOfRun& worst_contact() const { return worst_; }
    [[nodiscard]] double per_step(std::uint64_t sum) const {
        return totals_.steps > 0 ? double(sum) / double(totals_.steps) : 0.0;
    }

    void save(io::Checkpoint& checkpoint) const;
    /// Throws model::Error (input) when the checkpoint holds no statistics.
    void restore(const io::Checkpoint& checkpoint);

private:
    double tolerance_;
    Totals totals_;
    Last last_;
    Process process_;
    EnergyBalance energy_;
    Histories histories_;
    WorstOfRun worst_;
    std::optional<DeepestOverlap> deepest_;
    double looked_at_ = 0.0;  ///< The overlap of the step that deepest_ is of, relative, as steps report it.
    double slow_since_ = std::numeric_limits<double>::infinity();
};

}  // namespace scree::simulation
