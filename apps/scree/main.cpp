// SPDX-License-Identifier: BSD-3-Clause
// scree: the launcher. docs/launcher.md describes commands, flags, exit codes and files.
#include "apps/scree/command.hpp"
#include "apps/scree/error_report.hpp"
#include "kernels/parallel/error.hpp"
#include "scree_version.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
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
                                             app::add_compare(launcher),      app::add_bench(launcher),
                                             app::add_solve(launcher),        app::add_analyse(launcher),
                                             app::add_import(launcher),       app::add_export(launcher)};
    // `scree help run` is `scree run --help`, and `scree help nosuch` is `scree nosuch`.
    char help_flag[] = "--help";
    if (argc > 1 && std::strcmp(argv[1], "help") == 0) {
        const bool known = argc == 2 || std::ranges::any_of(commands, [&](const app::Command& command) {
                               return command.parser->get_name() == argv[2];
                           });
        if (argc > 2) argv[1] = argv[2];
        if (known)
            argv[argc > 2 ? 2 : 1] = help_flag;
        else
            argc = 2;
    }
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
    } catch (const kernels::NumericalError& error) {
        return app::report({model::ErrorKind::numerics, error.what()}, json);
    } catch (const std::bad_alloc&) {
        return app::report({model::ErrorKind::environment, "out of host memory", "use fewer bodies"}, json);
    } catch (const std::exception& error) {
        return app::report(
            {model::ErrorKind::environment, std::string("unexpected: ") + error.what(), "please report it"}, json);
    }
}

/// A standard stream that the caller closed (`>&-`) would lend its number to the next file of the run, and text for the
/// terminal would go into that file.
void open_missing_streams() {
    for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) static_cast<void>(open("/dev/null", O_RDWR));
}

/// The exit code, once standard output is written: on a full disk the reader has only a part of it.
int end_output(int code) {
    errno = 0;
    if (std::fflush(stdout) == 0 || errno == EPIPE || code != 0) return code;
    return app::report({model::ErrorKind::environment,
                        std::string("cannot write standard output: ") + std::strerror(errno), "free some disk space"},
                       false);
}

}  // namespace

int main(int argc, char** argv) {
    open_missing_streams();
    // A reader that goes away or a file size limit shows as an error of the write, not as the death of the run.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    return end_output(run_launcher(argc, argv));
}
