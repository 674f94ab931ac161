// SPDX-License-Identifier: BSD-3-Clause
// A subcommand of the launcher. A new one is one new file with an add_...() function, and one line in main.cpp.
#pragma once

#include <CLI/CLI.hpp>

#include <chrono>
#include <functional>
#include <string>

namespace scree::app {

/// How a command speaks.
struct Voice {
    bool json = false;   ///< Machines read standard output: one JSON value a line.
    bool quiet = false;  ///< Nothing but errors.
    [[nodiscard]] bool text() const { return !json && !quiet; }
};

struct Command {
    CLI::App* parser = nullptr;
    std::function<int()> execute;  ///< Returns the exit code; throws model::Error.
};

using Started = std::chrono::steady_clock::time_point;

Command add_run(CLI::App& launcher, Started started);
Command add_restart(CLI::App& launcher, Started started);
Command add_check(CLI::App& launcher);
Command add_info(CLI::App& launcher);
Command add_bench(CLI::App& launcher);
Command add_compare(CLI::App& launcher);
Command add_solve(CLI::App& launcher);
Command add_analyse(CLI::App& launcher);
Command add_import(CLI::App& launcher);
Command add_export(CLI::App& launcher);

}  // namespace scree::app
