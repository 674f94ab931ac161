// SPDX-License-Identifier: BSD-3-Clause
// Probe kind `repose`: the slope of a free surface.
#pragma once

#include "engine/measure/measurement.hpp"
#include "engine/model/scene.hpp"

namespace scree::measure {

/// The surface is made of the highest free bodies with centre in the box: one in each vertical column of two mean
/// diameters by two, by its top. Up is against gravity (z without).
///
/// Of a cone: a straight flank, fitted by least squares to the tops over their distance from the vertical axis through
/// the bodies' centre of mass, of those between 20 and 80 % of the height and above one and a half mean diameters (what
/// lies alone on the ground is no flank). Fields: angle_deg [deg]; height [m], the
/// highest top over the lowest bottom; radius [m], where the flank meets that bottom; rms [m] of the tops' distance
/// from the flank, along the vertical; columns [-] that were fitted.
/// Of a plane, fitted to all tops: angle_deg [deg] to the horizontal, rms [m], columns [-].
/// angle, radius and rms are 0 with fewer than three columns, or where these tell no slope.
class Repose final : public Measurement {
public:
    Repose(const model::Scene& scene, const model::Probe& probe);

    [[nodiscard]] std::vector<std::string> fields() const override;
    void evaluate(const model::Snapshot& snapshot, std::span<double> values) override;

private:
    struct Top {
        double first, second, height;  ///< Across and along the vertical [m].
    };
    struct Surface {
        std::vector<Top> tops;
        double first = 0.0, second = 0.0;    ///< Of the centre of mass [m].
        double lowest = 0.0, highest = 0.0;  ///< [m]
        double diameter = 0.0;               ///< Mean [m].
    };
    [[nodiscard]] Surface surface_of(const model::Snapshot& snapshot) const;

    model::ProbeBox box_;
    model::Probe::Surface kind_;
    model::Vec3 up_{0, 0, 1}, first_{1, 0, 0}, second_{0, 1, 0};
};

}  // namespace scree::measure
