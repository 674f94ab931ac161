// SPDX-License-Identifier: BSD-3-Clause
// Rows of eight reals to and from packets of eight: eight row loads and an 8 x 8 transpose in registers, which costs
// three shuffles per row where single-lane gathers cost six loads.
#pragma once

#include "kernels/items/rows_of_eight.hpp"
#include "kernels/parallel/packet.hpp"

namespace scree::kernels {

template <class R>
struct RowParts<Packet<R, 8>> {
    using Row = Packet<R, 8>;
    static Row parts(R a, R b) {
        using V = typename Row::Vector;
        return Row::of(V{a, a, a, R(0), b, b, b, R(0)});
    }
    template <int K>
    static Row levered(Row row) {
        const typename Row::Vector ones = Row(R(1)).v;
        return Row::of(__builtin_shufflevector(ones, row.v, 0, 1, 2, 3, 8 + K, 8 + K, 8 + K, 8 + K));
    }
    static Row times(R s, const R* m, const Row& row) {
        using V = typename Row::Vector;
        const R x = row.v[4], y = row.v[5], z = row.v[6];
        return Row::of(V{s * row.v[0], s * row.v[1], s * row.v[2], R(0), m[0] * x + m[3] * y + m[4] * z,
                         m[3] * x + m[1] * y + m[5] * z, m[4] * x + m[5] * y + m[2] * z, R(0)});
    }
    static Row angular(const R* m) {
        using V = typename Row::Vector;
        return Row::of(V{R(0), R(0), R(0), R(0), m[0], m[1], m[2], m[3]});
    }
    /// Sums stay in lanes until the block is done.
    static void add(Row& sum, Row row) { sum += row; }
};

/// Transposes eight packets of eight in place.
template <class R>
[[gnu::always_inline]] inline void transpose(Packet<R, 8> (&m)[8]) {
    using V = typename Packet<R, 8>::Vector;
    V a[8], b[8];
    for (int i = 0; i < 4; ++i) {
        const V x = m[2 * i].v, y = m[2 * i + 1].v;
        a[2 * i] = __builtin_shufflevector(x, y, 0, 8, 1, 9, 4, 12, 5, 13);
        a[2 * i + 1] = __builtin_shufflevector(x, y, 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int half = 0; half < 2; ++half) {
        const int o = 4 * half;
        b[o] = __builtin_shufflevector(a[o], a[o + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        b[o + 1] = __builtin_shufflevector(a[o], a[o + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        b[o + 2] = __builtin_shufflevector(a[o + 1], a[o + 3], 0, 1, 8, 9, 4, 5, 12, 13);
        b[o + 3] = __builtin_shufflevector(a[o + 1], a[o + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int i = 0; i < 4; ++i) {
        m[i].v = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        m[i + 4].v = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

template <class R>
struct RowsOfEight<Packet<R, 8>> {
    using P = Packet<R, 8>;
    [[gnu::always_inline]] static void gather(const R* rows, const Index* ids, P (&out)[8]) {
        for (int lane = 0; lane < 8; ++lane) out[lane] = Lanes<P>::load(rows + std::int64_t(8) * ids[lane]);
        transpose(out);
    }
    [[gnu::always_inline]] static void store(R* rows, Index first, P (&columns)[8]) {
        transpose(columns);
        for (int lane = 0; lane < 8; ++lane) Lanes<P>::store(rows + std::int64_t(8) * (first + lane), columns[lane]);
    }
};

}  // namespace scree::kernels
