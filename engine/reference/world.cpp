// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/world.hpp"

#include "engine/reference/collision.hpp"

#include <algorithm>
#include <cmath>

namespace scree::reference {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// exp(w h / 2) q, exact for a constant w.
Quaterniond turned(const Quaterniond& q, const Vector3d& w, double h) {
    const double angle = w.norm() * h;
    if (angle == 0.0) return q;
    return (Quaterniond(Eigen::AngleAxisd(angle, w.normalized())) * q).normalized();
}

Matrix3d world_inertia(const Body& body, const Quaterniond& q) {
    const Matrix3d r = q.toRotationMatrix();
    return r * body.inertia.asDiagonal() * r.transpose();
}

}  // namespace

std::pair<Vector3d, Vector3d> tangents_of(const Vector3d& n, bool planar) {
    if (planar) return {Vector3d(n.z(), 0.0, -n.x()), Vector3d::UnitY()};
    // The least one, so that small turns of n turn the frame little.
    Index least = 0;
    n.cwiseAbs().minCoeff(&least);
    const Vector3d t1 = (Vector3d::Unit(least) - n[least] * n).normalized();
    return {t1, n.cross(t1)};
}

Index World::free_bodies() const {
    return Index(std::count_if(bodies.begin(), bodies.end(), [](const Body& b) { return !b.fixed; }));
}

Index World::slot(std::size_t index) const {
    if (bodies[index].fixed) return -1;
    return Index(
        std::count_if(bodies.begin(), bodies.begin() + std::ptrdiff_t(index), [](const Body& b) { return !b.fixed; }));
}

State World::start() const {
    State state;
    const Index width = planar ? 3 : 6;
    state.q.resize(coordinates());
    state.v.resize(velocities());
    Index k = 0;
    for (const Body& body : bodies) {
        if (body.fixed) continue;
        const Quaterniond& o = body.pose.orientation;
        state.q.segment<7>(7 * k) << body.pose.position, o.w(), o.x(), o.y(), o.z();
        if (planar)
            state.v.segment<3>(width * k) << body.velocity.x(), body.velocity.z(), body.angular_velocity.y();
        else
            state.v.segment<6>(width * k) << body.velocity, body.angular_velocity;
        ++k;
    }
    return state;
}

Pose World::pose(std::size_t index, double time, const VectorXd& q) const {
    const Body& body = bodies[index];
    if (body.fixed)
        return {body.pose.position + time * body.velocity, turned(body.pose.orientation, body.angular_velocity, time)};
    const Index at = 7 * slot(index);
    return {q.segment<3>(at), Quaterniond(q[at + 3], q[at + 4], q[at + 5], q[at + 6])};
}

Eigen::Matrix<double, 6, 1> World::twist(std::size_t index, const VectorXd& v) const {
    const Body& body = bodies[index];
    Eigen::Matrix<double, 6, 1> twist;
    if (body.fixed) {
        twist << body.velocity, body.angular_velocity;
    } else if (planar) {
        const Index at = 3 * slot(index);
        twist << v[at], 0.0, v[at + 1], 0.0, v[at + 2], 0.0;
    } else {
        twist = v.segment<6>(6 * slot(index));
    }
    return twist;
}

Contact World::contact_at(std::size_t a, std::size_t b, const Vector3d& point, const Vector3d& normal, double gap,
                          double time, const VectorXd& q) const {
    Contact contact;
    contact.gap = gap;
    contact.law = law(a, b);
    contact.body_a = Index(a);
    contact.body_b = Index(b);
    contact.point = point;
    contact.direction = normal;
    const Index nv = velocities();
    const auto [t1, t2] = tangents_of(normal, planar);
    const int tangents = planar ? 1 : 2;
    contact.normal = Eigen::RowVectorXd::Zero(nv);
    contact.tangent = Eigen::MatrixXd::Zero(tangents, nv);
    contact.drift_tangent = VectorXd::Zero(tangents);
    contact.rolling = Eigen::MatrixXd::Zero(tangents, nv);
    if (!planar) contact.twist = Eigen::RowVectorXd::Zero(nv);
    const auto add = [&](std::size_t body, double sign) {
        const Vector3d arm = point - pose(body, time, q).position;
        // Row of direction d: velocity of the point along d = d . v + (arm x d) . w.
        const auto row = [&](const Vector3d& d) {
            Eigen::Matrix<double, 1, 6> r;
            r << d.transpose(), arm.cross(d).transpose();
            return r;
        };
        if (bodies[body].fixed) {
            const auto speed = twist(body, {});
            contact.drift_normal += sign * row(normal).dot(speed);
            contact.drift_tangent[0] += sign * row(t1).dot(speed);
            if (!planar) contact.drift_tangent[1] += sign * row(t2).dot(speed);
            return;
        }
        const Index k = slot(body);
        const auto place = [&](auto&& target, const Eigen::Matrix<double, 1, 6>& r) {
            if (planar)
                target.segment(3 * k, 3) += sign * Eigen::RowVector3d(r[0], r[2], r[4]);
            else
                target.segment(6 * k, 6) += sign * r;
        };
        place(contact.normal, row(normal));
        place(contact.tangent.row(0), row(t1));
        if (planar) {
            contact.rolling(0, 3 * k + 2) += sign;
            return;
        }
        place(contact.tangent.row(1), row(t2));
        contact.rolling.block<1, 3>(0, 6 * k + 3) += sign * t1.transpose();
        contact.rolling.block<1, 3>(1, 6 * k + 3) += sign * t2.transpose();
        contact.twist.segment<3>(6 * k + 3) += sign * normal.transpose();
    };
    add(b, 1.0);
    add(a, -1.0);
    return contact;
}

