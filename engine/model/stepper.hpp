// SPDX-License-Identifier: BSD-3-Clause
// Which stepper advances the scene, and the settings of the reference steppers. docs/steppers.md says which suits what.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scree::model {

/// ccp is the production step (spheres, any number, CPU and CUDA); the others are small, sequential and exact:
/// lcp       polyhedral friction, one linear complementarity problem per step
/// ncp       contact points as unknowns of the step: implicit geometry, point contacts of convex shapes
/// compliant rigid cores with viscoelastic surfaces: patches of contact, or springs
/// midpoint, newmark   integrators made for smooth forces, frictionless: how not to step contact
enum class Stepper : std::uint8_t { ccp, lcp, ncp, compliant, midpoint, newmark };

enum class LcpImpact : std::uint8_t { newton, poisson };
enum class LcpCondition : std::uint8_t { position, velocity };
enum class LcpGeometry : std::uint8_t { start, mass_at_end, contacts_at_end };

struct LcpStepperSettings {
    /// Friction directions in space, even. Too low: friction is lost between them (1 - cos(pi/m)); too high: slow.
    std::size_t directions = 8;
    LcpImpact impact = LcpImpact::newton;
    LcpCondition condition = LcpCondition::position;
    LcpGeometry geometry = LcpGeometry::start;
    /// Problems per step with geometry at the end. Too low: the step does not settle, and the run records it.
    std::size_t geometry_iterations = 20;
    /// Approach speeds below this [m/s] do not rebound; negative = automatic (twice what forces add in a step). Too
    /// low: bodies at rest hop; too high: slow impacts do not rebound.
    double restitution_threshold = -1.0;
    /// How far contacts are looked for [m]; negative = automatic (from speeds). Too low: bodies overlap before they
    /// meet; too high: large problems.
    double reach = -1.0;
};

enum class NcpRows : std::uint8_t { end, start };

struct NcpStepperSettings {
    /// Natural residual at which a step is solved, in units of the step [-]. Too low: rounding passes for failure; too
    /// high: overlaps and slip of its size.
    double tolerance = 1e-10;
    NcpRows rows = NcpRows::end;
    /// Guesses of a step before it counts as failed. Too low: hard impacts end the run; too high: a failure takes long.
    std::size_t rounds = 8;
    std::size_t seed = 1;  ///< Of the last, perturbed guesses.
};

enum class CompliantContacts : std::uint8_t { patch, springs };
enum class CompliantRule : std::uint8_t { gap, speed };

struct CompliantStepperSettings {
    CompliantContacts contacts = CompliantContacts::patch;
    /// Young's modulus [Pa] and Poisson's ratio [-] of materials without their own; infinite: rigid (not both of a
    /// pair). Too low: bodies sink in; too high: the step must be small to see the contact ring.
    double young = 1e9, poisson = 0.3;
    /// Elements per side of a patch (a row of them in planar scenes). Too low: a coarse pressure; too high: the problem
    /// grows with the square, its time with the sixth power.
    std::size_t elements = 3;
    /// Side of an element [m]; a patch is elements x spacing wide and should hold the whole contact. Too low: pressure
    /// is cut off at the rim; too high: few elements bear all.
    double spacing = 1e-3;
    /// springs: normal and tangential stiffness of each contact [N/m]. Too low: deep overlaps; too high: as rigid.
    double normal_stiffness = 1e5, tangent_stiffness = 1e5;
    /// C = 2 damping sqrt(K) [sqrt(kg)]: critical for a mass of damping^2 on each mode. Too low: contacts ring; too
    /// high: bodies stick together while they part.
    double damping = 1.0;
    /// Sides of the friction polygon in space, even. Too low: too much friction at its corners (1 / cos(pi /
    /// directions)); too high: large problems.
    std::size_t directions = 4;
    CompliantRule rule = CompliantRule::gap;
    double reach = -1.0;  ///< As LcpStepperSettings::reach.
};

/// What the reference steppers refuse beyond: they solve dense problems whose cost grows with the cube of the contacts.
inline constexpr std::size_t most_reference_bodies = 200, most_reference_contacts = 500;

}  // namespace scree::model
