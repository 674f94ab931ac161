// SPDX-License-Identifier: BSD-3-Clause
// scree: the launcher. docs/launcher.md describes commands, flags, exit codes and files.
#include "apps/scree/command.hpp"
#include "apps/scree/error_report.hpp"
#include "scree_version.hpp"

#include <csignal>
#include <cstring>
#include <exception>
#include <new>
#include <vector>

namespace {

using namespace scree;

int run_launcher(int argc, char** argv) {
    const auto started = std::chrono::steady_clock::now();
    CLI::App launcher("Scree: granular dynamics with nonsmooth contact", "scree");
    launcher.set_version_flag("--version", std::string("scree ") + version + " (" + commit + ")");
    launcher.require_subcommand(1);
    launcher.footer("docs/launcher.md describes all commands.");
    const std::vector<app::Command> commands{app::add_run(launcher, started), app::add_restart(launcher, started),
                                             app::add_check(launcher),        app::add_info(launcher),
                                             app::add_compare(launcher),      app::add_bench(launcher)};
    bool json = false;
    for (int i = 1; i < argc; ++i) json = json || std::strcmp(argv[i], "--json") == 0;
    try {
        launcher.parse(argc, argv);
        for (const app::Command& command : commands)
            if (command.parser->parsed()) return command.execute();
        return 0;
    } catch (const CLI::Success& help) {
        return launcher.exit(help);
    } catch (const CLI::ParseError& error) {
        return app::report(app::usage_error(launcher, error), json);
    } catch (const model::Error& error) {
        return app::report(error, json);
    } catch (const std::bad_alloc&) {
        return app::report({model::ErrorKind::environment, "out of host memory", "use fewer bodies"}, json);
    } catch (const std::exception& error) {
        return app::report(
            {model::ErrorKind::environment, std::string("unexpected: ") + error.what(), "please report it"}, json);
    }
}

}  // namespace

int main(int argc, char** argv) {
    // A reader that goes away or a file size limit shows as an error of the write, not as the death of the run.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    return run_launcher(argc, argv);
}
