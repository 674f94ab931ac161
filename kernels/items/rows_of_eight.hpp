// SPDX-License-Identifier: BSD-3-Clause
// Random access to rows of eight reals, the unit in which bodies and contacts exchange data: one 32-byte sector in
// float. A body velocity row is (v_x v_y v_z 0, w_x w_y w_z 0); an impulse row is described in cone/contact_rows.hpp.
#pragma once

#include "kernels/items/real.hpp"

namespace scree::kernels {

/// One row handled as one value. What a CUDA thread and the references use; the CPU has a packet of eight.
template <class R>
struct alignas(4 * sizeof(R)) ScalarRow {
    R lane[8];

    ScalarRow() = default;
    SCREE_HD explicit ScalarRow(R s) : lane{s, s, s, s, s, s, s, s} {}
    SCREE_HD friend ScalarRow operator+(ScalarRow a, const ScalarRow& b) { return a += b; }
    SCREE_HD friend ScalarRow operator-(ScalarRow a, const ScalarRow& b) { return a -= b; }
    SCREE_HD friend ScalarRow operator*(ScalarRow a, const ScalarRow& b) {
        for (int k = 0; k < 8; ++k) a.lane[k] *= b.lane[k];
        return a;
    }
    SCREE_HD ScalarRow& operator+=(const ScalarRow& b) {
        for (int k = 0; k < 8; ++k) lane[k] += b.lane[k];
        return *this;
    }
    SCREE_HD ScalarRow& operator-=(const ScalarRow& b) {
        for (int k = 0; k < 8; ++k) lane[k] -= b.lane[k];
        return *this;
    }
};

template <class R>
struct LaneTraits<ScalarRow<R>> {
    using Scalar = R;
    static constexpr int lanes = 8;
};
template <class R>
struct Lanes<ScalarRow<R>> {
    SCREE_HD static ScalarRow<R> load(const R* from) { return *reinterpret_cast<const ScalarRow<R>*>(from); }
    SCREE_HD static void store(R* to, const ScalarRow<R>& value) { *reinterpret_cast<ScalarRow<R>*>(to) = value; }
};

/// What bodies do with whole rows. Specialised for packets in parallel/packet_rows.hpp.
template <class Row>
struct RowParts {
    using R = typename LaneTraits<Row>::Scalar;
    /// (a a a 0, b b b 0): weights of a linear and of an angular part.
    SCREE_HD static Row parts(R a, R b) {
        Row r(a);
        r.lane[3] = R(0);
        for (int k = 4; k < 7; ++k) r.lane[k] = b;
        r.lane[7] = R(0);
        return r;
    }
    /// (1 1 1 1, s s s s) with s = element K of `row`.
    template <int K>
    SCREE_HD static Row levered(const Row& row) {
        Row r(R(1));
        for (int k = 4; k < 8; ++k) r.lane[k] = row.lane[K];
        return r;
    }
    /// (s v, S w) of (v, w), with a symmetric S (xx yy zz xy xz yz).
    SCREE_HD static Row times(R s, const R* m, const Row& row) {
        const R x = row.lane[4], y = row.lane[5], z = row.lane[6];
        Row r(R(0));
        for (int k = 0; k < 3; ++k) r.lane[k] = s * row.lane[k];
        r.lane[4] = m[0] * x + m[3] * y + m[4] * z;
        r.lane[5] = m[3] * x + m[1] * y + m[5] * z;
        r.lane[6] = m[4] * x + m[5] * y + m[2] * z;
        return r;
    }
    /// (0 0 0 0, m_0 m_1 m_2 m_3)
    SCREE_HD static Row angular(const R* m) {
        Row r(R(0));
        for (int k = 0; k < 4; ++k) r.lane[4 + k] = m[k];
        return r;
    }
    /// Adds `row` to a sum over the elements of rows.
    SCREE_HD static void add(R& sum, const Row& row) {
        sum += ((row.lane[0] + row.lane[4]) + (row.lane[2] + row.lane[6])) +
               ((row.lane[1] + row.lane[5]) + (row.lane[3] + row.lane[7]));
    }
};

/// Rows of eight for `lanes` items at once. Specialised for packets in parallel/packet_rows.hpp.
template <class P>
struct RowsOfEight {
    /// out[k] = element k of row ids[lane].
    SCREE_HD static void gather(const P* rows, const Index* ids, P (&out)[8]) {
        const ScalarRow<P> row = Lanes<ScalarRow<P>>::load(rows + std::int64_t(8) * *ids);
        for (int k = 0; k < 8; ++k) out[k] = row.lane[k];
    }
    /// Row first + lane = (in[0], ..., in[7]) of that lane.
    SCREE_HD static void store(P* rows, Index first, P (&in)[8]) {
        ScalarRow<P> row;
        for (int k = 0; k < 8; ++k) row.lane[k] = in[k];
        Lanes<ScalarRow<P>>::store(rows + std::int64_t(8) * first, row);
    }
};

/// Rows of four: row first + lane = (in[0], ..., in[3]) of that lane. A cold path: element by element on the CPU.
template <class P>
SCREE_HD void store_rows_of_four(typename LaneTraits<P>::Scalar* rows, Index first, const P (&in)[4]) {
    using R = typename LaneTraits<P>::Scalar;
    constexpr int lanes = LaneTraits<P>::lanes;
    for (int k = 0; k < 4; ++k) {
        R values[lanes];
        Lanes<P>::store(values, in[k]);
        for (int lane = 0; lane < lanes; ++lane) rows[std::int64_t(4) * (first + lane) + k] = values[lane];
    }
}

}  // namespace scree::kernels
