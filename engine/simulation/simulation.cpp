// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/simulation.hpp"

#include "engine/geometry/feed.hpp"
#include "engine/geometry/solid.hpp"
#include "engine/model/error.hpp"
#include "engine/model/interrupt.hpp"
#include "engine/scene/check_model.hpp"
#include "engine/scene/stepper_check.hpp"
#include "engine/simulation/boundary_motion.hpp"
#include "engine/simulation/cone_fallback.hpp"
#include "engine/simulation/motor_range.hpp"
#include "engine/simulation/reference_engine.hpp"
#include "kernels/parallel/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <numeric>
#include <utility>

namespace scree::simulation {
namespace {

using model::Vec3;

void put(double (&to)[3], Vec3 v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/// Reference steppers compute in double on one thread of the CPU, whatever the scene says of machines.
BackendChoice choose(model::Scene& scene) {
    if (scene.settings.stepper == model::Stepper::ccp) return choose_backend(scene.settings);
    if (scene.settings.backend == model::Backend::cuda)
        throw model::Error(model::ErrorKind::input, "backend: cuda with a reference stepper",
                           "use backend: cpu, or stepper: ccp", scene.path);
    scene.settings.precision = model::Precision::double_;
    return {model::Backend::cpu, processor_name(),
            std::string("cpu: the stepper ") + scene::name_of(scene.settings.stepper) + " runs there"};
}

std::unique_ptr<kernels::StepEngine> make_engine(const model::Scene& scene, const std::vector<model::Sphere>& bodies,
                                                 double largest_fed, const ResolvedSettings& resolved,
                                                 kernels::JointDescription joints, model::Backend backend) {
    if (scene.settings.stepper != model::Stepper::ccp) return std::make_unique<ReferenceEngine>(scene, bodies);
    kernels::WorldDescription world = build_world(scene, bodies, largest_fed, resolved);
    world.joints = std::move(joints);
    const model::SolverSettings& solver = scene.settings.solver;
    if (solver.fallback == model::Fallback::lemke) {
        const auto friction = solver.friction == model::FrictionLaw::coulomb ? complementarity::Friction::coulomb
                                                                             : complementarity::Friction::associated;
        world.fallback = [friction](kernels::ProblemDownload& problem) { return solve_again(problem, friction); };
        world.fallback_contacts = kernels::Index(solver.fallback_contacts);
    }
    const bool all_double = scene.settings.precision == model::Precision::double_;
    return backend == model::Backend::cuda ? kernels::make_cuda_engine(world, all_double)
                                           : kernels::make_cpu_engine(world, all_double);
}

}  // namespace

Simulation::Simulation(model::Scene scene) : scene_(std::move(scene)), backend_(choose(scene_)) {
    try {
        scene::check_model(scene_);
        geometry::BodySet set = geometry::make_bodies(scene_);
        sources_ = std::move(set.reports);
        if (std::any_of(scene_.sources.begin(), scene_.sources.end(), [](const auto& s) { return feed_of(s); }))
            feeder_ = std::make_unique<geometry::Feeder>(scene_);
        const auto later = feeder_ ? feeder_->expected() : geometry::ExpectedBodies{};
        if (scene_.settings.stepper == model::Stepper::ccp)
            resolved_ = resolve(scene_, set.bodies, later, backend_.backend);
        BuiltJoints joints = build_joints(scene_, set.bodies);
        drives_ = std::move(joints.drives);
        engine_ = make_engine(scene_, set.bodies, feeder_ ? feeder_->largest_radius() : 0.0, resolved_,
                              std::move(joints.description), backend_.backend);
        at_start_ = set.bodies.size();
        add_facts(set.bodies, geometry::SourceSolids(scene_));
        for (const std::vector<model::Sphere>* bodies : {&std::as_const(set.bodies), &later.bodies})
            for (const model::Sphere& s : *bodies) extent_at_start_.add(s.position, s.radius);
        for (const model::Sphere& s : set.bodies)
            if (!scene_.sources[s.source].motions.empty()) prescribed_.push_back(s);
        servos_ = Servos(scene_);
        servos_.decide(0.0, {});
        if (feeder_) joined_.resize(feeder_->feeds().size());
        balance_.removed_by_outlet.assign(scene_.outlets.size(), 0);
        balance_.removed_mass.assign(scene_.outlets.size(), 0.0);
    } catch (const model::Error&) {
        throw;
    } catch (const std::exception& error) {
        fail(error);
    }
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&& other) noexcept {
    if (this == &other) return *this;  // members moved onto themselves may come out empty
    std::destroy_at(this);
    std::construct_at(this, std::move(other));
    return *this;
}

void Simulation::add_facts(const std::vector<model::Sphere>& bodies, const geometry::SourceSolids& solids) {
    for (const model::Sphere& body : bodies) {
        const geometry::SolidFacts facts = solids.facts(body);
        facts_.push_back({facts.mass, std::uint32_t(body.source), body.fixed});
        if (solids.any()) {
            const model::Solid* solid = solids.solid(body.source);
            shapes_.push_back(
                {solid != nullptr ? std::uint8_t(solid->index()) : std::uint8_t(0), facts.half_extents, facts.inertia});
        }
        ++balance_.inserted;
        if (body.fixed) continue;
        free_mass_ += facts.mass;
        ++free_count_;
    }
}

Pose Simulation::pose_of(std::size_t boundary) const {
    Pose pose = pose_at(scene_.boundaries[boundary], time(), scene_.settings.time.step);
    servos_.apply(boundary, pose);
    steered_.apply(boundary, pose);
    return pose;
}

std::vector<kernels::BoundaryPose> Simulation::poses() const {
    std::vector<kernels::BoundaryPose> poses;
    poses.reserve(scene_.boundaries.size());
    for (std::size_t b = 0; b < scene_.boundaries.size(); ++b) {
        const Pose pose = pose_of(b);
        kernels::BoundaryPose p;
        p.rotation[0] = pose.rotation.w;
        p.rotation[1] = pose.rotation.x;
        p.rotation[2] = pose.rotation.y;
        p.rotation[3] = pose.rotation.z;
        put(p.displacement, pose.displacement);
        put(p.velocity, pose.velocity);
        put(p.angular_velocity, pose.angular_velocity);
        put(p.reference, pose.reference);
        p.material = std::int32_t(scene_.boundaries[b].material);
        p.active = pose.active ? 1 : 0;
        p.moving = pose.moving ? 1 : 0;
        poses.push_back(p);
    }
    return poses;
}

void Simulation::fail(const std::exception& error) const {
    const std::string where = fmt::format(" in step {} (t = {:g} s) of {}", step_ + 1, time(), scene_.name);
    if (const auto* known = dynamic_cast<const model::Error*>(&error))
        throw model::Error(known->kind(), known->message() + where, known->hint(), scene_.path);
    if (dynamic_cast<const kernels::NumericalError*>(&error) != nullptr)
        throw model::Error(model::ErrorKind::numerics, error.what() + where,
                           "reduce time.step, look for bodies that overlap at the start, or use precision: double",
                           scene_.path);
    if (const auto* memory = dynamic_cast<const kernels::OutOfMemory*>(&error))
        throw model::Error(model::ErrorKind::environment, memory->what() + where,
                           "use fewer bodies or --precision mixed");
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
        throw model::Error(model::ErrorKind::environment, "out of host memory" + where, "use fewer bodies");
    throw model::Error(model::ErrorKind::environment, error.what() + where);
}

void Simulation::drive_joints() {
    if (drives_.empty()) return;
    const double h = scene_.settings.time.step;
    std::vector<double> values;
    for (const JointDrive& drive : drives_) {
        const double at = time() + (drive.at_end ? h : 0.5 * h);
        values.push_back(drive.imposed ? *drive.imposed : drive.course.at(at));
        if (std::abs(values.back()) <= drive.largest) continue;
        const model::Joint& joint = scene_.joints[drive.joint];
        const auto motor = drive.turns ? joint.turn.motor : joint.slide.motor;
        throw model::Error(
            model::ErrorKind::input,
            fmt::format("joint '{}': its motor's expression at t = {:g} s: {}", joint_name(scene_, drive.joint), at,
                        beyond_range(motor, drive.turns, values.back(), drive.largest)),
            "a formula that stays in the range at all times of the run", scene_.path, joint.line);
    }
    engine_->drive(values);
}

void Simulation::move_prescribed() {
    if (prescribed_.empty()) return;
    std::vector<kernels::PrescribedBody> bodies;
    for (const model::Sphere& body : prescribed_) {
        const PrescribedPose pose = prescribed_at(scene_.sources[body.source].motions, body.position, body.orientation,
                                                  time(), scene_.settings.time.step);
        kernels::PrescribedBody to;
        to.id = kernels::Index(body.id);
        put(to.position, pose.position);
        put(to.velocity, pose.velocity);
        put(to.angular_velocity, pose.angular_velocity);
        const model::Quat q = pose.orientation;
        to.orientation[0] = q.w, to.orientation[1] = q.x, to.orientation[2] = q.y, to.orientation[3] = q.z;
        bodies.push_back(to);
    }
    engine_->prescribe(bodies);
}

kernels::StepReport Simulation::step() {
    try {
        const auto poses = this->poses();
        kernels::StepReport joined;
        if (feeder_) feed(joined);
        move_prescribed();
        drive_joints();
        kernels::StepReport report = engine_->step(poses);
        report.inserted = joined.inserted;
        report.inserted_kinetic = joined.inserted_kinetic;
        report.inserted_potential = joined.inserted_potential;
        report.inserted_momentum = joined.inserted_momentum;
        ++step_;
        if (!servos_.empty()) {
            servos_.advance(scene_.settings.time.step);
            servos_.decide(time(), engine_->boundary_loads(servos_.boundaries()));
        }
        steered_.advance(scene_.settings.time.step);
        if (report.removed > 0) count_removed();
        return report;
    } catch (const model::Interrupted&) {
        throw;
    } catch (const std::exception& error) {
        fail(error);
    }
}

void Simulation::watch(const std::atomic<bool>* interrupt) {
    if (auto* reference = dynamic_cast<ReferenceEngine*>(engine_.get())) reference->watch(interrupt);
}

void Simulation::count_removed() {
    for (const kernels::RemovedBody& body : engine_->take_removed()) {
        const BodyFacts& facts = facts_[std::size_t(body.id - 1)];
        ++balance_.removed;
        ++balance_.removed_by_outlet[std::size_t(body.outlet)];
        if (facts.fixed) continue;
        balance_.removed_mass[std::size_t(body.outlet)] += facts.mass;
        free_mass_ -= facts.mass;
        --free_count_;
    }
    const auto accounted = balance_.removed + std::uint64_t(engine_->body_count());
    balance_.lost = balance_.inserted > accounted ? balance_.inserted - accounted : 0;
}

std::vector<kernels::BoundaryLoad> Simulation::boundary_loads() {
    std::vector<std::size_t> all(scene_.boundaries.size());
    std::iota(all.begin(), all.end(), std::size_t(0));
    return engine_->boundary_loads(all);
}

std::int64_t Simulation::body_count() const { return engine_->body_count(); }
std::size_t Simulation::threads() const { return engine_->threads(); }
std::size_t Simulation::bytes() const { return engine_->bytes(); }
double Simulation::unbalanced_force() { return engine_->unbalanced_force(); }

kernels::SolverOutcome Simulation::try_solver(const kernels::SolverTrial& trial) { return engine_->try_solver(trial); }
std::vector<kernels::PassTime> Simulation::time_passes(int repeats) { return engine_->time_passes(repeats); }

kernels::ProblemDownload Simulation::problem() {
    kernels::ProblemDownload problem;
    engine_->download(problem);
    return problem;
}

}  // namespace scree::simulation
