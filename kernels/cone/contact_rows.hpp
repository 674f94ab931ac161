// SPDX-License-Identifier: BSD-3-Clause
// The rows D of all contacts, never assembled, and how their data lie in memory.
//
// Contact i acts between a finder body A and a partner B (another body, or the ground row for every boundary):
//   n        unit normal from A to B
//   lever_a  distance from the centre of A to the contact point along  n   (arm r_A =  lever_a n)
//   lever_b  distance from the centre of B to the contact point along -n   (arm r_B = -lever_b n)
// so that for an impulse g on B (world axes)
//   u = v_B - v_A - (lever_b w_B + lever_a w_A) x n,    torque on A = -lever_a n x g,  on B = -lever_b n x g.
//
// Those are the arms of spheres. Problems with bodies of other shapes have arms of any direction beside the rows:
//   arm_a, arm_b   from the centre of A (of B) to the contact point:  u = v_B + w_B x arm_b - v_A - w_A x arm_a,
// and the levers are their lengths.
//
// Layout: tiles of W contacts (W = Backend::tile), field-major inside a tile: field f of contact i is at
// (i / W * F + f) W + i % W. A packet or a warp reads a field of its tile with one wide load, and one contact's
// fields lie within a few cache lines. Contacts are padded to whole tiles with inert rows (ground to ground).
#pragma once

#include "kernels/items/rows_of_eight.hpp"
#include "kernels/items/vector3.hpp"

#include <type_traits>

