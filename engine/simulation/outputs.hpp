// SPDX-License-Identifier: BSD-3-Clause
// What a run writes into its folder, on the step's own clock: frames, series.csv, joints.csv, checkpoints.
#pragma once

#include "engine/io/csv_series.hpp"
#include "engine/io/pvd.hpp"
#include "engine/measure/probe.hpp"
#include "engine/simulation/load_means.hpp"
#include "engine/simulation/output_clock.hpp"
#include "engine/simulation/run_checkpoint.hpp"
#include "engine/simulation/run_statistics.hpp"
#include "engine/simulation/simulation.hpp"
#include "engine/simulation/writer_thread.hpp"

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scree::simulation {

/// The caller's thread takes copies of the state; a writer thread evaluates probes and writes. Errors of the writer
/// (model::Error, environment) are thrown by the next call.
///
/// Invariants:
/// 1. Per step: the row of series.csv, then frames, then the checkpoint. So a checkpoint holds the probe state behind
///    its own row, and all that is due before a checkpoint is on disk before it.
/// 2. A last frame and row that are not on the clock are written after the last checkpoint, which knows nothing of
/// them:
///    a continued run drops them and goes on as if it had not been interrupted.
class Outputs {
public:
    /// A new run in `directory`, which exists. Or, from a restart point: `directory` is its own folder (what is later
    /// is dropped) or another one (where everything after the restart goes).
    Outputs(Simulation& simulation, std::filesystem::path directory, const RestartPoint* restart = nullptr);
    ~Outputs();

    /// Frame and row at t = 0. `snapshot` has no contacts at that time.
    void begin(const model::Snapshot& snapshot, const RunStatistics& statistics);
    /// What is due after a step.
    void after_step(const RunStatistics& statistics);
    /// What contacts the last snapshot must have.
    [[nodiscard]] Simulation::Contacts needed_contacts() const { return needed_contacts(true, true); }
    /// The last checkpoint, frame and row; waits until all is written.
    void finish(const model::Snapshot& snapshot, const RunStatistics& statistics);
    /// Waits until all is written.
    void drain() { writer_.drain(); }

    /// Complete after finish() or drain().
    [[nodiscard]] nlohmann::ordered_json probe_summary() const;
    [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }

private:
    struct Files;
    using Picture = std::shared_ptr<const model::Snapshot>;

    [[nodiscard]] Simulation::Contacts needed_contacts(bool row, bool frame) const {
        const auto none = Simulation::Contacts::none;
        return std::max(row ? of_probes_ : none, frame ? of_frames_ : none);
    }
    /// A copy of the state with what boundaries bore since the last row.
    [[nodiscard]] Picture picture_of(model::Snapshot snapshot) const;
    [[nodiscard]] std::vector<double> row_of(const RunStatistics& statistics);
    void submit_row(const RunStatistics& statistics, Picture snapshot);
    void submit_frame(Picture snapshot);
    void submit_checkpoint(const RunStatistics& statistics);

    Simulation& simulation_;
    std::filesystem::path directory_;
    OutputClock series_, frames_, checkpoints_;
    bool has_probes_, has_joints_;
    Simulation::Contacts of_probes_ = Simulation::Contacts::none, of_frames_ = Simulation::Contacts::none;
    std::optional<LoadMeans> means_;     ///< Where a probe wants them.
    std::int64_t checkpoint_step_ = -1;  ///< Of the last checkpoint.
    std::unique_ptr<Files> files_;       ///< Touched by the writer thread only, from begin() to drain().
    WriterThread writer_;                ///< Last: joins before the files go.
};

}  // namespace scree::simulation
