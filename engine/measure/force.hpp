// SPDX-License-Identifier: BSD-3-Clause
// Probe kind `force`: the load on one boundary or body.
#pragma once

#include "engine/geometry/periodic_images.hpp"
#include "engine/measure/box_region.hpp"
#include "engine/measure/measurement.hpp"
#include "engine/model/scene.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace scree::measure {

/// Fields: fx, fy, fz [N] by contacts on the boundary or body, tx, ty, tz [N m] about the boundary's torque point or
/// the body's centre of mass; mean over the last step, or of a boundary since the last row (`average`). 0 once it is
/// removed. A name that both have is the boundary's.
class Force final : public Measurement {
public:
    Force(const model::Scene& scene, const model::Probe& probe) : periodic_(scene.periodic), average_(probe.average) {
        const bool of_boundary =
            std::any_of(scene.boundaries.begin(), scene.boundaries.end(),
                        [&](const model::Boundary& boundary) { return boundary.name == probe.target; });
        const auto is_single = [&](const model::Source& source) {
            return source.name == probe.target && (std::holds_alternative<model::SphereSource>(source.what) ||
                                                   std::holds_alternative<model::BodySource>(source.what));
        };
        const auto body = std::find_if(scene.sources.begin(), scene.sources.end(), is_single);
        if (of_boundary || body == scene.sources.end())
            boundary_ = target_index(probe, scene.boundaries, "boundary");
        else
            source_ = static_cast<std::uint32_t>(body - scene.sources.begin());
        if (boundary_) return;
        const auto* sphere = std::get_if<model::SphereSource>(&body->what);
        const auto* solid = std::get_if<model::BodySource>(&body->what);
        needs_contacts_ = (sphere != nullptr && sphere->fixed) || (solid != nullptr && solid->fixed);
    }

    [[nodiscard]] std::vector<std::string> fields() const override { return {"fx", "fy", "fz", "tx", "ty", "tz"}; }

    [[nodiscard]] bool needs_contacts() const override { return needs_contacts_; }

    void evaluate(const model::Snapshot& s, std::span<double> values) override {
        // A boundary that is removed at the end of the step has borne in it, and nothing later.
        const Load load = boundary_ ? of_boundary(s.boundaries.at(*boundary_)) : of_body(s);
        const double six[] = {load.force.x, load.force.y, load.force.z, load.torque.x, load.torque.y, load.torque.z};
        std::copy(std::begin(six), std::end(six), values.begin());
    }

private:
    struct Load {
        model::Vec3 force, torque;
    };

    [[nodiscard]] Load of_boundary(const model::BoundaryState& boundary) const {
        return average_ ? Load{boundary.mean_force, boundary.mean_torque} : Load{boundary.force, boundary.torque};
    }

    [[nodiscard]] Load of_body(const model::Snapshot& s) const {
        const auto found = std::find(s.source.begin(), s.source.end(), source_);
        if (found == s.source.end()) return {};
        const auto i = static_cast<std::size_t>(found - s.source.begin());
        if (!needs_contacts_) return {s.force[i], s.torque[i]};
        // Contacts change nothing of a fixed body, but press on it all the same.
        Load load;
        for (const model::ContactRecord& contact : s.contacts) {
            if (contact.id_a != s.id[i] && contact.id_b != s.id[i]) continue;
            const model::Vec3 force = contact.id_b == s.id[i] ? contact.force : -contact.force;
            load.force = load.force + force;
            load.torque = load.torque + cross(geometry::shortest_way(s.position[i], contact.point, periodic_), force) +
                          (contact.id_b == s.id[i] ? contact.moment : -contact.moment);
        }
        return load;
    }

    std::array<model::PeriodicFaces, 3> periodic_;
    bool average_;
    std::optional<std::size_t> boundary_;
    std::uint32_t source_ = 0;
    bool needs_contacts_ = false;  ///< Of a fixed body.
};

}  // namespace scree::measure
