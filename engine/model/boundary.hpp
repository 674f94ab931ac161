// SPDX-License-Identifier: BSD-3-Clause
// Boundaries: fixed or moving walls of infinite mass, their motions, outlets and periodic faces.
#pragma once

#include "engine/model/math.hpp"
#include "engine/model/motion.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace scree::model {

/// The half-space behind an infinite plane is solid; `normal` points into the free side.
struct PlaneShape {
    Vec3 point;            ///< A point of the plane [m].
    Vec3 normal{0, 0, 1};  ///< Free side; normalised on load.
};

/// An oriented box. As `container` bodies stay inside (each face not listed as open is a wall); else it is solid.
struct BoxShape {
    Vec3 center;                       ///< [m]
    Vec3 half_extents{0.5, 0.5, 0.5};  ///< [m], each > 0
    Quat orientation;
    bool container = true;
    /// Faces left out of a container, in the order -x, +x, -y, +y, -z, +z (box axes).
    std::array<bool, 6> open{};
};

/// Which side of a surface of revolution is free.
enum class Side : std::uint8_t { inside, outside };

/// A finite circular cylinder (radius_start == radius_end) or cone frustum / funnel about `axis`.
/// It is a thin wall that faces `side`; its rims are edges that bodies can touch.
struct RevolutionShape {
    Vec3 start;                 ///< Centre of the first circle [m].
    Vec3 axis{0, 0, 1};         ///< Direction from the first to the second circle; normalised on load.
    double length = 1.0;        ///< [m], > 0
    double radius_start = 0.5;  ///< [m], >= 0
    double radius_end = 0.5;    ///< [m], >= 0, not both 0
    Side side = Side::inside;
    bool cap_start = false;  ///< Closes the first circle with a disc.
    bool cap_end = false;    ///< Closes the second circle with a disc.
};

/// A triangle mesh, two-sided. Vertices are in world axes at t = 0 [m].
struct MeshShape {
    std::string path;  ///< Where it came from, for messages.
    std::vector<Vec3> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< Indices into `vertices`.
    std::size_t degenerate_dropped = 0;  ///< Triangles of the file without area, left out when it was read.
};

using BoundaryShape = std::variant<PlaneShape, BoxShape, RevolutionShape, MeshShape>;

/// A wall. Its force and torque are read out every step.
struct Boundary {
    std::string name;
    std::size_t material = 0;  ///< Index into Scene::materials.
    BoundaryShape shape;
    std::vector<Motion> motions;
    Vec3 torque_point;  ///< Point about which the torque is reported [m]; moves with the boundary.
    /// The boundary ceases to exist at this time [s] (a gate).
    double remove_at = std::numeric_limits<double>::infinity();
};

/// Bodies whose centre is past the plane (on the side that `normal` points to) or outside the box are removed and
/// counted.
struct Outlet {
    enum class Kind : std::uint8_t { plane, box };
    std::string name;
    Kind kind = Kind::plane;
    Vec3 point, normal{0, 0, -1};  ///< plane
    Vec3 lower, upper;             ///< box [m]
    bool takes_inside = false;     ///< box: takes what is in it, not what is outside
};

/// A pair of periodic faces normal to one world axis: a body that leaves at `upper` enters at `lower`.
struct PeriodicFaces {
    bool active = false;
    double lower = 0.0, upper = 0.0;  ///< [m]
};

}  // namespace scree::model
