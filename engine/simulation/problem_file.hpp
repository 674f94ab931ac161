// SPDX-License-Identifier: BSD-3-Clause
// The cone problem of one step as JSON: plain arrays, for references, plots and benchmarks.
#pragma once

#include "kernels/step/step_engine.hpp"

#include <cstdint>
#include <filesystem>

namespace scree::simulation {

/// Writes atomically; docs/launcher.md lists the keys.
void write_problem(const std::filesystem::path& path, const kernels::ProblemDownload& problem, std::int64_t step,
                   double time);

/// Reads what write_problem() wrote. Throws model::Error (input).
[[nodiscard]] kernels::ProblemDownload read_problem(const std::filesystem::path& path);

}  // namespace scree::simulation
