// SPDX-License-Identifier: BSD-3-Clause
// Bodies of several convex parts.
#pragma once

#include "engine/geometry/ball.hpp"
#include "engine/geometry/solid.hpp"

#include <vector>

namespace scree::geometry {

/// A convex part where it stands in its body: about the body's centre of mass, in its principal axes.
struct PlacedPart {
    model::ConvexSolid shape;
    model::Vec3 offset;    ///< Of the part's centre of mass [m].
    model::Quat rotation;  ///< Part axes (principal ones of a polytope) to body axes.
};

struct Compound {
    SolidFacts facts;            ///< The orientation turns the principal axes into those that the parts were given in.
    model::Vec3 center_of_mass;  ///< In the axes that the parts were given in [m].
    std::vector<PlacedPart> parts;
};

/// The parts of a clump, a compound of nothing but spheres, in the axes they were given in; empty for others.
[[nodiscard]] std::vector<Ball> balls_of(const model::SolidCompound& compound);

/// Mass and moments are those of the union of a clump (sphere_union.hpp), and else sums over the parts: both count
/// where two overlap.
/// Throws model::Error (input) for no parts, and as solid_facts() naming the part.
[[nodiscard]] Compound make_compound(const model::SolidCompound& compound, double density);

}  // namespace scree::geometry
