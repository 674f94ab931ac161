// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/ncp_problem.hpp"

#include "engine/reference/ncp_limits.hpp"
#include "engine/reference/varying.hpp"

#include <Eigen/Cholesky>

#include <cmath>
#include <utility>

namespace scree::reference {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// d(turn) of exp([phi]) per d(phi), turns in world axes: the left Jacobian of SO(3).
Matrix3d left_jacobian(const Vector3d& phi) {
    const double angle = phi.norm();
    const Matrix3d k = cross_matrix(phi);
    if (angle < 1e-4) return Matrix3d::Identity() + 0.5 * k + k * k / 6.0;
    const double square = angle * angle;
    return Matrix3d::Identity() + (1.0 - std::cos(angle)) / square * k +
           (angle - std::sin(angle)) / (square * angle) * k * k;
}

/// (velocity, angular velocity) in space from the velocities of one free body [6 x 3 or 6].
MatrixXd spread(bool planar) {
    if (!planar) return MatrixXd::Identity(6, 6);
    MatrixXd s = MatrixXd::Zero(6, 3);
    s(0, 0) = s(2, 1) = s(4, 2) = 1.0;
    return s;
}

/// Normal, tangents and arms that vary.
struct VaryFrame {
    Vary normal, tangent_1, tangent_2, arm_a, arm_b;
};

VaryFrame standing(const ContactFrame& f, Index size) {
    return {constant(f.normal, size), constant(f.tangent_1, size), constant(f.tangent_2, size), constant(f.arm_a, size),
            constant(f.arm_b, size)};
}

std::pair<Vary, Vary> tangents(const Vary& n, Index axis, bool planar) {
    const Index size = n.by.cols();
    if (planar) {
        const Vary out = constant(Vector3d::UnitY(), size);  // t1 = e_y x n = (n_z, 0, -n_x)
        return {cross(out, n), out};
    }
    const Vary e = constant(Vector3d::Unit(axis), size);
    const Vary t1 = normalized(e - dot(n, e) * n);
    return {t1, cross(n, t1)};
}

/// The size of a contact's impulses, by which its friction rows are divided: they then tell slip speeds and the
/// distance to the cone however light the contact is. `y` stands at `at`; `least` keeps it from zero.
VaryScalar cone_size(const VaryScalar& bound, const VectorXd& y, Index at, double least) {
    const double size = std::sqrt(bound.value * bound.value + y.squaredNorm() + least * least);
    VaryScalar s{size, bound.value / size * bound.by};
    s.by.segment(at, y.size()) += y.transpose() / size;
    return s;
}

/// The unknowns of a contact, numbered among themselves: where each group begins, and the number of each in z.
struct ContactUnknowns {
    Index body_a = 0, body_b = 0, point_a = 0, point_b = 0, normal = 0, friction = 0, normal_impulse = 0, slip = 0;
    std::vector<Index> in_z;

    ContactUnknowns(const NcpContact& c, const NcpPlaces& at, const Placement& a, const Placement& b, Index d,
                    Index width) {
        const auto add = [&](Index first, Index count) {
            const auto begin = Index(in_z.size());
            for (Index k = 0; k < count; ++k) in_z.push_back(first + k);
            return begin;
        };
        in_z.reserve(most_rates);
        body_a = add(a.column, a.column < 0 ? 0 : width);
        body_b = add(b.column, b.column < 0 ? 0 : width);
        point_a = add(at.pair.point_a, d);
        point_b = add(at.pair.point_b, d);
        normal = add(at.pair.normal, d);
        friction = add(at.friction, c.extents.size());
        normal_impulse = add(at.normal_impulse, 1);
        slip = add(at.slip, c.extents.size() > 0 ? 1 : 0);
    }
    [[nodiscard]] Index size() const { return Index(in_z.size()); }
};

/// How far the point of a frozen contact moves along its face: from that of the start to that of the end, carried back
/// with the bodies.
Vary carried_back(const World& world, const State& start, const NcpContact& c, const ContactUnknowns& local,
                  const Placement& a, const Placement& b, const VectorXd& z) {
    const MatrixXd basis = coordinate_basis(world.planar);
    const auto side = [&](std::size_t body, const Placement& place, Index columns, Index point,
                          const Vector3d& arm_now) {
        const Vector3d arm = basis * z.segment(local.in_z[std::size_t(point)], basis.cols()) - place.position;
        const Matrix3d back =
            world.pose(body, start.time, start.q).orientation.toRotationMatrix() * place.rotation.transpose();
        Vary carried = constant(back * arm - arm_now, local.size());
        carried.by.middleCols(point, basis.cols()) = back * basis;
        if (place.column >= 0)  // the arm also moves against the centre and the turn
            carried.by.middleCols(columns, place.by_velocity.cols()) =
                back * (cross_matrix(arm) * place.by_velocity.bottomRows(3) - place.by_velocity.topRows(3));
        return carried;
    };
    const FrozenContact& frozen = *c.frozen;
    const Vary of_a = side(c.body_a, a, local.body_a, local.point_a, frozen.frame.arm_a);
    const Vary of_b = side(c.body_b, b, local.body_b, local.point_b, frozen.frame.arm_b);
    const Matrix3d along = frozen.open * frozen.open.transpose();
    const double wa = frozen.weight_a, wb = 1.0 - wa;
    return {along * (wa * of_a.value + wb * of_b.value), along * (wa * of_a.by + wb * of_b.by)};
}

}  // namespace

