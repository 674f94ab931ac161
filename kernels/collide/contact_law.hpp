// SPDX-License-Identifier: BSD-3-Clause
// From a gap and two velocities to the row of a contact: bias, compliance and metric (numerics section 3).
#pragma once

#include "kernels/cone/contact_rows.hpp"

#include <cmath>

namespace scree::kernels {

/// The law of one pair of materials, SI units; see model::MaterialPair.
template <class R>
struct PairLaw {
    R friction, restitution, rolling, spinning, cohesion, stiffness;
    R tangential_restitution = R(0);
    R damper = R(0);  ///< 2 z / sqrt(k) [s / kg^1/2] of a spring and damper with the restitution, see damper_of().
};

enum class Feedback : std::int32_t { compliant, rigid };
enum class ImpactLaw : std::int32_t { newton, poisson, spring_damper };

/// What turns gaps into rows; the same for all contacts of a step.
struct ContactSettings {
    double step = 1e-3;            ///< h [s]
    double damping_time = 1e-3;    ///< alpha [s] of numerics section 3, above -step / 2 (where nothing is damped)
    double threshold = 0.0;        ///< v_min [m/s]: slower approaches do not rebound.
    double recovery_speed = 0.05;  ///< rigid: cap of the push-out [m/s].
    double recovery_rate = 0.2;    ///< rigid: share of the overlap undone per step.
    Feedback feedback = Feedback::compliant;
    ImpactLaw impact = ImpactLaw::newton;
};

/// e of a mass on a spring and damper (z: share of critical damping) that opens when its force vanishes; closed form of
/// Schwager and Poeschel, "Coefficient of restitution and linear-dashpot model revisited" (2007).
inline double restitution_of(double z) {
    const double root = std::sqrt(std::abs(1.0 - z * z));
    if (root < 1e-6) return std::exp(-2.0);
    if (z < 1.0) return std::exp(-z / root * std::atan2(2.0 * z * root, 2.0 * z * z - 1.0));
    return std::exp(-z / root * std::log((z + root) / (z - root)));
}

/// The damping ratio z with this restitution; 5 at most, whose restitution is 0.01.
inline double damping_ratio(double restitution) {
    double low = 0.0, high = 5.0;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (restitution_of(middle) > restitution ? low : high) = middle;
    }
    return high;
}

/// PairLaw::damper
inline double damper_of(double restitution, double stiffness) {
    return 2.0 * damping_ratio(restitution) / std::sqrt(stiffness);
}

/// alpha [s] of a contact. With Newton's and Poisson's laws that of the settings. Spring and damper: a spring taken at
/// the end of the step damps like a whole step, so that alpha = 2 z sqrt(m / k) - h, but no less than -h/2: below,
/// contacts that the step does not resolve give back more than they took.
template <class R>
SCREE_HD double damping_time(const ContactSettings& s, const PairLaw<R>& law, R inverse_mass) {
    if (s.impact != ImpactLaw::spring_damper) return s.damping_time;
    return larger(double(law.damper / square_root(inverse_mass)), 0.5 * s.step) - s.step;
}

/// In place of a delay: the bias is the push-out of a rigid overlap, which the relaxing pass takes away.
inline constexpr double push_out_mark = -1.0;
/// In place of the rebound of a contact that is no impact.
inline constexpr double no_impact = -1.0;

/// Bias b_n [m/s] and compliance E_n [1/kg] of a contact, and the time into the step at which its impulse acts [s].
struct ContactBias {
    double bias, compliance, delay;
    bool impact = false;  ///< The surfaces meet in this step.
    /// Of an impact: what restitution adds to the speed at which the surfaces part [m/s]. By Poisson's law that is
    /// known when the impulses of compression are (PoissonImpacts); until then this is e.
    double rebound = 0.0;
};

/// Whether surfaces that do not press on each other meet within the step, after gap / -free, at more than v_min.
SCREE_HD inline bool is_impact(const ContactSettings& s, double gap, double before, double free, bool enduring) {
    return s.impact != ImpactLaw::spring_damper && !enduring && before < -s.threshold && gap + s.step * free < 0.0;
}

