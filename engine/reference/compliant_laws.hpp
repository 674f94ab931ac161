// SPDX-License-Identifier: BSD-3-Clause
// What the settings of the compliant stepper mean for a contact: its grid of elements and its viscoelastic law.
#pragma once

#include "engine/reference/compliant_stepper.hpp"

namespace scree::reference {

/// Throws model::Error (input) for settings out of range.
void check(const CompliantSettings& settings);
/// Throws model::Error (input) for laws that compliant contacts do not have.
void check(const Contact& contact);

[[nodiscard]] PatchGrid grid_of(const World& world, const CompliantSettings& settings);
/// Xi eps, K and C of a patch.
[[nodiscard]] Viscoelastic distributed(const World& world, const Contact& contact, const PatchGrid& grid,
                                       const CompliantSettings& settings);
/// Springs and dashpots of a contact that is one element.
[[nodiscard]] Viscoelastic lumped(const Contact& contact, const CompliantSettings& settings);

}  // namespace scree::reference
