// SPDX-License-Identifier: BSD-3-Clause
// Convex hulls of mesh files, small enough for contacts.
#pragma once

#include "engine/model/solid.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace scree::urdf {

/// More corners slow contacts and hardly change the shape.
inline constexpr std::size_t most_corners = 200;

struct MeshHull {
    model::SolidPolytope polytope;     ///< In the axes of the mesh, scaled.
    model::Vec3 center;                ///< Of mass of the homogeneous hull, in the same axes [m].
    std::vector<std::string> changes;  ///< What the hull is not: "is not convex: ...".
};

/// A hull of more than `most_corners` corners is that of its extreme ones in as many directions that cover the sphere.
/// Throws model::Error as geometry::read_mesh(), and for meshes that are flat.
[[nodiscard]] MeshHull hull_of_mesh(const std::filesystem::path& file, model::Vec3 scale);

}  // namespace scree::urdf
