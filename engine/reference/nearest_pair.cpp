// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/nearest_pair.hpp"

#include "engine/reference/collision.hpp"
#include "engine/reference/separation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// The rows of one side: n + sign sum_k l_k grad f_k(point), and -f_k (f for a body of one inequality).
struct Side {
    const Shape& shape;
    const std::vector<Index>& faces;
    const Placement& place;
    double sign;                       // -1: body 1, whose outward normal is n; +1: body 2
    Index point, multiplier, normals;  // columns of the point and of l; first row of the normal equation

    void write(const MatrixXd& basis, bool planar, const VectorXd& z, VectorXd& value, MatrixXd* jacobian) const {
        const Index d = basis.cols();
        const bool single = inequality_count(shape, planar) == 1;
        const Vector3d arm = basis * z.segment(point, d) - place.position;
        const Vector3d local = place.rotation.transpose() * arm;
        Vector3d sum = Vector3d::Zero();
        for (std::size_t i = 0; i < faces.size(); ++i) {
            const Inequality f = inequality(shape, faces[i], local);
            const Index at = multiplier + Index(i);
            const double l = z[at], face_sign = single ? 1.0 : -1.0;
            const Vector3d g = place.rotation * f.gradient;
            sum += l * g;
            value[at] = face_sign * f.value;
            if (jacobian == nullptr) continue;
            // A turn by t about the body's centre: dg = H (da - dx + arm x t) + t x g, df = g . (da - dx + arm x t).
            const Matrix3d hessian = place.rotation * f.hessian * place.rotation.transpose();
            jacobian->block(normals, at, d, 1) = sign * basis.transpose() * g;
            jacobian->block(normals, point, d, d) += sign * l * basis.transpose() * hessian * basis;
            jacobian->block(at, point, 1, d) = face_sign * g.transpose() * basis;
            if (place.column < 0) continue;
            Eigen::Matrix<double, 3, 6> turn;
            turn << -hessian, hessian * cross_matrix(arm) - cross_matrix(g);
            Eigen::Matrix<double, 1, 6> move;
            move << -g.transpose(), g.cross(arm).transpose();
            const Index width = place.by_velocity.cols();
            jacobian->block(normals, place.column, d, width) += sign * l * basis.transpose() * turn * place.by_velocity;
            jacobian->block(at, place.column, 1, width) = face_sign * move * place.by_velocity;
        }
        value.segment(normals, d) += sign * basis.transpose() * sum;
    }
};

/// The nearest points alone: both bodies stand still.
class Standing final : public complementarity::MixedProblem {
public:
    Standing(const Shape& a, const Placement& at_a, const Shape& b, const Placement& at_b, bool planar, PairFaces faces)
        : a_(a), b_(b), at_a_(at_a), at_b_(at_b), planar_(planar), faces_(std::move(faces)) {
        const Index d = planar ? 2 : 3;
        places_ = {0, d, 2 * d, 3 * d, 0, 0};
        Index next = 3 * d + 1;
        const bool single_a = inequality_count(a, planar) == 1, single_b = inequality_count(b, planar) == 1;
        if (single_a) places_.multiplier_a = next++;
        if (single_b) places_.multiplier_b = next++;
        free_ = next;
        if (!single_a) places_.multiplier_a = std::exchange(next, next + Index(faces_.a.size()));
        if (!single_b) places_.multiplier_b = std::exchange(next, next + Index(faces_.b.size()));
        size_ = next;
    }
    [[nodiscard]] Index free() const override { return free_; }
    [[nodiscard]] Index bounded() const override { return size_ - free_; }
    void evaluate(const VectorXd& z, VectorXd& value, MatrixXd* jacobian) const override {
        value.setZero(size_);
        if (jacobian != nullptr) jacobian->setZero(size_, size_);
        nearest_rows(a_, b_, planar_, faces_, places_, at_a_, at_b_, z, value, jacobian);
    }
    [[nodiscard]] const PairPlaces& places() const { return places_; }
    [[nodiscard]] const PairFaces& faces() const { return faces_; }

private:
    const Shape &a_, &b_;
    const Placement &at_a_, &at_b_;
    bool planar_;
    PairFaces faces_;
    PairPlaces places_;
    Index free_ = 0, size_ = 0;
};

bool has_support(const Shape& shape) {
    return !std::holds_alternative<HalfSpace>(shape) && !std::holds_alternative<Hollow>(shape);
}

/// The point of the shape farthest along the world direction n, where it has one.
Vector3d farthest(const Shape& shape, const Pose& pose, const Vector3d& n) {
    return pose.to_world(support(shape, pose.orientation.conjugate() * n));
}

