// SPDX-License-Identifier: BSD-3-Clause
// Downloads, readouts, save and restore of ReferenceEngine.
#include "engine/model/error.hpp"
#include "engine/scene/stepper_check.hpp"
#include "engine/simulation/reference_engine.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace scree::simulation {
namespace {

using Eigen::Vector3d;

void add(std::vector<double>& rows, const Vector3d& v) { rows.insert(rows.end(), {v.x(), v.y(), v.z()}); }
Vector3d three(const std::vector<double>& rows, std::size_t at) { return {rows[at], rows[at + 1], rows[at + 2]}; }

/// Rows of six to rows of eight: (v, 0, w, 0).
std::vector<double> eight_of_six(const std::vector<double>& six) {
    std::vector<double> rows;
    for (std::size_t i = 0; i < six.size(); i += 3) {
        rows.insert(rows.end(), six.begin() + std::ptrdiff_t(i), six.begin() + std::ptrdiff_t(i) + 3);
        rows.push_back(0.0);
    }
    return rows;
}

/// Twist and rolling impulses as a vector [N m s].
Vector3d couple_on_b(const reference::ContactOutcome& found) {
    const reference::Contact& contact = found.contact;
    const bool planar = contact.tangent.rows() == 1;
    Vector3d couple = planar ? Vector3d(Vector3d::Zero()) : Vector3d(found.twist_impulse * contact.direction);
    if (found.rolling_impulse.size() == 0) return couple;
    if (planar) return found.rolling_impulse[0] * Vector3d::UnitY();
    const auto [t1, t2] = reference::tangents_of(contact.direction, false);
    return couple + found.rolling_impulse[0] * t1 + found.rolling_impulse[1] * t2;
}

}  // namespace

void ReferenceEngine::append(const kernels::WorldDescription&) {
    throw model::Error(model::ErrorKind::input, "a reference stepper takes no bodies during the run",
                       "use stepper: ccp");
}

void ReferenceEngine::apply(std::span<const kernels::AppliedWrench>) {
    throw model::Error(model::ErrorKind::input, "a reference stepper takes no forces during the run",
                       "`force` and `torque` of bodies in the scene, or stepper: ccp");
}

void ReferenceEngine::impose(std::span<const kernels::ImposedVelocity>) {
    throw model::Error(model::ErrorKind::input, "a reference stepper takes no velocities during the run",
                       "use stepper: ccp");
}

void ReferenceEngine::download(kernels::PlaceDownload& out) {
    kernels::BodyDownload bodies;
    download(bodies);
    out = {std::move(bodies.position), std::move(bodies.orientation), std::move(bodies.id)};
}

void ReferenceEngine::download(kernels::BodyDownload& out) {
    out = {};
    for (std::size_t i = 0; i < ids_.size(); ++i) {
        const reference::Body& body = world_.bodies[i];
        const double time = double(step_) * step_size_;
        const reference::Pose pose = world_.pose(i, time, state_.q);
        add(out.position, pose.position);
        out.position.push_back(radii_[i]);
        const Eigen::Quaterniond& o = pose.orientation;
        out.orientation.insert(out.orientation.end(), {o.w(), o.x(), o.y(), o.z()});
        const auto twist = world_.twist(i, state_.v), free = world_.twist(i, free_velocity_);
        add(out.velocity, twist.head<3>());
        add(out.velocity, twist.tail<3>());
        add(out.free_velocity, free.head<3>());
        add(out.free_velocity, free.tail<3>());
        out.inverse_mass.push_back(body.fixed ? 0.0 : 1.0 / body.mass);
        out.inverse_mass.push_back(body.fixed ? 0.0 : 3.0 / body.inertia.sum());
        out.material.push_back(kernels::Index(body.material));
        add(out.load, loads_[i].head<3>());
        add(out.load, loads_[i].tail<3>());
    }
    out.id = ids_;
}

void ReferenceEngine::download(kernels::ContactDownload& out) {
    out = {};
    for (const reference::ContactOutcome& found : outcome_.contacts) {
        const reference::Contact& contact = found.contact;
        auto a = std::size_t(contact.body_a), b = std::size_t(contact.body_b);
        // Force on B: what a free body of the pair feels.
        const bool b_is_free = !world_.bodies[b].fixed;
        Vector3d on_b = (b_is_free ? 1.0 : -1.0) * part(impulse(found), b_is_free ? b : a).head<3>();
        Vector3d normal = contact.direction;
        if (a >= ids_.size()) {  // the first is always a body of the scene
            std::swap(a, b);
            on_b = -on_b;
            normal = -normal;
        }
        out.a.push_back(kernels::Index(a));
        out.partner.push_back(b < ids_.size() ? kernels::Index(b)
                                              : -1 - kernels::Index(faces_[b - ids_.size()].boundary));
        add(out.impulse, on_b);
        add(out.normal, normal);
        add(out.point, contact.point);
        out.lever_a.push_back(radii_[a] + 0.5 * contact.gap);
        out.gap.push_back(contact.gap);
    }
}

