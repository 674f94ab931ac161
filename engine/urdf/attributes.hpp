// SPDX-License-Identifier: BSD-3-Clause
// Attributes that nobody reads: slips of the pen, most often, whose values would be taken as 0 without a word.
#pragma once

#include "engine/urdf/robot.hpp"
#include "engine/urdf/xml_file.hpp"

namespace scree::urdf {

/// Notes each attribute below <robot> that is not understood, in elements that are.
void note_unknown_attributes(const XmlFile& file, pugi::xml_node robot, Notes& notes);

}  // namespace scree::urdf
