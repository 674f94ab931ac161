// SPDX-License-Identifier: BSD-3-Clause
// Mixed nonlinear complementarity (papers/002, definition 2): find u free and v such that
//
//   g(u, v) = 0,   0 <= v  _|_  f(u, v) >= 0     (componentwise)
//
// Function    Phi = [g; phi(v_i, f_i)] with phi(a, b) = sqrt(a^2 + b^2) - a - b (Fischer and Burmeister) or
//             phi(a, b) = -min(a, b); its zeros are the solutions.
// Iteration   semismooth Newton: an element of the generalised Jacobian by LU, by a rank-revealing QR where that is
//             singular, and by a Levenberg-Marquardt step (V^T V + lambda I) d = -V^T Phi where neither descends on
//             |Phi|^2 / 2; backtracking against the largest of the last few merits.
// Starts      the caller's, then perturbations of it drawn with a fixed seed; the second start uses the other function.
// Stop        natural_residual() <= tolerance, judged on g and f as the caller gives them. The status says what that
//             check says. The caller scales: unknowns and residuals are best of order one.
#pragma once

#include <Eigen/Core>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace scree::complementarity {

class MixedProblem {
public:
    virtual ~MixedProblem() = default;
    [[nodiscard]] virtual Eigen::Index free() const = 0;     ///< Entries of u, the first of z.
    [[nodiscard]] virtual Eigen::Index bounded() const = 0;  ///< Entries of v, the last of z.
    /// `value` = [g; f] at z = [u; v]; `jacobian` = d[g; f] / dz unless null. Sizes are set by the callee. Entries that
    /// are not finite mean that z is outside the domain: the line search turns back.
    virtual void evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& value, Eigen::MatrixXd* jacobian) const = 0;
    [[nodiscard]] Eigen::Index size() const { return free() + bounded(); }
};

/// Largest of |g_i| and |min(v_i, f_i)|; infinity where something is not finite.
[[nodiscard]] double natural_residual(const MixedProblem& problem, const Eigen::VectorXd& z);

enum class MixedFunction : std::uint8_t { fischer_burmeister, minimum };

struct MixedSettings {
    /// Of natural_residual(). Too low: rounding of the caller's functions is taken for failure.
    double tolerance = 1e-10;
    std::size_t max_iterations = 100;  ///< Per start.
    std::size_t starts = 6;            ///< The given one included. Too low: hard problems end at stationary points.
    std::uint32_t seed = 1;            ///< Of the perturbed starts.
    double spread = 1.0;               ///< Of the perturbations, relative to 1 + |z_i|.
    MixedFunction function = MixedFunction::fischer_burmeister;  ///< Of the first start.
    const std::atomic<bool>* interrupt = nullptr;  ///< Looked at before each step: true throws model::Interrupted.
};

enum class MixedStatus : std::uint8_t {
    solved,           ///< The natural residual of z is at most the tolerance.
    iteration_limit,  ///< Every start was cut or stationary, one at least cut.
    stationary,       ///< Every start ended where |Phi| cannot be lowered: perhaps there is no solution.
};
[[nodiscard]] std::string_view name_of(MixedStatus status);

struct MixedResult {
    MixedStatus status = MixedStatus::stationary;
    Eigen::VectorXd z;            ///< The best point seen.
    double residual = 0.0;        ///< natural_residual() of z.
    std::size_t iterations = 0;   ///< Newton steps of all starts.
    std::size_t levenberg = 0;    ///< Those of them that were Levenberg-Marquardt steps.
    std::size_t starts = 0;       ///< Starts that were used.
    std::vector<double> history;  ///< Natural residual at each iterate, all starts in order.
};

/// Throws std::invalid_argument when `start` has the wrong size or is not finite, or the tolerance is not positive.
[[nodiscard]] MixedResult solve_mixed_nonlinear(const MixedProblem& problem, const Eigen::VectorXd& start,
                                                const MixedSettings& settings = {});

}  // namespace scree::complementarity
