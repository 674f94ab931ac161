// SPDX-License-Identifier: BSD-3-Clause
// What callers hold: a scene that steps.
#pragma once

#include "engine/geometry/bodies.hpp"
#include "engine/geometry/extent.hpp"
#include "engine/io/checkpoint.hpp"
#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"
#include "engine/simulation/backend_choice.hpp"
#include "engine/simulation/joint_builder.hpp"
#include "engine/simulation/world_builder.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scree::simulation {

/// Counts since t = 0, restarts included. inserted = removed + lost + present, every step.
struct Balance {
    std::uint64_t inserted = 0, removed = 0, lost = 0;
    std::vector<std::uint64_t> removed_by_outlet;
    std::vector<double> removed_mass;  ///< [kg]
};

/// A running scene. Owns the world on its backend; the scene does not change.
///
/// Errors are model::Error: input (a scene that no scene file could give, see scene::check_model), numerics (NaN, with
/// step and time), environment (device, memory). After an error the object can only be destroyed.
class Simulation {
public:
    /// Builds bodies from the scene's sources and puts them on the backend that the settings ask for.
    explicit Simulation(model::Scene scene);
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;  ///< Onto itself: no change.

    /// Advances by one step h. Throws model::Interrupted when the watched flag ends it half way; the object is then as
    /// it was after the step before, and can be saved.
    kernels::StepReport step();
    /// A flag that may end a step half way: long steps of reference steppers look at it, the production step does not.
    /// Null: none. It must outlive the object.
    void watch(const std::atomic<bool>* interrupt);

    [[nodiscard]] std::int64_t step_index() const { return step_; }
    [[nodiscard]] double time() const { return double(step_) * scene_.settings.time.step; }
    [[nodiscard]] const model::Scene& scene() const { return scene_; }
    [[nodiscard]] const BackendChoice& backend() const { return backend_; }
    [[nodiscard]] const ResolvedSettings& resolved() const { return resolved_; }
    [[nodiscard]] const std::vector<geometry::SourceReport>& sources() const { return sources_; }
    /// Around all bodies at t = 0.
    [[nodiscard]] const geometry::Extent& extent_at_start() const { return extent_at_start_; }
    [[nodiscard]] const Balance& balance() const { return balance_; }
    [[nodiscard]] std::int64_t body_count() const;
    [[nodiscard]] std::size_t threads() const;
    [[nodiscard]] std::size_t bytes() const;
    /// Total mass of free bodies now present [kg].
    [[nodiscard]] double free_mass() const { return free_mass_; }
    /// Number of free bodies now present.
    [[nodiscard]] std::int64_t free_count() const { return free_count_; }
    [[nodiscard]] double unbalanced_force();

    /// The state now; forces, contacts and loads are means over the last step.
    [[nodiscard]] model::Snapshot snapshot(bool with_contacts = true);
    /// What the joints do, as Scene::joints.
    [[nodiscard]] std::vector<model::JointState> joints();
    /// Times the solver's passes on the last step's problem, each `repeats` times (kernels/step/step_engine.hpp).
    [[nodiscard]] std::vector<kernels::PassTime> time_passes(int repeats);
    /// Sets a solver on the last step's problem (the same file).
    [[nodiscard]] kernels::SolverOutcome try_solver(const kernels::SolverTrial& trial);
    /// The last step's cone problem in plain arrays.
    [[nodiscard]] kernels::ProblemDownload problem();

    /// The exact state; a Simulation of the same scene that takes it continues bit for bit.
    [[nodiscard]] io::Checkpoint save();
    void restore(const io::Checkpoint& checkpoint);

private:
    struct BodyFacts {
        double mass = 0.0;
        std::uint32_t source = 0;
        bool fixed = false;
    };
    struct ShapeFacts {
        std::uint8_t shape = 0;  ///< Index in model::Solid.
        model::Vec3 half_extents, inertia;
    };
    [[nodiscard]] std::vector<kernels::BoundaryPose> poses_at(double time) const;
    /// Hands the motors their values of the coming step.
    void drive_joints();
    /// Moves the bodies whose motion is prescribed.
    void move_prescribed();
    void set_shapes(const std::vector<model::Sphere>& bodies);
    void count_removed();
    [[noreturn]] void fail(const std::exception& error) const;

    model::Scene scene_;
    BackendChoice backend_;
    ResolvedSettings resolved_;
    std::vector<geometry::SourceReport> sources_;
    geometry::Extent extent_at_start_;
    std::vector<BodyFacts> facts_;    ///< By id - 1.
    std::vector<ShapeFacts> shapes_;  ///< The same; empty where all bodies are plain spheres.
    std::vector<JointDrive> drives_;
    std::vector<model::Sphere> prescribed_;  ///< Bodies with motions, at t = 0.
    std::unique_ptr<kernels::StepEngine> engine_;
    Balance balance_;
    double free_mass_ = 0.0;
    std::int64_t free_count_ = 0;
    std::int64_t step_ = 0;
};

}  // namespace scree::simulation
