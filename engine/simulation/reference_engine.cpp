// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/reference_engine.hpp"

#include "engine/model/error.hpp"
#include "engine/scene/stepper_check.hpp"
#include "engine/simulation/reference_stepper.hpp"
#include "engine/simulation/reference_world.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace scree::simulation {
namespace {

using Eigen::Index;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

Vector3d three(const double (&v)[3]) { return {v[0], v[1], v[2]}; }

/// How many bodies of the reference world a boundary becomes.
std::size_t face_count(const model::Boundary& boundary, bool planar) {
    const auto* box = std::get_if<model::BoxShape>(&boundary.shape);
    if (box == nullptr || !box->container) return 1;
    std::size_t count = 0;
    for (std::size_t face = 0; face < 6; ++face)
        if (!box->open[face] && !(planar && face / 2 == 1)) ++count;
    return count;
}

/// The scene with walls at rest where they are defined: the engine moves them itself, in closed form of time.
model::Scene at_rest(model::Scene scene) {
    for (model::Boundary& boundary : scene.boundaries) boundary.motions.clear();
    return scene;
}

}  // namespace

ReferenceEngine::ReferenceEngine(const model::Scene& scene, const std::vector<model::Sphere>& bodies)
    : name_(scene.settings.stepper),
      step_size_(scene.settings.time.step),
      tolerance_(scene.settings.solver.tolerance),
      boundaries_(scene.boundaries.size()) {
    if (name_ == model::Stepper::lcp) reach_ = scene.settings.lcp.reach;
    if (name_ == model::Stepper::compliant) reach_ = scene.settings.compliant.reach;
    const std::string name = scene::name_of(name_);
    if (bodies.size() > model::most_reference_bodies)
        throw model::Error(model::ErrorKind::input,
                           fmt::format("stepper: {} with {} bodies (allowed: at most {})", name, bodies.size(),
                                       model::most_reference_bodies),
                           "use stepper: ccp, the production step", scene.path);
    const ReferenceStepperKind& kind = reference_stepper(name_);
    stepper_ = kind.make(scene);
    moves_by_end_velocity_ = kind.moves_by_end_velocity;
    world_ = reference_world(at_rest(scene), bodies);
    for (const model::Sphere& body : bodies) {
        ids_.push_back(kernels::Index(body.id));
        radii_.push_back(body.radius);
    }
    for (std::size_t b = 0; b < boundaries_; ++b)
        for (std::size_t k = 0; k < face_count(scene.boundaries[b], scene.settings.planar); ++k)
            faces_.push_back({b, world_.bodies[ids_.size() + faces_.size()].pose});
    state_ = world_.start();
    free_velocity_ = state_.v;
    loads_.assign(ids_.size(), Load::Zero());
}

void ReferenceEngine::place_faces(std::span<const kernels::BoundaryPose> poses) {
    for (std::size_t k = 0; k < faces_.size(); ++k) {
        const kernels::BoundaryPose& at = poses[faces_[k].boundary];
        const Quaterniond rotation(at.rotation[0], at.rotation[1], at.rotation[2], at.rotation[3]);
        const Vector3d spin = three(at.angular_velocity);
        reference::Body& face = world_.bodies[ids_.size() + k];
        const Vector3d position = rotation * faces_[k].pose.position + three(at.displacement);
        face.angular_velocity = spin;
        face.velocity = three(at.velocity) + spin.cross(position - three(at.reference));
        // The world moves fixed bodies from t = 0 on.
        face.pose.position = position - state_.time * face.velocity;
        face.pose.orientation = rotation * faces_[k].pose.orientation;
        if (const double speed = spin.norm(); speed > 0.0)
            face.pose.orientation =
                Quaterniond(Eigen::AngleAxisd(-state_.time * speed, spin / speed)) * face.pose.orientation;
    }
}

void ReferenceEngine::refuse_many_contacts(const VectorXd& free) const {
    const double reach =
        std::max(reach_, 2.0 * step_size_ * std::max(world_.closing_speed(state_.v), world_.closing_speed(free)));
    const std::size_t contacts = world_.contacts(state_.time, state_.q, reach).size();
    if (contacts > model::most_reference_contacts)
        throw model::Error(model::ErrorKind::numerics,
                           fmt::format("stepper: {} meets {} contacts (allowed: at most {})", scene::name_of(name_),
                                       contacts, model::most_reference_contacts),
                           "use fewer bodies, a shorter time.step, or stepper: ccp");
}

VectorXd ReferenceEngine::impulse(const reference::ContactOutcome& outcome) {
    const reference::Contact& contact = outcome.contact;
    VectorXd sum = outcome.normal_impulse * contact.normal.transpose();
    if (outcome.tangent_impulse.size() > 0) sum += contact.tangent.transpose() * outcome.tangent_impulse;
    if (contact.twist.size() > 0) sum += outcome.twist_impulse * contact.twist.transpose();
    if (outcome.rolling_impulse.size() > 0) sum += contact.rolling.transpose() * outcome.rolling_impulse;
    return sum;
}

ReferenceEngine::Load ReferenceEngine::part(const VectorXd& generalised, std::size_t body) const {
    const Index slot = world_.slot(body);
    if (!world_.planar) return generalised.segment<6>(6 * slot);
    Load load;
    load << generalised[3 * slot], 0.0, generalised[3 * slot + 1], 0.0, generalised[3 * slot + 2], 0.0;
    return load;
}

