// SPDX-License-Identifier: BSD-3-Clause
// Probe kind `body`: where one named body is, how it stands and how fast it moves.
#pragma once

#include "engine/measure/box_region.hpp"
#include "engine/measure/measurement.hpp"
#include "engine/model/scene.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace scree::measure {

/// Fields: x, y, z [m], vx, vy, vz [m/s], present [0 or 1], wx, wy, wz [rad/s] (world axes), qw, qx, qy, qz (body axes
/// to world axes). The body is the first one of the source that the probe names. Once it is gone, the last known values
/// stay and `present` is 0.
class Body final : public Measurement {
public:
    Body(const model::Scene& scene, const model::Probe& probe)
        : source_(static_cast<std::uint32_t>(target_index(probe, scene.sources, "source"))) {}

    [[nodiscard]] std::vector<std::string> fields() const override {
        return {"x", "y", "z", "vx", "vy", "vz", "present", "wx", "wy", "wz", "qw", "qx", "qy", "qz"};
    }

    void evaluate(const model::Snapshot& s, std::span<double> values) override {
        const auto found = std::find(s.source.begin(), s.source.end(), source_);
        last_[present] = 0.0;
        if (found != s.source.end()) {
            const auto i = static_cast<std::size_t>(found - s.source.begin());
            const model::Vec3 x = s.position[i], v = s.velocity[i], w = s.angular_velocity[i];
            const model::Quat q = s.orientation[i];
            last_ = {x.x, x.y, x.z, v.x, v.y, v.z, 1.0, w.x, w.y, w.z, q.w, q.x, q.y, q.z};
        }
        std::copy(last_.begin(), last_.end(), values.begin());
    }

    [[nodiscard]] std::vector<double> state() const override { return {last_.begin(), last_.end()}; }
    void restore(std::span<const double> state) override { std::copy(state.begin(), state.end(), last_.begin()); }

private:
    std::uint32_t source_;
    static constexpr std::size_t present = 6;
    std::array<double, 14> last_{};
};

}  // namespace scree::measure
