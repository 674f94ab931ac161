// SPDX-License-Identifier: BSD-3-Clause
// The triangles of a mesh that a convex shape may touch.
#pragma once

#include "kernels/collide/shapes/mesh_triangles.hpp"

namespace scree::kernels {

/// How far a shape reaches from its origin along a unit vector of the world.
SCREE_HD inline double extent_along(const ShapeView& view, const PlacedShape& placed, Vector3d way) {
    std::int32_t corner;
    const Vector3d d = placed.to_body(way);
    return placed.scale * dot(core_support(view, *placed.shape, d, corner), d) + placed.rounding();
}

/// The triangles that come within reach of a shape: found once, looked at for each wall.
class NearTriangles {
public:
    SCREE_HD NearTriangles(const ShapeView& view, const PlacedShape& placed, const MeshView& mesh, double reach)
        : mesh_(mesh), centre_(placed.position), radius_(placed.bounding_radius() + reach) {
        for_each_triangle_near(mesh, centre_, radius_, [&](std::int32_t k) {
            const TriangleCorners t(mesh, k);
            const Vector3d across = cross(t.b - t.a, t.c - t.a);
            const double length = norm(across);
            if (!(length > 0.0)) return;
            const double side = dot(centre_ - t.a, across) < 0.0 ? -1.0 : 1.0;
            const Vector3d normal = (side / length) * across;
            const double height = dot(centre_ - t.a, normal);
            if (height > radius_) return;
            const Vector3d off = nearest_on_triangle(centre_, t.a, t.b, t.c) - centre_;
            if (dot(off, off) > radius_ * radius_) return;
            if (height - reach > extent_along(view, placed, negative(normal))) return;
            if (count_ < capacity) index_[count_] = k;
            ++count_;
        });
    }
    /// visit(place, triangle), in the order of the hierarchy; places from `capacity` on are not to be remembered.
    template <class Visit>
    SCREE_HD void for_each(const Visit& visit) const {
        if (count_ <= capacity) {
            for (int k = 0; k < count_; ++k) visit(k, index_[k]);
        } else {
            for_each_triangle_near(mesh_, centre_, radius_, [&](std::int32_t k) { visit(capacity, k); });
        }
    }
    static constexpr int capacity = 96;

private:
    const MeshView& mesh_;
    Vector3d centre_;
    double radius_;
    int count_ = 0;
    std::int32_t index_[capacity];
};

}  // namespace scree::kernels
