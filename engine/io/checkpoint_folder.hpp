// SPDX-License-Identifier: BSD-3-Clause
// The checkpoints of one run: checkpoint_00001200.h5 after step 1200, and so on.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace scree::io {

/// The path of the checkpoint of a step.
[[nodiscard]] std::filesystem::path checkpoint_path(const std::filesystem::path& directory, std::size_t step);

/// The newest valid checkpoint; broken ones are skipped, with one line each in `notes` if given.
/// Nothing when there is none, or no such directory.
[[nodiscard]] std::optional<std::filesystem::path> latest_checkpoint(const std::filesystem::path& directory,
                                                                     std::vector<std::string>* notes = nullptr);

/// Deletes all but the newest `keep` complete checkpoints (0 keeps all), and what killed runs left half-written.
/// Call it after a checkpoint was written. Files that cannot be deleted stay; that is no reason to stop a run.
void prune(const std::filesystem::path& directory, std::size_t keep);

}  // namespace scree::io
