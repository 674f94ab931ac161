// SPDX-License-Identifier: BSD-3-Clause
// Which keys of a scene its stepper can honour.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/scene/reader.hpp"

#include <string>
#include <vector>

namespace scree::scene {

/// Throws for the first key that describes physics which the scene's stepper does not have, at its place in the file.
void check_stepper(const Reader& root, const model::Scene& scene);

/// A key that is not at its default and changes nothing, and why: "solver.tolerance", "is of stepper: ccp, ...".
struct UnusedKey {
    std::string key, why;
};
/// Keys of the sections `solver`, `contact`, `sleep`, those of steppers and of `materials` that the scene's stepper
/// does not read, or that another value puts out of use.
[[nodiscard]] std::vector<UnusedKey> unused_keys(const model::Scene& scene);

/// "lcp", as the key `stepper` has it.
[[nodiscard]] const char* name_of(model::Stepper stepper);

}  // namespace scree::scene
