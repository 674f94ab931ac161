// SPDX-License-Identifier: BSD-3-Clause
// Probe kind `heights`: how high the bodies stand.
#pragma once

#include "engine/measure/box_region.hpp"
#include "engine/measure/measurement.hpp"
#include "engine/model/scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace scree::measure {

/// The value below which the share `p` in [0, 1] of the values lies, linear between neighbours; 0 without values.
/// Reorders `values`.
[[nodiscard]] inline double percentile(std::vector<double>& values, double p) {
    if (values.empty()) return 0.0;
    const double rank = p * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin(), values.begin() + below, values.end());
    const double low = values[static_cast<std::size_t>(below)];
    const double part = rank - static_cast<double>(below);
    if (part <= 0.0) return low;
    const double high = *std::min_element(values.begin() + below + 1, values.end());
    return low + part * (high - low);
}

/// Fields: mean, p99, max [m] of the centres of free bodies in the box, along -gravity (along z without gravity),
/// measured from the origin. 0 without bodies.
class Heights final : public Measurement {
public:
    Heights(const model::Scene& scene, const model::Probe& probe) : box_(probe.box) {
        const model::Vec3 up = normalized(-scene.gravity);
        if (norm(up) > 0.0) up_ = up;
    }

    [[nodiscard]] std::vector<std::string> fields() const override { return {"mean", "p99", "max"}; }

    void evaluate(const model::Snapshot& s, std::span<double> values) override {
        std::vector<double> heights;
        double sum = 0.0;
        for (std::size_t i = 0; i < s.id.size(); ++i) {
            if (!std::isfinite(s.mass[i]) || !contains(box_, s.position[i])) continue;
            heights.push_back(dot(up_, s.position[i]));
            sum += heights.back();
        }
        values[0] = heights.empty() ? 0.0 : sum / static_cast<double>(heights.size());
        values[1] = percentile(heights, 0.99);
        values[2] = heights.empty() ? 0.0 : *std::max_element(heights.begin(), heights.end());
    }

private:
    model::ProbeBox box_;
    model::Vec3 up_{0, 0, 1};
};

}  // namespace scree::measure
