// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/linear_problem.hpp"

#include <algorithm>
#include <cmath>

namespace scree::complementarity {

std::string_view name_of(LinearStatus status) {
    switch (status) {
        case LinearStatus::solved:
            return "solved";
        case LinearStatus::ray:
            return "ray";
        case LinearStatus::iteration_limit:
            return "iteration_limit";
        case LinearStatus::ill_conditioned:
            return "ill_conditioned";
    }
    return "";
}

double LinearCertificate::worst() const { return std::max({negative_z, negative_w, complementarity}); }

LinearCertificate certify(const LinearProblem& problem, const Eigen::VectorXd& z) {
    LinearCertificate c;
    const double z_scale = z.size() > 0 ? z.cwiseAbs().maxCoeff() : 0.0;
    for (Eigen::Index i = 0; i < z.size(); ++i) {
        // Long double: what is certified is z, not the rounding of this sum.
        long double w = problem.vector[i], scale = std::abs(problem.vector[i]);
        for (Eigen::Index j = 0; j < z.size(); ++j) {
            const long double term = static_cast<long double>(problem.matrix(i, j)) * static_cast<long double>(z[j]);
            w += term;
            scale += std::abs(term);
        }
        scale = std::max(scale, 1e-6L * problem.matrix.row(i).cwiseAbs().maxCoeff() * z_scale);
        const double relative_w = scale > 0.0L ? double(w / scale) : 0.0;
        const double relative_z = z_scale > 0.0 ? z[i] / z_scale : 0.0;
        // A NaN fails every comparison: let it through as the worst value there is.
        if (!std::isfinite(relative_w) || !std::isfinite(relative_z)) return {HUGE_VAL, HUGE_VAL, HUGE_VAL};
        c.negative_z = std::max(c.negative_z, -relative_z);
        c.negative_w = std::max(c.negative_w, -relative_w);
        c.complementarity = std::max(c.complementarity, std::min(relative_z, relative_w));
    }
    return c;
}

double natural_residual(const LinearProblem& problem, const Eigen::VectorXd& z) {
    if (z.size() == 0) return 0.0;
    const Eigen::VectorXd w = problem.matrix * z + problem.vector;
    const double scale = std::max(1e-300, problem.vector.cwiseAbs().maxCoeff());
    return z.cwiseMin(w).cwiseAbs().maxCoeff() / scale;
}

}  // namespace scree::complementarity
