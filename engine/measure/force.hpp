// SPDX-License-Identifier: BSD-3-Clause
// Probe kind `force`: the load on one boundary.
#pragma once

#include "engine/measure/box_region.hpp"
#include "engine/measure/measurement.hpp"
#include "engine/model/scene.hpp"

#include <cstddef>

namespace scree::measure {

/// Fields: fx, fy, fz [N] by the bodies on the boundary, tx, ty, tz [N m] about its torque point; mean over the last
/// step. 0 once the boundary is removed.
class Force final : public Measurement {
public:
    Force(const model::Scene& scene, const model::Probe& probe)
        : boundary_(target_index(probe, scene.boundaries, "boundary")) {}

    [[nodiscard]] std::vector<std::string> fields() const override { return {"fx", "fy", "fz", "tx", "ty", "tz"}; }

    void evaluate(const model::Snapshot& s, std::span<double> values) override {
        const model::BoundaryState& boundary = s.boundaries.at(boundary_);
        const model::Vec3 f = boundary.active ? boundary.force : model::Vec3{};
        const model::Vec3 t = boundary.active ? boundary.torque : model::Vec3{};
        values[0] = f.x;
        values[1] = f.y;
        values[2] = f.z;
        values[3] = t.x;
        values[4] = t.y;
        values[5] = t.z;
    }

private:
    std::size_t boundary_;
};

}  // namespace scree::measure
