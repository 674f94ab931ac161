// SPDX-License-Identifier: BSD-3-Clause
// From a gap and two velocities to the row of a contact: bias, compliance and metric (numerics section 3).
#pragma once

#include "kernels/cone/contact_rows.hpp"

namespace scree::kernels {

/// The law of one pair of materials, SI units; see model::MaterialPair.
template <class R>
struct PairLaw {
    R friction, restitution, rolling, spinning, cohesion, stiffness;
};

enum class Feedback : std::int32_t { compliant, rigid };

/// What turns gaps into rows; the same for all contacts of a step.
struct ContactSettings {
    double step = 1e-3;           ///< h [s]
    double damping_time = 1e-3;   ///< alpha [s]
    double threshold = 0.0;       ///< v_min [m/s]: slower approaches do not rebound.
    double recovery_speed = 0.05;  ///< rigid: cap of the push-out [m/s].
    double recovery_rate = 0.2;   ///< rigid: share of the overlap undone per step.
    Feedback feedback = Feedback::compliant;
};

/// Bias b_n [m/s] and compliance E_n [1/kg] of a contact.
/// `before` and `free` are the normal relative velocities before the step and without contact impulses (negative:
/// approaching), `gap` is Phi.
///  restitution  the gap closes within the step at more than v_min: u_n+ = -e u_n-, rigid, without gap term;
///  open gap     u_n+ >= -Phi / h: the gap may close but not more;
///  overlap      compliant: h (h + alpha) k u_n + ... implicit spring and damper; rigid: capped push-out.
struct BiasAndCompliance {
    double bias, compliance;
};

SCREE_HD inline BiasAndCompliance contact_bias(const ContactSettings& s, double gap, double before, double free,
                                               double restitution, double stiffness, double cohesion) {
    const double h = s.step;
    if (restitution > 0.0 && before < -s.threshold && gap + h * free < 0.0) return {restitution * before, 0.0};
    if (s.feedback == Feedback::rigid) {
        if (gap >= 0.0) return {gap / h, 0.0};
        return {larger(s.recovery_rate * gap / h, -s.recovery_speed), 0.0};
    }
    const double compliance = 1.0 / (stiffness * h * (h + s.damping_time));
    // A cohesive contact bears tension up to the elongation c / k.
    const bool closed = gap < 0.0 || (cohesion > 0.0 && gap <= cohesion / stiffness);
    return {gap / (closed ? h + s.damping_time : h), compliance};
}

/// Whether a cohesive contact holds at this gap.
SCREE_HD inline bool cohesive(const ContactSettings& s, double gap, double stiffness, double cohesion, double radius) {
    if (cohesion <= 0.0) return false;
    return gap <= (s.feedback == Feedback::compliant ? cohesion / stiffness : 1e-6 * radius);
}

}  // namespace scree::kernels
