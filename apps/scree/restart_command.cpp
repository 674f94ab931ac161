// SPDX-License-Identifier: BSD-3-Clause
// scree restart DIR|CHECKPOINT
#include "apps/scree/command.hpp"
#include "apps/scree/run_session.hpp"
#include "apps/scree/scene_options.hpp"
#include "engine/model/error.hpp"
#include "engine/simulation/output_folder.hpp"

#include <fmt/format.h>

#include <memory>

namespace scree::app {
namespace {

struct RestartArguments {
    std::string from;
    std::optional<std::string> directory, until;
    std::optional<std::int64_t> steps;
    SceneOptions options;
    bool force = false;
    Voice voice;
};

bool same_folder(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code ignored;
    return std::filesystem::equivalent(a, b, ignored);
}

int execute(const RestartArguments& arguments, Started started) {
    simulation::RestartPoint point = simulation::load_restart_point(arguments.from, arguments.options.set);
    simulation::RunOptions options;
    options.started = started;
    options.directory = arguments.directory.value_or(point.directory.string());
    options.steps = arguments.steps;
    if (arguments.until) options.until = time_argument("--until", *arguments.until);

    const bool elsewhere = !same_folder(options.directory, point.directory);
    if (!elsewhere && !arguments.options.set.empty())
        throw model::Error(model::ErrorKind::usage, "a run with other values needs a folder of its own",
                           "name one with -o", "--set");
    const auto trace = elsewhere ? simulation::trace_of_a_run(options.directory) : std::nullopt;
    if (trace && !arguments.force)
        throw model::Error(model::ErrorKind::usage,
                           "the folder " + options.directory.string() + " holds another run (" + *trace + ")",
                           "choose another folder with -o, or replace that run with --force");
    arguments.options.apply(point.scene);
    simulation::Simulation simulation(point.scene);
    simulation.restore(point.checkpoint);
    if (point.other_laws) simulation.wake();
    if (simulation::end_step(simulation, options) <= simulation.step_index())
        throw model::Error(model::ErrorKind::usage,
                           fmt::format("the run is already at t = {:g} s, its end", simulation.time()),
                           "go on with --until T or --steps N", point.file.string());
    options.replace = trace.has_value();
    return run_session(simulation, std::move(options), arguments.voice, &point);
}

}  // namespace

Command add_restart(CLI::App& launcher, Started started) {
    auto arguments = std::make_shared<RestartArguments>();
    CLI::App* parser = launcher.add_subcommand("restart", "Continue a run from a checkpoint");
    parser->add_option("from", arguments->from, "Folder of a run, or a checkpoint")
        ->required()
        ->type_name("DIR|CHECKPOINT");
    parser->add_option("-o,--output", arguments->directory, "Folder for the output (default: that of the checkpoint)");
    parser->add_option("--until", arguments->until,
                       "End at this simulated time instead of time.end (\"0.5\", \"50 ms\")");
    parser->add_option("--steps", arguments->steps, "End after this many more steps")
        ->check(CLI::Range(std::int64_t(1), std::int64_t(1) << 53));
    arguments->options.add_set(*parser);
    arguments->options.add_machine(*parser);
    parser->add_flag("--force", arguments->force, "Replace another run in the output folder");
    parser->add_flag("--json", arguments->voice.json, "One JSON object a line on standard output");
    parser->add_flag("--quiet", arguments->voice.quiet, "Nothing but errors");
    return {parser, [arguments, started] { return execute(*arguments, started); }};
}

}  // namespace scree::app
