// SPDX-License-Identifier: BSD-3-Clause
// Free places for spheres in a region, found at random.
#pragma once

#include "engine/geometry/ball.hpp"
#include "engine/geometry/random_stream.hpp"
#include "engine/geometry/region_space.hpp"
#include "engine/geometry/sphere_tree.hpp"
#include "engine/model/boundary.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>

namespace scree::geometry {

/// Hands out places one after the other; what is handed out is taken. No sphere is closer than `gap` to another, to an
/// obstacle, or to a periodic image of either.
class FreePlaces {
public:
    /// Whether something else than the obstacles is in the way of a sphere.
    using Blocked = std::function<bool(model::Vec3 center, double radius)>;

    /// `attempts`: tries per sphere, 0: 500. The region must outlive the object.
    FreePlaces(const RegionSpace& region, double gap, std::size_t attempts, RandomStream random,
               const std::array<model::PeriodicFaces, 3>& periodic, std::span<const Ball> obstacles,
               Blocked blocked = {});

    /// A free place for a sphere [m], of a radius that fits into the region; none after so many tries. The first 3
    /// take a random place as it is, later ones push a sphere that overlaps out of its neighbours a few times, which
    /// finds the holes that chance alone takes very long to hit.
    [[nodiscard]] std::optional<model::Vec3> take(double radius);

private:
    [[nodiscard]] bool reaches_region(model::Vec3 position, double radius) const;
    [[nodiscard]] std::optional<model::Vec3> as_it_is(model::Vec3 center, double radius) const;
    [[nodiscard]] std::optional<model::Vec3> pushed(model::Vec3 center, double radius) const;

    const RegionSpace& region_;
    std::array<model::PeriodicFaces, 3> periodic_;
    double gap_;
    std::size_t attempts_;
    RandomStream random_;
    Blocked blocked_;
    SphereTree tree_;
};

}  // namespace scree::geometry
