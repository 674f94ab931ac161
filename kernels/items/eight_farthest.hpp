// SPDX-License-Identifier: BSD-3-Clause
// The farthest of many points along each of eight directions at once: as many looks as a vector register has lanes cost
// little more than one.
#pragma once

#include "kernels/items/farthest_vertex.hpp"

namespace scree::kernels {

struct EightDirections {
    static constexpr int lanes = 8;
    double x[lanes], y[lanes], z[lanes];
};

/// Of `count` points in rows x y z: how far the farthest lies along each direction, and its number, the first of equals.
#if defined(__CUDACC__) || defined(__clang__)

SCREE_HD inline void eight_farthest(const double* rows, std::int32_t count, const EightDirections& d, int used,
                                    double* reached, std::int32_t* number) {
    for (int k = 0; k < used; ++k) {
        double farthest = -1e300;
        std::int32_t best = 0;
        for (std::int32_t v = 0; v < count; ++v) {
            const double along = rows[3 * v] * d.x[k] + rows[3 * v + 1] * d.y[k] + rows[3 * v + 2] * d.z[k];
            best = along > farthest ? v : best;
            farthest = larger(along, farthest);
        }
        reached[k] = farthest;
        number[k] = best;
    }
}

#else

inline void eight_farthest(const double* rows, std::int32_t count, const EightDirections& d, int, double* reached,
                           std::int32_t* number) {
    const EightDoubles x = row_of_block(d.x, 0), y = row_of_block(d.y, 0), z = row_of_block(d.z, 0);
    EightDoubles farthest = x * rows[0] + y * rows[1] + z * rows[2], best{};
    for (std::int32_t v = 1; v < count; ++v) {
        const EightDoubles along = x * rows[3 * v] + y * rows[3 * v + 1] + z * rows[3 * v + 2];
        const auto more = along > farthest;
        best = more ? EightDoubles{} + double(v) : best;
        farthest = more ? along : farthest;
    }
    for (int k = 0; k < EightDirections::lanes; ++k) {
        reached[k] = farthest[k];
        number[k] = std::int32_t(best[k]);
    }
}

#endif

}  // namespace scree::kernels
