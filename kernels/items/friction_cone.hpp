// SPDX-License-Identifier: BSD-3-Clause
// Projection onto the cone of admissible contact impulses, in closed form.
//
// The cone of one contact holds a normal impulse x >= 0, a tangential impulse with |t| <= mu x and, where rolling and
// spinning resistance act, moments with |m_r| <= mu_r x and |m_s| <= mu_s x (Tasora and Anitescu's extension of NST
// eq. 6). The projection of (a; b_k) in a metric with weights d_n (normal) and d_k (each part) minimises
//     d_n (x - a)^2 + sum_k d_k (max(0, |b_k| - mu_k x))^2   over x >= 0,
// whose derivative is increasing, concave and piecewise linear in x: Newton's method from x = 0 visits each piece at
// most once. With one part this is the usual three-case projection.
#pragma once

#include "kernels/items/vector3.hpp"

namespace scree::kernels {

/// Projects a normal part `a` and a tangential part of length `b` onto |t| <= mu x.
/// `inv_dn`, `inv_dt` are the inverse metric weights. Returns x; the tangential part is to be scaled by
/// min(1, mu x / b), see cone_scale().
template <class P>
SCREE_HD_INLINE P project_normal(P a, P b, P mu, P inv_dn, P inv_dt) {
    const P inside = a;
    const P on_cone = (a * inv_dt + mu * b * inv_dn) / (inv_dt + mu * mu * inv_dn);
    // In this order of arguments a NaN stays one.
    return larger(P(0), select(b <= mu * a, inside, on_cone));
}

/// Factor that brings a part of length `b` to at most `limit`.
template <class P>
SCREE_HD_INLINE P cone_scale(P b, P limit) {
    return select(b > limit, limit / larger(b, P(1e-30f)), P(1));
}

/// The same with rolling and spinning parts: lengths b[3], coefficients mu[3], inverse weights inv_d[3]
/// (tangential, rolling, spinning). Four Newton steps reach the exact minimiser.
template <class P>
SCREE_HD_INLINE P project_normal(P a, const P (&b)[3], const P (&mu)[3], P inv_dn, const P (&inv_d)[3]) {
    using R = typename LaneTraits<P>::Scalar;
    // A root at a breakpoint may round to its near side, where a steep piece hides what comes after it: breakpoints
    // count as passed a few ulp early. What is dropped is zero at the breakpoint, so that x moves by no more than that.
    const P passed = P(sizeof(R) == 4 ? R(1.000001) : R(1.000000000000002));
    P x = P(0);
    const P dn = P(1) / inv_dn;
    for (int pass = 0; pass < 4; ++pass) {
        P numerator = dn * a;
        P denominator = dn;
        for (int k = 0; k < 3; ++k) {
            const P d = P(1) / inv_d[k];
            const P active = select(b[k] > mu[k] * (passed * x), d * mu[k], P(0));
            numerator = numerator + active * b[k];
            denominator = denominator + active * mu[k];
        }
        x = larger(x, numerator / denominator);
    }
    return x;
}

}  // namespace scree::kernels
