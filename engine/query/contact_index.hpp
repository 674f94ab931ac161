// SPDX-License-Identifier: BSD-3-Clause
// Who touches whom, and how hard: the contacts of a snapshot by body, by boundary and by pair.
//
// Forces are means over the last step, as those of the snapshot. Torques of pairs are those of the contact forces at
// their points; resistance to rolling and spinning is a torque of its own, which only the sums on a body and on a
// boundary hold. Points of contact are those of the step's start: such torques are exact to what bodies move in a step.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace scree::query {

struct Load {
    model::Vec3 force;         ///< [N]
    model::Vec3 torque;        ///< [N m], about the body's centre of mass or the boundary's torque point.
    std::size_t contacts = 0;  ///< That it is the sum of.
};

/// Places are indices into Snapshot::contacts, ascending.
///
/// Throws model::Error (input), with a hint, for ids of bodies that the snapshot does not hold and for boundaries that
/// the scene does not have.
class ContactIndex {
public:
    /// O(n log n). `snapshot` with contacts, of a simulation of `scene`; both must outlive the object.
    ContactIndex(const model::Scene& scene, const model::Snapshot& snapshot);

    [[nodiscard]] std::span<const std::uint32_t> of_body(std::uint64_t id) const;
    [[nodiscard]] std::span<const std::uint32_t> of_boundary(std::size_t boundary) const;
    [[nodiscard]] std::vector<std::uint32_t> between_bodies(std::uint64_t a, std::uint64_t b) const;
    [[nodiscard]] std::vector<std::uint32_t> between_body_and_boundary(std::uint64_t id, std::size_t boundary) const;

    /// All contacts on a body; of fixed bodies without resistance to rolling.
    [[nodiscard]] Load on_body(std::uint64_t id) const;
    /// All bodies on a boundary.
    [[nodiscard]] Load on_boundary(std::size_t boundary) const;
    /// What body `other` does to body `id`, torque about the centre of `id`.
    [[nodiscard]] Load on_body_by_body(std::uint64_t id, std::uint64_t other) const;
    [[nodiscard]] Load on_body_by_boundary(std::uint64_t id, std::size_t boundary) const;

    /// Place of a body in the vectors of the snapshot.
    [[nodiscard]] std::size_t place_of(std::uint64_t id) const;

private:
    [[nodiscard]] std::size_t checked(std::size_t boundary) const;
    [[nodiscard]] Load sum_on(std::uint64_t id, std::span<const std::uint32_t> places) const;

    const model::Scene& scene_;
    const model::Snapshot& snapshot_;
    /// Rows of places: body i has those in [starts[i], starts[i + 1]), boundary b the row behind those of the bodies.
    std::vector<std::uint32_t> starts_, places_;
};

/// Index of a boundary by its name. Throws model::Error (input) that says which names there are.
[[nodiscard]] std::size_t boundary_named(const model::Scene& scene, std::string_view name);

}  // namespace scree::query
