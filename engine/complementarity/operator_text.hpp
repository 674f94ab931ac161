// SPDX-License-Identifier: BSD-3-Clause
// The operator W of a friction problem as text, in the storages of Siconos' NumericsMatrix: 0 dense, 1 sparse blocks,
// 2 sparse as CSparse prints it (triplets or compressed columns). docs/solve.md describes them.
#pragma once

#include "engine/complementarity/friction_problem.hpp"
#include "engine/complementarity/number_stream.hpp"

#include <string>

namespace scree::complementarity {

/// Reads W from the number of its storage on. Throws model::Error (input) with file and line.
[[nodiscard]] Operator read_operator(NumberStream& in, Eigen::Index contacts, int dimension);

/// Appends W in sparse blocks, the storage included; all digits.
void append_blocks(std::string& text, const Operator& w, Eigen::Index contacts, int dimension);

}  // namespace scree::complementarity
