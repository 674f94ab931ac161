// SPDX-License-Identifier: BSD-3-Clause
// The farthest of many points along a direction: what the narrow phase of polyhedra spends most of its time on.
//
// Points lie in blocks of eight x, eight y, eight z. GCC's vectors compare a block at once; CUDA threads and compilers
// without them go through it point by point. Both give the number of the first of the farthest points.
#pragma once

#include "kernels/items/vector3.hpp"

namespace scree::kernels {

inline constexpr int vertex_block = 8;

#if defined(__CUDACC__) || defined(__clang__)

SCREE_HD inline std::int32_t farthest_vertex(const double* blocks, std::int32_t count, Vector3<double> d) {
    std::int32_t best = 0;
    double farthest = blocks[0] * d.x + blocks[vertex_block] * d.y + blocks[2 * vertex_block] * d.z;
    for (std::int32_t k = 1; k < count; ++k) {
        const double* at = blocks + 3 * vertex_block * (k / vertex_block) + k % vertex_block;
        const double reached = at[0] * d.x + at[vertex_block] * d.y + at[2 * vertex_block] * d.z;
        best = reached > farthest ? k : best;
        farthest = larger(reached, farthest);
    }
    return best;
}

#else

inline std::int32_t farthest_vertex(const double* blocks, std::int32_t count, Vector3<double> d) {
    using Eight = double __attribute__((vector_size(8 * vertex_block)));
    using Loaded = double __attribute__((vector_size(8 * vertex_block), aligned(8), may_alias));
    const auto along = [&](const double* block) {
        const auto row = [block](int axis) {
            return Eight(*reinterpret_cast<const Loaded*>(block + vertex_block * axis));
        };
        return row(0) * d.x + row(1) * d.y + row(2) * d.z;
    };
    const Eight lane{0, 1, 2, 3, 4, 5, 6, 7};
    Eight farthest = along(blocks), place = lane;
    for (std::int32_t first = vertex_block; first < count; first += vertex_block) {
        const Eight reached = along(blocks + 3 * first);
        const auto more = reached > farthest;
        place = more ? lane + double(first) : place;
        farthest = more ? reached : farthest;
    }
    // The better of two lanes each: 4 apart, 2 apart, 1 apart.
    const auto better = [&](const Eight& its_reach, const Eight& its_place) {
        const auto more = (its_reach > farthest) | ((its_reach == farthest) & (its_place < place));
        place = more ? its_place : place;
        farthest = more ? its_reach : farthest;
    };
    better(__builtin_shufflevector(farthest, farthest, 4, 5, 6, 7, 0, 1, 2, 3),
           __builtin_shufflevector(place, place, 4, 5, 6, 7, 0, 1, 2, 3));
    better(__builtin_shufflevector(farthest, farthest, 2, 3, 0, 1, 6, 7, 4, 5),
           __builtin_shufflevector(place, place, 2, 3, 0, 1, 6, 7, 4, 5));
    better(__builtin_shufflevector(farthest, farthest, 1, 0, 3, 2, 5, 4, 7, 6),
           __builtin_shufflevector(place, place, 1, 0, 3, 2, 5, 4, 7, 6));
    return std::int32_t(place[0]);
}

#endif

}  // namespace scree::kernels
