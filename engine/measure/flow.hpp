// SPDX-License-Identifier: BSD-3-Clause
// Probe kind `flow`: what leaves through one outlet.
#pragma once

#include "engine/measure/box_region.hpp"
#include "engine/measure/measurement.hpp"
#include "engine/model/scene.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace scree::measure {

/// Fields: count [-] and mass [kg] removed so far; mass_rate [kg/s] and count_rate [1/s] since the last evaluation
/// (0 at the first one).
class Flow final : public Measurement {
public:
    Flow(const model::Scene& scene, const model::Probe& probe)
        : outlet_(target_index(probe, scene.outlets, "outlet")) {}

    [[nodiscard]] std::vector<std::string> fields() const override {
        return {"count", "mass", "mass_rate", "count_rate"};
    }

    void evaluate(const model::Snapshot& s, std::span<double> values) override {
        const auto count = static_cast<double>(s.removed_count.at(outlet_));
        const double mass = s.removed_mass.at(outlet_);
        auto& [seen, time, last_count, last_mass, mass_rate, count_rate] = state_;
        // Asked twice at one instant, the rates stay what they were.
        if (seen > 0.0 && s.time > time) {
            mass_rate = (mass - last_mass) / (s.time - time);
            count_rate = (count - last_count) / (s.time - time);
        }
        seen = 1.0;
        time = s.time;
        last_count = count;
        last_mass = mass;
        values[0] = count;
        values[1] = mass;
        values[2] = mass_rate;
        values[3] = count_rate;
    }

    [[nodiscard]] std::vector<double> state() const override { return {state_.begin(), state_.end()}; }
    void restore(std::span<const double> state) override { std::copy(state.begin(), state.end(), state_.begin()); }

private:
    std::size_t outlet_;
    std::array<double, 6> state_{};  // seen (0 or 1), time, count, mass, mass rate, count rate
};

}  // namespace scree::measure
