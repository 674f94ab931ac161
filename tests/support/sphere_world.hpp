// SPDX-License-Identifier: BSD-3-Clause
// Worlds of spheres for tests: one material, planes as boundaries, everything in SI units.
#pragma once

#include "kernels/step/step_engine.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <span>
#include <vector>

namespace scree::test {

using kernels::BoundaryPart;
using kernels::BoundaryPose;
using kernels::Index;
using kernels::PairLaw;
using kernels::Vector3d;
using kernels::WorldDescription;

/// A world without bodies: one material, compliant contacts of 1e6 N/m, friction .5, h = 1 ms.
inline WorldDescription empty_world(PairLaw<double> law = {0.5, 0.0, 0.0, 0.0, 0.0, 1e6}) {
    WorldDescription world;
    world.materials = 1;
    world.laws = {law};
    world.contact.threshold = 2.0 * 9.81 * world.contact.step;
    world.threads = 1;
    return world;
}

/// Appends a solid sphere of density 2500 kg/m^3 with the next id; a fixed one has no inverse mass.
inline void add_sphere(WorldDescription& world, Vector3d x, double radius, Vector3d v = {0, 0, 0},
                       Vector3d w = {0, 0, 0}, bool fixed = false) {
    const double mass = 2500.0 * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
    world.position.insert(world.position.end(), {x.x, x.y, x.z, radius});
    world.orientation.insert(world.orientation.end(), {1.0, 0.0, 0.0, 0.0});
    world.velocity.insert(world.velocity.end(), {v.x, v.y, v.z, w.x, w.y, w.z});
    world.inverse_mass.insert(world.inverse_mass.end(),
                              {fixed ? 0.0 : 1.0 / mass, fixed ? 0.0 : 2.5 / (mass * radius * radius)});
    world.material.push_back(0);
    world.id.push_back(Index(world.id.size()));
}

/// Appends a boundary of one plane; spheres are on the side of `normal`.
inline void add_plane(WorldDescription& world, Vector3d point, Vector3d normal) {
    BoundaryPart part;
    part.boundary = std::int32_t(world.boundaries++);
    part.origin = point;
    part.e3 = (1.0 / norm(normal)) * normal;
    world.parts.push_back(part);
}

/// Poses of boundaries that stand where they were described.
inline std::vector<BoundaryPose> still_poses(const WorldDescription& world) {
    return std::vector<BoundaryPose>(world.boundaries);
}

/// `n` spheres of radius .01 m, +- `spread`, on a jittered lattice that just overlaps itself, in an open box of planes.
/// Every sphere has neighbours above, below and beside it, so that impulses travel; all move a little.
inline WorldDescription random_pile(Index n, unsigned seed, double spread = 0.0,
                                    PairLaw<double> law = {0.5, 0.0, 0.0, 0.0, 0.0, 1e6}) {
    WorldDescription world = empty_world(law);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    const double pitch = 0.0199;
    const int side = std::max(1, int(std::cbrt(double(n) / 1.5)));
    for (Index i = 0; i < n; ++i) {
        const int column = int(i) % (side * side);
        const Vector3d jitter{2e-4 * unit(random), 2e-4 * unit(random), 2e-4 * unit(random)};
        const Vector3d cell{double(column % side) + 0.5, double(column / side) + 0.5, double(i / (side * side)) + 0.5};
        add_sphere(world, pitch * cell + jitter, 0.01 * (1.0 + spread * unit(random)),
                   {0.05 * unit(random), 0.05 * unit(random), 0.05 * unit(random)},
                   {2.0 * unit(random), 2.0 * unit(random), 2.0 * unit(random)});
    }
    const double width = pitch * side;
    add_plane(world, {0, 0, 0}, {0, 0, 1});
    add_plane(world, {0, 0, 0}, {1, 0, 0});
    add_plane(world, {width, 0, 0}, {-1, 0, 0});
    add_plane(world, {0, 0, 0}, {0, 1, 0});
    add_plane(world, {0, width, 0}, {0, -1, 0});
    return world;
}

/// A pile that falls over: no side walls, and an outlet beside it.
inline WorldDescription collapsing_pile(Index n, unsigned seed, PairLaw<double> law = {0.3, 0.2, 0.0, 0.0, 0.0, 1e5}) {
    WorldDescription world = random_pile(n, seed, 0.1, law);
    world.parts.resize(1);  // the floor
    world.boundaries = 1;
    world.tolerance = 0.1;
    return world;
}

/// The same bodies in another order; ids stay with their bodies.
inline WorldDescription shuffled(WorldDescription world, const std::vector<Index>& from) {
    const WorldDescription old = world;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const auto o = std::size_t(from[i]);
        for (std::size_t k = 0; k < 4; ++k) world.position[4 * i + k] = old.position[4 * o + k];
        for (std::size_t k = 0; k < 4; ++k) world.orientation[4 * i + k] = old.orientation[4 * o + k];
        for (std::size_t k = 0; k < 6; ++k) world.velocity[6 * i + k] = old.velocity[6 * o + k];
        for (std::size_t k = 0; k < 2; ++k) world.inverse_mass[2 * i + k] = old.inverse_mass[2 * o + k];
        world.material[i] = old.material[o];
        world.id[i] = old.id[o];
    }
    return world;
}

}  // namespace scree::test
