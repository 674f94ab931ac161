// SPDX-License-Identifier: BSD-3-Clause
// Links that joints fix to one another, as the bodies that they are.
#pragma once

#include "engine/urdf/coordinates.hpp"
#include "engine/urdf/mass.hpp"

#include <optional>
#include <vector>

namespace scree::urdf {

struct RigidBody {
    std::size_t top = 0;             ///< The link whose joint moves; it names the body.
    std::vector<std::size_t> links;  ///< All of its links, `top` first.
    std::optional<Mass> mass;        ///< In the frame of `top`; none without <inertial>.
};

struct RigidBodies {
    std::vector<RigidBody> bodies;  ///< Parents first: the first one has the root.
    std::vector<std::size_t> of_link;
};

/// `frames`: of the links. Notes which links became parts of others.
[[nodiscard]] RigidBodies make_rigid_bodies(const Robot& robot, const Tree& tree,
                                            const std::vector<Coordinate>& coordinates,
                                            const std::vector<Frame>& frames, Notes& notes);

/// Where a link stands in the frame of another one, such as the top of its body.
[[nodiscard]] inline Frame place_in(const std::vector<Frame>& frames, std::size_t outer, std::size_t inner) {
    if (outer == inner) return {};
    const model::Quat back = model::conjugate(frames[outer].rotation);
    return {model::rotate(back, frames[inner].position - frames[outer].position), back * frames[inner].rotation};
}

}  // namespace scree::urdf
