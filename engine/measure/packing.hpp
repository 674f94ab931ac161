// SPDX-License-Identifier: BSD-3-Clause
// Probe kind `packing`: how densely a box is filled and how many contacts its bodies have.
#pragma once

#include "engine/measure/measurement.hpp"
#include "engine/model/scene.hpp"

#include <array>

namespace scree::measure {

/// Fields:
///   fraction                  solid volume in the box over its volume [-]; spheres are cut exactly at its faces, and
///                             overlaps of spheres count twice. Infinite sides end at the periodic faces, else at the
///                             bodies' bounding box.
///   coordination              mean number of contacts of the bodies with centre in the box [-]
///   coordination_no_rattlers  the same over the bodies with at least two contacts [-]
///   rattlers                  share of the bodies with fewer than two contacts [-]
///   count                     bodies with centre in the box [-]
/// A contact has a gap below Probe::contact_gap times the mean diameter of the two. Contacts are found from the
/// positions, with bodies inside and outside the box and across periodic faces, but not with walls.
/// All fields are 0 without bodies.
class Packing final : public Measurement {
public:
    Packing(const model::Scene& scene, const model::Probe& probe)
        : box_(probe.box), tolerance_(probe.contact_gap), periodic_(scene.periodic) {}

    [[nodiscard]] std::vector<std::string> fields() const override {
        return {"fraction", "coordination", "coordination_no_rattlers", "rattlers", "count"};
    }
    void evaluate(const model::Snapshot& snapshot, std::span<double> values) override;

private:
    model::ProbeBox box_;
    double tolerance_;
    std::array<model::PeriodicFaces, 3> periodic_;
};

}  // namespace scree::measure
