// SPDX-License-Identifier: BSD-3-Clause
// scree bench: how fast this build is on this machine, beside what its memory allows.
#include "apps/scree/bench_measure.hpp"
#include "apps/scree/bench_scene.hpp"
#include "apps/scree/command.hpp"
#include "apps/scree/say.hpp"
#include "apps/scree/scene_options.hpp"
#include "engine/model/error.hpp"

#include <fmt/format.h>

#include <memory>

namespace scree::app {
namespace {

using Json = nlohmann::ordered_json;

// Impulses never get this good: every solve makes all its iterations.
constexpr double no_tolerance = 1e-12;

struct BenchArguments {
    std::string what = "all";
    std::optional<std::string> scene, problem;
    std::optional<std::size_t> spheres;
    int iterations = 50;
    std::optional<std::int64_t> steps;
    double seconds = 2.0;
    SceneOptions options;
    Voice voice;
};

void print(const Json& row) {
    const auto number = [&](const char* key) { return row.contains(key) ? row[key].get<double>() : 0.0; };
    say("{:<12} {} bodies, {} contacts: {:.4g} s", row["name"].get<std::string>(), row["n"].get<std::uint64_t>(),
        row["contacts"].get<std::uint64_t>(), number("seconds"));
    if (row.contains("body_steps_per_second"))
        say(", {:.4g} M body-steps/s, {:.0f} bytes per body", 1e-6 * number("body_steps_per_second"),
            number("bytes_per_body"));
    if (row.contains("iterations"))
        say(", {:.4g} iterations, {:.4g} M contact-iterations/s, residual {:.2g}", number("iterations"),
            1e-6 * number("contact_iterations_per_second"), number("residual"));
    else if (row.contains("contact_iterations_per_second"))
        say(" an iteration, {:.4g} M contact-iterations/s", 1e-6 * number("contact_iterations_per_second"));
    if (row.contains("fraction_of_copy"))
        say("; {:.3g} GB/s, {:.0f} % of the measured copy bandwidth of {:.3g} GB/s", 1e-9 * number("bytes_per_second"),
            100.0 * number("fraction_of_copy"), 1e-9 * number("copy_bytes_per_second"));
    if (row.contains("bodies_per_second"))
        say(", {:.4g} M bodies/s; contact set {:.4g} s", 1e-6 * number("bodies_per_second"),
            number("contact_set_seconds"));
    say("\n");
    if (row.contains("from_zero"))
        for (const Json& o : row["from_zero"])
            say("  to {:<7.0e} {:>6} products {:>10.6f} s{}\n", o["tolerance"].get<double>(),
                o["operator_products"].get<int>(), o["seconds"].get<double>(),
                o["converged"].get<bool>() ? "" : fmt::format(" (not reached: {:.2g})", o["residual"].get<double>()));
    if (row.contains("phases"))
        for (const auto& [name, seconds] : row["phases"].items())
            say("  {:<16} {:>10.6f} s {:>5.1f} %\n", name, seconds.get<double>(),
                100.0 * seconds.get<double>() / number("seconds"));
}

Json measure(const BenchArguments& arguments) {
    BenchPlan plan;
    const auto wants = [&](const char* name) { return arguments.what == "all" || arguments.what == name; };
    plan.step = wants("step");
    plan.solver = wants("solver");
    plan.broadphase = wants("broadphase");
    plan.passes = wants("passes");
    // Of beds made for their size it would be minutes.
    plan.trials = arguments.what == "solver" && (arguments.scene || arguments.problem);
    plan.seconds = arguments.steps ? 0.0 : arguments.seconds;
    if (arguments.steps) plan.least_steps = *arguments.steps;

    if (int(arguments.scene.has_value()) + int(arguments.problem.has_value()) + int(arguments.spheres.has_value()) > 1)
        throw model::Error(model::ErrorKind::usage, "--scene, --problem and --spheres exclude each other",
                           "see scree bench --help");
    if (!(arguments.seconds >= 0.0 && arguments.seconds <= 1e9))
        throw model::Error(model::ErrorKind::usage, fmt::format("--seconds = {:g} is out of range", arguments.seconds),
                           "a time from 0 to 1e9 s is wanted");
    if (!arguments.scene && !arguments.options.set.empty())
        throw model::Error(model::ErrorKind::usage, "--set changes a scene and needs one",
                           "scree bench " + arguments.what + " --scene S --set KEY=VALUE");
    if (arguments.problem) {
        if (plan.step || plan.broadphase || plan.passes)
            throw model::Error(model::ErrorKind::usage, "--problem measures the solver only",
                               "scree bench solver --problem P");
        if (arguments.options.backend.value_or("cpu") == "cuda" ||
            arguments.options.precision.value_or("mixed") == "double")
            throw model::Error(model::ErrorKind::usage, "--problem runs on the CPU in mixed precision",
                               "measure cuda or double precision with --scene or --spheres");
        return measure_problem(*arguments.problem, arguments.options.threads.value_or(0),
                               arguments.iterations > 0 ? arguments.iterations : 50, plan);
    }
    model::Scene scene;
    if (arguments.scene) {
        scene = arguments.options.load(*arguments.scene);
    } else {
        scene = bench_bed(arguments.spheres.value_or(100000));
        arguments.options.apply(scene);
    }
    if (arguments.iterations > 0) {
        scene.settings.solver.tolerance = no_tolerance;
        scene.settings.solver.max_iterations = std::size_t(arguments.iterations);
        // Rates of iterations, and the bytes that they move, are those of one solver on every backend.
        model::SolverKind& solver = scene.settings.solver.kind;
        if (solver == model::SolverKind::automatic) solver = model::SolverKind::conjugate;
    }
    simulation::Simulation simulation(std::move(scene));
    return measure_steps(simulation, plan);
}

int execute(const BenchArguments& arguments) {
    const Json rows = measure(arguments);
    if (arguments.voice.json) {
        say("{}\n", rows.dump(2, ' ', false, Json::error_handler_t::replace));
        return 0;
    }
    const Json& first = rows.front();
    say("{} ({}), {} threads, {} precision, {} build\n", first["backend"].get<std::string>(),
        first["device"].get<std::string>(), first["threads"].get<std::size_t>(), first["precision"].get<std::string>(),
        first["build"].get<std::string>());
    for (const Json& row : rows) print(row);
    return 0;
}

}  // namespace

Command add_bench(CLI::App& launcher) {
    auto arguments = std::make_shared<BenchArguments>();
    CLI::App* parser =
        launcher.add_subcommand("bench", "Time the step, the cone solver and its passes, the broad phase");
    parser->add_option("what", arguments->what, "What to time")
        ->check(CLI::IsMember({"step", "solver", "broadphase", "passes", "all"}))
        ->capture_default_str();
    parser->add_option("--scene", arguments->scene, "Steps of this scene from its start");
    parser->add_option("--problem", arguments->problem, "Cold solves of a cone problem (problem_N.json)");
    parser->add_option("--spheres", arguments->spheres, "Steps of a close-packed bed of N spheres (default: 100000)")
        ->check(CLI::Range(std::size_t(1), std::size_t(2000000000)));
    parser->add_option("--iterations", arguments->iterations, "Solver iterations per step; 0: as the tolerance asks")
        ->check(CLI::Range(0, 1000000000))
        ->capture_default_str();
    parser->add_option("--steps", arguments->steps, "Steps to measure (default: for --seconds)")
        ->check(CLI::Range(std::int64_t(1), std::int64_t(1000000000)));
    parser->add_option("--seconds", arguments->seconds, "Measure at least this long [s]")->capture_default_str();
    arguments->options.add_set(*parser);
    arguments->options.add_machine(*parser);
    arguments->options.add_precision(*parser);
    parser->add_flag("--json", arguments->voice.json, "The rows as a JSON list");
    return {parser, [arguments] { return execute(*arguments); }};
}

}  // namespace scree::app
