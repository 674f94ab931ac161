// SPDX-License-Identifier: BSD-3-Clause
// Errors as the user and as scripts see them.
#pragma once

#include "engine/model/error.hpp"

#include <CLI/CLI.hpp>

namespace scree::app {

/// "error: FILE:LINE:COLUMN: what [hint]" on standard error; with `json` also an object on standard output. Returns
/// the exit code.
int report(const model::Error& error, bool json);

/// What CLI11 could not parse, with the nearest known flag as the hint.
[[nodiscard]] model::Error usage_error(const CLI::App& launcher, const CLI::ParseError& error);

}  // namespace scree::app
