// SPDX-License-Identifier: BSD-3-Clause
// A checkpoint of a run: the state, what was measured so far, and the scene as resolved, so that nothing else is needed
// to continue (but the particle files that the scene names: by absolute path).
#pragma once

#include "engine/io/checkpoint.hpp"
#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"
#include "engine/simulation/run_statistics.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace scree::simulation {

/// The texts of a checkpoint that do not change during a run.
class RunRecord {
public:
    explicit RunRecord(const model::Scene& scene);
    void add_to(io::Checkpoint& checkpoint) const;
    /// The scene as YAML that reads back from any folder: particle files by absolute paths, meshes vertex by vertex.
    [[nodiscard]] const std::string& scene() const { return scene_; }
    [[nodiscard]] const std::string& path() const { return path_; }  ///< Of the scene's file.

private:
    std::string scene_, path_, overrides_;
};

/// Where a run is taken up again.
struct RestartPoint {
    std::filesystem::path file;       ///< The checkpoint.
    std::filesystem::path directory;  ///< Its folder.
    model::Scene scene;
    io::Checkpoint checkpoint;
    std::int64_t step = 0;
    std::vector<std::string> notes;  ///< Broken checkpoints that were skipped.
    bool other_laws = false;         ///< Overrides may move what rests: sleepers are to be woken (Simulation::wake).
    bool other_gravity = false;      ///< Overrides gave the scene another: the energy ledger does not go on.
};

/// `path`: a checkpoint, or the folder of a run, whose newest valid checkpoint is taken. `overrides` replace
/// values of its scene, of keys that bodies and walls go on with as they are. Throws model::Error (input, usage).
[[nodiscard]] RestartPoint load_restart_point(const std::filesystem::path& path,
                                              std::span<const std::string> overrides = {});

/// The scene of a checkpoint. Throws model::Error (input).
[[nodiscard]] model::Scene scene_of(const io::Checkpoint& checkpoint, const std::filesystem::path& file,
                                    std::span<const std::string> overrides = {});

/// Bodies only (no contacts, forces or boundaries), from the arrays alone: needs none of the scene's files.
[[nodiscard]] model::Snapshot bodies_of(const io::Checkpoint& checkpoint, const std::filesystem::path& file);

}  // namespace scree::simulation
