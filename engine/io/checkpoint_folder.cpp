// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/checkpoint_folder.hpp"

#include "engine/io/checkpoint.hpp"
#include "engine/io/checkpoint_seal.hpp"
#include "engine/model/error.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

namespace scree::io {
namespace {

constexpr std::string_view prefix = "checkpoint_", suffix = ".h5", unfinished = ".tmp";

struct Entry {
    std::size_t step;
    std::filesystem::path path;
};

/// The step in the name of a checkpoint; nothing for other files.
std::optional<std::size_t> step_of(std::string_view name) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
    if (name.size() <= prefix.size() + suffix.size()) return std::nullopt;
    name = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    std::size_t step = 0;
    const auto end = std::from_chars(name.data(), name.data() + name.size(), step);
    if (end.ec != std::errc{} || end.ptr != name.data() + name.size()) return std::nullopt;
    return step;
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& directory) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (std::filesystem::directory_iterator file(directory, error), end; !error && file != end;
         file.increment(error)) {
        files.push_back(file->path());
    }
    return files;
}

/// All checkpoints of a directory, the newest first.
std::vector<Entry> checkpoints_in(const std::filesystem::path& directory) {
    std::vector<Entry> entries;
    for (const auto& file : files_in(directory)) {
        if (const auto step = step_of(file.filename().string())) entries.push_back({*step, file});
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.step != b.step ? a.step > b.step : a.path < b.path; });
    return entries;
}

}  // namespace

std::filesystem::path checkpoint_path(const std::filesystem::path& directory, std::size_t step) {
    std::string digits = std::to_string(step);
    if (digits.size() < 8) digits.insert(0, 8 - digits.size(), '0');
    return directory / (std::string(prefix) + digits + std::string(suffix));
}

std::optional<std::filesystem::path> latest_checkpoint(const std::filesystem::path& directory,
                                                       std::vector<std::string>* notes) {
    for (const Entry& entry : checkpoints_in(directory)) {
        try {
            verify_checkpoint(entry.path);
            return entry.path;
        } catch (const model::Error& error) {
            if (notes != nullptr) notes->push_back("skipped: " + error.message());
        }
    }
    return std::nullopt;
}

void prune(const std::filesystem::path& directory, std::size_t keep) {
    std::error_code ignored;
    for (const auto& file : files_in(directory)) {
        const std::string name = file.filename().string();
        if (name.starts_with(prefix) && name.ends_with(unfinished)) std::filesystem::remove(file, ignored);
    }
    if (keep == 0) return;
    std::size_t complete = 0;
    for (const Entry& entry : checkpoints_in(directory)) {
        // A broken one never takes the place of a complete one.
        if (complete >= keep) {
            std::filesystem::remove(entry.path, ignored);
        } else if (looks_sealed(entry.path)) {
            ++complete;
        }
    }
}

}  // namespace scree::io