void ReferenceEngine::download(kernels::ProblemDownload& /*problem*/) {
    throw model::Error(model::ErrorKind::input,
                       std::string("stepper: ") + scene::name_of(name_) + " has no cone problem to write",
                       "--dump-problem is for stepper: ccp");
}

std::vector<kernels::BoundaryLoad> ReferenceEngine::boundary_loads(std::span<const std::size_t> /*of*/) {
    std::vector<kernels::BoundaryLoad> loads(boundaries_);
    if (poses_.size() < boundaries_) return loads;
    for (const reference::ContactOutcome& found : outcome_.contacts) {
        const auto a = std::size_t(found.contact.body_a), b = std::size_t(found.contact.body_b);
        const std::size_t wall = std::max(a, b), body = std::min(a, b);
        if (wall < ids_.size()) continue;
        const std::size_t boundary = faces_[wall - ids_.size()].boundary;
        const Load on_body = part(impulse(found), body) / step_size_;
        const double(&reference)[3] = poses_[boundary].reference;
        // The row of a moment is the turn of b less that of a, whatever point the force acts at.
        const double sign = wall == b ? 1.0 : -1.0;
        const Vector3d force = -on_body.head<3>();
        const Vector3d arm = found.contact.point - Vector3d(reference[0], reference[1], reference[2]);
        const Vector3d torque = arm.cross(force) + sign / step_size_ * couple_on_b(found);
        for (Eigen::Index k = 0; k < 3; ++k) {
            loads[boundary].force[std::size_t(k)] += force[k];
            loads[boundary].torque[std::size_t(k)] += torque[k];
        }
    }
    return loads;
}

kernels::EngineState ReferenceEngine::save() {
    kernels::BodyDownload bodies;
    download(bodies);
    kernels::EngineState s;
    s.step = step_;
    s.position = std::move(bodies.position);
    s.orientation = std::move(bodies.orientation);
    s.velocity = eight_of_six(bodies.velocity);
    s.free_velocity = eight_of_six(bodies.free_velocity);
    s.inverse_mass = std::move(bodies.inverse_mass);
    s.material = std::move(bodies.material);
    s.id = std::move(bodies.id);
    s.motion.assign(4 * ids_.size(), 0.0F);
    s.memory = std::move(bodies.load);
    const std::vector<double> stepper = stepper_->memory();
    s.memory.insert(s.memory.end(), stepper.begin(), stepper.end());
    return s;
}

void ReferenceEngine::restore(const kernels::EngineState& s) {
    if (s.id != ids_) throw std::invalid_argument("the checkpoint holds other bodies than the scene");
    if (s.memory.size() < 6 * ids_.size()) throw std::invalid_argument("the checkpoint was written by another stepper");
    step_ = s.step;
    outcome_ = {};
    poses_.clear();
    const Eigen::Index width = world_.planar ? 3 : 6;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
        for (Eigen::Index k = 0; k < 6; ++k) loads_[i][k] = s.memory[6 * i + std::size_t(k)];
        const Eigen::Index slot = world_.slot(i);
        if (slot < 0) continue;
        state_.q.segment<3>(7 * slot) = three(s.position, 4 * i);
        for (Eigen::Index k = 0; k < 4; ++k) state_.q[7 * slot + 3 + k] = s.orientation[4 * i + std::size_t(k)];
        const auto put = [&](Eigen::VectorXd& v, const std::vector<double>& rows) {
            const Vector3d linear = three(rows, 8 * i), spin = three(rows, 8 * i + 4);
            if (world_.planar)
                v.segment<3>(width * slot) << linear.x(), linear.z(), spin.y();
            else
                v.segment<6>(width * slot) << linear, spin;
        };
        put(state_.v, s.velocity);
        put(free_velocity_, s.free_velocity);
    }
    state_.time = double(step_) * step_size_;
    stepper_->restore({s.memory.begin() + std::ptrdiff_t(6 * ids_.size()), s.memory.end()});
}

}  // namespace scree::simulation
