// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/mass_properties.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/placed.hpp"
#include "engine/reference/step_input.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <numbers>
#include <string>

namespace scree::reference {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

[[noreturn]] void refuse(const std::string& what) { throw model::Error(model::ErrorKind::input, what); }

/// Volume and the integrals of x and x x^T over it.
struct Moments {
    double volume = 0.0;
    Vector3d first = Vector3d::Zero();
    Matrix3d second = Matrix3d::Zero();
};

/// Of a shape centred on the origin with planes of symmetry: integrals of x^2, y^2, z^2.
Moments symmetric(double volume, const Vector3d& squares) {
    return {volume, Vector3d::Zero(), squares.asDiagonal().toDenseMatrix()};
}

/// Integral of |x|^m over |x|^p + |y|^p <= 1, m = 0 or 2, p = 2 / e (Dirichlet's integral).
double ball_moment(double m, double e) {
    const double g = 0.5 * e;
    return 4.0 * g * g * std::tgamma((m + 1.0) * g) * std::tgamma(g) / std::tgamma((m + 2.0) * g + 1.0);
}

/// Of the solid; of the section y = 0, 1 m deep, with `planar`.
struct Integral {
    bool planar;

    [[nodiscard]] static Moments ellipse(double a, double c) {
        const double area = pi * a * c;
        return symmetric(area, area / 4.0 * Vector3d(a * a, 0.0, c * c));
    }
    [[nodiscard]] static Moments rectangle(double a, double c) {
        const double area = 4.0 * a * c;
        return symmetric(area, area / 3.0 * Vector3d(a * a, 0.0, c * c));
    }
    Moments operator()(const Sphere& s) const { return (*this)(Ellipsoid{Vector3d::Constant(s.radius)}); }
    Moments operator()(const Box& s) const {
        if (planar) return rectangle(s.half.x(), s.half.z());
        const double volume = 8.0 * s.half.prod();
        return symmetric(volume, volume / 3.0 * s.half.cwiseAbs2());
    }
    Moments operator()(const Ellipsoid& s) const {
        if (planar) return ellipse(s.semi_axes.x(), s.semi_axes.z());
        const double volume = 4.0 / 3.0 * pi * s.semi_axes.prod();
        return symmetric(volume, volume / 5.0 * s.semi_axes.cwiseAbs2());
    }
    Moments operator()(const Superquadric& s) const {
        const double a = s.semi_axes.x(), b = s.semi_axes.y(), c = s.semi_axes.z();
        const Vector3d squares = s.semi_axes.cwiseAbs2();
        if (planar) {
            const double area = a * c * ball_moment(0.0, s.e1), second = a * c * ball_moment(2.0, s.e1);
            return symmetric(area, second * Vector3d(squares.x(), 0.0, squares.z()));
        }
        // Sections at z are the superellipse scaled by k = (1 - |z/c|^(2/e1))^(e1/2): the integral of k^m |z/c|^n over
        // |z| < c is c e1 B((n + 1) e1 / 2, m e1 / 2 + 1).
        const auto along = [&](double m, double n) {
            return c * s.e1 * std::beta(0.5 * (n + 1.0) * s.e1, 0.5 * m * s.e1 + 1.0);
        };
        const double area = a * b * ball_moment(0.0, s.e2), second = a * b * ball_moment(2.0, s.e2);
        return symmetric(area * along(2.0, 0.0),
                         {second * squares.x() * along(4.0, 0.0), second * squares.y() * along(4.0, 0.0),
                          area * squares.z() * along(2.0, 2.0)});
    }
    Moments operator()(const Cylinder& s) const {
        if (planar) return rectangle(s.radius, s.half_length);
        const double volume = 2.0 * pi * s.radius * s.radius * s.half_length, round = s.radius * s.radius / 4.0;
        return symmetric(volume, volume * Vector3d(round, round, s.half_length * s.half_length / 3.0));
    }
    Moments operator()(const HalfSpace&) const { refuse("a half-space has no finite mass"); }
    Moments operator()(const Hollow&) const { refuse("a bowl has no finite mass"); }
    Moments operator()(const Polytope& s) const {
        if (s.faces.empty()) refuse("a polytope needs its faces: make it with make_polytope or make_polygon");
        Vector3d apex = Vector3d::Zero();
        for (const Vector3d& v : s.vertices) apex += v / double(s.vertices.size());
        // Simplices from an inner apex: its integrals keep their accuracy wherever the origin is.
        Moments sum;
        for (const auto& loop : s.faces) {
            if (planar) {
                const Vector3d p = s.vertices[loop[0]] - apex, q = s.vertices[loop[1]] - apex;
                add_simplex(sum, 0.5 * std::abs(p.z() * q.x() - p.x() * q.z()), {p, q, Vector3d::Zero()}, 2);
                continue;
            }
            for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
                const Vector3d p = s.vertices[loop[0]] - apex, q = s.vertices[loop[k]] - apex,
                               r = s.vertices[loop[k + 1]] - apex;
                add_simplex(sum, p.dot(q.cross(r)) / 6.0, {p, q, r}, 3);
            }
        }
        if (!(sum.volume > 0.0)) refuse("a polytope has no volume");
        // From the apex to the origin of the shape's axes.
        const Vector3d first = sum.first;
        sum.first += sum.volume * apex;
        sum.second += first * apex.transpose() + apex * first.transpose() + sum.volume * apex * apex.transpose();
        return sum;
    }
    /// A simplex with one corner at the origin and `n` others: x has the mean sum(p) / (n + 1), x x^T the mean
    /// (sum(p) sum(p)^T + sum(p p^T)) / ((n + 1) (n + 2)).
    static void add_simplex(Moments& sum, double volume, const std::array<Vector3d, 3>& corners, int n) {
        const Vector3d total = corners[0] + corners[1] + corners[2];
        Matrix3d squares = total * total.transpose();
        for (const Vector3d& p : corners) squares += p * p.transpose();
        sum.volume += volume;
        sum.first += volume / (n + 1) * total;
        sum.second += volume / ((n + 1) * (n + 2)) * squares;
    }
};

}  // namespace

