// SPDX-License-Identifier: BSD-3-Clause
// Lemke's algorithm for LCP(M, q), dense, to about 2000 unknowns (Cottle, Pang and Stone, "The Linear Complementarity
// Problem", section 4.4; papers/004, section 3).
//
// Problem     w = M z + d z0 + q,  z, w, z0 >= 0,  z . w = 0; the path follows the one edge along which z0 may fall.
// Iteration   entering column B^-1 a; the leaving row is the lexicographic minimum of [x_B | B^-1] / column over rows
//             with a positive entry: no basis returns, whatever the degeneracy. z0 is preferred on every tie. B^-1 is
//             kept and updated by one rank-one step per pivot, and made anew every `refactor_interval` pivots.
// Scaling     powers of two, symmetric: S M S, S q have the same complementary bases as M, q, and no rounding is added.
// Ladder      a rung that ends without a certified solution hands over to the next, which begins anew:
//             0  pivots below 1e-6 of their column are refused; at most 200 + 4 n pivots.
//             1  the same on regularised problems, which converge to the problem itself (regularised.hpp): for
//             redundant
//                contacts, where paths over nearly singular bases lose their way.
//             2, 3, 4  pivots to 1e-8, 1e-10, 1e-12 of their column: badly scaled problems have true pivots of that
//             size,
//                redundant ones are lost to pivots that are rounding (of 60 contacts in towers of cubes 1e-10 loses one
//                in five, 1e-6 none).
//             5  long double, with a fresh inverse at each pivot (every n^2 / 5000 of them beyond n = 100), at most
//                200 + 4 n pivots.
//             A ray is an answer only where no refused pivot above 1e-10 may have made it, and never on rung 1.
// Stop        z0 leaves. z is polished by a fresh LU of the final basis in long double and judged by certify() on the
//             problem as given: the status says what that check says.
#pragma once

#include "engine/complementarity/linear_problem.hpp"

#include <atomic>
#include <cstddef>

namespace scree::complementarity {

struct LemkeSettings {
    /// Largest entry of the certificate. Too low: good solutions of badly scaled problems are refused.
    double tolerance = 1e-9;
    /// 0: 2^(n + 1) for n <= 12 and 200 + 50 n beyond. Too low: long but finite paths are cut.
    std::size_t max_pivots = 0;
    std::size_t refactor_interval = 50;  ///< Pivots between fresh inverses. Too high: rounding grows.
    /// d, n positive entries, in the problem's own scale; empty: ones after scaling. Another d is another path: it may
    /// reach a solution where this one ends on a ray.
    Eigen::VectorXd covering;
    bool scale = true;
    /// The class of M guarantees that Lemke solves (copositive with q in the cone, as Stewart-Trinkle problems are): a
    /// ray is then a numerical failure and the ladder goes on.
    bool ray_is_failure = false;
    /// false: without rung 1. Its solutions share loads among redundant rows; those of plain paths are vertices.
    bool regularise = true;
    /// Looked at before each pivot; true ends the work with model::Interrupted. Null: never.
    const std::atomic<bool>* interrupt = nullptr;
};

struct LemkeResult {
    LinearStatus status = LinearStatus::ill_conditioned;
    Eigen::VectorXd z;       ///< The solution, or the last point of the path [n].
    Eigen::VectorXd w;       ///< M z + q
    Eigen::VectorXd ray;     ///< Direction of z on the secondary ray [n]; empty unless status is ray.
    std::size_t pivots = 0;  ///< Of the rung that answered.
    std::size_t rung = 0;    ///< Of the ladder.
    LinearCertificate certificate;
};

/// Throws std::invalid_argument when sizes differ, an entry is not finite, or the covering vector is not positive;
/// model::Interrupted.
[[nodiscard]] LemkeResult solve_lemke(const LinearProblem& problem, const LemkeSettings& settings = {});

/// Mixed problem: u free, v >= 0:  A u + C v + a = 0,  0 <= v _|_ D u + B v + b >= 0.
struct MixedLinearProblem {
    Eigen::MatrixXd A, C, D, B;
    Eigen::VectorXd a, b;
};
struct MixedLinearResult {
    LemkeResult reduced;  ///< Of the Schur complement B - D A^-1 C.
    Eigen::VectorXd u, v;
};
/// Eliminates u. A must be regular: status ill_conditioned when it is not to working precision.
[[nodiscard]] MixedLinearResult solve_mixed(const MixedLinearProblem& problem, const LemkeSettings& settings = {});

}  // namespace scree::complementarity
