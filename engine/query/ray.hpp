// SPDX-License-Identifier: BSD-3-Clause
// A ray and what it meets first.
#pragma once

#include "engine/model/math.hpp"

#include <cstdint>
#include <limits>
#include <string>

namespace scree::query {

struct Ray {
    model::Vec3 origin{};                                           ///< [m]
    model::Vec3 direction{0, 0, -1};                                ///< Of any length but 0.
    double max_distance = std::numeric_limits<double>::infinity();  ///< From the origin [m], >= 0.
};

/// The first point of a body or a boundary along a ray.
struct RayHit {
    std::uint64_t body = 0;      ///< Id; 0 when a boundary was hit.
    std::int32_t boundary = -1;  ///< Index into Scene::boundaries; -1 when a body was hit.
    std::string name;            ///< Of the boundary; empty for bodies.
    double distance = 0.0;       ///< From the origin [m].
    model::Vec3 point;           ///< [m]; in periodic scenes between the faces.
    /// Unit, out of what was hit, towards where the ray comes from. Where the ray begins inside: against the ray.
    model::Vec3 normal;
    bool inside = false;  ///< The ray begins inside a body or a solid boundary: distance 0.
};

}  // namespace scree::query
