// SPDX-License-Identifier: BSD-3-Clause
// Geometrically implicit stepping of rigid bodies: Chakraborty, Berard, Akella and Trinkle, "An Implicit Time-Stepping
// Method for Multibody Systems with Intermittent Contact" (papers/002, eq. 10 and 11). The bodies do not overlap at the
// END of a step, with nearest points found together with the velocities. One contact per pair of bodies: where faces
// lie flat, the contact point is the centre of pressure, and it is found too.
//
// Problem     ncp_problem.hpp, elliptic friction with torsion. Impacts are plastic, as in the paper.
// Iteration   semismooth Newton on the whole problem (mixed_problem.hpp), begun from what the last step knew of its
//             contacts; where that fails, from a friction problem on gaps linearised about the start of the step
//             (ncp_guess.hpp), then about where that sends the bodies, and so on.
// Stop        the natural residual of eq. 10 and 11 in units of the step (NcpUnits), and an admissible root:
// ncp_step.hpp. Splitting   a step without an admissible root is made in two halves, each of which may be split again,
// down to 1/64
//             of it. Its impulses are the sums of those of its parts.
#pragma once

#include "engine/complementarity/mixed_problem.hpp"
#include "engine/reference/ncp_guess.hpp"
#include "engine/reference/ncp_problem.hpp"
#include "engine/reference/system.hpp"
#include "engine/reference/world.hpp"

#include <cstdint>

namespace scree::reference {

/// Where the directions and arms of the impulses are taken.
enum class ImpulseRows : std::uint8_t {
    end,    ///< At the end of the step, eq. 10. On curved paths this takes energy away, first order in h.
    start,  ///< At its start, the contact conditions still at the end (as SHAKE does for joints): no drift of energy.
};

struct NcpSettings {
    /// Of the natural residual in units of the step. Too low: rounding passes for failure (never below what the
    /// coordinates' own rounding allows). Too high: overlaps and slip of its size.
    double tolerance = 1e-10;
    ImpulseRows rows = ImpulseRows::end;
    /// Guesses from friction problems, for the finest parts of a step; coarser ones get at most three. Too low: hard
    /// impacts have no solution.
    std::size_t rounds = 8;
    std::uint32_t seed = 1;                        ///< Of the last, perturbed starts.
    const std::atomic<bool>* interrupt = nullptr;  ///< Looked at before each Newton step; see Stepper::watch.
};

/// Steps World only: throws model::Error (input) for another System, a law with restitution, sticking apart from
/// sliding or a velocity-dependent coefficient, a step that is not positive, or values that are not finite.
/// StepOutcome: contacts at the end of the step, Newton iterations of all tries, the largest natural residual.
class NcpStepper final : public Stepper {
public:
    explicit NcpStepper(NcpSettings settings = {}) : settings_(settings) {}
    StepOutcome step(const System& system, State& state, double h) override;
    void watch(const std::atomic<bool>* interrupt) override { settings_.interrupt = interrupt; }
    [[nodiscard]] std::vector<double> memory() const override;
    void restore(const std::vector<double>& memory) override;

private:
    [[nodiscard]] StepOutcome advance(const World& world, State& state, double h, int level);

    NcpSettings settings_;
    ContactMemories memories_;
};

}  // namespace scree::reference