Eigen::Quaterniond principal_axes(const Matrix3d& inertia) {
    Matrix3d products = inertia;
    products.diagonal().setZero();
    if (products.cwiseAbs().maxCoeff() <= 1e-12 * inertia.trace()) return Eigen::Quaterniond::Identity();
    const Matrix3d vectors = Eigen::SelfAdjointEigenSolver<Matrix3d>(inertia).eigenvectors();
    Matrix3d axes;
    std::array<bool, 3> used{};
    for (Eigen::Index k = 0; k < 3; ++k) {
        Eigen::Index best = -1;
        for (Eigen::Index i = 0; i < 3; ++i)
            if (!used[std::size_t(i)] && (best < 0 || std::abs(vectors(k, i)) > std::abs(vectors(k, best)))) best = i;
        used[std::size_t(best)] = true;
        axes.col(k) = std::copysign(1.0, vectors(k, best)) * vectors.col(best);
    }
    if (axes.determinant() < 0.0) axes.col(2) = -axes.col(2);
    return Eigen::Quaterniond(axes).normalized();
}

MassProperties mass_properties(const Shape& shape, double density, bool planar) {
    if (!(density > 0.0) || !std::isfinite(density))
        refuse("density is " + in_digits(density) + "; it must be positive and finite");
    check(shape);
    const Moments moments = std::visit(Integral{planar}, shape);
    MassProperties result;
    result.volume = moments.volume;
    result.mass = density * moments.volume;
    result.centre = moments.first / moments.volume;
    const Matrix3d second = moments.second - moments.volume * result.centre * result.centre.transpose();
    const Matrix3d inertia = density * (second.trace() * Matrix3d::Identity() - second);
    if (!planar) result.axes = principal_axes(inertia);
    const Matrix3d axes = result.axes.toRotationMatrix();
    result.inertia = (axes.transpose() * inertia * axes).diagonal();
    return result;
}

CentredPolytope centred(const Polytope& polytope, bool planar) {
    const MassProperties mass = mass_properties(polytope, 1.0, planar);
    CentredPolytope result{polytope, {mass.centre, mass.axes}};
    const Eigen::Quaterniond back = mass.axes.conjugate();
    for (Vector3d& v : result.shape.vertices) v = back * (v - mass.centre);
    for (Vector3d& n : result.shape.normals) n = back * n;
    for (std::size_t k = 0; k < result.shape.offsets.size(); ++k)
        result.shape.offsets[k] -= polytope.normals[k].dot(mass.centre);
    return result;
}

}  // namespace scree::reference
