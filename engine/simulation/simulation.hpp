// SPDX-License-Identifier: BSD-3-Clause
// What callers hold: a scene that steps.
#pragma once

#include "engine/geometry/bodies.hpp"
#include "engine/geometry/extent.hpp"
#include "engine/geometry/solid.hpp"
#include "engine/io/checkpoint.hpp"
#include "engine/model/control.hpp"
#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"
#include "engine/simulation/backend_choice.hpp"
#include "engine/simulation/joint_builder.hpp"
#include "engine/simulation/servos.hpp"
#include "engine/simulation/steered_walls.hpp"
#include "engine/simulation/world_builder.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::simulation {

/// Counts since t = 0, restarts included. inserted = removed + lost + present, every step.
struct Balance {
    std::uint64_t inserted = 0, removed = 0, lost = 0;
    std::vector<std::uint64_t> removed_by_outlet;
    std::vector<double> removed_mass;  ///< [kg]
};

/// How far a feed is, restarts included.
struct FeedReport {
    std::string name;
    std::uint64_t due = 0;       ///< Bodies that should have joined by now; about, for a mass rate.
    std::uint64_t joined = 0;    ///< Of these; the others wait for a place.
    double expected = 0.0;       ///< Bodies due until time.end, and
    double expected_mass = 0.0;  ///< their mass, about [kg].
    double mass = 0.0;           ///< Joined [kg].
    double radius_min = 0.0, radius_mean = 0.0, radius_max = 0.0;  ///< Of those that joined, by number [m].
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

    // What a program imposes between two steps. Checkpoints hold where walls were steered to and how fast they go on,
    // but no forces and motors: who restores one imposes them again. Throw model::Error (input) for ids, boundaries and
    // joints that are not there, fixed bodies, numbers that are not finite, and with reference steppers.

    /// Forces on free bodies besides those of the scene, from the coming step on until they are set anew; bodies that
    /// are not named keep theirs, those that left are passed over. Their work is StepReport::other_work. Wakes sleepers
    /// whose force changes.
    void apply(std::span<const model::AppliedForce> forces);
    /// Velocities of free bodies; bodies that left are passed over. No report counts the energy that this brings.
    void set_velocities(std::span<const model::ImposedVelocity> velocities);
    /// Wakes all sleepers.
    void wake();
    /// Moves a boundary from the coming step on, besides what its scene says: velocity of its torque point [m/s], about
    /// which it turns [rad/s], world axes.
    void steer(std::size_t boundary, model::Vec3 velocity, model::Vec3 angular_velocity = {});
    /// Target of the motor of a joint's turn, or else of its slide, instead of what the scene says, in its unit: rad/s,
    /// rad, N m or m/s, m, N (positions: of the end of the step). None: again what the scene says.
    void set_motor(std::size_t joint, bool turns, std::optional<double> target);

    [[nodiscard]] std::int64_t step_index() const { return step_; }
    [[nodiscard]] double time() const { return double(step_) * scene_.settings.time.step; }
    [[nodiscard]] const model::Scene& scene() const { return scene_; }
    [[nodiscard]] const BackendChoice& backend() const { return backend_; }
    [[nodiscard]] const ResolvedSettings& resolved() const { return resolved_; }
    [[nodiscard]] const std::vector<geometry::SourceReport>& sources() const { return sources_; }
    /// The feeds among the sources, in order.
    [[nodiscard]] std::vector<FeedReport> feeds() const;
    /// Whether bodies are still to join, now or later.
    [[nodiscard]] bool is_feeding() const;
    /// Some bodies as the feeds make them, at random places of their regions; ids count from 1.
    [[nodiscard]] model::Snapshot fed_sample() const;
    /// Around all bodies at t = 0 and the places of those that join.
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

    enum class Contacts : std::uint8_t { none, of_boundaries, all };
    /// The state now; forces, contacts and loads are means over the last step.
    [[nodiscard]] model::Snapshot snapshot(Contacts which);
    [[nodiscard]] model::Snapshot snapshot(bool with_contacts = true) {
        return snapshot(with_contacts ? Contacts::all : Contacts::none);
    }
    /// What the boundaries bore in the last step.
    [[nodiscard]] std::vector<kernels::BoundaryLoad> boundary_loads();
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
    [[nodiscard]] Pose pose_of(std::size_t boundary) const;
    [[nodiscard]] std::vector<kernels::BoundaryPose> poses() const;
    void need_free_body(std::uint64_t id) const;
    /// Hands the motors their values of the coming step.
    void drive_joints();
    /// Moves the bodies whose motion is prescribed.
    void move_prescribed();
    /// Bodies that are there from now on.
    void add_facts(const std::vector<model::Sphere>& bodies, const geometry::SourceSolids& solids);
    /// Lets bodies of feeds join that are due; the report gets their energies.
    void feed(kernels::StepReport& report);
    void count_joined(const std::vector<model::Sphere>& bodies);
    /// The feeds as they were when bodies of these sources had joined.
    void restore_feeds(const std::vector<std::uint32_t>& sources);
    void count_removed();
    [[noreturn]] void fail(const std::exception& error) const;

    model::Scene scene_;
    BackendChoice backend_;
    ResolvedSettings resolved_;
    std::vector<geometry::SourceReport> sources_;
    geometry::Extent extent_at_start_;
    std::vector<BodyFacts> facts_;    ///< By id - 1.
    std::vector<ShapeFacts> shapes_;  ///< The same; empty where all bodies are plain spheres.
    /// What joined of a feed.
    struct Joined {
        std::uint64_t count = 0;
        double mass = 0.0, radii = 0.0, radius_min = 0.0, radius_max = 0.0;
    };
    std::unique_ptr<geometry::Feeder> feeder_;  ///< None without feeds.
    std::vector<std::uint32_t> fed_;            ///< Sources of the bodies that joined, in order.
    std::vector<Joined> joined_;                ///< By feed.
    std::size_t at_start_ = 0;                  ///< Bodies there at t = 0.
    std::vector<JointDrive> drives_;
    std::vector<model::Sphere> prescribed_;  ///< Bodies with motions, at t = 0.
    Servos servos_;
    SteeredWalls steered_;
    std::unique_ptr<kernels::StepEngine> engine_;
    Balance balance_;
    double free_mass_ = 0.0;
    std::int64_t free_count_ = 0;
    std::int64_t step_ = 0;
};

}  // namespace scree::simulation
