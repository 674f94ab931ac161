// SPDX-License-Identifier: BSD-3-Clause
// Motors that ask for more than the step can tell.
#pragma once

#include "engine/model/scene.hpp"

#include <string>
#include <vector>

namespace scree::app {

/// Appends a warning for each motor whose speed turns its joint by half a turn in one step or more: turns are taken
/// modulo whole ones, so that beyond this a wheel seems to stand, or to run backwards. Expressions are not looked at.
void warn_of_motors(std::vector<std::string>& warnings, const model::Scene& scene);

}  // namespace scree::app
