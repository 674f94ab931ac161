// SPDX-License-Identifier: BSD-3-Clause
// A reference stepper as a StepEngine: what the production step is to GranularStep, this is to small worlds of any
// shapes. Sequential, double, on the CPU.
//
// Invariants:
// 1. Slots are bodies in id order; bodies never leave. World body i < bodies is slot i, faces of boundaries follow.
// 2. Time is step x h, and boundaries are placed from their closed form before each step, so that a restart needs no
//    more than the state and the stepper's memory.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/reference/world.hpp"
#include "kernels/step/step_engine.hpp"

#include <array>
#include <memory>
#include <vector>

namespace scree::simulation {

class ReferenceEngine final : public kernels::StepEngine {
public:
    /// Throws model::Error (input) for scenes that are too large (model::most_reference_bodies) or that the reference
    /// world cannot hold.
    ReferenceEngine(const model::Scene& scene, const std::vector<model::Sphere>& bodies);

    /// Throws model::Error: numerics when the stepper finds no solution, the state is no longer finite or there are
    /// more than model::most_reference_contacts contacts.
    kernels::StepReport step(std::span<const kernels::BoundaryPose> poses) override;
    /// See reference::Stepper::watch: step() throws model::Interrupted, and the world is as it was after the step
    /// before.
    void watch(const std::atomic<bool>* interrupt) { stepper_->watch(interrupt); }
    std::vector<kernels::RemovedBody> take_removed() override { return {}; }
    /// Throws model::Error (input): these steppers have the bodies of the start.
    void append(const kernels::WorldDescription& bodies) override;
    void download(kernels::BodyDownload& bodies) override;
    void download(kernels::PlaceDownload& places) override;
    void download(kernels::ContactDownload& contacts) override;
    /// Throws model::Error (input): these steppers have problems of their own kind.
    void download(kernels::ProblemDownload& problem) override;
    /// Throw model::Error (input): bodies of these steppers are left to their scene.
    void apply(std::span<const kernels::AppliedWrench> wrenches) override;
    void impose(std::span<const kernels::ImposedVelocity> velocities) override;
    /// Of all boundaries.
    std::vector<kernels::BoundaryLoad> boundary_loads(std::span<const std::size_t> of) override;
    double unbalanced_force() override;
    kernels::EngineState save() override;
    void restore(const kernels::EngineState& state) override;
    [[nodiscard]] std::size_t bytes() const override;
    [[nodiscard]] std::int64_t body_count() const override { return std::int64_t(ids_.size()); }
    [[nodiscard]] std::size_t threads() const override { return 1; }

private:
    /// A flat face or solid box of a boundary; its pose in the boundary's frame.
    struct Face {
        std::size_t boundary = 0;
        reference::Pose pose;
    };
    /// Contact force and torque about the centre of mass on a body over the last step.
    using Load = Eigen::Matrix<double, 6, 1>;

    void place_faces(std::span<const kernels::BoundaryPose> poses);
    void refuse_many_contacts(const Eigen::VectorXd& free) const;
    /// Generalised impulse G^T p of one contact.
    [[nodiscard]] static Eigen::VectorXd impulse(const reference::ContactOutcome& outcome);
    /// The part of a generalised vector that belongs to one free body of the world, as (linear, angular).
    [[nodiscard]] Load part(const Eigen::VectorXd& generalised, std::size_t body) const;
    void account(kernels::StepReport& report, const Eigen::VectorXd& before, const Eigen::MatrixXd& mass);
    void set_loads();

    model::Stepper name_;
    double step_size_, tolerance_;
    double reach_ = 0.0;  ///< Gap below which the stepper takes contacts where the scene says so [m].
    reference::World world_;
    std::unique_ptr<reference::Stepper> stepper_;
    bool moves_by_end_velocity_ = true;
    std::vector<Face> faces_;
    std::vector<kernels::Index> ids_;
    std::vector<double> radii_;
    std::size_t boundaries_ = 0;
    reference::State state_;
    std::int64_t step_ = 0;
    // Of the last step.
    Eigen::VectorXd free_velocity_;
    reference::StepOutcome outcome_;
    std::vector<Load> loads_;  ///< By slot; zero before the first step.
    std::vector<kernels::BoundaryPose> poses_;
};

}  // namespace scree::simulation
