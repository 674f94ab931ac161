// SPDX-License-Identifier: BSD-3-Clause
// scree check SCENE: what a run would be.
#include "apps/scree/command.hpp"
#include "apps/scree/run_report.hpp"
#include "apps/scree/say.hpp"
#include "apps/scree/scene_options.hpp"
#include "apps/scree/scene_warnings.hpp"
#include "engine/model/error.hpp"
#include "engine/simulation/run.hpp"

#include <fmt/format.h>

#include <memory>

namespace scree::app {
namespace {

struct CheckArguments {
    std::string scene;
    SceneOptions options;
    Voice voice;
};

int execute(const CheckArguments& arguments) {
    model::Scene scene = arguments.options.load(arguments.scene);
    std::vector<std::string> warnings;
    try {
        static_cast<void>(simulation::choose_backend(scene.settings));
    } catch (const model::Error& error) {
        // A scene may be checked on another machine than it will run on.
        warnings.push_back("a run on this machine would fail: " + std::string(error.what()));
        scene.settings.backend = model::Backend::cpu;
    }
    simulation::Simulation simulation(std::move(scene));
    RunPlan plan{0, simulation::end_step(simulation, {}), std::move(warnings)};
    for (std::string& warning : scene_warnings(simulation)) plan.warnings.push_back(std::move(warning));
    if (arguments.voice.json) {
        say("{}\n", plan_json(simulation, plan).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
        return 0;
    }
    print_plan(simulation, plan);
    say("the scene is valid{}\n", plan.warnings.empty() ? ""
                                                        : fmt::format(", with {} warning{}", plan.warnings.size(),
                                                                      plan.warnings.size() == 1 ? "" : "s"));
    return 0;
}

}  // namespace

Command add_check(CLI::App& launcher) {
    auto arguments = std::make_shared<CheckArguments>();
    CLI::App* parser = launcher.add_subcommand("check", "Read a scene, make its bodies and say what a run would be");
    parser->add_option("scene", arguments->scene, "Scene file (YAML)")->required()->type_name("SCENE");
    arguments->options.add_set(*parser);
    arguments->options.add_machine(*parser);
    arguments->options.add_precision(*parser);
    parser->add_flag("--json", arguments->voice.json, "The answer as JSON");
    return {parser, [arguments] { return execute(*arguments); }};
}

}  // namespace scree::app
