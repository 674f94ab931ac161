// SPDX-License-Identifier: BSD-3-Clause
// scree analyse SCENE: which accelerations the bodies of a scene can have at its first instant.
#include "apps/scree/analysis_report.hpp"
#include "apps/scree/command.hpp"
#include "apps/scree/number_range.hpp"
#include "apps/scree/say.hpp"
#include "apps/scree/scene_options.hpp"
#include "engine/geometry/bodies.hpp"
#include "engine/model/error.hpp"
#include "engine/simulation/reference_world.hpp"
#include "engine/simulation/start_overlaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace scree::app {
namespace {

struct AnalyseArguments {
    std::string scene;
    SceneOptions options;
    double gap = -1.0, speed = 1e-6;
    std::size_t boxes = reference::AnalysisSettings{}.max_boxes;
    bool json = false;
};

/// Matrices over all bodies are dense: 300 free spheres are 1800 velocities.
constexpr std::size_t most_bodies = 300;

/// Rolling resistance bounds moments that the model of the paper does not have: answers are those without it.
/// Restitution, tangential or not, acts in impacts, of which an analysis says no more than that they come.
void note_rolling(reference::Analysis& analysis) {
    std::size_t contacts = 0;
    for (const reference::ContactReport& c : analysis.contacts)
        if (c.contact.law.friction.rolling > 0.0) ++contacts;
    if (contacts > 0)
        analysis.notes.push_back(
            fmt::format("rolling resistance is left out at {} contact{}: bodies that it would hold may be said to move",
                        contacts, contacts == 1 ? "" : "s"));
}

void note_overlaps(const reference::World& world, reference::Analysis& analysis) {
    const simulation::StartOverlaps found = simulation::start_overlaps(world);
    if (found.count > 0)
        analysis.notes.push_back(fmt::format(
            "'{}' and '{}' overlap by {:.3g} m{}: the answer is as if they touched", found.first, found.second,
            found.depth, found.count == 1 ? "" : fmt::format(" (the deepest of {} such pairs)", found.count)));
}

int execute(const AnalyseArguments& arguments) {
    model::Scene scene = arguments.options.load(arguments.scene);
    scene.settings.precision = model::Precision::double_;  // whatever the scene's own stepper computes in
    const std::vector<model::Sphere> bodies = geometry::make_bodies(scene).bodies;
    if (bodies.size() > most_bodies)
        throw model::Error(model::ErrorKind::input,
                           fmt::format("the scene has {} bodies (allowed: at most {})", bodies.size(), most_bodies),
                           "analyse a part of it", scene.path);
    const reference::World world = simulation::reference_world(scene, bodies);
    double smallest = std::numeric_limits<double>::infinity();
    for (const model::Sphere& s : bodies) smallest = std::min(smallest, s.radius);
    reference::AnalysisSettings settings;
    settings.gap_tolerance = arguments.gap >= 0.0 ? arguments.gap : bodies.empty() ? 0.0 : 1e-6 * smallest;
    settings.speed_tolerance = arguments.speed;
    settings.max_boxes = arguments.boxes;
    reference::Analysis analysis = reference::analyse(world, world.start(), settings);
    note_rolling(analysis);
    note_overlaps(world, analysis);
    if (arguments.json) {
        say("{}\n",
            analysis_json(world, analysis).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    } else {
        say("scene       {}: {} {}, gaps up to {:.3g} m are closed, speeds up to {:.3g} m/s are zero\n",
            arguments.scene, bodies.size(), bodies.size() == 1 ? "body" : "bodies", settings.gap_tolerance,
            settings.speed_tolerance);
        print_analysis(world, analysis);
    }
    const bool unknown = !analysis.impact && analysis.cone.existence == reference::Existence::unknown;
    return unknown ? int(model::ErrorKind::numerics) : 0;
}

}  // namespace

Command add_analyse(CLI::App& launcher) {
    auto arguments = std::make_shared<AnalyseArguments>();
    CLI::App* parser = launcher.add_subcommand("analyse", "Say which accelerations a scene can have at its start");
    parser->add_option("scene", arguments->scene, "Scene file (YAML)")->required()->type_name("SCENE");
    arguments->options.add_set(*parser);
    parser->add_option("--gap", arguments->gap, "Gaps up to this are closed [m] (default: 1e-6 of the smallest radius)")
        ->check(in_range(0.0));
    parser->add_option("--speed", arguments->speed, "Normal and slip speeds up to this are zero [m/s]")
        ->check(in_range(0.0))
        ->capture_default_str();
    parser->add_option("--boxes", arguments->boxes, "Most boxes of contact modes that the search looks at")
        ->check(CLI::Range(std::size_t(1), std::size_t(10000000)))
        ->capture_default_str();
    parser->add_flag("--json", arguments->json, "The answer as JSON");
    return {parser, [arguments] { return execute(*arguments); }};
}

}  // namespace scree::app
