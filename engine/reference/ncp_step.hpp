// SPDX-License-Identifier: BSD-3-Clause
// One geometrically implicit step, or one part of a step that was split (ncp_stepper.hpp): which pairs take part, where
// Newton's method begins, and whether what it finds is a motion of these bodies.
//
// Pairs       A pair takes part when it bore load in the last step, when its linearised gap closes without contact, or
//             when it overlaps at the end of what was found without it: then the step is solved again with it. Pairs
//             left out have no impulse and a gap at the end, so that the solution is one of all pairs.
// Admissible  The equations have roots that no motion leads to, and Newton's method finds them when a step is long. A
//             root counts only when (1) its points lie on the bodies and face each other (all multipliers >= 0, every
//             inequality of a body satisfied); (2) no two bodies overlap on the way by more than half of the thinner
//             one's half-thickness, so that none passes through another or is thrown out of its side; (3) the
//             contacts' impulses do not add more than a hundredth of the kinetic energy.
// Overlap     Bodies that overlap at the start may do so at the end: less by the way of recovery_rate, a tenth of the
//             smaller one's size in a second, in h, and where that has no solution, as deep.
#pragma once

#include "engine/reference/ncp_guess.hpp"
#include "engine/reference/ncp_pairs.hpp"
#include "engine/reference/ncp_problem.hpp"
#include "engine/reference/ncp_stepper.hpp"

#include <string>
#include <vector>

namespace scree::reference {

/// At which speed bodies that overlap at the start of a step part, in sizes of the smaller one per second.
inline constexpr double recovery_rate = 0.1;

class NcpStep {
public:
    /// All arguments are kept by reference. `last`: no finer split follows, so the perturbed starts are tried as well.
    NcpStep(const World& world, const State& state, double h, const NcpSettings& settings,
            const ContactMemories& memories, bool last);

    /// True: finish() may be called. False: failure() says what was wrong with the best that was found.
    [[nodiscard]] bool solve();
    /// Moves `state` to the end of the step; `memories` then hold its loaded contacts.
    [[nodiscard]] StepOutcome finish(State& state, ContactMemories& memories) const;
    [[nodiscard]] const std::string& failure() const { return failure_; }
    [[nodiscard]] std::size_t iterations() const { return iterations_; }  ///< Newton iterations of all tries.

private:
    struct NearPair {
        BodyPair bodies;
        double gap = 0.0;  ///< At the start [m]
        bool active = false;
    };

    [[nodiscard]] std::vector<NearPair> pairs_in_reach() const;
    [[nodiscard]] bool closes(const BodyPair& pair, double gap) const;
    [[nodiscard]] double floor_of(const NearPair& pair) const;
    [[nodiscard]] bool solve_all_pairs();
    [[nodiscard]] bool solve_active();
    [[nodiscard]] bool missed_pairs();
    [[nodiscard]] NcpProblem problem_of(const NcpTrial& trial, double creep) const;
    [[nodiscard]] FrozenContact frozen_now(const BodyPair& pair, const NcpContact& contact) const;
    [[nodiscard]] bool newton(NcpTrial trial, std::size_t starts);
    [[nodiscard]] bool newton_once(const NcpTrial& trial, std::size_t starts, double creep = 0.0);
    [[nodiscard]] bool along_creep(NcpTrial trial);
    void unpack(const NcpProblem& problem, const Eigen::VectorXd& scaled);
    [[nodiscard]] bool admissible();
    [[nodiscard]] bool on_surfaces();
    [[nodiscard]] bool passes_through_none();
    [[nodiscard]] bool gains_no_energy();
    [[nodiscard]] ContactOutcome outcome_of(const NearPair& pair) const;
    [[nodiscard]] ContactOutcome outcome_of(std::size_t active) const;
    [[nodiscard]] bool reject(const std::string& why);
    [[nodiscard]] std::string names(const BodyPair& pair) const;

    const World& world_;
    const State& state_;
    double h_;
    const NcpSettings& settings_;
    const ContactMemories& memories_;
    bool last_, keep_overlaps_ = false;
    Eigen::MatrixXd inertia_;
    Eigen::LLT<Eigen::MatrixXd> mass_;
    Eigen::VectorXd free_;  ///< Velocities without contact.
    NcpGuess guess_;
    NcpUnits units_;
    double tolerance_ = 0.0;
    std::vector<NearPair> near_;
    std::vector<BodyPair> pairs_;  ///< Those of near_ that take part, in order,
    std::vector<double> floors_;   ///< and the gaps at which they may end [m].
    NcpTrial found_;
    std::vector<NcpContact> solved_;    ///< What found_ solves, pair by pair,
    std::vector<ContactFrame> frames_;  ///< and where its impulses act.
    double residual_ = 0.0;
    std::size_t iterations_ = 0;
    std::string failure_;
};

}  // namespace scree::reference
