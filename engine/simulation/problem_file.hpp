// SPDX-License-Identifier: BSD-3-Clause
// The cone problem of one step: as JSON, plain arrays for references, plots and benchmarks; and in contact space, in
// the forms that complementarity/problem_file.hpp reads.
#pragma once

#include "engine/model/settings.hpp"
#include "kernels/step/step_engine.hpp"

#include <cstdint>
#include <filesystem>

namespace scree::simulation {

struct ProblemFile {
    std::int64_t step = 0;
    double time = 0.0;            ///< At the end of the step [s].
    double velocity_scale = 0.0;  ///< Residuals are relative to this: g h [m/s].
    kernels::ProblemDownload problem;
};

/// Writes atomically; docs/launcher.md lists the keys.
void write_problem(const std::filesystem::path& path, const ProblemFile& file);

/// Writes contact_problem() atomically: for names that end in ".hdf5" as a local problem of FCLIB with the step's
/// solution, as text with sparse blocks otherwise. Both say in words which law of friction is meant.
void write_contact_problem(const std::filesystem::path& path, const ProblemFile& file, model::FrictionLaw law);

/// Reads what write_problem() wrote. Throws model::Error (input).
[[nodiscard]] ProblemFile read_problem(const std::filesystem::path& path);

}  // namespace scree::simulation
