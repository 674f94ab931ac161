// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/influence.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/step_input.hpp"

#include <cmath>
#include <numbers>
#include <string>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::Vector2d;

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
    throw model::Error(model::ErrorKind::input, what, hint);
}

void check(const Elastic& body) {
    if (!(body.young > 0.0)) refuse("Young's modulus " + in_digits(body.young) + " Pa", "positive, or infinite");
    if (!(body.poisson >= 0.0) || body.poisson > 0.5)
        refuse("Poisson's ratio " + in_digits(body.poisson), "from 0 to 0.5");
}

/// The combinations of elastic constants that both bodies' displacements add up to [1/Pa].
struct Constants {
    double pressure = 0.0;    ///< (1 - nu^2) / E
    double shear = 0.0;       ///< (1 + nu) (1 - nu) / E: the same for shear, isotropic part
    double along = 0.0;       ///< (1 + nu) nu / E: what shear adds along its own line
    double shear_self = 0.0;  ///< (1 + nu) (2 - nu) / E
    double coupling = 0.0;    ///< (1 - 2 nu) (1 + nu) / (2 E), b less a: alike bodies move alike and do not slip

    void add(const Elastic& body, double sign) {
        const double nu = body.poisson, e = 1.0 / body.young;
        pressure += (1.0 - nu * nu) * e;
        shear += (1.0 + nu) * (1.0 - nu) * e;
        along += (1.0 + nu) * nu * e;
        shear_self += (1.0 + nu) * (2.0 - nu) * e;
        coupling += sign * 0.5 * (1.0 - 2.0 * nu) * (1.0 + nu) * e;
    }
};

}  // namespace

std::vector<Vector2d> PatchGrid::centres() const {
    std::vector<Vector2d> list;
    for (int j = 0; j < along_o; ++j)
        for (int i = 0; i < along_t; ++i)
            list.emplace_back(spacing * (i - 0.5 * (along_t - 1)), spacing * (j - 0.5 * (along_o - 1)));
    return list;
}

Eigen::MatrixXd influence_matrix(const PatchGrid& grid, const Elastic& a, const Elastic& b, bool planar) {
    check(a);
    check(b);
    if (std::isinf(a.young) && std::isinf(b.young)) refuse("both bodies of a compliant contact are rigid", {});
    if (grid.along_t < 1 || grid.along_o < 1) refuse("a patch of contact without elements", "at least 1 x 1");
    if (!(grid.spacing > 0.0) || !std::isfinite(grid.spacing))
        refuse("elements of side " + in_digits(grid.spacing) + " m", "positive and finite");

    Constants c;
    c.add(b, 1.0);
    c.add(a, -1.0);
    const std::vector<Vector2d> r = grid.centres();
    const Index n = grid.elements();
    const double pi = std::numbers::pi;
    Eigen::MatrixXd xi = Eigen::MatrixXd::Zero((planar ? 2 : 3) * n, (planar ? 2 : 3) * n);
    for (Index i = 0; i < n; ++i) {
        xi(i, i) = 0.95 * c.pressure / grid.spacing;
        for (Index k = n + i; k < xi.rows(); k += n) xi(k, k) = c.shear_self / (std::sqrt(pi) * grid.spacing);
        for (Index j = 0; j < n; ++j) {
            if (i == j) continue;
            const Vector2d d = r[std::size_t(i)] - r[std::size_t(j)];
            const double length = d.norm();
            const Vector2d e = d / length;
            xi(i, j) = c.pressure / (pi * length);
            for (int k = 0; k < (planar ? 1 : 2); ++k) {
                // A force along n draws the surface of the body that it presses towards itself.
                xi(i, (k + 1) * n + j) = c.coupling * e[k] / (pi * length);
                xi((k + 1) * n + i, j) = -c.coupling * e[k] / (pi * length);
                for (int m = 0; m < (planar ? 1 : 2); ++m)
                    xi((k + 1) * n + i, (m + 1) * n + j) =
                        ((k == m ? c.shear : 0.0) + c.along * e[k] * e[m]) / (pi * length);
            }
        }
    }
    return xi;
}

}  // namespace scree::reference