ContactFrame contact_frame(const NearestPair& pair, const Vector3d& centre_a, const Vector3d& centre_b, Index axis,
                           bool planar) {
    const auto [t1, t2] = tangents(constant(pair.normal, 0), axis, planar);
    return {pair.normal, t1.value, t2.value, pair.on_a - centre_a, pair.on_b - centre_b};
}

NcpProblem::NcpProblem(const World& world, const State& start, double h, std::vector<NcpContact> contacts,
                       const NcpUnits& units, double creep)
    : world_(world), start_(start), h_(h), contacts_(std::move(contacts)), mass_(world.mass(start.q)), creep_(creep) {
    free_velocities_ = reference::free_velocities(world, start, h, mass_.llt());
    const Index d = world.planar ? 2 : 3, nv = world.velocities();
    const double impulse = units.mass * units.velocity;
    least_impulse_ = 1e-6 * impulse;
    std::vector<double> unit, row;
    const auto add = [&](Index count, double unknown, double equation) {
        unit.insert(unit.end(), std::size_t(count), unknown);
        row.insert(row.end(), std::size_t(count), equation);
        return Index(unit.size()) - count;
    };
    const Index linear = world.planar ? 2 : 3, width = world.planar ? 3 : 6;
    for (Index k = 0; k < nv; ++k) {
        const bool turns = k % width >= linear;
        add(1, turns ? units.velocity / units.length : units.velocity, turns ? impulse * units.length : impulse);
    }
    const auto single = [&](std::size_t body) { return inequality_count(world.bodies[body].shape, world.planar) == 1; };
    places_.resize(contacts_.size());
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const NcpContact& c = contacts_[i];
        PairPlaces& at = places_[i].pair;
        at.point_a = add(d, units.length, units.gap);
        at.point_b = add(d, units.length, 1.0);
        at.normal = add(d, 1.0, 1.0);
        at.gap = add(1, units.gap, 1.0);
        places_[i].friction = add(c.extents.size(), impulse, units.velocity);
        if (single(c.body_a)) at.multiplier_a = add(1, 1.0, units.length);
        if (single(c.body_b)) at.multiplier_b = add(1, 1.0, units.length);
    }
    free_ = Index(unit.size());
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const NcpContact& c = contacts_[i];
        PairPlaces& at = places_[i].pair;
        places_[i].normal_impulse = add(1, impulse, units.gap);
        if (c.extents.size() > 0) places_[i].slip = add(1, units.velocity, impulse);
        if (!single(c.body_a)) at.multiplier_a = add(Index(c.start.faces.a.size()), 1.0, units.length);
        if (!single(c.body_b)) at.multiplier_b = add(Index(c.start.faces.b.size()), 1.0, units.length);
    }
    unit_ = Eigen::Map<VectorXd>(unit.data(), Index(unit.size()));
    row_unit_ = Eigen::Map<VectorXd>(row.data(), Index(row.size()));
}

Placement NcpProblem::placed(std::size_t body, const VectorXd& v) const {
    Placement place;
    if (world_.bodies[body].fixed) {
        const Pose pose = world_.pose(body, start_.time + h_, start_.q);
        place.position = pose.position;
        place.rotation = pose.orientation.toRotationMatrix();
        return place;
    }
    const Pose pose = world_.pose(body, start_.time, start_.q);
    const auto twist = world_.twist(body, v);
    const Vector3d turn = h_ * twist.tail<3>();
    const double angle = turn.norm();
    place.position = pose.position + h_ * twist.head<3>();
    place.rotation = pose.orientation.toRotationMatrix();
    if (angle > 0.0) place.rotation = Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix() * place.rotation;
    const MatrixXd map = spread(world_.planar);
    place.column = map.cols() * world_.slot(body);
    place.by_velocity = h_ * map;
    place.by_velocity.bottomRows(3) = left_jacobian(turn) * place.by_velocity.bottomRows(3);
    return place;
}

