// SPDX-License-Identifier: BSD-3-Clause
// scree import ROBOT: a scene of a robot.
#include "apps/scree/command.hpp"
#include "apps/scree/number_range.hpp"
#include "apps/scree/say.hpp"
#include "engine/geometry/bodies.hpp"
#include "engine/geometry/text_input.hpp"
#include "engine/io/atomic_file.hpp"
#include "engine/model/error.hpp"
#include "engine/urdf/checked_text.hpp"
#include "engine/urdf/read_urdf.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

namespace scree::app {
namespace {

struct ImportArguments {
    std::string robot, output;
    std::vector<std::string> packages, pose;
    double floor = 0.0;
    bool floating = false, has_floor = false, force = false, json = false;
};

/// "NAME=VALUE" in two.
std::pair<std::string, std::string> parts_of(const std::string& option, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
        throw model::Error(model::ErrorKind::usage, option + " " + geometry::in_quotes(text) + " is not NAME=VALUE");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

urdf::ImportOptions options_of(const ImportArguments& arguments) {
    urdf::ImportOptions options;
    options.floating = arguments.floating;
    if (arguments.has_floor) options.floor = arguments.floor;
    for (const std::string& text : arguments.packages) {
        const auto [name, folder] = parts_of("--package", text);
        options.packages[name] = folder;
    }
    for (const std::string& text : arguments.pose) {
        const auto [name, value] = parts_of("--pose", text);
        const auto number = geometry::parse_number(value);
        if (!number || !std::isfinite(*number))
            throw model::Error(model::ErrorKind::usage,
                               "--pose " + geometry::in_quotes(text) + ": the value is not a finite number",
                               "in radians or metres");
        options.pose.emplace_back(name, *number);
    }
    return options;
}

/// Before any work: a robot is written by hand, and a scene may have got its motors by hand since it was made.
void check_output(const ImportArguments& arguments) {
    if (arguments.output.empty()) return;
    std::error_code ignored;
    if (std::filesystem::equivalent(arguments.output, arguments.robot, ignored))
        throw model::Error(model::ErrorKind::usage, "-o " + arguments.output + " is the robot file itself",
                           "give the scene another name");
    if (std::filesystem::is_directory(arguments.output, ignored))
        throw model::Error(model::ErrorKind::usage, "-o " + arguments.output + " is a folder", "name a file in it");
    if (std::filesystem::is_regular_file(arguments.output, ignored) && !arguments.force)
        throw model::Error(model::ErrorKind::usage, "the file " + arguments.output + " exists",
                           "choose another name with -o, or replace the file with --force");
}

/// What the bodies say where they start: overlaps, above all.
void note_bodies(const model::Scene& scene, urdf::Notes& notes) {
    for (const geometry::SourceReport& report : geometry::make_bodies(scene).reports)
        for (const std::string& text : report.notes) notes.push_back({0, "body '" + report.name + "': " + text});
}

/// One line for all elements of which the same is to say.
void print_notes(const std::string& file, const urdf::Notes& notes) {
    std::vector<std::pair<std::string, std::vector<std::size_t>>> texts;
    std::map<std::string, std::size_t> known;
    for (const urdf::Note& note : notes) {
        const auto [found, added] = known.emplace(note.text, texts.size());
        if (added) texts.push_back({note.text, {}});
        if (note.line > 0) texts[found->second].second.push_back(note.line);
    }
    for (const auto& [text, lines] : texts) {
        constexpr std::size_t most = 10;
        std::string places;
        for (std::size_t k = 0; k < std::min(lines.size(), most); ++k)
            places += fmt::format("{}{}", k == 0 ? ":" : ",", lines[k]);
        if (lines.size() > most) places += fmt::format(",... ({} in all)", lines.size());
        fmt::print(stderr, "note: {}{}: {}\n", file, places, text);
    }
}

void print_json(const ImportArguments& arguments, const urdf::Import& import, const std::string& text) {
    nlohmann::ordered_json out{
        {"links", import.links},
        {"joints", import.joints},
        {"scene", {{"bodies", import.scene.sources.size()}, {"joints", import.scene.joints.size()}}},
        {"notes", nlohmann::ordered_json::array()}};
    for (const urdf::Note& note : import.notes) out["notes"].push_back({{"line", note.line}, {"text", note.text}});
    if (arguments.output.empty())
        out["yaml"] = text;
    else
        out["file"] = arguments.output;
    say("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

int execute(const ImportArguments& arguments) {
    const urdf::ImportOptions options = options_of(arguments);
    check_output(arguments);
    urdf::Import import = urdf::read_urdf(arguments.robot, options);
    // The scene must be one that runs take.
    const std::string text = "# Made by scree import from " +
                             std::filesystem::path(arguments.robot).filename().string() + ".\n" +
                             urdf::checked_text(import.scene);
    note_bodies(import.scene, import.notes);
    if (!arguments.output.empty()) io::write_atomically(arguments.output, text);
    if (arguments.json) {
        print_json(arguments, import, text);
        return 0;
    }
    print_notes(arguments.robot, import.notes);
    if (arguments.output.empty())
        say("{}", text);
    else
        say("{}: {} links, {} joints; {}: {} bodies, {} joints\n", arguments.robot, import.links, import.joints,
            arguments.output, import.scene.sources.size(), import.scene.joints.size());
    return 0;
}

}  // namespace

Command add_import(CLI::App& launcher) {
    auto arguments = std::make_shared<ImportArguments>();
    CLI::App* parser = launcher.add_subcommand("import", "Make a scene of a robot (URDF)");
    parser->add_option("robot", arguments->robot, "Robot file (URDF)")->required()->type_name("ROBOT");
    parser->add_option("-o,--output", arguments->output, "Where the scene goes (default: standard output)")
        ->type_name("SCENE");
    parser->add_option("--package", arguments->packages, "Folder of a package, repeatable")
        ->type_name("NAME=FOLDER")
        ->allow_extra_args(false);
    parser->add_option("--pose", arguments->pose, "Where a joint starts [rad, m], repeatable")
        ->type_name("JOINT=VALUE")
        ->allow_extra_args(false);
    parser->add_flag("--floating", arguments->floating, "The root link is free (default: fixed to the ground)");
    const auto* floor =
        parser->add_option("--floor", arguments->floor, "Add a floor at this height [m]")->check(in_range(-1e6, 1e6));
    parser->add_flag("--force", arguments->force, "Replace a file that exists");
    parser->add_flag("--json", arguments->json, "The answer as JSON");
    return {parser, [arguments, floor] {
                arguments->has_floor = floor->count() > 0;
                return execute(*arguments);
            }};
}

}  // namespace scree::app
