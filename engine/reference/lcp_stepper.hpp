// SPDX-License-Identifier: BSD-3-Clause
// The time stepping of Stewart and Trinkle: one linear complementarity problem per step (papers/004, eq. 2.11 to 2.16).
//
// Step        v* = v + h M^-1 k(t, q, v);  v+ = v* + M^-1 G^T z with z of ContactLcp (contact_lcp.hpp);  q+ = q moved
//             along v+ for h. First order in h.
// Contact     position: gap / h + n v+ >= 0, so that no linearised gap ends below zero and nothing drifts. To
//             ask that the velocity end an overlap makes a speed of depth / h out of it: no more than the speed that
//             forces take back in a step, |n M^-1 k| h, is asked for. The rest is ended by a second problem after the
//             first, without friction, whose velocity u moves the bodies for this step and is forgotten: u least in the
//             metric of M with gap / h + n (v+ + u) >= 0; q+ = q moved along v+ + u.
//             velocity: n v+ >= 0 for contacts whose gap + h n v is below zero (the paper's form, which drifts).
// Impact      a contact whose gap closes in the step (gap + h n v* < 0) and which approached at more than the
//             restitution threshold. Newton: n v+ >= -e n v, without the gap (eq. 2.13); the step then reverses the
//             motion exactly: with e = 1 no energy is lost or gained. Tangential restitution acts here only.
//             Poisson: the compression problem with n v_c >= 0; when it is an impact, or an impulse without one (a
//             contact's velocity jumps by more than ten times what forces do in a step), every compression impulse is
//             returned times e, and a second problem adds what is missing, with friction bounded by the sum. Contacts
//             that bear weight return e times that weight's impulse too, an error of order h.
// Geometry    M and rows at the start of the step, or M, or both at its end by fixed point (section 2.3). With rows at
//             the end the gap is linearised about the end point: gap(q+) >= 0 itself.
// Friction    polyhedral (polyhedral_cone.hpp); coefficients by FrictionMemory (friction_memory.hpp).
// Residual    worst entry of the certificate of the (last) LCP, relative (linear_problem.hpp).
#pragma once

#include "engine/reference/contact_lcp.hpp"
#include "engine/reference/friction_memory.hpp"

#include <cstdint>
#include <unordered_map>

namespace scree::reference {

enum class ImpactLaw : std::uint8_t { newton, poisson };
enum class ContactCondition : std::uint8_t { position, velocity };
enum class Geometry : std::uint8_t {
    start,           ///< M(q), rows at q: one problem per step.
    mass_at_end,     ///< M(q+), rows at q: the paper's.
    contacts_at_end  ///< M(q+), rows and gaps at q+.
};

struct LcpSettings {
    /// Friction directions in space, even, 4 to 32. Too low: friction is lost between them (1 - cos(pi/m)); too high:
    /// the problem grows.
    int directions = 8;
    ImpactLaw impact = ImpactLaw::newton;
    ContactCondition condition = ContactCondition::position;
    Geometry geometry = Geometry::start;
    /// Problems per step when the geometry is at the end. Too low: the step says that it did not settle.
    int geometry_iterations = 20;
    double geometry_tolerance = 1e-10;  ///< Change of v that ends the iteration, relative to the largest entry of v.
    /// How far contacts are looked for [m]; negative: twice h times the bound of the closing speed before and after
    /// forces. Too low: bodies overlap before they meet; too high: the problem grows.
    double reach = -1.0;
    /// Approach [m/s] below which e = 0; negative: twice what forces add in the step. Too low: a body at rest that is
    /// pushed out of an overlap hops; too high: slow impacts lose their rebound.
    double restitution_threshold = -1.0;
    double rest_speed = 1e-9;     ///< See FrictionMemory [m/s].
    int friction_revisions = 50;  ///< Problems per step for laws that depend on slip. Too low: mu lags.
    complementarity::LemkeSettings lemke = certain();

    /// Lemke's algorithm solves every problem of this class: a ray is a numerical failure.
    static complementarity::LemkeSettings certain() {
        complementarity::LemkeSettings settings;
        settings.ray_is_failure = true;
        return settings;
    }
};

class LcpStepper final : public Stepper {
public:
    /// Throws model::Error (input) for settings out of range.
    explicit LcpStepper(const LcpSettings& settings = {});

    /// Throws model::Error: input for h not positive and finite or a state that is not finite, numerics for a problem
    /// without a certified solution.
    StepOutcome step(const System& system, State& state, double h) override;
    void watch(const std::atomic<bool>* interrupt) override { settings_.lemke.interrupt = interrupt; }
    [[nodiscard]] std::vector<double> memory() const override { return friction_.state(); }
    void restore(const std::vector<double>& memory) override { friction_.restore(memory); }

private:
    struct Solved {
        ContactImpulses impulses;
        bool settled = true;
    };
    /// Free motion of a step and what its contacts were at its start.
    struct Motion {
        Eigen::VectorXd force;
        double reach = 0.0, h = 0.0, time = 0.0;
        Eigen::VectorXd before;  ///< v at the start
        /// Approach speed [m/s, > 0] of the contacts that impact.
        std::unordered_map<std::uint64_t, double> impacts;
        std::unordered_map<std::uint64_t, double> depths;  ///< [m, > 0] of overlaps, beyond what the velocity may end.
    };

    [[nodiscard]] Motion motion_of(const System& system, const State& state, double h) const;
    [[nodiscard]] std::vector<Contact> contacts_of(const System& system, const State& state,
                                                   const Motion& motion) const;
    [[nodiscard]] Solved solve(const ContactLcp& lcp, const Motion& motion, const Eigen::VectorXd& about);
    [[nodiscard]] ContactImpulses newton(const ContactLcp& lcp, const Motion& motion,
                                         const Eigen::VectorXd& about) const;
    [[nodiscard]] ContactImpulses poisson(const ContactLcp& lcp, const Motion& motion,
                                          const Eigen::VectorXd& about) const;
    /// gap / h of a contact about the start of the step, also where it was found about the end of a motion along
    /// `about`.
    [[nodiscard]] static double gap_rate(const Contact& contact, const Motion& motion, const Eigen::VectorXd& about);
    /// u, the velocity that ends overlaps and is forgotten.
    [[nodiscard]] Eigen::VectorXd parting(const ContactLcp& lcp, const Motion& motion, const Eigen::VectorXd& about,
                                          const Eigen::VectorXd& v) const;
    [[nodiscard]] std::vector<ContactTerms> terms_of(const ContactLcp& lcp, const Motion& motion,
                                                     const Eigen::VectorXd& about, double restitution) const;

    LcpSettings settings_;
    FrictionMemory friction_;
};

}  // namespace scree::reference
