// SPDX-License-Identifier: BSD-3-Clause
// One free body of mass 1 kg on a fixed one: the worlds of the stepper tests.
#pragma once

#include "engine/reference/world.hpp"

namespace scree::test {

/// Body 0 is free, at the origin until it is placed; body 1 is fixed at the origin.
inline reference::World one_on_fixed(const reference::Shape& shape, const Eigen::Vector3d& inertia,
                                     const reference::Shape& fixed, double mu, bool planar = false) {
    reference::World world;
    world.planar = planar;
    world.laws[0].friction.sliding = mu;
    world.bodies.resize(2);
    world.bodies[0].name = "body";
    world.bodies[0].shape = shape;
    world.bodies[0].inertia = inertia;
    world.bodies[1].name = "fixed";
    world.bodies[1].shape = fixed;
    world.bodies[1].fixed = true;
    return world;
}

inline double total_energy(const reference::World& world, const reference::State& state) {
    return kinetic_energy(world, state) + world.potential_energy(state.time, state.q);
}

}  // namespace scree::test
