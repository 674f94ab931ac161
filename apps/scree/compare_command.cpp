// SPDX-License-Identifier: BSD-3-Clause
// scree compare A B: two runs. scree compare SCENE --backends cpu,cuda: one scene, stepped side by side.
#include "apps/scree/command.hpp"
#include "apps/scree/compare_report.hpp"
#include "apps/scree/say.hpp"
#include "apps/scree/scene_options.hpp"
#include "engine/io/checkpoint.hpp"
#include "engine/model/error.hpp"
#include "engine/simulation/output_folder.hpp"
#include "engine/simulation/run_checkpoint.hpp"
#include "engine/simulation/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace scree::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int exit_different = 1;
// Two backends round differently. Within one step that is far below the solver's tolerance; a bed in motion amplifies
// it.
constexpr double backends_tolerance = 1e-3;

struct CompareArguments {
    std::vector<std::string> what, backends;
    std::optional<double> tolerance;
    bool relative = false;
    std::int64_t steps = 10;
    std::optional<std::size_t> threads_a, threads_b;
    SceneOptions options;
    Voice voice;
};

model::Error usage(std::string what, std::string hint = "see scree compare --help") {
    return {model::ErrorKind::usage, std::move(what), std::move(hint)};
}

/// Checkpoints by step: all of a folder, or the one named.
std::map<std::int64_t, fs::path> checkpoints_of(const fs::path& path) {
    std::map<std::int64_t, fs::path> found;
    if (!fs::exists(path))
        throw model::Error(model::ErrorKind::input, "there is no such folder or checkpoint", "", path.string());
    if (!fs::is_directory(path)) {
        const auto checkpoint = io::read_checkpoint(path);
        found[std::int64_t(simulation::bodies_of(checkpoint, path).step)] = path;
        return found;
    }
    for (const auto& file : fs::directory_iterator(path))
        if (const auto step = simulation::step_in_name(file.path().filename().string(), "checkpoint", ".h5"))
            found[*step] = file.path();
    if (found.empty())
        throw model::Error(model::ErrorKind::input, "there is no checkpoint in this folder", "name the folder of a run",
                           path.string());
    return found;
}

