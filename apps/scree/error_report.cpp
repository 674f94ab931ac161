// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/error_report.hpp"

#include "apps/scree/say.hpp"
#include "engine/scene/nearest.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace scree::app {
namespace {

const char* name_of(model::ErrorKind kind) {
    switch (kind) {
        case model::ErrorKind::usage:
            return "usage";
        case model::ErrorKind::input:
            return "input";
        case model::ErrorKind::numerics:
            return "numerics";
        case model::ErrorKind::environment:
            break;
    }
    return "environment";
}

/// The parser in which parsing ended: the subcommand if one was named.
const CLI::App& active(const CLI::App& launcher) {
    const auto used = launcher.get_subcommands();
    return used.empty() ? launcher : *used.back();
}

std::string help_of(const CLI::App& launcher, const CLI::App& parser) {
    return &parser == &launcher ? "scree --help" : "scree " + parser.get_name() + " --help";
}

}  // namespace

int report(const model::Error& error, bool json) {
    std::fflush(stdout);
    const std::string line = "error: " + scene::on_one_line(error.what()) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
    if (json) {
        nlohmann::ordered_json object{{"kind", name_of(error.kind())}, {"exit_code", int(error.kind())},
                                      {"message", error.message()},    {"hint", error.hint()},
                                      {"file", error.file()},          {"line", error.line()},
                                      {"column", error.column()}};
        say("{}\n", nlohmann::ordered_json{{"event", "error"}, {"error", object}}.dump(
                        -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
        std::fflush(stdout);
    }
    return int(error.kind());
}

model::Error usage_error(const CLI::App& launcher, const CLI::ParseError& error) {
    const CLI::App& parser = active(launcher);
    const std::string help = help_of(launcher, parser);
    const auto unknown = launcher.remaining(true);
    const bool required = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    // A word that nobody knows explains best why another one is missing.
    if (unknown.empty() || !(required || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)) {
        const bool no_command = required && &parser == &launcher;
        return {model::ErrorKind::usage, no_command ? "a command is required" : error.what(), "see " + help};
    }
    std::vector<std::string> known;
    if (unknown.front().starts_with("-")) {
        for (const CLI::Option* option : parser.get_options())
            for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    } else if (&parser == &launcher) {
        for (const CLI::App* command : launcher.get_subcommands(nullptr)) known.push_back(command->get_name());
    }
    const std::string flag = unknown.front().substr(0, unknown.front().find('='));
    const std::string near = scene::nearest(flag, known);
    const bool close = !near.empty() && scene::edit_distance(flag, near) <= std::max<std::size_t>(2, flag.size() / 3);
    return {model::ErrorKind::usage, scene::in_quotes(unknown.front()) + " is not expected here",
            close ? "did you mean '" + near + "'? see " + help : "see " + help};
}

}  // namespace scree::app
