// SPDX-License-Identifier: BSD-3-Clause
// How not to step contact: two methods made for smooth forces, with the contact condition put into them as it stands
// (papers/004, section 4.2). They are here to show what goes wrong, and are frictionless. Each impact gets a
// restitution of its own that depends on where in the step it falls:
//
// Midpoint  q+ = q + h (v + v+) / 2,  v+ = v + h M^-1 k + M^-1 n^T p,  0 <= p _|_ gap((q + q+) / 2) >= 0.
//           A body ends steps below the surface, by up to half a step's way, and is thrown out faster than it came:
//           v+ = -v + 4 |gap| / h. Energy grows without bound.
// Newmark   beta = 0, gamma = 1, contact forces implicit:  q+ = q + h v + h^2 M^-1 k / 2 + (h / 2) M^-1 n^T p,
//           v+ = v + h M^-1 k(q+) + M^-1 n^T p,  0 <= p _|_ gap(q+) >= 0.
//           The way s that is left before the surface, as a share of a step's way, gives v+ = -(1 - 2 s) v: anything
//           from full rebound to none at all and on into the surface. Energy is lost at random.
//
// Where the step has no contact both are what they claim to be (second order, and first).
// Residual: worst entry of the certificate of the LCP in p.
#pragma once

#include "engine/reference/system.hpp"

namespace scree::reference {

class MidpointStepper final : public Stepper {
public:
    StepOutcome step(const System& system, State& state, double h) override;
};

class NewmarkStepper final : public Stepper {
public:
    StepOutcome step(const System& system, State& state, double h) override;
};

}  // namespace scree::reference
