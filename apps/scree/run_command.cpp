// SPDX-License-Identifier: BSD-3-Clause
// scree run SCENE
#include "apps/scree/command.hpp"
#include "apps/scree/run_session.hpp"
#include "apps/scree/scene_options.hpp"
#include "engine/model/error.hpp"
#include "engine/simulation/output_folder.hpp"

#include <charconv>
#include <memory>

namespace scree::app {
namespace {

struct RunArguments {
    std::string scene, directory = "out";
    SceneOptions options;
    std::optional<std::string> until;
    std::optional<std::int64_t> steps;
    std::vector<std::string> dumps;
    std::string problem_format = "dat";
    bool force = false;
    Voice voice;
};

/// "step=12" or "12".
std::int64_t step_of(const std::string& text) {
    const std::string digits = text.starts_with("step=") ? text.substr(5) : text;
    std::int64_t step = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), step);
    if (digits.empty() || end.ec != std::errc{} || end.ptr != digits.data() + digits.size() || step < 1)
        throw model::Error(model::ErrorKind::usage, "--dump-problem = '" + text + "' names no step",
                           "write step=N with N from 1");
    return step;
}

void check_dumps(const std::vector<std::int64_t>& dumps, std::int64_t end) {
    for (const std::int64_t step : dumps)
        if (step > end)
            throw model::Error(model::ErrorKind::usage,
                               "--dump-problem = 'step=" + std::to_string(step) +
                                   "' is beyond the end of the run, step " + std::to_string(end),
                               "name an earlier step, or go on longer with --steps or --until");
}

/// Before the run, not when the step comes.
void check_rolling(const model::Scene& scene) {
    for (const model::MaterialPair& pair : scene.pairs)
        if (pair.rolling_resistance > 0.0 || pair.spinning_resistance > 0.0)
            throw model::Error(model::ErrorKind::usage,
                               "--dump-problem: the contacts of this scene resist rolling or spinning, and files of "
                               "friction problems have no rows for that",
                               "set rolling_resistance and spinning_resistance of all pairs to 0");
}

int execute(const RunArguments& arguments, Started started) {
    simulation::RunOptions options;
    options.started = started;
    options.directory = arguments.directory;
    if (arguments.until) options.until = time_argument("--until", *arguments.until);
    options.steps = arguments.steps;
    for (const std::string& text : arguments.dumps) options.dump_problems.push_back(step_of(text));
    options.problem_format = arguments.problem_format;

    if (const auto trace = simulation::trace_of_a_run(options.directory); trace && !arguments.force)
        throw model::Error(model::ErrorKind::usage,
                           "the folder " + arguments.directory + " holds an earlier run (" + *trace + ")",
                           "choose another folder with -o, replace the run with --force, or continue it with scree "
                           "restart " +
                               arguments.directory);
    // Not before the run begins: a scene with an error must not cost the earlier run.
    options.replace = arguments.force;
    simulation::Simulation simulation(arguments.options.load(arguments.scene));
    if (!options.dump_problems.empty()) check_rolling(simulation.scene());
    check_dumps(options.dump_problems, simulation::end_step(simulation, options));
    return run_session(simulation, std::move(options), arguments.voice);
}

}  // namespace

Command add_run(CLI::App& launcher, Started started) {
    auto arguments = std::make_shared<RunArguments>();
    CLI::App* parser = launcher.add_subcommand("run", "Run a scene");
    parser->add_option("scene", arguments->scene, "Scene file (YAML)")->required()->type_name("SCENE");
    parser->add_option("-o,--output", arguments->directory, "Folder for the output")->capture_default_str();
    arguments->options.add_set(*parser);
    arguments->options.add_machine(*parser);
    arguments->options.add_precision(*parser);
    parser->add_option("--until", arguments->until,
                       "End at this simulated time instead of time.end (\"0.5\", \"50 ms\")");
    parser->add_option("--steps", arguments->steps, "End after this many steps")
        ->check(CLI::Range(std::int64_t(1), std::int64_t(1) << 53));
    parser
        ->add_option("--dump-problem", arguments->dumps,
                     "Write the cone problem of a step as problem_N.json and problem_N.dat (repeatable)")
        ->type_name("step=N")
        ->allow_extra_args(false);
    parser
        ->add_option("--problem-format", arguments->problem_format,
                     "Beside problem_N.json: dat, hdf5 (FCLIB; for scree solve) or json, nothing")
        ->check(CLI::IsMember({"dat", "hdf5", "json"}))
        ->capture_default_str();
    parser->add_flag("--force", arguments->force, "Replace an earlier run in the folder");
    parser->add_flag("--json", arguments->voice.json, "One JSON object a line on standard output");
    parser->add_flag("--quiet", arguments->voice.quiet, "Nothing but errors");
    return {parser, [arguments, started] { return execute(*arguments, started); }};
}

}  // namespace scree::app