namespace scree::kernels {

/// Fields of the constant rows.
struct RowField {
    enum : int {
        nx,
        ny,
        nz,
        lever_a,
        lever_b,
        bias,        ///< b_n [m/s], see numerics section 3
        friction,    ///< mu [-]
        inv_dn,      ///< 1 / (N_nn + E) [kg]
        inv_dt,      ///< 1 / max(N_uu, N_ww) [kg]
        compliance,  ///< E_n [1/kg]
        count
    };
};

/// Fields of the optional rolling and spinning rows.
struct RollingField {
    enum : int {
        rolling,   ///< mu_r [m]
        spinning,  ///< mu_s [m]
        inv_d,     ///< 1 / (1/I_A + 1/I_B) [kg m^2]
        count
    };
};

/// Fields of the optional arms [m].
struct ArmField {
    enum : int { ax, ay, az, bx, by, bz, count };
};

/// What the contacts of a problem have beside normal impulses and friction.
enum class RowKind : int {
    sliding = 0,
    rolling = 1,       ///< rolling and spinning rows
    arms = 2,          ///< arms that need not be along the normal, inertia that is a tensor
    arms_rolling = 3,  ///< both
};
template <RowKind K>
inline constexpr bool has_rolling = K == RowKind::rolling || K == RowKind::arms_rolling;
template <RowKind K>
inline constexpr bool has_arms = K == RowKind::arms || K == RowKind::arms_rolling;
template <RowKind K>
struct RowKindConstant {
    static constexpr RowKind value = K;
};
[[nodiscard]] constexpr RowKind row_kind(bool rolling, bool arms) {
    return RowKind((rolling ? 1 : 0) + (arms ? 2 : 0));
}
/// Calls call(RowKindConstant<kind>{}).
template <class Call>
auto with_row_kind(RowKind kind, const Call& call) {
    switch (kind) {
        case RowKind::rolling:
            return call(RowKindConstant<RowKind::rolling>{});
        case RowKind::arms:
            return call(RowKindConstant<RowKind::arms>{});
        case RowKind::arms_rolling:
            return call(RowKindConstant<RowKind::arms_rolling>{});
        case RowKind::sliding:
            break;
    }
    return call(RowKindConstant<RowKind::sliding>{});
}

/// Rounds up to whole tiles.
SCREE_HD constexpr Index padded(Index contacts, int tile) { return (contacts + tile - 1) / tile * tile; }

/// Address of field `f` of contact `i` in an array of `F` fields.
template <int W, int F>
SCREE_HD std::int64_t tiled(Index i, int f) {
    return (std::int64_t(i / W) * F + f) * W + i % W;
}

template <class P, int W, int F>
SCREE_HD_INLINE P load_field(const typename LaneTraits<P>::Scalar* fields, Index first, int f) {
    return Lanes<P>::load(fields + tiled<W, F>(first, f));
}
template <int W, int F, class P>
SCREE_HD_INLINE void store_field(typename LaneTraits<P>::Scalar* fields, Index first, int f, P value) {
    Lanes<P>::store(fields + tiled<W, F>(first, f), value);
}
template <class P, int W>
SCREE_HD_INLINE Vector3<P> load_vector(const typename LaneTraits<P>::Scalar* fields, Index first) {
    return {load_field<P, W, 3>(fields, first, 0), load_field<P, W, 3>(fields, first, 1),
            load_field<P, W, 3>(fields, first, 2)};
}
template <int W, class P>
SCREE_HD_INLINE void store_vector(typename LaneTraits<P>::Scalar* fields, Index first, Vector3<P> v) {
    store_field<W, 3>(fields, first, 0, v.x);
    store_field<W, 3>(fields, first, 1, v.y);
    store_field<W, 3>(fields, first, 2, v.z);
}

/// The constant rows of `lanes` contacts.
template <class P>
struct ContactRow {
    Vector3<P> n;
    P lever_a, lever_b, bias, friction, inv_dn, inv_dt, compliance;
};
template <class P>
struct ArmRow : ContactRow<P> {
    Vector3<P> arm_a, arm_b;
};
/// The rows of a kind.
template <class P, RowKind K>
using KindRow = std::conditional_t<has_arms<K>, ArmRow<P>, ContactRow<P>>;
template <class P>
struct RollingRow {
    P rolling, spinning, inv_d;
};

template <class P, int W>
SCREE_HD_INLINE ContactRow<P> load_row(const typename LaneTraits<P>::Scalar* rows, Index first) {
    const auto field = [&](int f) { return load_field<P, W, RowField::count>(rows, first, f); };
    return {{field(RowField::nx), field(RowField::ny), field(RowField::nz)},
            field(RowField::lever_a),
            field(RowField::lever_b),
            field(RowField::bias),
            field(RowField::friction),
            field(RowField::inv_dn),
            field(RowField::inv_dt),
            field(RowField::compliance)};
}
template <class P, int W>
SCREE_HD_INLINE RollingRow<P> load_rolling(const typename LaneTraits<P>::Scalar* rows, Index first) {
    const auto field = [&](int f) { return load_field<P, W, RollingField::count>(rows, first, f); };
    return {field(RollingField::rolling), field(RollingField::spinning), field(RollingField::inv_d)};
}

/// Relative velocity of B with respect to A at the contact (u) and of their rotations (w), world axes.
template <class P>
struct RelativeVelocity {
    Vector3<P> u, w;
};

template <class P>
SCREE_HD_INLINE RelativeVelocity<P> relative_velocity(const ArmRow<P>& row, const P (&a)[8], const P (&b)[8]) {
    const Vector3<P> spin_a{a[4], a[5], a[6]}, spin_b{b[4], b[5], b[6]};
    const Vector3<P> of_a = cross(spin_a, row.arm_a), of_b = cross(spin_b, row.arm_b);
    return {{b[0] - a[0] + (of_b.x - of_a.x), b[1] - a[1] + (of_b.y - of_a.y), b[2] - a[2] + (of_b.z - of_a.z)},
            spin_b - spin_a};
}
template <class P>
SCREE_HD_INLINE RelativeVelocity<P> relative_velocity(const ContactRow<P>& row, const P (&a)[8], const P (&b)[8]) {
    const Vector3<P> spin{row.lever_b * b[4] + row.lever_a * a[4], row.lever_b * b[5] + row.lever_a * a[5],
                          row.lever_b * b[6] + row.lever_a * a[6]};
    const Vector3<P> slip = cross(spin, row.n);
    return {{b[0] - a[0] - slip.x, b[1] - a[1] - slip.y, b[2] - a[2] - slip.z},
            {b[4] - a[4], b[5] - a[5], b[6] - a[6]}};
}

/// The impulse row of a contact: (g_x g_y g_z lever_a, t_x t_y t_z lever_b) with t = n x g, so that the gather of a
/// body needs one row per contact and no other data.
template <class P>
SCREE_HD_INLINE void store_impulse_row(typename LaneTraits<P>::Scalar* impulse_rows, Index first,
                                       const ContactRow<P>& row, Vector3<P> g) {
    const Vector3<P> t = cross(row.n, g);
    P values[8] = {g.x, g.y, g.z, row.lever_a, t.x, t.y, t.z, row.lever_b};
    RowsOfEight<P>::store(impulse_rows, first, values);
}

/// With arms, two rows: what A gets, (-g 0, -arm_a x g - m 0), at the contact's place, and what B gets, (g 0, arm_b x g
/// + m 0), `contacts` rows behind.
template <class P>
SCREE_HD_INLINE void store_impulse_rows(typename LaneTraits<P>::Scalar* impulse_rows, Index first, Index contacts,
                                        const ArmRow<P>& row, Vector3<P> g, Vector3<P> m) {
    using R = typename LaneTraits<P>::Scalar;
    const P zero = P(R(0));
    const Vector3<P> a = cross(row.arm_a, g) + m, b = cross(row.arm_b, g) + m;
    P of_a[8] = {zero - g.x, zero - g.y, zero - g.z, zero, zero - a.x, zero - a.y, zero - a.z, zero};
    P of_b[8] = {g.x, g.y, g.z, zero, b.x, b.y, b.z, zero};
    RowsOfEight<P>::store(impulse_rows, first, of_a);
    RowsOfEight<P>::store(impulse_rows + std::int64_t(8) * contacts, first, of_b);
}

}  // namespace scree::kernels
