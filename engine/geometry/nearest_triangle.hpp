// SPDX-License-Identifier: BSD-3-Clause
// The triangle of a mesh that a point is nearest to.
#pragma once

#include "engine/geometry/bvh.hpp"
#include "engine/model/boundary.hpp"

#include <cstddef>
#include <optional>

namespace scree::geometry {

class NearestTriangle {
public:
    /// `mesh` must outlive it. Throws as build_bvh().
    explicit NearestTriangle(const model::MeshShape& mesh) : mesh_(&mesh), tree_(build_bvh(mesh)) {}

    /// Index of the triangle; of several at the same distance that of the lowest index. Nothing for a mesh without
    /// triangles, or a point that is not finite.
    [[nodiscard]] std::optional<std::size_t> find(model::Vec3 point) const;

private:
    const model::MeshShape* mesh_;
    Bvh tree_;
};

}  // namespace scree::geometry
