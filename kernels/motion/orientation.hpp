// SPDX-License-Identifier: BSD-3-Clause
// Orientations as unit quaternions (w x y z) that turn.
#pragma once

#include "kernels/items/real.hpp"

namespace scree::kernels {

/// q <- exp(s w / 2) q with w in world axes, then one Newton step towards unit length (round-off only).
/// `squared_rate` = |w|^2, `duration` = s.
SCREE_HD inline void rotate_orientation(double* q, double wx, double wy, double wz, double squared_rate,
                                        double duration) {
    if (!(squared_rate > 0.0)) return;
    const double rate = square_root(squared_rate);
    const double half = 0.5 * duration * rate;
    const double s = sin(half) / rate, c = cos(half);
    const double x = s * wx, y = s * wy, z = s * wz;
    const double r[4] = {c * q[0] - x * q[1] - y * q[2] - z * q[3], c * q[1] + x * q[0] + y * q[3] - z * q[2],
                         c * q[2] + y * q[0] + z * q[1] - x * q[3], c * q[3] + z * q[0] + x * q[2] - y * q[1]};
    const double n = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
    const double correction = 1.5 - 0.5 * n;
    for (int k = 0; k < 4; ++k) q[k] = correction * r[k];
}

}  // namespace scree::kernels
