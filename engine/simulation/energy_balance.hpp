// SPDX-License-Identifier: BSD-3-Clause
// Does the energy of the bodies change by what contacts and gravity do to it, and by nothing else?
#pragma once

#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"
#include "kernels/step/step_engine.hpp"

#include <optional>
#include <span>
#include <vector>

namespace scree::simulation {

/// The ledger of a run, since t = 0. Per step, with E = kinetic + potential energy, W the work of the contacts (the sum
/// over their laws, moving walls included), F what the impulses do on the velocities that forces gave
/// (StepReport::force_work), P the momentum, M the mass of the free bodies (without those that sleep) and s the ways
/// that they made, the scheme v* = v + h g, v+ = v* + dv has
///
///     E+ - E = W + F + h g . P + M h^2 g^2 / 2 - sum m g . s
///
/// exactly. Without other forces F = h g . (P+ - P - M h g) / 2, so that with s = h v+ all that is beside W is h g .
/// (P - P+) / 2, of which a run keeps no more than one step's. Where s is another way (impacts timed inside a step,
/// overlaps that `rigid` feedback pushes out, bodies that are held back), `position_work()` has what that adds to the
/// potential energy. Bodies of other inertia than a ball's change their energy by turning (StepReport::turning_work),
/// and applied and gyroscopic forces do work. Bodies that outlets take take their energy with them, those that join
/// bring theirs. What is missing in this equation, over the largest energy of the run (but no less than M h^2 g^2 / 2),
/// is the defect: round-off, and what bodies lose by falling asleep.
class EnergyBalance {
public:
    explicit EnergyBalance(const model::Scene& scene);

    /// The bodies at t = 0.
    void start(const model::Snapshot& snapshot);
    void add(const kernels::StepReport& report, double free_mass);

    [[nodiscard]] double contact_work() const { return contact_work_; }  ///< Change of kinetic energy by impulses [J].
    /// Sums of the works of contacts since t = 0; only where StepReport::has_work_by_law.
    [[nodiscard]] const kernels::ContactWork& work() const { return work_; }
    [[nodiscard]] bool knows_laws() const { return knows_laws_; }
    /// Of a step's end since t = 0 [J].
    [[nodiscard]] double largest_kinetic() const { return kinetic_max_; }
    [[nodiscard]] double turning_work() const { return turning_; }    ///< [J]
    [[nodiscard]] double position_work() const { return position_; }  ///< [J]

    /// After the last step that was added, with the potential energy of the ways that the reports tell. Nothing where
    /// the ledger cannot be closed: the stepper is of another scheme, or there are joints, whose corrections of
    /// positions no report has.
    [[nodiscard]] std::optional<double> relative_defect() const;
    /// With the energies of the bodies as they are; gravity along a periodic axis leaves positions nothing to say, and
    /// takes the ways instead.
    [[nodiscard]] std::optional<double> relative_defect(const model::Snapshot& now) const;

    /// The run goes on under another gravity: the works are still known, their balance is not.
    void leave_open() { closed_ = false; }
    /// The run has a part that nobody added.
    void give_up() { closed_ = knows_laws_ = false; }

    [[nodiscard]] std::vector<double> state() const;
    void restore(std::span<const double> state);
    static constexpr std::size_t state_size = 22;

private:
    struct Now {
        double kinetic = 0.0, potential = 0.0;  ///< [J]
        double momentum = 0.0;                  ///< momentum . g [W]
        double mass = 0.0;                      ///< [kg]
    };
    [[nodiscard]] Now of(const model::Snapshot& snapshot) const;
    [[nodiscard]] double relative(double kinetic, double fallen) const;
    /// All that is kept in a checkpoint, in its order.
    template <class Balance, class Visit>
    static void each(Balance& balance, const Visit& visit);

    model::Vec3 gravity_;
    model::Vec3 added_gravity_;  ///< h g as velocities get it, over h.
    double step_;
    double kinetic_start_ = 0.0, potential_start_ = 0.0;
    double kinetic_ = 0.0, kinetic_max_ = 0.0;  ///< After the last step; the largest.
    double momentum_ = 0.0;                     ///< P . g after the last step [W]
    double mass_ = 0.0;                         ///< Of the free bodies in the last step [kg].
    double contact_work_ = 0.0;
    kernels::ContactWork work_;
    double turning_ = 0.0, position_ = 0.0;
    double explained_ = 0.0;  ///< What the equation says E - E_0 is, but for the work of gravity on the ways.
    double fallen_ = 0.0;     ///< sum m g . s [J]
    double removed_kinetic_ = 0.0, removed_potential_ = 0.0;  ///< Less what bodies brought [J].
    bool closed_ = true, knows_laws_ = true, positions_tell_ = true;
};

}  // namespace scree::simulation
