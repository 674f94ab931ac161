// SPDX-License-Identifier: BSD-3-Clause
// Which coefficient of sliding friction a contact has (papers/004, section 4.3), for steppers that solve a step with
// given coefficients and may solve it again.
//
// Constant          sliding, at all speeds.
// Jump, hysteresis  a contact that stuck at the end of the last step has the sticking coefficient. When the step shows
//                   that it slips even so, it breaks away: the step is solved again with the sliding one. A contact
//                   that slides keeps the sliding coefficient until it ends a step at rest. A new contact sticks when
//                   it has no slip.
// Falling           mu(|u_t|) of the slip at the end of the step, by fixed point from the slip at its start. It
//                   contracts while h |dmu/du| times the acceleration per unit of mu is below one, and is cut after
//                   `max_revisions`: the step then lags by one iterate and says that it did not settle.
#pragma once

#include "engine/reference/system.hpp"

#include <unordered_map>

namespace scree::reference {

class FrictionMemory {
public:
    /// rest_speed [m/s]: slip below it is rest. Too low: rounding counts as slip; too high: slow slides are held.
    explicit FrictionMemory(double rest_speed = 1e-9) : rest_speed_(rest_speed) {}

    /// Coefficients to begin a step with; v at its start.
    void begin(const std::vector<Contact>& contacts, const Eigen::VectorXd& v);
    /// mu per contact [-].
    [[nodiscard]] const std::vector<double>& coefficients() const { return coefficients_; }
    /// Looks at a solution: v at the end of the step and normal impulses [N s]. True when a coefficient changed, so
    /// that the step must be solved again.
    [[nodiscard]] bool revise(const std::vector<Contact>& contacts, const Eigen::VectorXd& v,
                              const std::vector<double>& normal_impulses);
    /// Keeps which contacts stick.
    void commit(const std::vector<Contact>& contacts, const Eigen::VectorXd& v,
                const std::vector<double>& normal_impulses);

    /// Which contacts stick, in order of identity, for Stepper::memory.
    [[nodiscard]] std::vector<double> state() const;
    /// Throws std::invalid_argument for anything else.
    void restore(const std::vector<double>& state);

private:
    double rest_speed_;
    std::unordered_map<std::uint64_t, bool> sticks_;  // of the contacts that carried force in the last step
    std::vector<double> coefficients_;
    std::vector<bool> held_;  // per contact: has the sticking coefficient of a jump law
};

/// tangent v + drift [m/s], one per tangent.
[[nodiscard]] Eigen::VectorXd slip_of(const Contact& contact, const Eigen::VectorXd& v);

}  // namespace scree::reference