int answer(const CompareReport& report, const Json& about, Voice voice) {
    if (voice.json) {
        Json all = about;
        all.update(report.json());
        say("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
    } else if (!voice.quiet) {
        report.print();
    }
    return report.equal() ? 0 : exit_different;
}

int compare_runs(const CompareArguments& arguments) {
    const auto a = checkpoints_of(arguments.what[0]), b = checkpoints_of(arguments.what[1]);
    std::vector<std::pair<fs::path, fs::path>> pairs;
    for (const auto& [step, file] : a)
        if (const auto other = b.find(step); other != b.end()) pairs.emplace_back(file, other->second);
    if (pairs.empty())
        throw model::Error(model::ErrorKind::input,
                           fmt::format("{} and {} have no checkpoint of the same step ({} and {} are their last)",
                                       arguments.what[0], arguments.what[1], a.rbegin()->first, b.rbegin()->first),
                           "give both runs one output.checkpoint_interval, and output.checkpoints_kept=0 to keep all");
    std::optional<CompareReport> report;
    for (const auto& [file_a, file_b] : pairs) {
        const auto checkpoint = io::read_checkpoint(file_a);
        const auto state_a = simulation::bodies_of(checkpoint, file_a);
        const auto state_b = simulation::bodies_of(io::read_checkpoint(file_b), file_b);
        if (!report)
            report.emplace(arguments.tolerance.value_or(0.0),
                           arguments.relative
                               ? relative_units(state_a, simulation::scene_of(checkpoint, file_a).settings.time.step)
                               : CompareUnits{});
        report->add(state_a, state_b);
    }
    return answer(*report, Json{{"a", arguments.what[0]}, {"b", arguments.what[1]}}, arguments.voice);
}

int compare_backends(const CompareArguments& arguments) {
    if (arguments.backends.size() != 2) throw usage("--backends takes two names, as in cpu,cuda");
    model::Scene scene_a = arguments.options.load(arguments.what[0]);
    // One iteration on both, where `auto` would take the best of each.
    model::SolverKind& solver = scene_a.settings.solver.kind;
    const bool two = arguments.backends[0] != arguments.backends[1];
    if (solver == model::SolverKind::automatic && two) solver = model::SolverKind::conjugate;
    model::Scene scene_b = scene_a;
    scene_a.settings.backend = backend_named(arguments.backends[0]);
    scene_b.settings.backend = backend_named(arguments.backends[1]);
    if (arguments.threads_a) scene_a.settings.threads = *arguments.threads_a;
    if (arguments.threads_b) scene_b.settings.threads = *arguments.threads_b;
    const double h = scene_a.settings.time.step;
    simulation::Simulation a(std::move(scene_a)), b(std::move(scene_b));

    // The same backend twice must give the same bits.
    const bool same = a.backend().backend == b.backend().backend;
    const bool relative = arguments.relative || (!same && !arguments.tolerance);
    CompareReport report(arguments.tolerance.value_or(same ? 0.0 : backends_tolerance),
                         relative ? relative_units(a.snapshot(false), h) : CompareUnits{});
    const auto about = [](const simulation::Simulation& s) {
        return Json{{"backend", simulation::name_of(s.backend().backend)},
                    {"device", s.backend().device},
                    {"solver", simulation::solver_name(s)},
                    {"threads", s.threads()}};
    };
    const Json head{{"scene", arguments.what[0]}, {"a", about(a)}, {"b", about(b)}};
    if (arguments.voice.text())
        for (const char* side : {"a", "b"})
            say("{}           {} ({}, {} threads), {}\n", side, head[side]["backend"].get<std::string>(),
                head[side]["device"].get<std::string>(), head[side]["threads"].get<std::size_t>(),
                head[side]["solver"].get<std::string>());
    report.add(a.snapshot(false), b.snapshot(false));
    for (std::int64_t step = 0; step < arguments.steps; ++step) {
        a.step();
        b.step();
        report.add(a.snapshot(false), b.snapshot(false));
    }
    return answer(report, head, arguments.voice);
}

int execute(const CompareArguments& arguments) {
    if (arguments.tolerance && !(*arguments.tolerance >= 0.0 && std::isfinite(*arguments.tolerance)))
        throw usage("--tolerance must be a number >= 0");
    if (!arguments.backends.empty()) {
        if (arguments.what.size() != 1) throw usage("--backends takes one scene");
        return compare_backends(arguments);
    }
    if (arguments.what.size() != 2)
        throw usage("two runs are needed", "scree compare A B, or scree compare SCENE --backends cpu,cuda");
    return compare_runs(arguments);
}

}  // namespace

Command add_compare(CLI::App& launcher) {
    auto arguments = std::make_shared<CompareArguments>();
    CLI::App* parser =
        launcher.add_subcommand("compare", "Compare two runs, or two backends on one scene, body by body");
    parser->add_option("what", arguments->what, "Two folders or checkpoints, or one scene")
        ->required()
        ->expected(1, 2)
        ->type_name("A B | SCENE");
    parser->add_option("--backends", arguments->backends, "Step the scene on these two, side by side")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
        ->type_name("X,Y");
    parser->add_option("--steps", arguments->steps, "Steps to compare (with --backends)")
        ->capture_default_str()
        ->check(CLI::Range(std::int64_t(1), std::int64_t(1) << 53));
    parser->add_option("--tolerance", arguments->tolerance,
                       "Allowed difference (default: 0; 1e-3 --relative for two different backends)");
    parser->add_flag("--relative", arguments->relative,
                     "The tolerance is in diameters, diameters a step, radians, radians a step");
    parser->add_option("--threads-a", arguments->threads_a, "CPU threads of the first side");
    parser->add_option("--threads-b", arguments->threads_b, "CPU threads of the second side");
    arguments->options.add_set(*parser);
    arguments->options.add_precision(*parser);
    parser->add_flag("--json", arguments->voice.json, "The answer as JSON");
    parser->add_flag("--quiet", arguments->voice.quiet, "Only the exit code");
    return {parser, [arguments] { return execute(*arguments); }};
}

}  // namespace scree::app
