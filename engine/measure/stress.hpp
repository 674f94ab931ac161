// SPDX-License-Identifier: BSD-3-Clause
// Probe kind `stress`: the mean stress in a box.
#pragma once

#include "engine/measure/coarse_grain.hpp"
#include "engine/measure/measurement.hpp"

#include <cmath>

namespace scree::measure {

/// Mean stress of a cell, positive under pressure, symmetrised [Pa]: contact forces (Love and Weber) and what the
/// velocities' differences from their mean carry.
[[nodiscard]] inline SymmetricTensor stress_of(const CellSums& sums, double volume) {
    SymmetricTensor stress = sums.fluctuation();
    for (std::size_t k = 0; k < stress.size(); ++k) stress[k] = (stress[k] + sums.virial[k]) / volume;
    return stress;
}

/// Fields [Pa]: xx, yy, zz, xy, xz, yz; pressure, a third of the trace; deviator, sqrt(3/2 s:s) with s the stress less
/// the pressure (the difference of the axial and the lateral stress in a triaxial test); kinetic, the part of the
/// pressure that moving bodies carry.
class Stress final : public Measurement {
public:
    Stress(const model::Scene& scene, const model::Probe& probe) : cell_(scene, {probe.box, {1, 1, 1}}) {}

    [[nodiscard]] std::vector<std::string> fields() const override {
        return {"xx", "yy", "zz", "xy", "xz", "yz", "pressure", "deviator", "kinetic"};
    }
    [[nodiscard]] bool needs_contacts() const override { return true; }

    void evaluate(const model::Snapshot& snapshot, std::span<double> values) override {
        const double volume = cell_.grid().volume();
        const CellSums sums = cell_.sums(snapshot).front();
        const SymmetricTensor stress = stress_of(sums, volume), moving = sums.fluctuation();
        std::copy(stress.begin(), stress.end(), values.begin());
        const double pressure = (stress[0] + stress[1] + stress[2]) / 3.0;
        double square = 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
            square += (stress[k] - pressure) * (stress[k] - pressure);
            square += 2.0 * stress[3 + k] * stress[3 + k];
        }
        values[6] = pressure;
        values[7] = std::sqrt(1.5 * square);
        values[8] = (moving[0] + moving[1] + moving[2]) / (3.0 * volume);
    }

private:
    CoarseGrain cell_;
};

}  // namespace scree::measure
