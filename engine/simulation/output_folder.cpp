// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/output_folder.hpp"

#include "engine/measure/probe.hpp"
#include "engine/model/error.hpp"
#include "engine/simulation/scene_copy.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace scree::simulation {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 7> single_files{"summary.json", "series.csv", "joints.csv",  "particles.pvd",
                                                  "surfaces.pvd", "walls.pvd",  "contacts.pvd"};
struct Numbered {
    const char* stem;
    const char* extension;
    bool frame;
};
constexpr std::array<Numbered, 8> numbered_files{{{"particles", ".vtp", true},
                                                  {"surfaces", ".vtp", true},
                                                  {"walls", ".vtp", true},
                                                  {"contacts", ".vtp", true},
                                                  {"checkpoint", ".h5", false},
                                                  {"problem", ".json", false},
                                                  {"problem", ".dat", false},
                                                  {"problem", ".hdf5", false}}};

std::vector<std::string> names_in(const fs::path& directory) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator file(directory, error), end; !error && file != end; file.increment(error))
        names.push_back(file->path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

bool belongs_to_a_run(const std::string& name) {
    if (std::find(single_files.begin(), single_files.end(), name) != single_files.end()) return true;
    return std::any_of(numbered_files.begin(), numbered_files.end(),
                       [&](const Numbered& n) { return step_in_name(name, n.stem, n.extension).has_value(); });
}

/// The table of a probe by its name and header; other files may be called so, too.
bool is_table(const fs::path& file) {
    const std::string name = file.filename().string();
    if (!name.starts_with(measure::table_stem) || !name.ends_with(".csv")) return false;
    std::ifstream in(file, std::ios::binary);
    const std::string header = "time,x,y,z,count,fraction,";
    std::string found(header.size(), '\0');
    return in.read(found.data(), std::streamsize(found.size())) && found == header;
}

/// "summary.json.1234.tmp": left by a killed run.
bool is_unfinished(const std::string& name) {
    if (!name.ends_with(".tmp")) return false;
    const auto dot = name.rfind('.', name.size() - 5);
    const std::string whole = name.substr(0, dot);
    return dot != std::string::npos && (belongs_to_a_run(whole) || whole == "scene.yaml");
}

}  // namespace

std::optional<std::int64_t> step_in_name(const std::string& name, const std::string& stem,
                                         const std::string& extension) {
    const std::string prefix = stem + "_";
    if (!name.starts_with(prefix) || !name.ends_with(extension) || name.size() <= prefix.size() + extension.size())
        return std::nullopt;
    const std::string_view digits =
        std::string_view(name).substr(prefix.size(), name.size() - prefix.size() - extension.size());
    std::int64_t step = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), step);
    if (end.ec != std::errc{} || end.ptr != digits.data() + digits.size() || step < 0) return std::nullopt;
    return step;
}

std::optional<std::string> trace_of_a_run(const fs::path& directory) {
    for (const std::string& name : names_in(directory))
        if (belongs_to_a_run(name)) return name;
    return std::nullopt;
}

void remove_run(const fs::path& directory) {
    std::error_code ignored;
    for (const std::string& name : names_in(directory))
        if (belongs_to_a_run(name) || is_unfinished(name) || is_table(directory / name) ||
            (name == "scene.yaml" && is_scene_copy(directory / name)))
            fs::remove(directory / name, ignored);
}

void remove_later(const fs::path& directory, std::int64_t last_frame, std::int64_t last_checkpoint) {
    std::error_code ignored;
    for (const std::string& name : names_in(directory)) {
        if (is_unfinished(name)) fs::remove(directory / name, ignored);
        for (const Numbered& kind : numbered_files) {
            const auto step = step_in_name(name, kind.stem, kind.extension);
            if (step && *step > (kind.frame ? last_frame : last_checkpoint)) fs::remove(directory / name, ignored);
        }
    }
}

void make_folder(const fs::path& directory) {
    std::error_code error;
    fs::create_directories(directory, error);
    if (!error && !fs::is_directory(directory, error)) error = std::make_error_code(std::errc::not_a_directory);
    if (error)
        throw model::Error(model::ErrorKind::environment,
                           "cannot make the output folder " + directory.string() + ": " + error.message(),
                           "choose another one with -o");
}

FolderLock::FolderLock(const fs::path& directory)
    : descriptor_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    ::close(descriptor_);
    throw model::Error(model::ErrorKind::usage, "another run is writing to the folder " + directory.string(),
                       "choose another folder with -o, or end that run first");
}

FolderLock::~FolderLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace scree::simulation
