// SPDX-License-Identifier: BSD-3-Clause
// The farthest of many points along a direction, and the planes that a point is near: what the narrow phase of
// polyhedra spends most of its time on.
//
// Points lie in blocks of eight x, eight y, eight z; planes have a fourth row, their offsets. GCC's vectors compare a
// block at once; CUDA threads and compilers without them go through it one by one. Both give the same numbers.
#pragma once

#include "kernels/items/vector3.hpp"

#include <type_traits>

namespace scree::kernels {

inline constexpr int vertex_block = 8;

/// farthest_vertex(): the number of the first of the farthest points. `rows`: of a block (4: the normals of planes).
/// gathered(): from[places[k]] of lane k, the first place beyond `count`.
/// near_planes(): bit k for the plane k of one block that lies less than `reach` beyond the point p (or before it).

#if defined(__CUDACC__) || defined(__clang__)

using DirectionLanes = double;
inline constexpr int direction_lanes = 1;

SCREE_HD inline double gathered(const double* from, const std::int32_t* places, int) { return from[places[0]]; }
SCREE_HD inline void scatter(double* to, double lanes) { *to = lanes; }

template <int rows = 3>
SCREE_HD std::int32_t farthest_vertex(const double* blocks, std::int32_t count, Vector3<double> d) {
    std::int32_t best = 0;
    double farthest = blocks[0] * d.x + blocks[vertex_block] * d.y + blocks[2 * vertex_block] * d.z;
    for (std::int32_t k = 1; k < count; ++k) {
        const double* at = blocks + rows * vertex_block * (k / vertex_block) + k % vertex_block;
        const double reached = at[0] * d.x + at[vertex_block] * d.y + at[2 * vertex_block] * d.z;
        best = reached > farthest ? k : best;
        farthest = larger(reached, farthest);
    }
    return best;
}

SCREE_HD inline unsigned near_planes(const double* block, Vector3<double> p, double reach) {
    unsigned bits = 0;
    for (int k = 0; k < vertex_block; ++k) {
        const double* at = block + k;
        const double beyond =
            at[3 * vertex_block] - (at[0] * p.x + at[vertex_block] * p.y + at[2 * vertex_block] * p.z);
        if (beyond < reach) bits |= 1u << k;
    }
    return bits;
}

#else

using EightDoubles = double __attribute__((vector_size(8 * vertex_block)));
using DirectionLanes = EightDoubles;
inline constexpr int direction_lanes = 8;

inline EightDoubles gathered(const double* from, const std::int32_t* p, int count) {
    const auto at = [=](int k) { return from[p[k < count ? k : 0]]; };
    return EightDoubles{at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)};
}
inline void scatter(double* to, const EightDoubles& lanes) {
    using Stored = double __attribute__((vector_size(8 * vertex_block), aligned(8), may_alias));
    *reinterpret_cast<Stored*>(to) = lanes;
}

inline EightDoubles row_of_block(const double* block, int row) {
    using Loaded = double __attribute__((vector_size(8 * vertex_block), aligned(8), may_alias));
    return EightDoubles(*reinterpret_cast<const Loaded*>(block + vertex_block * row));
}
inline EightDoubles along_block(const double* block, Vector3<double> d) {
    return row_of_block(block, 0) * d.x + row_of_block(block, 1) * d.y + row_of_block(block, 2) * d.z;
}

template <int rows = 3>
std::int32_t farthest_vertex(const double* blocks, std::int32_t count, Vector3<double> d) {
    using Eight = EightDoubles;
    const auto along = [&](const double* block) { return along_block(block, d); };
    const Eight lane{0, 1, 2, 3, 4, 5, 6, 7};
    Eight farthest = along(blocks), place = lane;
    for (std::int32_t first = vertex_block; first < count; first += vertex_block) {
        const Eight reached = along(blocks + rows * first);
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

inline unsigned near_planes(const double* block, Vector3<double> p, double reach) {
    const auto near = row_of_block(block, 3) - along_block(block, p) < reach;
    using Bits = std::remove_cvref_t<decltype(near)>;
    Bits bits = near & Bits{1, 2, 4, 8, 16, 32, 64, 128};
    bits |= __builtin_shufflevector(bits, bits, 4, 5, 6, 7, 0, 1, 2, 3);
    bits |= __builtin_shufflevector(bits, bits, 2, 3, 0, 1, 6, 7, 4, 5);
    bits |= __builtin_shufflevector(bits, bits, 1, 0, 3, 2, 5, 4, 7, 6);
    return unsigned(bits[0]);
}

#endif

/// Along as many directions at once as a register has lanes: how far the farthest of `count` points in rows x y z lies
/// along each, and its number, the first of equals.
SCREE_HD inline void farthest_along_each(const double* rows, std::int32_t count, const DirectionLanes& x,
                                         const DirectionLanes& y, const DirectionLanes& z, DirectionLanes& farthest,
                                         DirectionLanes& number) {
    farthest = x * rows[0] + y * rows[1] + z * rows[2];
    number = DirectionLanes{};
    for (std::int32_t v = 1; v < count; ++v) {
        const DirectionLanes along = x * rows[3 * v] + y * rows[3 * v + 1] + z * rows[3 * v + 2];
        const auto more = along > farthest;
        number = more ? DirectionLanes{} + double(v) : number;
        farthest = more ? along : farthest;
    }
}

}  // namespace scree::kernels
