// SPDX-License-Identifier: BSD-3-Clause
// What is probably not meant in a scene that is valid.
#pragma once

#include "engine/simulation/simulation.hpp"

#include <string>
#include <vector>

namespace scree::app {

/// Sentences about the bodies: outside boundaries, past outlets, faster than a radius (of other shapes: half their
/// thickness) per step, at t = 0 also rejected ones and ones that overlap each other or a boundary; about compounds
/// whose parts overlap; about boundaries of another scale or too fast, and values of materials that are probably of
/// another unit; about settings that cannot act; and about a debug build.
[[nodiscard]] std::vector<std::string> scene_warnings(simulation::Simulation& simulation);

}  // namespace scree::app
