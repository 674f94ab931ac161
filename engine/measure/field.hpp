// SPDX-License-Identifier: BSD-3-Clause
// Probe kind `field`: profiles and maps, as a table of their own.
#pragma once

#include "engine/measure/coarse_grain.hpp"
#include "engine/measure/measurement.hpp"
#include "engine/measure/stress.hpp"

namespace scree::measure {

/// No values in series.csv. Per evaluation and cell of the box one row: x, y, z, the cell's centre [m]; count [-],
/// bodies with centre in it; fraction, solid volume [-]; density, mass over volume [kg/m^3]; vx, vy, vz [m/s] and wx,
/// wy, wz [rad/s], means by mass; temperature [m^2/s^2]; xx, yy, zz, xy, xz, yz, stress [Pa]. But for the count, a body
/// that a face cuts counts in either cell with its part. 0 where there is nothing.
class Field final : public Measurement {
public:
    Field(const model::Scene& scene, const model::Probe& probe) : cells_(scene, {probe.box, probe.cells}) {}

    [[nodiscard]] std::vector<std::string> fields() const override { return {}; }
    [[nodiscard]] bool needs_contacts() const override { return true; }
    [[nodiscard]] std::vector<std::string> table_columns() const override {
        return {"x",  "y",  "z",           "count", "fraction", "density", "vx", "vy", "vz", "wx",
                "wy", "wz", "temperature", "xx",    "yy",       "zz",      "xy", "xz", "yz"};
    }
    [[nodiscard]] std::span<const double> table() const override { return table_; }

    void evaluate(const model::Snapshot& snapshot, std::span<double> /*values*/) override {
        const std::vector<CellSums> sums = cells_.sums(snapshot);
        const double volume = cells_.grid().volume();
        table_.clear();
        for (std::size_t k = 0; k < sums.size(); ++k) {
            const CellSums& cell = sums[k];
            const model::Vec3 at = cells_.grid().center(k), v = cell.velocity(), w = cell.angular_velocity();
            const SymmetricTensor stress = stress_of(cell, volume);
            table_.insert(table_.end(), {at.x, at.y, at.z, cell.count, cell.solid / volume, cell.mass / volume, v.x,
                                         v.y, v.z, w.x, w.y, w.z, cell.temperature()});
            table_.insert(table_.end(), stress.begin(), stress.end());
        }
    }

private:
    CoarseGrain cells_;
    std::vector<double> table_;
};

}  // namespace scree::measure
