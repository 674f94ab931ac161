// SPDX-License-Identifier: BSD-3-Clause
// scree export FROM -o FILE: the bodies of a scene or of a run for other codes.
#include "apps/scree/command.hpp"
#include "apps/scree/say.hpp"
#include "apps/scree/scene_options.hpp"
#include "engine/io/body_export.hpp"
#include "engine/io/checkpoint_seal.hpp"
#include "engine/model/error.hpp"
#include "engine/simulation/run_checkpoint.hpp"
#include "engine/simulation/simulation.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace scree::app {
namespace {

namespace fs = std::filesystem;

struct ExportArguments {
    std::string from, output, format;
    SceneOptions options;
    bool force = false, json = false;
};

/// What runs leave is a folder or a checkpoint, by its content or, where that is broken, by its name; all else is for
/// the reader of scenes to judge.
bool is_scene(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored) || path.extension() == ".h5") return false;
    return !io::looks_sealed(path);
}

/// What the bodies come from: the scene, the files of particles and meshes that it names, and the checkpoint, if any.
std::vector<fs::path> files_read(const model::Scene& scene, const fs::path& from) {
    const fs::path folder = fs::path(scene.path).parent_path();
    std::vector<fs::path> files{from, scene.path};
    for (const model::Source& source : scene.sources)
        if (const auto* particles = std::get_if<model::FileSource>(&source.what))
            files.push_back(folder / particles->path);
    for (const model::Boundary& boundary : scene.boundaries)
        if (const auto* mesh = std::get_if<model::MeshShape>(&boundary.shape)) files.push_back(folder / mesh->path);
    return files;
}

void keep_files_read(const model::Scene& scene, const fs::path& from, const fs::path& output) {
    std::error_code ignored;
    for (const fs::path& file : files_read(scene, from))
        if (!file.empty() && fs::equivalent(file, output, ignored))
            throw model::Error(model::ErrorKind::usage, "-o " + output.string() + " is a file that the export reads",
                               "choose another name with -o");
}

/// On the CPU, whatever the run used: nothing is computed. `warnings` gets what was passed over.
simulation::Simulation state_of(const ExportArguments& arguments, std::vector<std::string>& warnings) {
    if (is_scene(arguments.from)) {
        model::Scene scene = arguments.options.load(arguments.from);
        keep_files_read(scene, arguments.from, arguments.output);
        scene.settings.backend = model::Backend::cpu;
        return simulation::Simulation(std::move(scene));
    }
    if (!arguments.options.set.empty())
        throw model::Error(model::ErrorKind::usage, "--set changes scenes, and " + arguments.from + " is none");
    simulation::RestartPoint point = simulation::load_restart_point(arguments.from);
    keep_files_read(point.scene, point.file, arguments.output);
    warnings = std::move(point.notes);
    point.scene.settings.backend = model::Backend::cpu;
    simulation::Simulation simulation(std::move(point.scene));
    simulation.restore(point.checkpoint);
    return simulation;
}

int execute(const ExportArguments& arguments) {
    const io::BodyFormat& format = io::body_format(arguments.format, arguments.output);
    std::error_code ignored;
    if (fs::is_directory(arguments.output, ignored))
        throw model::Error(model::ErrorKind::usage, "-o " + arguments.output + " is a folder", "name a file in it");
    if (fs::exists(fs::symlink_status(arguments.output, ignored)) && !arguments.force)
        throw model::Error(model::ErrorKind::usage, "the file " + arguments.output + " exists",
                           "choose another name with -o, or replace the file with --force");
    std::vector<std::string> warnings;
    simulation::Simulation simulation = state_of(arguments, warnings);
    const model::Snapshot bodies = simulation.snapshot(false);
    io::write_bodies(arguments.output, format, simulation.scene(), bodies);
    if (arguments.json) {
        const nlohmann::ordered_json out{{"file", arguments.output},   {"format", format.name},
                                         {"bodies", bodies.id.size()}, {"step", bodies.step},
                                         {"time", bodies.time},        {"warnings", warnings}};
        say("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    } else {
        for (const std::string& warning : warnings) say("warning: {}\n", warning);
        say("{}: {} bodies at step {}, t = {:g} s ({})\n", arguments.output, bodies.id.size(), bodies.step, bodies.time,
            format.name);
    }
    return 0;
}

}  // namespace

Command add_export(CLI::App& launcher) {
    auto arguments = std::make_shared<ExportArguments>();
    CLI::App* parser = launcher.add_subcommand("export", "Write the bodies of a scene or a run for other codes");
    parser->add_option("from", arguments->from, "A scene, the folder of a run, or a checkpoint")
        ->required()
        ->type_name("SCENE|DIR|CHECKPOINT");
    parser->add_option("-o,--output", arguments->output, "The file to write")->required()->type_name("FILE");
    parser->add_option("--format", arguments->format,
                       "lammps, csv or records (default: by the extension .lammps, .csv or .bin)");
    arguments->options.add_set(*parser);
    parser->add_flag("--force", arguments->force, "Replace a file that exists");
    parser->add_flag("--json", arguments->json, "The answer as JSON");
    return {parser, [arguments] { return execute(*arguments); }};
}

}  // namespace scree::app