Eigen::MatrixXd World::mass(const VectorXd& q) const {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(velocities(), velocities());
    Index k = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Body& body = bodies[i];
        if (body.fixed) continue;
        if (planar) {
            m.diagonal().segment<3>(3 * k) << body.mass, body.mass, body.inertia.y();
        } else {
            m.diagonal().segment<3>(6 * k).setConstant(body.mass);
            const Index at = 7 * k + 3;
            m.block<3, 3>(6 * k + 3, 6 * k + 3) =
                world_inertia(body, Quaterniond(q[at], q[at + 1], q[at + 2], q[at + 3]));
        }
        ++k;
    }
    return m;
}

VectorXd World::force(double time, const VectorXd& q, const VectorXd& v) const {
    VectorXd f = VectorXd::Zero(velocities());
    Index k = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Body& body = bodies[i];
        if (body.fixed) continue;
        const Pose at = pose(i, time, q);
        const auto speed = twist(i, v);
        const Vector3d w = speed.tail<3>();
        Wrench sum{body.mass * gravity, Vector3d::Zero()};
        if (!planar) sum.torque = -w.cross(world_inertia(body, at.orientation) * w);
        if (wrench) {
            const Wrench outer = wrench(time, i, at, speed.head<3>(), w);
            sum.force += outer.force;
            sum.torque += outer.torque;
        }
        if (planar)
            f.segment<3>(3 * k) << sum.force.x(), sum.force.z(), sum.torque.y();
        else
            f.segment<6>(6 * k) << sum.force, sum.torque;
        ++k;
    }
    return f;
}

VectorXd World::moved(const VectorXd& q, const VectorXd& v, double h) const {
    VectorXd to = q;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].fixed) continue;
        const auto speed = twist(i, v);
        const Index at = 7 * slot(i);
        const Quaterniond o = turned(Quaterniond(q[at + 3], q[at + 4], q[at + 5], q[at + 6]), speed.tail<3>(), h);
        to.segment<3>(at) += h * speed.head<3>();
        to.segment<4>(at + 3) << o.w(), o.x(), o.y(), o.z();
    }
    return to;
}

double World::closing_speed(const VectorXd& v) const {
    // Two bodies may move towards each other: the sum of the two largest speeds of a surface point.
    double largest = 0.0, second = 0.0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto speed = twist(i, v);
        const double spin = speed.tail<3>().norm();
        double s = speed.head<3>().norm();
        // A half-space has no radius, and turns in place only.
        if (spin > 0.0 && !std::holds_alternative<HalfSpace>(bodies[i].shape))
            s += spin * bounding_radius(bodies[i].shape);
        second = std::max(second, std::min(s, largest));
        largest = std::max(largest, s);
    }
    return largest + second;
}

std::vector<Contact> World::contacts(double time, const VectorXd& q, double reach) const {
    std::vector<Contact> found;
    std::vector<Pose> poses;
    for (std::size_t i = 0; i < bodies.size(); ++i) poses.push_back(pose(i, time, q));
    for (std::size_t a = 0; a < bodies.size(); ++a) {
        for (std::size_t b = a + 1; b < bodies.size(); ++b) {
            if (bodies[a].fixed && bodies[b].fixed) continue;
            const double apart = (poses[b].position - poses[a].position).norm() - bounding_radius(bodies[a].shape) -
                                 bounding_radius(bodies[b].shape);
            if (apart > reach) continue;
            for (const NearPoint& near :
                 near_points(bodies[a].shape, poses[a], bodies[b].shape, poses[b], reach, planar)) {
                Contact contact = contact_at(a, b, 0.5 * (near.on_a + near.on_b), near.normal, near.gap, time, q);
                contact.identity = (std::uint64_t(a) << 48) | (std::uint64_t(b) << 32) | near.feature;
                found.push_back(std::move(contact));
            }
        }
    }
    return found;
}

double World::potential_energy(double time, const VectorXd& q) const {
    double energy = 0.0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (!bodies[i].fixed) energy -= bodies[i].mass * gravity.dot(pose(i, time, q).position);
    return energy;
}

}  // namespace scree::reference
