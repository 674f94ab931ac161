// SPDX-License-Identifier: BSD-3-Clause
// Questions on the geometry of a scene at one instant: what does a ray hit, which bodies are in a region.
//
//     query::SceneQuery query(simulation.scene());
//     query.update(simulation.snapshot(false));
//     const auto hit = query.cast({.origin = {0, 0, 1}, .direction = {0, 0, -1}});
//
// Bodies are seen as they are: spheres, convex shapes, compounds part by part. Boundaries are seen where they stand,
// removed ones not at all; thin walls from both sides (boundary_queries.hpp).
//
// Periodic axes. The space between the faces repeats: a ray that leaves by one face goes on from the opposite one, with
// bodies that reach over a face on both sides of it, and regions are seen as often as they fit. Walls count between the
// faces alone. Points are given between the faces, distances along the whole way. A ray ends without a hit after
// `most_crossings` faces, however long it may be.
//
// Bad questions are model::Error of kind input with a hint: a direction without length, numbers that are not finite,
// negative radii, boxes turned inside out.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"
#include "engine/query/ray.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace scree::query {

inline constexpr int most_crossings = 1000;

class SceneQuery {
public:
    /// Builds shapes and meshes, without bodies and with boundaries as they stand at t = 0. The scene must outlive the
    /// object. Throws as the narrow phase does for shapes that it cannot take.
    explicit SceneQuery(const model::Scene& scene);
    /// The same as an update() at once.
    SceneQuery(const model::Scene& scene, const model::Snapshot& snapshot);
    ~SceneQuery();
    SceneQuery(SceneQuery&&) noexcept;
    SceneQuery& operator=(SceneQuery&&) noexcept;

    /// Takes bodies and poses of boundaries from a snapshot of the same scene, O(n log n); keeps nothing of it.
    void update(const model::Snapshot& snapshot);

    /// The first body or boundary along the ray; nothing where there is none. Of equally distant ones the body with the
    /// lowest id comes first, then boundaries in their order. O(log n) in bodies and triangles, linear in boundaries.
    [[nodiscard]] std::optional<RayHit> cast(const Ray& ray) const;

    /// Ids, ascending, of the bodies that share a point with a ball [m] or with a box along the world axes: bodies on
    /// its surface, inside it and around it. A radius of 0 asks which bodies hold a point.
    [[nodiscard]] std::vector<std::uint64_t> bodies_in_sphere(model::Vec3 center, double radius) const;
    [[nodiscard]] std::vector<std::uint64_t> bodies_in_box(model::Vec3 lower, model::Vec3 upper) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace scree::query
