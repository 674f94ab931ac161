// SPDX-License-Identifier: BSD-3-Clause
// summary.json: what a run was, what it did and how well. Names are an interface that scripts rely on: add, never
// rename.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace scree::io {

/// The content of summary.json. Numbers that are not finite appear as null.
struct RunSummary {
    std::string version;            ///< Of scree.
    std::string commit;             ///< Source revision.
    std::string build;              ///< "release" or "debug".
    std::string scene;              ///< Path of the scene file.
    std::string backend;            ///< "cpu" or "cuda".
    std::string device;             ///< Name of the processor or GPU.
    std::size_t threads = 0;        ///< CPU threads used.
    std::string precision;          ///< "mixed" or "double".
    std::string status;             ///< "done", "stopped" (a stop rule), "interrupted" or "failed".
    std::string reason;             ///< Which stop rule or failure; empty when done.
    std::size_t steps = 0;          ///< Steps since t = 0, restarts included.
    double time = 0.0;              ///< Simulated time reached [s].
    double wall_seconds = 0.0;      ///< Wall-clock time of this process [s].
    double cpu_seconds = 0.0;       ///< CPU time of this process, all threads [s].
    double real_time_factor = 0.0;  ///< Wall-clock seconds per simulated second of this process.

    struct Bodies {
        std::uint64_t inserted = 0;      ///< Ever created.
        std::uint64_t removed = 0;       ///< Taken by outlets.
        std::uint64_t lost = 0;          ///< Neither in the domain nor taken by an outlet; must be 0.
        std::uint64_t final = 0;         ///< Present at the end. inserted = removed + lost + final.
        std::uint64_t sleeping = 0;      ///< Asleep at the end (`sleep`).
        std::uint64_t sleeping_max = 0;  ///< Largest number of all steps.
        std::uint64_t held_back = 0;  ///< Times that a body was stopped at what it would have passed (docs/solids.md).
        std::uint64_t outside = 0;    ///< Far from all boundaries at the end (engine/simulation/strays.hpp).
    } bodies;

    /// What a body source of kind `feed` brought.
    struct Feed {
        std::string name;
        std::uint64_t due = 0;                                         ///< Bodies that should have joined.
        std::uint64_t joined = 0;                                      ///< Of these; the others wait for a place.
        double mass = 0.0;                                             ///< Of those that joined [kg].
        double radius_min = 0.0, radius_mean = 0.0, radius_max = 0.0;  ///< Of those that joined, by number [m].
    };
    std::vector<Feed> feeds;

    struct Contacts {
        std::uint64_t final = 0;  ///< In the last step.
        double mean = 0.0;        ///< Per step.
        std::uint64_t max = 0;    ///< Largest of all steps.
    } contacts;

    struct Solver {
        std::string name;                            ///< As in scenes (solver.kind), or the reference stepper's.
        std::string friction;                        ///< "coulomb" or "associated".
        double iterations_mean = 0.0;                ///< Per step.
        double residual_rms_max = 0.0;               ///< Relative RMS residual, largest of all steps [-].
        double residual_rms_final = 0.0;             ///< Relative RMS residual of the last step [-].
        double converged_fraction = 0.0;             ///< Share of the steps that met the tolerance [-].
        double contact_iterations_per_second = 0.0;  ///< Sum of contacts x iterations over solver time [1/s].
        std::uint64_t fallback_tried = 0;            ///< Steps that solver.fallback was asked for.
        std::uint64_t fallback_used = 0;             ///< Of these, steps whose result it improved.
        std::uint64_t relaxed = 0;                   ///< Steps with impulses of the associated law.
        std::uint64_t handed_over = 0;               ///< Steps in which `conjugate` solved for `gauss_seidel`.
        std::uint64_t limited_clusters = 0;          ///< Clusters of impacts that rebound less, over all steps.
        std::uint64_t joints_linearised = 0;         ///< Steps in which joints lost energy (docs/joints.md).
        double joint_gap_max = 0.0;                  ///< Largest gap that a step left in a joint [m or rad].
    } solver;

    struct Penetration {
        double max = 0.0;             ///< Largest overlap of the run [m].
        double max_relative = 0.0;    ///< The same over the diameter of the smaller body [-].
        double final_relative = 0.0;  ///< Of the last step [-].
        /// Whose it was: the deepest for their size, within 5 %; only where it is worth a warning.
        struct Deepest {
            std::uint64_t step = 0;        ///< 0: there was none.
            double time = 0.0;             ///< [s]
            std::uint64_t body = 0;        ///< Id.
            std::uint64_t other_body = 0;  ///< Id; 0: a boundary.
            std::string boundary;          ///< Name; empty: a body.
        } deepest;
    } penetration;

    struct Energy {
        double kinetic_final = 0.0;     ///< [J]
        double kinetic_max = 0.0;       ///< Of the ends of all steps [J].
        double balance_relative = 0.0;  ///< Energy that the balance misses over the largest energy of the run [-].
        /// Work since t = 0 by what did it, name and value [J]; empty where the stepper does not tell.
        std::vector<std::pair<std::string, double>> work;
    } energy;

    /// One number of every step, over the run.
    struct History {
        double last = 0.0, worst = 0.0;
        std::uint64_t worst_step = 0;
        double median = 0.0, p99 = 0.0;  ///< Half, 99 % of the steps have at most this; at most 12 % too large.
    };
    struct Confidence {
        /// Name and history; NaN where there is none. All relative [-].
        std::vector<std::pair<std::string, History>> histories;
        /// The contact with the largest residual of all steps.
        struct Contact {
            std::uint64_t step = 0;        ///< 0: there was none.
            std::uint64_t body = 0;        ///< Id.
            std::uint64_t other_body = 0;  ///< Id; 0: a boundary.
            std::string boundary;          ///< Name; empty: a body.
            double residual = 0.0;         ///< [m/s]
            double residual_relative = 0.0;
        } worst_contact;
    } confidence;

    struct Memory {
        std::uint64_t peak_bytes = 0;  ///< Largest resident size of the process (CPU) or use of the device (CUDA).
        double bytes_per_body = 0.0;   ///< Of the engine's own buffers.
    } memory;

    std::vector<std::pair<std::string, double>> phases;  ///< Name and wall-clock seconds, in order of the step.
    std::uint64_t state_hash = 0;  ///< model::state_hash of the final state; 16 hex digits in the file.
    nlohmann::ordered_json probes = nlohmann::ordered_json::object();    ///< ProbeEvaluator::summary().
    nlohmann::ordered_json settings = nlohmann::ordered_json::object();  ///< Settings as resolved.
    /// What the run was made from: file, overrides, materials, pairs.
    nlohmann::ordered_json provenance = nlohmann::ordered_json::object();
    std::vector<std::string> warnings;  ///< As printed during the run.
};

[[nodiscard]] nlohmann::ordered_json to_json(const RunSummary& summary);

/// Writes `path` atomically, indented. Text that is not UTF-8 is replaced, not refused.
void write_summary(const std::filesystem::path& path, const nlohmann::ordered_json& summary);
void write_summary(const std::filesystem::path& path, const RunSummary& summary);

}  // namespace scree::io
