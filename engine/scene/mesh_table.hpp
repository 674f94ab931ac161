// SPDX-License-Identifier: BSD-3-Clause
// Boundaries with the shape of a triangle mesh: from a file, or written out in the scene.
#pragma once

#include "engine/scene/tables.hpp"

namespace scree::scene {

/// Adds the key `mesh`.
void add_mesh(Table<model::Boundary>& table);
/// Adds the key `motion`: one map or a list of them (motion_table.cpp).
void add_height_field(Table<model::Boundary>& table);
void add_motions(Table<model::Boundary>& table);
void add_motions(Table<model::Source>& table);

/// [w, x, y, z]
[[nodiscard]] Node quaternion_node(model::Quat q);

}  // namespace scree::scene