/// The normal out of `shape` towards a body without a farthest point.
Vector3d normal_into(const Shape& other, const Pose& pose, const Vector3d& from) {
    if (std::holds_alternative<HalfSpace>(other)) return -(pose.orientation * Vector3d::UnitZ());
    const Vector3d out = from - pose.position;
    return out.norm() > 0.0 ? Vector3d(out.normalized()) : Vector3d(-Vector3d::UnitZ());
}

/// The point of a half-space or bowl that faces x.
Vector3d facing(const Shape& other, const Pose& pose, const Vector3d& x, const Vector3d& n) {
    if (const auto* bowl = std::get_if<Hollow>(&other)) return pose.position + bowl->radius * n;
    return x + n * (n.dot(pose.position - x));
}

struct Guess {
    Vector3d on_a, on_b, normal;
};

Guess guess_along(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Vector3d n) {
    if (!has_support(b)) {
        n = normal_into(b, pose_b, pose_a.position);
        const Vector3d on_a = farthest(a, pose_a, n);
        return {on_a, facing(b, pose_b, on_a, n), n};
    }
    if (!has_support(a)) {
        n = -normal_into(a, pose_a, pose_b.position);
        const Vector3d on_b = farthest(b, pose_b, -n);
        return {facing(a, pose_a, on_b, -n), on_b, n};
    }
    return {farthest(a, pose_a, n), farthest(b, pose_b, -n), n};
}

/// Multipliers of the face whose gradient is most along n.
VectorXd first_multipliers(const Shape& shape, const std::vector<Index>& faces, const Pose& pose, const Vector3d& point,
                           const Vector3d& n) {
    VectorXd l = VectorXd::Zero(Index(faces.size()));
    double best = -HUGE_VAL;
    Index which = 0;
    double size = 1.0;
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const Vector3d g = pose.orientation * inequality(shape, faces[i], pose.to_body(point)).gradient;
        if (g.normalized().dot(n) > best) {
            best = g.normalized().dot(n);
            which = Index(i);
            size = g.norm();
        }
    }
    l[which] = size > 0.0 && std::isfinite(size) ? 1.0 / size : 1.0;
    return l;
}

PairFaces faces_near(const Guess& guess, const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                     bool planar) {
    const Index most = planar ? 8 : 16;
    return {nearest_inequalities(a, pose_a.to_body(guess.on_a), planar, most),
            nearest_inequalities(b, pose_b.to_body(guess.on_b), planar, most)};
}

std::optional<NearestPair> solve_from(const Guess& guess, const Shape& a, const Pose& pose_a, const Shape& b,
                                      const Pose& pose_b, bool planar) {
    const MatrixXd basis = coordinate_basis(planar);
    const Index d = basis.cols();
    const Placement at_a{pose_a.position, pose_a.orientation.toRotationMatrix(), -1, {}};
    const Placement at_b{pose_b.position, pose_b.orientation.toRotationMatrix(), -1, {}};
    const Standing problem(a, at_a, b, at_b, planar, faces_near(guess, a, pose_a, b, pose_b, planar));
    const PairPlaces& at = problem.places();
    const auto faces_a = Index(problem.faces().a.size()), faces_b = Index(problem.faces().b.size());
    VectorXd z = VectorXd::Zero(problem.size());
    z.segment(at.point_a, d) = basis.transpose() * guess.on_a;
    z.segment(at.point_b, d) = basis.transpose() * guess.on_b;
    z.segment(at.normal, d) = basis.transpose() * guess.normal;
    z[at.gap] = guess.normal.dot(guess.on_b - guess.on_a);
    z.segment(at.multiplier_a, faces_a) = first_multipliers(a, problem.faces().a, pose_a, guess.on_a, guess.normal);
    z.segment(at.multiplier_b, faces_b) = first_multipliers(b, problem.faces().b, pose_b, guess.on_b, -guess.normal);
    complementarity::MixedSettings settings;
    settings.tolerance = 1e-10 * std::min({1.0, size_of(a), size_of(b)});
    settings.starts = 2;
    settings.max_iterations = 60;
    const auto result = complementarity::solve_mixed_nonlinear(problem, z, settings);
    if (result.status != complementarity::MixedStatus::solved) return std::nullopt;
    NearestPair pair{basis * result.z.segment(at.point_a, d),
                     basis * result.z.segment(at.point_b, d),
                     basis * result.z.segment(at.normal, d),
                     result.z[at.gap],
                     problem.faces(),
                     result.z.segment(at.multiplier_a, faces_a),
                     result.z.segment(at.multiplier_b, faces_b)};
    const double slack = settings.tolerance;
    if (pair.multipliers_a.minCoeff() < -slack || pair.multipliers_b.minCoeff() < -slack) return std::nullopt;
    if (outside(a, pose_a.to_body(pair.on_a), planar) > 10.0 * slack) return std::nullopt;
    if (outside(b, pose_b.to_body(pair.on_b), planar) > 10.0 * slack) return std::nullopt;
    return pair;
}

}  // namespace

