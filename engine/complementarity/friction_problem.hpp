// SPDX-License-Identifier: BSD-3-Clause
// Friction problems in contact space: find r with
//
//   u = W r + q,   u^ = u + mu |u_t| n  in K*,   r in K,   r . u^ = 0          (true Coulomb, De Saxce's form)
//   u = W r + q in K*,                           r in K,   r . u = 0           (associated: the convex relaxation, CCP)
//
// per contact [n, t1, t2] (n, t in two dimensions; a fourth row for torsion, scaled so that the cone is round), K =
// {|r_t| <= mu r_n}. W is symmetric positive semidefinite up to the small asymmetry of implicit gyroscopic terms. Units
// are the caller's.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace scree::complementarity {

using Operator = Eigen::SparseMatrix<double, Eigen::RowMajor>;

struct FrictionProblem {
    int dimension = 3;   ///< Entries per contact: 2, 3 or 4.
    Operator W;          ///< [d nc x d nc]
    Eigen::VectorXd q;   ///< [d nc], contact-major
    Eigen::VectorXd mu;  ///< [nc], not negative

    [[nodiscard]] Eigen::Index contacts() const { return mu.size(); }
};

enum class Friction : std::uint8_t { coulomb, associated };

/// w_i = tr(W_ii) / d, the scale of contact i in every residual; 1 where the block is zero.
[[nodiscard]] Eigen::VectorXd contact_scales(const FrictionProblem& problem);

/// P_K of each contact of `r`, in place.
void project(const FrictionProblem& problem, Eigen::VectorXd& r);

/// u^ from u, in place: adds De Saxce's term. Nothing to do for the associated law.
void add_de_saxce(const FrictionProblem& problem, Friction friction, Eigen::VectorXd& u);

/// E_q = |w r - P_K(w r - u^)| / |q|, the one residual that certifies all solvers: independent of units and of the
/// number of contacts; not below the rounding of w r, which no residual sees through. Needs u = W r + q. Not finite
/// where r is not.
[[nodiscard]] double natural_map_residual(const FrictionProblem& problem, const Eigen::VectorXd& scales,
                                          Friction friction, const Eigen::VectorXd& r, const Eigen::VectorXd& u);

enum class FrictionStatus : std::uint8_t {
    solved,           ///< residual <= tolerance.
    iteration_limit,  ///< The limit came first; r is the best that was seen.
    stalled,          ///< The solver can make no further progress.
};
[[nodiscard]] std::string_view name_of(FrictionStatus status);

struct FrictionSettings {
    double tolerance = 1e-8;         ///< Of natural_map_residual().
    std::size_t max_iterations = 0;  ///< 0: the solver's own limit.
    Friction friction = Friction::coulomb;
    Eigen::VectorXd start;  ///< r to begin with [d nc]; empty: zero.
};

struct FrictionResult {
    FrictionStatus status = FrictionStatus::stalled;
    Eigen::VectorXd r, u;
    double residual = 0.0;              ///< Of r, on the problem as given.
    std::size_t iterations = 0;         ///< Of the solver's own kind.
    std::size_t operator_products = 0;  ///< Products with W (a sweep of Gauss-Seidel counts as one).
    std::vector<double> history;        ///< Residuals that were looked at, in order.
};

/// One solver: a name, what it is, and the function.
struct FrictionSolver {
    std::string_view name, meaning;
    FrictionResult (*solve)(const FrictionProblem&, const FrictionSettings&);
    bool coulomb_only = false;
};
/// All solvers, `auto` first. Throw std::invalid_argument when sizes differ, an entry is not finite, mu is negative, or
/// the law of friction is not theirs.
[[nodiscard]] std::span<const FrictionSolver> friction_solvers();

FrictionResult solve_projected_jacobi(const FrictionProblem& problem, const FrictionSettings& settings);
FrictionResult solve_apgd(const FrictionProblem& problem, const FrictionSettings& settings);
FrictionResult solve_anderson(const FrictionProblem& problem, const FrictionSettings& settings);
FrictionResult solve_gauss_seidel(const FrictionProblem& problem, const FrictionSettings& settings);
FrictionResult solve_newton(const FrictionProblem& problem, const FrictionSettings& settings);
FrictionResult solve_newton_fb(const FrictionProblem& problem, const FrictionSettings& settings);
FrictionResult solve_proximal(const FrictionProblem& problem, const FrictionSettings& settings);
FrictionResult solve_proximal_fb(const FrictionProblem& problem, const FrictionSettings& settings);
FrictionResult solve_admm(const FrictionProblem& problem, const FrictionSettings& settings);
FrictionResult solve_best(const FrictionProblem& problem, const FrictionSettings& settings);

/// Throws std::invalid_argument as friction_solvers() says.
void check(const FrictionProblem& problem, const FrictionSettings& settings);

/// Keeps the best iterate and its residual while a solver runs.
class BestIterate {
public:
    BestIterate(const FrictionProblem& problem, const FrictionSettings& settings);

    /// Looks at r (u = W r + q); true when the tolerance is reached.
    bool look(const Eigen::VectorXd& r, const Eigen::VectorXd& u);
    [[nodiscard]] double residual() const { return result_.residual; }
    [[nodiscard]] double last() const { return result_.history.back(); }
    [[nodiscard]] const Eigen::VectorXd& r() const { return result_.r; }
    [[nodiscard]] const Eigen::VectorXd& scales() const { return scales_; }
    void count(std::size_t iterations, std::size_t products) {
        result_.iterations += iterations;
        result_.operator_products += products;
    }
    /// The result; `stalled` where the tolerance was missed for another reason than the limit.
    [[nodiscard]] FrictionResult finish(FrictionStatus otherwise);

private:
    const FrictionProblem& problem_;
    const FrictionSettings& settings_;
    Eigen::VectorXd scales_;
    FrictionResult result_;
};

}  // namespace scree::complementarity
