// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/load.hpp"

#include "engine/model/error.hpp"
#include "engine/scene/check.hpp"
#include "engine/scene/nearest.hpp"
#include "engine/scene/overrides.hpp"
#include "engine/scene/tables.hpp"

#include <fstream>
#include <system_error>

namespace scree::scene {
namespace {

constexpr std::size_t largest_file = DocumentLimits{}.bytes;

std::string read_file(const std::filesystem::path& file) {
    const auto fail = [&](const std::string& what, const std::string& hint) {
        throw model::Error(model::ErrorKind::input, what, hint, file.generic_string());
    };
    std::error_code ignored;
    const auto status = std::filesystem::status(file, ignored);
    if (!std::filesystem::exists(status)) fail("there is no such scene file", "check the path");
    if (std::filesystem::is_directory(status)) {
        // Folders of runs hold a copy of their scene.
        const auto copy = file / "scene.yaml";
        fail("this is a folder, not a scene file", std::filesystem::is_regular_file(copy, ignored)
                                                       ? "name the file in it: " + copy.generic_string()
                                                       : "name a .yaml file");
    }
    std::ifstream in(file, std::ios::binary);
    if (!in) fail("the scene file cannot be opened", "check its permissions");
    std::string text, block(std::size_t{1} << 16, '\0');
    while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
        text.append(block.data(), static_cast<std::size_t>(in.gcount()));
        if (text.size() > largest_file) break;  // parse_document says so
    }
    if (in.bad()) fail("the scene file cannot be read", {});
    return text;
}

void check_particle_files(const Reader& root, const model::Scene& scene) {
    if (scene.sources.empty()) return;
    const auto items = root.find("bodies")->objects("body source");
    for (std::size_t i = 0; i < scene.sources.size(); ++i) {
        const auto* source = std::get_if<model::FileSource>(&scene.sources[i].what);
        if (source == nullptr) continue;
        const auto file = root.context().directory / source->path;
        std::error_code ignored;
        if (std::filesystem::is_regular_file(file, ignored)) continue;
        items[i].find("file")->find("path")->fail(
            "= " + in_quotes(source->path) + ": there is no such file",
            "looked for " + in_quotes(file.generic_string()) + "; relative paths start at the scene file");
    }
}

model::Scene read_scene(std::string_view text, const std::filesystem::path& name,
                        std::span<const std::string> overrides, bool look_for_particles) {
    Context context;
    context.file = name.generic_string();
    context.directory = name.parent_path();
    context.overrides.assign(overrides.begin(), overrides.end());
    Node root = parse_document(text, context.file);
    if (root.kind == Node::Kind::null)
        context.fail({1, 1, 0}, "the scene is empty", "a scene needs at least 'materials'");
    if (!root.is_map()) context.fail(root.at, "a scene is a map with keys such as 'materials' and 'bodies'");
    apply_overrides(root, context);

    const Reader reader(root, context, {}, {});
    model::Scene scene;
    scene.path = context.file;
    scene.overrides = context.overrides;
    scene.name = name.stem().generic_string();
    read_object(reader, scene_table(), scene);
    check_scene(reader, scene);
    if (look_for_particles) check_particle_files(reader, scene);
    return scene;
}

}  // namespace

model::Scene load_scene(const std::filesystem::path& file, std::span<const std::string> overrides) {
    return read_scene(read_file(file), file, overrides, true);
}

model::Scene parse_scene(std::string_view text, const std::filesystem::path& name,
                         std::span<const std::string> overrides) {
    return read_scene(text, name, overrides, false);
}

}  // namespace scree::scene
