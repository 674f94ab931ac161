// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/run_checkpoint.hpp"

#include "engine/io/checkpoint_folder.hpp"
#include "engine/model/error.hpp"
#include "engine/scene/load.hpp"
#include "engine/scene/write.hpp"
#include "scree_version.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <utility>

namespace scree::simulation {
namespace {

namespace fs = std::filesystem;

const std::string& text_of(const io::Checkpoint& checkpoint, const char* name, const fs::path& file) {
    const auto found = checkpoint.texts.find(name);
    if (found == checkpoint.texts.end())
        throw model::Error(model::ErrorKind::input, std::string("holds no text '") + name + "'",
                           "it is not the checkpoint of a run, or of another version", file.string());
    return found->second;
}

template <class T>
const std::vector<T>& array_of(const io::Checkpoint& checkpoint, const char* name, std::size_t size,
                               const fs::path& file) {
    const auto found = checkpoint.arrays.find(name);
    const auto* values = found == checkpoint.arrays.end() ? nullptr : std::get_if<std::vector<T>>(&found->second);
    if (values == nullptr || (size > 0 && values->size() != size))
        throw model::Error(model::ErrorKind::input, std::string("has no array '") + name + "' of the expected size",
                           "it is not the checkpoint of a run, or of another version", file.string());
    return *values;
}

/// Whether an override is of what holds bodies at rest.
bool moves_what_rests(const std::string& override_text) {
    const std::string key = override_text.substr(0, override_text.find_first_of(".="));
    return key == "gravity" || key == "pairs" || key == "contact" || key == "solver";
}

/// Throws for an override of what the state in a checkpoint belongs to.
void refuse_what_a_run_goes_on_with(const std::string& override_text) {
    const std::string key = override_text.substr(0, override_text.find_first_of(".="));
    const auto is = [&](std::initializer_list<const char*> names) {
        return std::any_of(names.begin(), names.end(), [&](const char* name) { return key == name; });
    };
    const bool the_step = override_text.starts_with("time.step=") || override_text.starts_with("time=");
    if (!the_step && is({"time", "solver", "contact", "pairs", "output", "stop", "gravity"})) return;
    throw model::Error(
        model::ErrorKind::usage,
        "a continued run cannot change '" + override_text.substr(0, override_text.find('=')) + "'",
        "time.end, solver, contact, pairs, output, stop and gravity can be; bodies, walls, joints, probes "
        "and the step are those of the checkpoint",
        "--set");
}

}  // namespace

RunRecord::RunRecord(const model::Scene& scene) {
    std::error_code ignored;
    path_ = fs::absolute(scene.path, ignored).lexically_normal().string();
    model::Scene kept = scene;
    // The continued run may start in any folder.
    for (model::Source& source : kept.sources)
        if (auto* file = std::get_if<model::FileSource>(&source.what))
            file->path = (fs::path(path_).parent_path() / file->path).lexically_normal().string();
    scene_ = scene::to_yaml(kept);
    overrides_ = nlohmann::json(scene.overrides).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void RunRecord::add_to(io::Checkpoint& checkpoint) const {
    checkpoint.texts["scene"] = scene_;
    checkpoint.texts["scene_path"] = path_;
    checkpoint.texts["overrides"] = overrides_;
    checkpoint.texts["version"] = version;
    checkpoint.texts["commit"] = commit;
}

model::Scene scene_of(const io::Checkpoint& checkpoint, const fs::path& file, std::span<const std::string> overrides) {
    const std::string& text = text_of(checkpoint, "scene", file);
    model::Scene scene = scene::parse_scene(text, text_of(checkpoint, "scene_path", file), overrides);
    // Earlier ones are in the text already, and stand before those of the restart; checkpoints of earlier versions do
    // not list them.
    std::vector<std::string> all;
    if (const auto found = checkpoint.texts.find("overrides"); found != checkpoint.texts.end())
        for (const auto& item : nlohmann::json::parse(found->second, nullptr, false))
            if (item.is_string()) all.push_back(item.get<std::string>());
    all.insert(all.end(), scene.overrides.begin(), scene.overrides.end());
    scene.overrides = std::move(all);
    return scene;
}

RestartPoint load_restart_point(const fs::path& path, std::span<const std::string> overrides) {
    for (const std::string& one : overrides) refuse_what_a_run_goes_on_with(one);
    RestartPoint point;
    point.file = path;
    std::error_code problem;
    if (fs::is_directory(path, problem)) {
        if (fs::directory_iterator(path, problem); problem)
            throw model::Error(model::ErrorKind::environment, "cannot read this folder: " + problem.message(),
                               "it takes read permission to find a run's newest checkpoint", path.string());
        const auto latest = io::latest_checkpoint(path, &point.notes);
        if (!latest) {
            const std::string broken = point.notes.empty() ? "" : " (" + point.notes.front() + ")";
            throw model::Error(model::ErrorKind::input, "there is no valid checkpoint in this folder" + broken,
                               "name the folder of a run; output.checkpoint_interval says how often a run saves",
                               path.string());
        }
        point.file = *latest;
    } else if (!fs::exists(path, problem)) {
        throw model::Error(model::ErrorKind::input, "there is no such folder or checkpoint",
                           "name the folder of a run or a checkpoint_*.h5", path.string());
    }
    point.directory = point.file.parent_path().empty() ? fs::path(".") : point.file.parent_path();
    point.checkpoint = io::read_checkpoint(point.file);
    point.scene = scene_of(point.checkpoint, point.file, overrides);
    // How stiff contacts are by themselves depends on what is fed until the end, which may be another one now.
    if (const auto pinned = point.checkpoint.arrays.find("fed_stiffness");
        pinned != point.checkpoint.arrays.end() && point.scene.settings.contact.stiffness <= 0.0)
        point.scene.settings.contact.stiffness = std::get<std::vector<double>>(pinned->second).at(0);
    point.other_laws = std::any_of(overrides.begin(), overrides.end(), moves_what_rests);
    if (!overrides.empty()) {
        const model::Vec3 before = scene_of(point.checkpoint, point.file).gravity, now = point.scene.gravity;
        point.other_gravity = before.x != now.x || before.y != now.y || before.z != now.z;
    }
    point.step = std::int64_t(array_of<std::uint64_t>(point.checkpoint, "step", 2, point.file)[0]);
    return point;
}

model::Snapshot bodies_of(const io::Checkpoint& checkpoint, const fs::path& file) {
    const auto& id = array_of<std::int32_t>(checkpoint, "id", 0, file);
    const std::size_t n = id.size();
    // A size of 0 would pass any array, so no bodies need no check.
    const auto& position = array_of<double>(checkpoint, "position", 4 * n, file);
    const auto& orientation = array_of<double>(checkpoint, "orientation", 4 * n, file);
    const auto& velocity = array_of<double>(checkpoint, "velocity", 8 * n, file);
    const auto& inverse_mass = array_of<double>(checkpoint, "inverse_mass", 2 * n, file);
    const auto& material = array_of<std::int32_t>(checkpoint, "material", n, file);

    model::Snapshot s;
    s.step = std::size_t(array_of<std::uint64_t>(checkpoint, "step", 2, file)[0]);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return id[a] < id[b]; });
    for (const std::size_t i : order) {
        s.id.push_back(std::uint64_t(id[i]));
        s.position.push_back({position[4 * i], position[4 * i + 1], position[4 * i + 2]});
        s.radius.push_back(position[4 * i + 3]);
        s.orientation.push_back(
            {orientation[4 * i], orientation[4 * i + 1], orientation[4 * i + 2], orientation[4 * i + 3]});
        s.velocity.push_back({velocity[8 * i], velocity[8 * i + 1], velocity[8 * i + 2]});
        s.angular_velocity.push_back({velocity[8 * i + 4], velocity[8 * i + 5], velocity[8 * i + 6]});
        const double inverse = inverse_mass[2 * i];
        s.mass.push_back(inverse > 0.0 ? 1.0 / inverse : std::numeric_limits<double>::infinity());
        s.material.push_back(std::uint32_t(material[i]));
    }
    return s;
}

}  // namespace scree::simulation
