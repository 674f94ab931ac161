// SPDX-License-Identifier: BSD-3-Clause
// Probe kind `packing`: how densely a box is filled and how many contacts its bodies have.
#pragma once

#include "engine/measure/measurement.hpp"
#include "engine/measure/solid_volumes.hpp"
#include "engine/model/scene.hpp"

#include <array>
#include <memory>

namespace scree::measure {

/// Fields:
///   fraction                  solid volume in the box over its volume [-]; bodies are cut at its faces, exactly but
///                             for round shapes other than spheres (solid_volumes.hpp), and overlaps of bodies count
///                             twice. Infinite sides end at the periodic faces, else at the bodies' bounding box.
///   coordination              mean number of contacts of the bodies with centre in the box [-]
///   coordination_no_rattlers  the same over the bodies with at least two contacts [-]
///   rattlers                  share of the bodies with fewer than two contacts [-]
///   count                     bodies with centre in the box [-]
/// A contact has a gap below Probe::contact_gap times the mean diameter of the two, of other shapes that of the spheres
/// around them; two bodies have one contact however many points or parts of them touch, and bodies with collide: false
/// have none. Contacts are found from the positions, with bodies inside and outside the box and across periodic faces,
/// but not with walls. (The contacts of a step would not do: they are those at its start, and most snapshots come
/// without.) All fields are 0 without bodies. In planar scenes bodies of other shapes count as the spheres around them.
class Packing final : public Measurement {
public:
    Packing(const model::Scene& scene, const model::Probe& probe);

    [[nodiscard]] std::vector<std::string> fields() const override {
        return {"fraction", "coordination", "coordination_no_rattlers", "rattlers", "count"};
    }
    void evaluate(const model::Snapshot& snapshot, std::span<double> values) override;

private:
    model::ProbeBox box_;
    double tolerance_;
    std::array<model::PeriodicFaces, 3> periodic_;
    std::unique_ptr<SolidVolumes> solids_;  ///< Null: all bodies count as spheres.
};

}  // namespace scree::measure
