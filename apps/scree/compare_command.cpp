// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/command.hpp"
namespace scree::app {
Command add_compare(CLI::App& launcher) { return {launcher.add_subcommand("compare", "x"), [] { return 0; }}; }
Command add_bench(CLI::App& launcher) { return {launcher.add_subcommand("bench", "x"), [] { return 0; }}; }
}  // namespace scree::app
