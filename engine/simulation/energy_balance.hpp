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

/// The ledger of a run, since t = 0. With E = kinetic + potential energy, W the work of all contact impulses (those of
/// moving walls included), P the momentum and M the mass of the free bodies, the scheme x+ = x + h v+, v+ = v* + dv has
///
///     E_n - E_0 = W + h g . (P_0 - P_n) + n M h^2 g^2 / 2
///
/// exactly (M without the bodies that sleep): the last two terms are the first-order error of the scheme, known in
/// closed form. Reference steppers add the work of applied and gyroscopic forces. What is missing in this equation,
/// over the largest energy of the run (but no less than M h^2 g^2 / 2), is the defect. It holds what moves bodies
/// otherwise than their velocity says (push-out of overlaps, impacts timed inside a step), bodies that vanish, and
/// round-off.
class EnergyBalance {
public:
    explicit EnergyBalance(const model::Scene& scene);

    /// The bodies at t = 0.
    void start(const model::Snapshot& snapshot);
    void add(const kernels::StepReport& report, double free_mass);

    [[nodiscard]] double contact_work() const { return contact_work_; }  ///< [J]
    /// Nothing where the ledger cannot be closed: bodies were removed (their energy left with them), the stepper is of
    /// another scheme, gravity has a part along a periodic axis (a body that passes the faces jumps in height), or
    /// there are joints, whose impulses do work that no report has.
    [[nodiscard]] std::optional<double> relative_defect(const model::Snapshot& now) const;

    [[nodiscard]] std::vector<double> state() const;
    void restore(std::span<const double> state);

private:
    struct Now {
        double kinetic = 0.0, potential = 0.0;  ///< [J]
        double momentum = 0.0;                  ///< momentum . g [kg m^2/s^3]
        double mass = 0.0;                      ///< [kg]
    };
    [[nodiscard]] Now of(const model::Snapshot& snapshot) const;

    model::Vec3 gravity_;
    double step_;
    double kinetic_start_ = 0.0, potential_start_ = 0.0, momentum_start_ = 0.0;
    double contact_work_ = 0.0, scheme_ = 0.0, kinetic_max_ = 0.0;
    bool closed_ = true;
};

}  // namespace scree::simulation
