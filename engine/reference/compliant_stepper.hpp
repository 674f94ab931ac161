// SPDX-License-Identifier: BSD-3-Clause
// Semi-implicit time stepping with compliant contacts (papers/000, sections 2 to 4 and 6): the bodies stay rigid, and
// the surfaces of each patch of contact give way as linear viscoelastic half-spaces do.
//
// Step        v* = v + h M^-1 k(t, q, v); the forces lambda+ of all elements from one complementarity problem
//             (patch_problem.hpp); v+ = v* + h M^-1 W^T lambda+; q+ = q moved along v+; (h K + C) delta+ = h lambda+ +
//             C delta. First order in h; stable for every stiffness.
// Patches     distributed: a grid of elements about each near point of a World, coupled by their influence matrix
//             (influence.hpp), each with its own separation, force and friction; a patch bears moments. lumped: one
//             spring and dashpot per direction at each contact of any System.
// Memory      deflections stay with the contact's identity and the element's place in the grid. A contact that is out
//             of reach is forgotten. A patch that begins with an overlap begins deflected by it, without force of
//             damping, as far as that energy was paid for.
// Energy      is not gained: overlap is pushed out only as far as the pair's contacts took in the work for it before
//             (contact_accounts.hpp). What is not paid for stays, and surfaces that overlap part freely.
// Restitution comes from damping alone; laws with restitution, sticking or velocity-dependent friction, torsion or
//             rolling coefficients are refused: a patch has its own torsion and rolling resistance.
// Residual    worst entry of the certificate of the step's LCP, relative (linear_problem.hpp).
// Solution    exists for all loads and coefficients (theorem 2), and tends to the rigid step as the compliance does to
//             zero (theorem 6).
#pragma once

#include "engine/reference/contact_accounts.hpp"

#include <map>
#include <memory>
#include <tuple>

namespace scree::reference {

/// Springs of a contact that is one element.
struct LumpedContact {
    double normal_stiffness = 1e5;   ///< [N/m], > 0. Too low: deep overlaps; too high: none, but h must resolve it.
    double tangent_stiffness = 1e5;  ///< [N/m], > 0. Too low: friction builds up slowly; too high: none.
    /// [N s/m]; negative: 2 damping sqrt(stiffness), as for a patch. Too low: bounces; too high: contacts stick
    /// together while they part, since the surface returns slowly.
    double normal_damping = -1.0, tangent_damping = -1.0;
};

/// Which condition holds for an element in contact.
enum class SeparationRule : std::uint8_t {
    gap,   ///< Psi + delta_n >= 0 at the end of the step: errors of the linearised rows are taken back, where paid for.
    speed  ///< s_n >= 0, the paper's: these errors stay, and surfaces drift into each other or apart.
};

struct CompliantSettings {
    bool lumped = false;
    LumpedContact lump;
    /// By the bodies' material; a single entry holds for all. Two rigid bodies in contact are an error.
    std::vector<Elastic> elastic{Elastic{}};
    /// The paper's epsilon: compliance is multiplied by it (Young's moduli divided). 0 is not allowed: see LcpStepper.
    double compliance_scale = 1.0;
    /// Elements per side of a patch (in planar worlds a row of them). Too low: a coarse pressure; too high: the problem
    /// grows with the square, its time with the sixth power.
    int elements = 3;
    /// Side of an element [m]; the patch is elements x spacing wide and should hold the whole contact. Too low:
    /// pressure is cut off at the rim; too high: few elements bear all.
    double spacing = 1e-3;
    /// C = 2 damping sqrt(K) [sqrt(kg)]: critical for a mass of damping^2 on each mode. Too low: contacts ring; too
    /// high: they stick together while they part.
    double damping = 1.0;
    /// Sides of the friction polygon in space, even, 4 to 32. Too low: too much friction at its corners; too high: the
    /// problem grows.
    int directions = 4;
    SeparationRule rule = SeparationRule::gap;
    /// How far contacts are looked for [m]; negative: twice h times the bound of the closing speed before and after
    /// forces. Too low: contacts are noticed late and forgotten early; too high: the problem grows.
    double reach = -1.0;
    complementarity::LemkeSettings lemke = certain();

    /// Lemke's algorithm solves every problem of this class (theorem 3): a ray is a numerical failure. The tolerance is
    /// relative to each element's own bound of friction: at the rim of a patch, and between its sticking and slipping
    /// parts, these bounds are a small part of the load, and 1e-9 of them is less than the rounding of the whole.
    static complementarity::LemkeSettings certain() {
        complementarity::LemkeSettings settings;
        settings.tolerance = 1e-7;
        settings.ray_is_failure = true;
        return settings;
    }
};

class CompliantStepper final : public Stepper {
public:
    /// Throws model::Error (input) for settings out of range.
    explicit CompliantStepper(const CompliantSettings& settings = {});

    /// Throws model::Error: input for h or a state out of range, a law that this model does not have, or distributed
    /// patches on a System that is no World; numerics for a problem without a certified solution.
    StepOutcome step(const System& system, State& state, double h) override;
    void watch(const std::atomic<bool>* interrupt) override { settings_.lemke.interrupt = interrupt; }
    /// The accounts of all pairs, and the deflections and tangents of all patches.
    [[nodiscard]] std::vector<double> memory() const override;
    void restore(const std::vector<double>& memory) override;

    /// The patch of a contact after the last step; null when it had none.
    [[nodiscard]] const PatchState* patch(std::uint64_t identity) const;
    /// Energy stored in all patches after the last step [J].
    [[nodiscard]] double elastic_energy() const;

private:
    /// Materials of a and b, number of tangents.
    using LawKey = std::tuple<std::size_t, std::size_t, Index>;

    struct Memory {
        PatchState state;
        std::shared_ptr<const Viscoelastic> law;  ///< Null after restore(): it is that of the contact's materials.
    };
    /// A step whose forces are not known yet.
    struct Begun {
        const Eigen::VectorXd& v;
        double h = 0.0, reach = 0.0;
        Eigen::MatrixXd mass{};
        Eigen::VectorXd free{};  ///< v*
        std::vector<PatchRows> rows{};
        std::map<std::uint64_t, Memory> now{};
        std::map<ContactAccounts::Pair, double> overdraft{};
    };
    struct Trial {
        PatchSolution solution;
        ContactAccounts::Step pairs;
    };
    /// How much of its overlap a pair pushes out in the step, 0 to 1; all of it where nothing is said.
    using Shares = std::map<ContactAccounts::Pair, double>;

    [[nodiscard]] std::shared_ptr<const Viscoelastic> law_of(const System& system, const Contact& contact);
    [[nodiscard]] PatchRows rows_of(const System& system, const Contact& contact, const State& state) const;
    [[nodiscard]] Begun begin(const System& system, const State& state, double h);
    void deflect_new_patches(Begun& begun) const;
    [[nodiscard]] Trial attempt(const Begun& begun, const Shares& shares) const;
    [[nodiscard]] Trial solve(const Begun& begun) const;

    CompliantSettings settings_;
    std::map<LawKey, std::shared_ptr<const Viscoelastic>> laws_;
    ContactAccounts accounts_;
    std::map<std::uint64_t, Memory> patches_;  // ordered: sums over patches do not depend on a hash
};

}  // namespace scree::reference
