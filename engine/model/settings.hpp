// SPDX-License-Identifier: BSD-3-Clause
// Settings of a run. Each gives its meaning, unit, default and what too high and too low do.
#pragma once

#include "engine/model/stepper.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace scree::model {

enum class Backend : std::uint8_t { automatic, cpu, cuda };
enum class Precision : std::uint8_t { mixed, double_ };
enum class SolverKind : std::uint8_t { automatic, conjugate, apgd, projected_jacobi, gauss_seidel };
enum class FrictionLaw : std::uint8_t { coulomb, associated };
/// What replaces a cone solve that did not reach its tolerance.
enum class Fallback : std::uint8_t { none, lemke };
enum class PositionFeedback : std::uint8_t { compliant, rigid };
/// newton: surfaces that meet part at e times their approach. spring_damper: e is that of the contact's spring.
enum class ImpactLaw : std::uint8_t { newton, poisson, spring_damper };

struct TimeSettings {
    /// Step h [s], > 0. Too high: impacts are resolved late and packings loosen; too low: more steps than needed.
    double step = 1e-3;
    double end = 1.0;  ///< Simulated time at which the run is done [s].
};

/// Rules that end a run early; infinity or 0 switches a rule off. They are tested from `after` on.
struct StopSettings {
    double after = 0.0;                    ///< [s]
    double kinetic_energy_per_mass = 0.0;  ///< Stop when below [J/kg]
    double unbalanced_force = 0.0;         ///< Stop when mean net force / mean contact force is below [-]
    double rest_time = 0.0;  ///< Stop when no point of a free body's surface has been faster than ... for this long [s]
    double rest_speed = 0.0;       ///< ... this [m/s]; 0 = automatic: 10 solver.tolerance g h, at least 1 mm/s.
    std::size_t bodies_left = 0;   ///< Stop when at most this many free bodies are left ...
    bool use_bodies_left = false;  ///< ... if set
    double wall_clock = std::numeric_limits<double>::infinity();  ///< [s]
};

struct SolverSettings {
    /// automatic: by what was measured (docs/solver.md), gauss_seidel on the CPU where no pair's friction is
    /// above 1 and there are no joints, otherwise conjugate.
    SolverKind kind = SolverKind::automatic;
    FrictionLaw friction = FrictionLaw::coulomb;
    /// Relative RMS residual at which the cone solve stops: residual [m/s] over g h (numerics, section 7).
    /// Too high: piles creep and overlaps grow; too low: iterations without visible effect.
    double tolerance = 1e-2;
    /// Upper limit of iterations per step. Too low: impacts stay unresolved; the run records it.
    std::size_t max_iterations = 500;
    bool warm_start = true;  ///< Start from the matched impulses of the last step when they are better than zero.
    /// lemke: a step whose solve missed the tolerance and that has at most `fallback_contacts` contacts is solved anew
    /// by the reference solvers (complementarity), on the CPU, in double; the better result is kept and the run counts
    /// it.
    Fallback fallback = Fallback::none;
    /// Too low: hard steps stay unresolved; too high: one step may take seconds (the cost grows with the cube).
    std::size_t fallback_contacts = 200;
};

struct ContactSettings {
    PositionFeedback feedback = PositionFeedback::compliant;
    ImpactLaw impact = ImpactLaw::newton;
    /// Contact stiffness k [N/m] for pairs without their own; 0 = automatic: static overlaps under the scene's own
    /// weight of about 1e-4 of the diameter, with spring_damper h = 2 sqrt(m / k) of the smallest bodies, or a tenth of
    /// the other if that is more. Too low: visible overlap; too high: more iterations, towards the rigid limit.
    double stiffness = 0.0;
    /// Damping time [s] of contact springs (damper / k), the integrator's own half step included; negative =
    /// automatic: one and a half steps, at least half a step + 2 sqrt(m / k) of the mean body. Too low: deep beds and
    /// heavy bodies ring; too high: slow recovery from overlap, inelastic flows, more iterations.
    double damping_time = -1.0;
    /// rigid: largest recovery speed [m/s] of overlap. Too high: energy is injected.
    double recovery_speed = 0.05;
    /// Approach speeds below this [m/s] rebound without restitution; negative = automatic (2 g h).
    double restitution_threshold = -1.0;
    /// Extra distance at which contacts are kept [m]; negative = automatic (from speed and radius).
    double envelope = -1.0;
};

/// Bodies at rest that are left alone until something touches them. See kernels/step/sleepers.hpp.
struct SleepSettings {
    /// Bodies no point of which is faster may fall asleep [m/s]; 0: none does. Too high: slow motion is frozen; too
    /// low: the solver's residual keeps all awake.
    double speed = 0.0;
    /// For how long they must have been so slow [s]. Too low: bodies sleep at the top of their way.
    double time = 0.5;
};

struct OutputSettings {
    double interval = 0.0;             ///< Time between particle files [s]; 0: none but the last.
    double series_interval = 0.0;      ///< Time between rows of series.csv [s]; 0: every step.
    double checkpoint_interval = 0.0;  ///< Simulated time between checkpoints [s]; 0: only at the end.
    std::size_t checkpoints_kept = 2;  ///< Older ones are deleted; 0 keeps all.
    bool particles = true;
    bool surfaces = false;  ///< Also write surfaces_*.vtp, the bodies that are no spheres as triangles.
    bool contacts = false;  ///< Also write contacts_*.vtp (force chains).
    bool walls = true;
};

struct Settings {
    Stepper stepper = Stepper::ccp;
    bool planar = false;  ///< Bodies move in the x-z plane: v_x, v_z and spin about y. Reference steppers only.
    LcpStepperSettings lcp;
    NcpStepperSettings ncp;
    CompliantStepperSettings compliant;
    TimeSettings time;
    StopSettings stop;
    SolverSettings solver;
    ContactSettings contact;
    SleepSettings sleep;
    OutputSettings output;
    Backend backend = Backend::automatic;
    Precision precision = Precision::mixed;
    int device = 0;           ///< CUDA device number.
    std::size_t threads = 0;  ///< CPU threads; 0: all cores. Results do not depend on it.
};

}  // namespace scree::model
