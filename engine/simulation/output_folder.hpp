// SPDX-License-Identifier: BSD-3-Clause
// The files of a run in its folder: which are there, and which must go.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace scree::simulation {

/// The step in a name such as "particles_00001200.vtp"; nothing for other names.
[[nodiscard]] std::optional<std::int64_t> step_in_name(const std::string& name, const std::string& stem,
                                                       const std::string& extension);

/// The name of a file that an earlier run left in `directory`; nothing when there is none.
[[nodiscard]] std::optional<std::string> trace_of_a_run(const std::filesystem::path& directory);

/// Deletes what runs write, and nothing else.
void remove_run(const std::filesystem::path& directory);

/// Deletes frames later than `last_frame` and checkpoints later than `last_checkpoint` (steps): a run that goes on from
/// there writes them anew.
void remove_later(const std::filesystem::path& directory, std::int64_t last_frame, std::int64_t last_checkpoint);

/// Creates the folder. Throws model::Error (environment).
void make_folder(const std::filesystem::path& directory);

/// Keeps other runs out of a folder while it lives, without a file of its own; ends with the process in any case. On
/// file systems without locks it does nothing.
class FolderLock {
public:
    /// Throws model::Error (usage) when another run holds the folder.
    explicit FolderLock(const std::filesystem::path& directory);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int descriptor_;
};

}  // namespace scree::simulation
