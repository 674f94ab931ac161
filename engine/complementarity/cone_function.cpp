// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/cone_function.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace scree::complementarity {
namespace {

using Eigen::Index;

ConeValue alart_curnier(const ContactVector& r, const ContactVector& u, double mu, double w, bool derivatives) {
    const Index d = r.size(), t = d - 1;
    const double rho = 1.0 / w;
    const ContactVector s = r - rho * u, s_t = s.tail(t);
    const double radius = mu * std::max(0.0, s[0]), length = s_t.norm();
    const bool open = s[0] <= 0.0, slides = length > radius;
    ConeValue f;
    f.value.resize(d);
    f.value[0] = r[0] - std::max(0.0, s[0]);
    f.value.tail(t) = r.tail(t) - (slides ? ContactVector(s_t * (radius / length)) : s_t);
    if (!derivatives) return f;
    f.by_r = ContactMatrix::Zero(d, d);
    f.by_u = ContactMatrix::Zero(d, d);
    if (open) {
        f.by_r.setIdentity();
        return f;
    }
    f.by_u(0, 0) = rho;
    if (slides) {
        const ContactVector e = s_t / length;
        const ContactMatrix turn = (radius / length) * (ContactMatrix::Identity(t, t) - e * e.transpose());
        f.by_r.bottomRightCorner(t, t) = ContactMatrix::Identity(t, t) - turn;
        f.by_u.bottomRightCorner(t, t) = rho * turn;
        f.by_r.block(1, 0, t, 1) = -mu * e;
        f.by_u.block(1, 0, t, 1) = mu * rho * e;
    } else {
        f.by_u.bottomRightCorner(t, t) = rho * ContactMatrix::Identity(t, t);
    }
    return f;
}

/// x o y = (x . y, x_n y_t + y_n x_t) as a matrix on y.
ContactMatrix product_matrix(const ContactVector& x) {
    ContactMatrix m = x[0] * ContactMatrix::Identity(x.size(), x.size());
    m.row(0) = x.transpose();
    m.col(0) = x;
    return m;
}

/// An element of the algebra by its spectral values: low (1, -e) / 2 + high (1, e) / 2.
struct Spectral {
    double low, high;
    ContactVector e;

    [[nodiscard]] ContactVector element() const {
        ContactVector z(e.size() + 1);
        z << 0.5 * (high + low), 0.5 * (high - low) * e;
        return z;
    }
};

/// (x^2 + y^2)^(1/2). The spectral values of x^2 + y^2 = (|x|^2 + |y|^2, 2 x_n x_t + 2 y_n y_t) as sums of squares: a
/// difference would leave half the digits where both lie on the boundary of the cone.
Spectral root_of_squares(const ContactVector& x, const ContactVector& y) {
    const Index t = x.size() - 1;
    const ContactVector along = x[0] * x.tail(t) + y[0] * y.tail(t);
    const double length = along.norm();
    const ContactVector e = length > 0.0 ? ContactVector(along / length) : ContactVector(ContactVector::Unit(t, 0));
    double low = 0.0, high = 0.0;
    for (const ContactVector* z : {&x, &y}) {
        const double part = z->tail(t).dot(e), across = (z->tail(t) - part * e).squaredNorm();
        low += ((*z)[0] - part) * ((*z)[0] - part) + across;
        high += ((*z)[0] + part) * ((*z)[0] + part) + across;
    }
    return {std::sqrt(low), std::sqrt(high), e};
}

ConeValue without_friction(const ContactVector& r, const ContactVector& u, double w, bool derivatives) {
    const double a = r[0], b = u[0] / w, size = std::hypot(a, b);
    ConeValue f;
    f.value = r;
    f.value[0] = a + b > 0.0 ? 2.0 * a * b / (a + b + size) : a + b - size;
    if (!derivatives) return f;
    f.by_r = ContactMatrix::Identity(r.size(), r.size());
    f.by_u = ContactMatrix::Zero(r.size(), r.size());
    f.by_r(0, 0) = size > 0.0 ? 1.0 - a / size : 1.0 - std::sqrt(0.5);
    f.by_u(0, 0) = (size > 0.0 ? 1.0 - b / size : 1.0 - std::sqrt(0.5)) / w;
    return f;
}

ConeValue fischer_burmeister(const ContactVector& r, const ContactVector& u, double mu, double w, bool derivatives) {
    if (mu == 0.0) return without_friction(r, u, w, derivatives);
    const Index d = r.size(), t = d - 1;
    const double slip = u.tail(t).norm();
    ContactVector x = r, y = (mu / w) * u;
    x[0] *= mu;
    y[0] = (u[0] + mu * slip) / w;
    const ContactMatrix by_x = product_matrix(x), by_y = product_matrix(y);
    Spectral root = root_of_squares(x, y);
    ConeValue f;
    f.value = x + y - root.element();
    if (!derivatives) return f;
    // On the boundary of the cone the root has no derivative: that of a point next to it. Nearer (1e-8), contacts that
    // bear the same load many times over stall more often; farther (1e-3), convergence is linear where it was
    // quadratic.
    root.high = std::max(root.high, 1e-150);
    root.low = std::hypot(root.low, 1e-6 * root.high);
    const auto lu = product_matrix(root.element()).partialPivLu();
    const ContactMatrix one = ContactMatrix::Identity(d, d);
    ContactMatrix x_by_r = one, y_by_u = (mu / w) * one;
    x_by_r(0, 0) = mu;
    y_by_u(0, 0) = 1.0 / w;
    if (slip > 0.0) y_by_u.block(0, 1, 1, t) = (mu / (w * slip)) * u.tail(t).transpose();
    f.by_r = (one - ContactMatrix(lu.solve(by_x))) * x_by_r;
    f.by_u = (one - ContactMatrix(lu.solve(by_y))) * y_by_u;
    return f;
}

}  // namespace

ConeValue cone_value(ConeFunction function, const ContactVector& r, const ContactVector& u, double mu, double w,
                     bool derivatives) {
    return function == ConeFunction::alart_curnier ? alart_curnier(r, u, mu, w, derivatives)
                                                   : fischer_burmeister(r, u, mu, w, derivatives);
}

}  // namespace scree::complementarity