ContactFrame NcpProblem::frame_of(std::size_t contact, const VectorXd& scaled) const {
    const VectorXd z = physical(scaled);
    const NcpContact& c = contacts_[contact];
    const PairPlaces& at = places_[contact].pair;
    const VectorXd v = z.head(world_.velocities());
    const Placement a = placed(c.body_a, v), b = placed(c.body_b, v);
    if (c.frozen) {
        ContactFrame frame = c.frozen->frame;
        const ContactUnknowns local(c, places_[contact], a, b, world_.planar ? 2 : 3, world_.planar ? 3 : 6);
        const Vector3d shift = carried_back(world_, start_, c, local, a, b, z).value;
        frame.arm_a += shift;
        frame.arm_b += shift;
        return frame;
    }
    const MatrixXd basis = coordinate_basis(world_.planar);
    const Index d = basis.cols();
    NearestPair pair;
    pair.on_a = basis * z.segment(at.point_a, d);
    pair.on_b = basis * z.segment(at.point_b, d);
    pair.normal = basis * z.segment(at.normal, d);
    return contact_frame(pair, a.position, b.position, c.axis, world_.planar);
}

std::optional<std::size_t> NcpProblem::contact_of(Index row) const {
    if (row < world_.velocities()) return std::nullopt;
    std::size_t found = 0;
    for (std::size_t i = 0; i < places_.size(); ++i)
        if ((row < free_ ? places_[i].pair.point_a : places_[i].normal_impulse) <= row) found = i;
    return found;
}

void NcpProblem::evaluate(const VectorXd& scaled, VectorXd& value, MatrixXd* jacobian) const {
    const VectorXd z = physical(scaled);
    const Index size = z.size(), nv = world_.velocities(), d = world_.planar ? 2 : 3;
    const VectorXd v = z.head(nv);
    const MatrixXd basis = coordinate_basis(world_.planar), map = spread(world_.planar);
    // The derivatives come almost free with the values in problems of this size: one path for both.
    MatrixXd j = MatrixXd::Zero(size, size);
    value.setZero(size);
    value.head(nv) = mass_ * (v - free_velocities_);
    j.topLeftCorner(nv, nv) = mass_;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const NcpContact& c = contacts_[i];
        const NcpPlaces& at = places_[i];
        const Placement a = placed(c.body_a, v), b = placed(c.body_b, v);
        nearest_rows(world_.bodies[c.body_a].shape, world_.bodies[c.body_b].shape, world_.planar, c.start.faces,
                     at.pair, a, b, z, value, &j);
        const ContactUnknowns local(c, at, a, b, d, map.cols());
        const Index unknowns = local.size();
        const auto entry = [&](Index k) {
            return VaryScalar{z[local.in_z[std::size_t(k)]], RateRow::Unit(unknowns, k)};
        };
        const auto vector = [&](Index k) {
            Vary x = constant(basis * z.segment(local.in_z[std::size_t(k)], d), unknowns);
            x.by.middleCols(k, d) = basis;
            return x;
        };
        const auto put = [&](Index row, const VaryScalar& s) {
            value[row] = s.value;
            for (Index k = 0; k < unknowns; ++k) j(row, local.in_z[std::size_t(k)]) = s.by[k];
        };
        enum class Part : std::uint8_t { centre, velocity, spin };
        const auto part = [&](const Placement& place, std::size_t body, Index columns, Part which) {
            const auto twist = world_.twist(body, v);
            Vary x = constant(
                which == Part::centre ? place.position : Vector3d(twist.segment<3>(which == Part::velocity ? 0 : 3)),
                unknowns);
            if (place.column < 0) return x;
            if (which == Part::centre)
                x.by.middleCols(columns, map.cols()) = place.by_velocity.topRows(3);
            else
                x.by.middleCols(columns, map.cols()) = map.middleRows(which == Part::velocity ? 0 : 3, 3);
            return x;
        };
        VaryFrame frame;
        if (c.frozen) {
            frame = standing(c.frozen->frame, unknowns);
            if (c.frozen->open.cols() > 0) {
                // Along the face the point of the start is that of the end, carried back with the bodies.
                const Vary shift = carried_back(world_, start_, c, local, a, b, z);
                frame.arm_a = frame.arm_a + shift;
                frame.arm_b = frame.arm_b + shift;
            }
        } else {
            frame.normal = vector(local.normal);
            std::tie(frame.tangent_1, frame.tangent_2) = tangents(frame.normal, c.axis, world_.planar);
            frame.arm_a = vector(local.point_a) - part(a, c.body_a, local.body_a, Part::centre);
            frame.arm_b = vector(local.point_b) - part(b, c.body_b, local.body_b, Part::centre);
        }
        const VaryScalar p = entry(local.normal_impulse);
        Vary impulse = p * frame.normal, moment = constant(Vector3d::Zero(), unknowns);
        const Index frictions = c.extents.size();
        if (frictions > 0) {
            const Vary spin_a = part(a, c.body_a, local.body_a, Part::spin);
            const Vary spin_b = part(b, c.body_b, local.body_b, Part::spin);
            const Vary spin = spin_b - spin_a;
            const Vary slip = part(b, c.body_b, local.body_b, Part::velocity) + cross(spin_b, frame.arm_b) -
                              part(a, c.body_a, local.body_a, Part::velocity) - cross(spin_a, frame.arm_a);
            VaryScalar sigma = entry(local.slip);
            sigma.value += creep_;
            const VaryScalar cone = cone_size({c.mu * p.value, c.mu * p.by}, z.segment(at.friction, frictions),
                                              local.friction, least_impulse_);
            VaryScalar slack{c.mu * c.mu * p.value * p.value, 2.0 * c.mu * c.mu * p.value * p.by};
            for (Index k = 0; k < frictions; ++k) {
                const VaryScalar y = entry(local.friction + k), e{c.extents[k], RateRow::Zero(unknowns)};
                const bool torsion = k == d - 1;
                const Vary& along = torsion ? frame.normal : (k == 0 ? frame.tangent_1 : frame.tangent_2);
                (torsion ? moment : impulse) = (torsion ? moment : impulse) + (e * y) * along;
                const VaryScalar u = e * dot(along, torsion ? spin : slip);
                const VaryScalar work = p * u, drag = y * sigma;
                put(at.friction + k, VaryScalar{c.mu * work.value + drag.value, c.mu * work.by + drag.by} / cone);
                slack.value -= y.value * y.value;
                slack.by -= 2.0 * y.value * y.by;
            }
            put(at.slip, slack / cone);
        }
        value[at.normal_impulse] = z[at.pair.gap] - c.floor;
        j(at.normal_impulse, at.pair.gap) = 1.0;
        const auto push = [&](const Placement& place, const Vary& arm, double sign) {
            if (place.column < 0) return;
            const Vary torque = cross(arm, impulse) + moment;
            const Index width = map.cols();
            const MatrixXd linear = map.topRows(3).transpose(), turning = map.bottomRows(3).transpose();
            value.segment(place.column, width) -= sign * (linear * impulse.value + turning * torque.value);
            const MatrixXd by = sign * (linear * impulse.by + turning * torque.by);
            for (Index k = 0; k < unknowns; ++k)
                j.col(local.in_z[std::size_t(k)]).segment(place.column, width) -= by.col(k);
        };
        push(a, frame.arm_a, -1.0);
        push(b, frame.arm_b, 1.0);
    }
    value = value.cwiseQuotient(row_unit_);
    if (jacobian != nullptr) *jacobian = row_unit_.cwiseInverse().asDiagonal() * j * unit_.asDiagonal();
}