Matrix3d cross_matrix(const Vector3d& w) {
    Matrix3d m;
    m << 0.0, -w.z(), w.y(), w.z(), 0.0, -w.x(), -w.y(), w.x(), 0.0;
    return m;
}

MatrixXd coordinate_basis(bool planar) {
    MatrixXd basis(3, planar ? 2 : 3);
    if (planar)
        basis << Vector3d::UnitX(), Vector3d::UnitZ();
    else
        basis.setIdentity();
    return basis;
}

double size_of(const Shape& shape) {
    if (const auto* bowl = std::get_if<Hollow>(&shape)) return bowl->radius;
    return bounding_radius(shape);
}

void nearest_rows(const Shape& shape_a, const Shape& shape_b, bool planar, const PairFaces& faces,
                  const PairPlaces& places, const Placement& a, const Placement& b, const VectorXd& z, VectorXd& value,
                  MatrixXd* jacobian) {
    const MatrixXd basis = coordinate_basis(planar);
    const Index d = basis.cols();
    const VectorXd n = z.segment(places.normal, d);
    const double gap = z[places.gap];
    value.segment(places.point_a, d) = z.segment(places.point_b, d) - z.segment(places.point_a, d) - gap * n;
    value.segment(places.point_b, d) = n;
    value.segment(places.normal, d) = n;
    value[places.gap] = 0.5 * (n.squaredNorm() - 1.0);
    if (jacobian != nullptr) {
        const MatrixXd one = MatrixXd::Identity(d, d);
        jacobian->block(places.point_a, places.point_b, d, d) = one;
        jacobian->block(places.point_a, places.point_a, d, d) = -one;
        jacobian->block(places.point_a, places.normal, d, d) = -gap * one;
        jacobian->block(places.point_a, places.gap, d, 1) = -n;
        jacobian->block(places.point_b, places.normal, d, d) = one;
        jacobian->block(places.normal, places.normal, d, d) = one;
        jacobian->block(places.gap, places.normal, 1, d) = n.transpose();
    }
    Side{shape_a, faces.a, a, -1.0, places.point_a, places.multiplier_a, places.point_b}.write(basis, planar, z, value,
                                                                                               jacobian);
    Side{shape_b, faces.b, b, 1.0, places.point_b, places.multiplier_b, places.normal}.write(basis, planar, z, value,
                                                                                             jacobian);
}

std::optional<NearestPair> nearest_pair(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b,
                                        const Pose& pose_b, bool planar, const std::optional<Vector3d>& guess) {
    const auto from = [&](const Guess& start) { return solve_from(start, shape_a, pose_a, shape_b, pose_b, planar); };
    const bool one_normal = !has_support(shape_a) || !has_support(shape_b);
    if (one_normal || guess) {
        auto found = from(guess_along(shape_a, pose_a, shape_b, pose_b, guess ? *guess : Vector3d::UnitZ()));
        // Apart, convex bodies have one pair of nearest points; overlapping little, the tracked one is the one.
        if (one_normal || (found && found->gap > -0.05 * std::min(size_of(shape_a), size_of(shape_b)))) return found;
    }
    const Placed a{shape_a, pose_a, planar}, b{shape_b, pose_b, planar};
    const Separation widest = planar ? planar_separation(a, b) : separation(a, b);
    return from({widest.on_a, widest.on_b, widest.direction});
}

NearestPair guessed_pair(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b, const Pose& pose_b,
                         bool planar, const Vector3d& direction) {
    const Guess guess = guess_along(shape_a, pose_a, shape_b, pose_b, direction);
    NearestPair pair;
    pair.on_a = guess.on_a;
    pair.on_b = guess.on_b;
    pair.normal = guess.normal;
    pair.gap = guess.normal.dot(guess.on_b - guess.on_a);
    pair.faces = faces_near(guess, shape_a, pose_a, shape_b, pose_b, planar);
    pair.multipliers_a = first_multipliers(shape_a, pair.faces.a, pose_a, guess.on_a, guess.normal);
    pair.multipliers_b = first_multipliers(shape_b, pair.faces.b, pose_b, guess.on_b, -guess.normal);
    return pair;
}

}  // namespace scree::reference
