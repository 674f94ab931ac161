// SPDX-License-Identifier: BSD-3-Clause
// Random access to rows of eight reals, the unit in which bodies and contacts exchange data: one 32-byte sector in
// float. A body velocity row is (v_x v_y v_z 0, w_x w_y w_z 0); an impulse row is described in cone/contact_rows.hpp.
#pragma once

#include "kernels/items/real.hpp"

namespace scree::kernels {

/// Four reals handled as one: half a row. What a CUDA thread and the references use; the CPU has a packet of four.
template <class R>
struct alignas(4 * sizeof(R)) ScalarQuad {
    R lane[4];

    ScalarQuad() = default;
    SCREE_HD ScalarQuad(R s) : lane{s, s, s, s} {}  // NOLINT(google-explicit-constructor): a scalar broadcasts
    SCREE_HD ScalarQuad(R a, R b, R c, R d) : lane{a, b, c, d} {}
    SCREE_HD friend ScalarQuad operator+(ScalarQuad a, ScalarQuad b) {
        return {a.lane[0] + b.lane[0], a.lane[1] + b.lane[1], a.lane[2] + b.lane[2], a.lane[3] + b.lane[3]};
    }
    SCREE_HD friend ScalarQuad operator-(ScalarQuad a, ScalarQuad b) {
        return {a.lane[0] - b.lane[0], a.lane[1] - b.lane[1], a.lane[2] - b.lane[2], a.lane[3] - b.lane[3]};
    }
    SCREE_HD friend ScalarQuad operator*(ScalarQuad a, ScalarQuad b) {
        return {a.lane[0] * b.lane[0], a.lane[1] * b.lane[1], a.lane[2] * b.lane[2], a.lane[3] * b.lane[3]};
    }
    SCREE_HD ScalarQuad& operator+=(ScalarQuad b) { return *this = *this + b; }
    SCREE_HD ScalarQuad& operator-=(ScalarQuad b) { return *this = *this - b; }
};

template <class R>
struct LaneTraits<ScalarQuad<R>> {
    using Scalar = R;
    static constexpr int lanes = 4;
};
template <class R>
struct Lanes<ScalarQuad<R>> {
    SCREE_HD static ScalarQuad<R> load(const R* from) { return *reinterpret_cast<const ScalarQuad<R>*>(from); }
    SCREE_HD static void store(R* to, ScalarQuad<R> value) { *reinterpret_cast<ScalarQuad<R>*>(to) = value; }
};
template <class R>
SCREE_HD R fourth_lane(ScalarQuad<R> q) {
    return q.lane[3];
}
/// q.x * r.x + q.y * r.y + q.z * r.z
template <class R>
SCREE_HD R dot3(ScalarQuad<R> q, ScalarQuad<R> r) {
    return q.lane[0] * r.lane[0] + q.lane[1] * r.lane[1] + q.lane[2] * r.lane[2];
}

/// Rows of eight for `lanes` items at once. Specialised for packets in parallel/packet_rows.hpp.
template <class P>
struct RowsOfEight {
    /// out[k] = element k of row ids[lane].
    SCREE_HD static void gather(const P* rows, const Index* ids, P (&out)[8]) {
        const P* row = rows + std::int64_t(8) * *ids;
        const ScalarQuad<P> low = Lanes<ScalarQuad<P>>::load(row);
        const ScalarQuad<P> high = Lanes<ScalarQuad<P>>::load(row + 4);
        for (int k = 0; k < 4; ++k) out[k] = low.lane[k];
        for (int k = 0; k < 4; ++k) out[4 + k] = high.lane[k];
    }
    /// Row first + lane = (in[0], ..., in[7]) of that lane.
    SCREE_HD static void store(P* rows, Index first, const P (&in)[8]) {
        P* row = rows + std::int64_t(8) * first;
        Lanes<ScalarQuad<P>>::store(row, {in[0], in[1], in[2], in[3]});
        Lanes<ScalarQuad<P>>::store(row + 4, {in[4], in[5], in[6], in[7]});
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
