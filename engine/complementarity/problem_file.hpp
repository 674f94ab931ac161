// SPDX-License-Identifier: BSD-3-Clause
// Linear complementarity and friction problems as text: numbers between white space, as Siconos and FCLIB's tools write
// them. docs/solve.md describes both forms.
#pragma once

#include "engine/complementarity/friction_problem.hpp"
#include "engine/complementarity/linear_problem.hpp"

#include <filesystem>
#include <string>
#include <variant>

namespace scree::complementarity {

using ProblemFile = std::variant<LinearProblem, FrictionProblem>;

/// Reads either form; which one, the second number says: a storage of 0 for an LCP, a number of contacts otherwise.
/// Names that end in ".gz" are inflated. Throws model::Error (input) with file and line of the first thing that is
/// wrong.
[[nodiscard]] ProblemFile read_problem(const std::filesystem::path& file);

/// The text of a problem in the same forms; friction problems with sparse blocks.
[[nodiscard]] std::string to_text(const LinearProblem& problem);
[[nodiscard]] std::string to_text(const FrictionProblem& problem);

}  // namespace scree::complementarity
