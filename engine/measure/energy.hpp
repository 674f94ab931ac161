// SPDX-License-Identifier: BSD-3-Clause
// Probe kind `energy`: kinetic and potential energy of the free bodies.
#pragma once

#include "engine/measure/measurement.hpp"
#include "engine/model/scene.hpp"

#include <cmath>
#include <cstddef>

namespace scree::measure {

/// Fields [J]: translational, rotational, kinetic (their sum), potential (-m g x, zero at the origin), total.
/// Fixed bodies do not count.
class Energy final : public Measurement {
public:
    Energy(const model::Scene& scene, const model::Probe& /*probe*/) : gravity_(scene.gravity) {}

    [[nodiscard]] std::vector<std::string> fields() const override {
        return {"translational", "rotational", "kinetic", "potential", "total"};
    }

    void evaluate(const model::Snapshot& s, std::span<double> values) override {
        double translational = 0.0, rotational = 0.0, potential = 0.0;
        for (std::size_t i = 0; i < s.id.size(); ++i) {
            const double mass = s.mass[i];
            if (!std::isfinite(mass)) continue;
            translational += 0.5 * mass * dot(s.velocity[i], s.velocity[i]);
            rotational += model::rotational_energy(s, i);
            potential -= mass * dot(gravity_, s.position[i]);
        }
        values[0] = translational;
        values[1] = rotational;
        values[2] = translational + rotational;
        values[3] = potential;
        values[4] = translational + rotational + potential;
    }

private:
    model::Vec3 gravity_;
};

}  // namespace scree::measure