VectorXd NcpProblem::start_from(const VectorXd& v, const std::vector<VectorXd>& impulses) const {
    VectorXd z = VectorXd::Zero(unit_.size());
    z.head(v.size()) = v;
    const MatrixXd basis = coordinate_basis(world_.planar);
    const Index d = basis.cols();
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const NcpContact& c = contacts_[i];
        const NcpPlaces& at = places_[i];
        z.segment(at.pair.point_a, d) = basis.transpose() * c.start.on_a;
        z.segment(at.pair.point_b, d) = basis.transpose() * c.start.on_b;
        z.segment(at.pair.normal, d) = basis.transpose() * c.start.normal;
        z[at.pair.gap] = c.start.gap;
        z.segment(at.pair.multiplier_a, c.start.multipliers_a.size()) = c.start.multipliers_a;
        z.segment(at.pair.multiplier_b, c.start.multipliers_b.size()) = c.start.multipliers_b;
        z[at.normal_impulse] = impulses[i][0];
        const Index frictions = c.extents.size();
        if (frictions == 0) continue;
        z.segment(at.friction, frictions) = impulses[i].segment(1, frictions);
        // Eq. 10 itself tells the slip speed: sigma = -mu p_n (e u) . y / |y|^2, where the contact is at its bound.
        VectorXd value;
        evaluate(z.cwiseQuotient(unit_), value, nullptr);
        const VectorXd work =
            value.segment(at.friction, frictions).cwiseProduct(row_unit_.segment(at.friction, frictions));
        const double bound = c.mu * impulses[i][0], used = impulses[i].segment(1, frictions).norm();
        const double size = std::sqrt(bound * bound + used * used + least_impulse_ * least_impulse_);
        if (used > 0.999 * bound && used > 0.0) {
            z[at.slip] = std::max(0.0, -size * work.dot(impulses[i].segment(1, frictions)) / (used * used));
        } else if (used == 0.0 && bound > 0.0 && work.norm() > 0.0) {
            // A contact without a guess of its friction slides, if it slips.
            z.segment(at.friction, frictions) = -bound * work.normalized();
            z[at.slip] = size * work.norm() / bound;
        }
    }
    return z.cwiseQuotient(unit_);
}

}  // namespace scree::reference