/// `before` and `free` are the normal relative velocities before the step and without contact impulses (negative:
/// approaching), `gap` is Phi >= 0 or the overlap, `alpha` that of damping_time(). `enduring` contacts carried an
/// impulse in the last step.
///  impact    surfaces that did not press on each other meet within the step at more than v_min: rigid, rebounds, see
///            below. A contact that already carries a force does not bounce off itself: asking each contact of a
///            cluster to part at e times its approach drives dense flows apart (measured: ARCHITECTURE.md);
///  open gap  u_n+ >= -Phi / h: the gap may close but not more;
///  overlap   compliant: spring k and damper k alpha, implicit in the end of the step; rigid: capped push-out.
///
/// Impact. Stored velocities of the half-implicit scheme lag by half a step: with the free acceleration
/// a = (free - before) / h the surfaces meet after tau = Phi / -free at the speed -(before + a (h/2 + tau)), part at e
/// times that, and at the end of the step the stored velocity is
///     u_n+ = -e (before + a (h/2 + tau)) + a (h/2 - tau).
/// With the impulse acting at tau (the position update leaves out tau of it) a free body's bounce is that of the exact
/// parabola: for e = 1 the scheme's invariant v^2/2 + g x - g h v/2 is kept exactly, for e < 1 no energy is made.
/// A rebound that gravity turns round within the step is none: the contact lands, u_n+ = 0 at gap 0.
/// e holds as far as the energy of those who meet allows (step/impact_limit.hpp).
///
/// By Poisson's law surfaces that touch may also be pressed on by a shock that others bring, without an approach of
/// their own: touching is to be nearer than what v_min closes in a step.
SCREE_HD inline ContactBias contact_bias(const ContactSettings& s, double gap, double before, double free,
                                         double restitution, double stiffness, double cohesion, double alpha,
                                         bool enduring = false) {
    const double h = s.step;
    const bool poisson = s.impact == ImpactLaw::poisson;
    if (is_impact(s, gap, before, free, enduring)) {
        const double tau = gap > 0.0 ? gap / -free : 0.0;
        const double acceleration = (free - before) / h;
        const double lag = acceleration * (0.5 * h - tau);
        if (poisson) return {-larger(lag, 0.0), 0.0, tau, true, restitution};
        const double parting = larger(-restitution * (before + acceleration * (0.5 * h + tau)) + lag, 0.0);
        // Landing and e = 0: rigid as well, a compliance that the step resolves (k h^2 < m) would throw back what it
        // took.
        return {-parting, 0.0, tau, true, larger(parting - larger(lag, 0.0), 0.0)};
    }
    if (poisson && !enduring && gap >= -h * s.threshold && gap <= h * s.threshold)
        return {larger(gap, 0.0) / h, 0.0, 0.0, true, restitution};
    if (s.feedback == Feedback::rigid) {
        if (gap >= 0.0) return {gap / h, 0.0, 0.0};
        return {larger(s.recovery_rate * gap / h, -s.recovery_speed), 0.0, push_out_mark};
    }
    const double compliance = 1.0 / (stiffness * h * (h + alpha));
    // A cohesive contact bears tension up to the elongation c / k.
    const bool closed = gap < 0.0 || (cohesion > 0.0 && gap <= cohesion / stiffness);
    return {gap / (closed ? h + alpha : h), compliance, 0.0};
}

/// The restitution that spring and damper attain at the step: a mass that starts `share` of a step's way above the
/// contact, from touch to release. The floor on alpha keeps it below the law's where the step is long against the
/// contact: at most .92, .78, .56, .44, .3 and .2 at h = .1, .3, .7, 1, 2 and 3 sqrt(m / k).
inline double attained_restitution(const ContactSettings& s, const PairLaw<double>& law, double inverse_mass,
                                   double share = 0.0) {
    const double h = s.step, alpha = damping_time(s, law, inverse_mass);
    double gap = share * h, u = -1.0;
    for (int step = 0; step < 100000 && !(gap > h && u > 0.0); ++step) {
        const ContactBias row = contact_bias(s, gap, u, u, law.restitution, law.stiffness, 0.0, alpha);
        u += inverse_mass * larger(0.0, -(u + row.bias) / (inverse_mass + row.compliance));
        gap += h * u;
        if (step > 1 && u > 0.0 && gap >= 0.0) break;
    }
    return larger(u, 0.0);
}

/// Whether a cohesive contact holds at this gap.
SCREE_HD inline bool cohesive(const ContactSettings& s, double gap, double stiffness, double cohesion, double radius) {
    if (cohesion <= 0.0) return false;
    return gap <= (s.feedback == Feedback::compliant ? cohesion / stiffness : 1e-6 * radius);
}

}  // namespace scree::kernels
