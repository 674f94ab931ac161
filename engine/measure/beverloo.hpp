// SPDX-License-Identifier: BSD-3-Clause
// The law of Beverloo, Leniger and van de Velde (1961) for the discharge of a silo through a round orifice.
#pragma once

#include <cmath>

namespace scree::measure {

struct Beverloo {
    double discharge = 0.58;  ///< C [-]; 0.55 to 0.65.
    double shape = 1.4;       ///< k [-]; 1.4 to 1.5 for spheres: the empty ring at the rim is k d / 2 wide.
};

/// Mass flow rate W = C rho_b sqrt(g) (D - k d)^2.5 [kg/s]; 0 where the orifice is narrower than k d.
/// `bulk_density` [kg/m^3] is solid density times solid fraction, `gravity` [m/s^2] a magnitude, `orifice` and `grain`
/// are diameters [m].
[[nodiscard]] inline double beverloo_rate(double bulk_density, double gravity, double orifice, double grain,
                                          Beverloo law = {}) {
    const double opening = orifice - law.shape * grain;
    if (!(opening > 0.0)) return 0.0;
    return law.discharge * bulk_density * std::sqrt(gravity) * opening * opening * std::sqrt(opening);
}

}  // namespace scree::measure
