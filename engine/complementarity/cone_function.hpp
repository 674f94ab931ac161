// SPDX-License-Identifier: BSD-3-Clause
// Functions of one contact whose zeros are Coulomb's law, with their generalised derivatives: what nonsmooth Newton
// methods for friction problems linearise (newton.hpp). Impulse r = [n, t], velocity u = [n, t], w the contact's scale.
//
// Alart and Curnier, "A mixed formulation for frictional contact problems prone to Newton like solution methods", 1991:
//   F_n = r_n - max(0, s_n),   F_t = r_t - P_{mu max(0, s_n)}(s_t),   s = r - u / w
// Fischer and Burmeister on the second-order cone (Fukushima, Luo and Tseng, "Smoothing functions for second-order-cone
// complementarity problems", 2002), with De Saxce's term:
//   F = x + y - (x^2 + y^2)^(1/2),   x = (mu r_n, r_t),   y = (u_n + mu |u_t|, mu u_t) / w
// squares and roots in the Jordan algebra of the cone |x_t| <= x_n: F = 0 just when x and y lie in it and x . y = 0.
// Where mu = 0 it is r_n + u_n / w - |(r_n, u_n / w)| and r_t.
#pragma once

#include <Eigen/Core>

#include <cstdint>

namespace scree::complementarity {

enum class ConeFunction : std::uint8_t { alart_curnier, fischer_burmeister };

/// Small vectors and matrices without allocation: up to four rows a contact.
using ContactVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 4, 1>;
using ContactMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 4, 4>;

struct ConeValue {
    ContactVector value;       ///< F, an impulse
    ContactMatrix by_r, by_u;  ///< dF/dr, dF/du; empty unless asked for
};

[[nodiscard]] ConeValue cone_value(ConeFunction function, const ContactVector& r, const ContactVector& u, double mu,
                                   double w, bool derivatives);

}  // namespace scree::complementarity
