// SPDX-License-Identifier: BSD-3-Clause
// The momentum of the accelerated projected gradient solvers, on the device, the CPU and the host alike.
#pragma once

#include "kernels/items/real.hpp"

namespace scree::kernels {

/// Nesterov's momentum: theta+ = (-theta^2 + theta sqrt(theta^2 + 4)) / 2, beta = theta (1 - theta) / (theta^2 +
/// theta+).
struct NesterovSequence {
    double theta = 1.0;
    SCREE_HD double next() {
        const double squared = theta * theta;
        const double following = 0.5 * (-squared + theta * square_root(squared + 4.0));
        const double beta = theta * (1.0 - theta) / (squared + following);
        theta = following;
        return beta;
    }
    SCREE_HD void restart() { theta = 1.0; }
};

}  // namespace scree::kernels
