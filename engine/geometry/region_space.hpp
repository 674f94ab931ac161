// SPDX-License-Identifier: BSD-3-Clause
// The room that a region of a random source gives to whole spheres.
#pragma once

#include "engine/geometry/random_stream.hpp"
#include "engine/model/math.hpp"
#include "engine/model/source.hpp"

namespace scree::geometry {

class RegionSpace {
public:
    /// Throws model::Error (input) when the region is empty or not finite.
    explicit RegionSpace(const model::Region& region);

    [[nodiscard]] double volume() const;                        ///< [m^3]
    [[nodiscard]] model::Vec3 lower() const { return lower_; }  ///< Axis-aligned bounds [m].
    [[nodiscard]] model::Vec3 upper() const { return upper_; }

    /// Radius of the largest sphere that fits [m].
    [[nodiscard]] double largest_radius() const;

    /// A centre, uniform over those with which a sphere lies inside; radius <= largest_radius().
    [[nodiscard]] model::Vec3 sample(double radius, RandomStream& random) const;

    /// The centre closest to `center` with which a sphere lies inside (to rounding); radius <= largest_radius().
    [[nodiscard]] model::Vec3 pull_inside(double radius, model::Vec3 center) const;

private:
    model::Region region_;
    model::Vec3 lower_, upper_;
    model::Vec3 across_, beside_;  ///< cylinder: unit vectors normal to the axis
};

}  // namespace scree::geometry