kernels::StepReport ReferenceEngine::step(std::span<const kernels::BoundaryPose> poses) {
    const auto now = [] { return std::chrono::steady_clock::now(); };
    const auto begin = now();
    state_.time = double(step_) * step_size_;
    place_faces(poses);
    const Eigen::MatrixXd mass = world_.mass(state_.q);
    const VectorXd before = state_.v;
    VectorXd free = before;
    if (before.size() > 0) free += step_size_ * mass.llt().solve(world_.force(state_.time, state_.q, state_.v));
    refuse_many_contacts(free);
    outcome_ = stepper_->step(world_, state_, step_size_);
    // Only now, so that an interrupted step leaves nothing of itself.
    free_velocity_ = free;
    poses_.assign(poses.begin(), poses.end());
    if (!state_.q.allFinite() || !state_.v.allFinite())
        throw model::Error(model::ErrorKind::numerics, "a body has a state that is not a number");
    ++step_;
    set_loads();
    kernels::StepReport report;
    account(report, before, mass);
    report.seconds[std::size_t(kernels::Phase::solve)] = std::chrono::duration<double>(now() - begin).count();
    return report;
}

void ReferenceEngine::account(kernels::StepReport& report, const VectorXd& before, const Eigen::MatrixXd& mass) {
    report.bodies = body_count();
    report.contacts = std::int64_t(outcome_.contacts.size());
    report.iterations = int(outcome_.iterations);
    report.converged = outcome_.converged;
    report.residual.rms = report.residual.max = outcome_.residual;
    report.tolerance = tolerance_;  // the residual is relative already: its scale is one
    report.moves_by_end_velocity = moves_by_end_velocity_;
    for (const reference::ContactOutcome& contact : outcome_.contacts) {
        const double overlap = -contact.contact.gap;
        if (overlap <= 0.0) continue;
        double radius = std::numeric_limits<double>::infinity();
        for (const Index body : {contact.contact.body_a, contact.contact.body_b})
            if (body >= 0 && std::size_t(body) < radii_.size()) radius = std::min(radius, radii_[std::size_t(body)]);
        report.overlap_max = std::max(report.overlap_max, overlap);
        report.overlap_relative = std::max(report.overlap_relative, overlap / (2.0 * radius));
    }
    for (std::size_t i = 0; i < ids_.size(); ++i) {
        const reference::Body& body = world_.bodies[i];
        const auto twist = world_.twist(i, state_.v);
        report.speed_max = std::max(report.speed_max, twist.head<3>().norm());
        if (body.fixed) continue;
        const Vector3d spin = world_.pose(i, state_.time, state_.q).orientation.conjugate() * twist.tail<3>();
        report.kinetic_translation += 0.5 * body.mass * twist.head<3>().squaredNorm();
        report.kinetic_rotation += 0.5 * spin.dot(body.inertia.cwiseProduct(spin));
    }
    for (const reference::ContactOutcome& contact : outcome_.contacts)
        report.contact_work += 0.5 * impulse(contact).dot(state_.v + free_velocity_);
    // Work of all free forces over v .. v*, less that of gravity as the ledger of the run has it.
    double gravity = 0.0;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
        if (world_.bodies[i].fixed) continue;
        const double power = world_.bodies[i].mass * world_.gravity.dot(world_.twist(i, state_.v).head<3>());
        report.gravity_momentum += power;
        report.gravity_work += step_size_ * power;  // where the ledger holds, x+ = x + h v+
        const Vector3d v = world_.twist(i, before).head<3>(), pull = step_size_ * world_.gravity;
        gravity += world_.bodies[i].mass * (pull.dot(v) + 0.5 * pull.squaredNorm());
    }
    report.other_work = 0.5 * (free_velocity_ - before).dot(mass * (free_velocity_ + before)) - gravity;
}

void ReferenceEngine::set_loads() {
    VectorXd total = VectorXd::Zero(world_.velocities());
    for (const reference::ContactOutcome& contact : outcome_.contacts) total += impulse(contact);
    for (std::size_t i = 0; i < ids_.size(); ++i)
        if (!world_.bodies[i].fixed) loads_[i] = part(total, i) / step_size_;
}

double ReferenceEngine::unbalanced_force() {
    double net = 0.0, bodies = 0.0, force = 0.0, contacts = 0.0;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
        if (world_.bodies[i].fixed) continue;
        net += (loads_[i].head<3>() + world_.bodies[i].mass * world_.gravity).norm();
        ++bodies;
    }
    for (const reference::ContactOutcome& contact : outcome_.contacts) {
        const double size = std::hypot(contact.normal_impulse, contact.tangent_impulse.norm()) / step_size_;
        if (size <= 0.0) continue;
        force += size;
        ++contacts;
    }
    return bodies > 0.0 && contacts > 0.0 ? (net / bodies) / (force / contacts) : 0.0;
}

std::size_t ReferenceEngine::bytes() const {
    const auto nv = std::size_t(world_.velocities());
    std::size_t doubles = nv * nv + std::size_t(state_.q.size()) + 2 * nv + 6 * loads_.size();
    // Per contact: rows of normal, tangents, twist and rolling.
    doubles += outcome_.contacts.size() * nv * (world_.planar ? 3 : 6);
    return doubles * sizeof(double) + world_.bodies.size() * sizeof(reference::Body);
}

}  // namespace scree::simulation
