// SPDX-License-Identifier: BSD-3-Clause
// Probe kind `count`: bodies whose centre is in a box.
#pragma once

#include "engine/measure/box_region.hpp"
#include "engine/measure/measurement.hpp"
#include "engine/model/scene.hpp"

#include <cmath>
#include <optional>

namespace scree::measure {

/// Fields: count [-] (fixed bodies included), mass [kg] (of the free ones). Optionally of one material or one source.
class Count final : public Measurement {
public:
    Count(const model::Scene& scene, const model::Probe& probe) : box_(probe.box), material_(probe.material) {
        if (!probe.target.empty()) source_ = target_index(probe, scene.sources, "source");
    }

    [[nodiscard]] std::vector<std::string> fields() const override { return {"count", "mass"}; }

    void evaluate(const model::Snapshot& s, std::span<double> values) override {
        double count = 0.0, mass = 0.0;
        for (std::size_t i = 0; i < s.id.size(); ++i) {
            if (!contains(box_, s.position[i])) continue;
            if (material_ && s.material[i] != *material_) continue;
            if (source_ && s.source[i] != *source_) continue;
            count += 1.0;
            if (std::isfinite(s.mass[i])) mass += s.mass[i];
        }
        values[0] = count;
        values[1] = mass;
    }

private:
    model::ProbeBox box_;
    std::optional<std::size_t> material_, source_;
};

}  // namespace scree::measure
