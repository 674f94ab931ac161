// SPDX-License-Identifier: BSD-3-Clause
// Pairs of convex shapes that all codes of shapes_bench.cpp are given alike.
#pragma once

#include "engine/geometry/convex_shapes.hpp"
#include "kernels/collide/shapes/find_manifold.hpp"

#include <string>
#include <vector>

namespace scree::benchmarks {

/// How near the shapes of a pair are, of sizes about 0.5 m: farther apart than the reach of contacts, all but touching,
/// overlapping as bodies do in a step.
enum class Nearness { apart, touching, overlapping };
inline constexpr double contact_reach = 0.01;  ///< [m]
inline constexpr double gap_of(Nearness n) {
    return n == Nearness::apart ? 0.05 : (n == Nearness::touching ? 0.002 : -0.005);
}

struct ShapePair {
    kernels::PlacedShape a, b;
    kernels::Vector3d axis;  ///< The direction of the step before.
};

/// 20 shapes of each kind, built once: sphere, capsule, box, cylinder, cone, ellipsoid, superquadric and, as polyhedra,
/// hulls of 16 to 32 random points of a ball.
struct SampleShapes {
    geometry::ConvexShapes list;
    std::vector<std::int32_t> of_kind[8];
    SampleShapes();
};
const SampleShapes& sample_shapes();

/// 1000 pairs of the kinds, half of them with parallel axes, the others turned at random.
std::vector<ShapePair> sample_pairs(kernels::ShapeKind a, kernels::ShapeKind b, Nearness nearness);

/// Registered by the sources that were built: one look at each pair; returns the number of points found.
class PeerNarrowPhase {
public:
    virtual ~PeerNarrowPhase() = default;
    virtual std::size_t look_at_all() = 0;
};

}  // namespace scree::benchmarks
