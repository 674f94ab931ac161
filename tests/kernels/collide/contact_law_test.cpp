// SPDX-License-Identifier: BSD-3-Clause
// Bias and compliance of a contact against the formulas of numerics section 3, case by case.
#include "kernels/collide/contact_law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scree::kernels {
namespace {

constexpr double h = 2e-3, alpha = 3e-3, k = 1e6, e = 0.6;

ContactSettings settings(Feedback feedback = Feedback::compliant) {
    ContactSettings s;
    s.step = h;
    s.damping_time = alpha;
    s.threshold = 0.05;
    s.feedback = feedback;
    return s;
}
// Formulas of a few products: equal but for rounding.
constexpr double relative = 1e-14;

TEST(ContactBias, OfAnOpenGapLetsItCloseButNoMore) {
    for (const Feedback feedback : {Feedback::compliant, Feedback::rigid}) {
        const auto found = contact_bias(settings(feedback), 1e-4, -0.02, -0.04, e, k, 0.0, alpha);
        EXPECT_NEAR(found.bias, 1e-4 / h, relative);
        EXPECT_EQ(found.compliance, feedback == Feedback::rigid ? 0.0 : 1.0 / (k * h * (h + alpha)));
    }
}

TEST(ContactBias, OfAnOverlapIsAnImplicitSpringAndDamper) {
    const double gap = -2e-5;
    const auto found = contact_bias(settings(), gap, -0.01, -0.03, e, k, 0.0, alpha);
    EXPECT_NEAR(found.bias, gap / (h + alpha), relative);
    EXPECT_NEAR(found.compliance * k * h * (h + alpha), 1.0, relative);
    // The force of spring and damper at the end of the step, f = -k (gap + h u) - k alpha u, is what the row asks for.
    const double u = 0.004, force = -k * (gap + h * u) - k * alpha * u;
    EXPECT_NEAR(u + found.bias + found.compliance * force * h, 0.0, relative);
}

TEST(ContactBias, OfAnOverlapIsACappedPushWhenRigid) {
    ContactSettings s = settings(Feedback::rigid);
    s.recovery_rate = 0.2;
    s.recovery_speed = 0.05;
    EXPECT_NEAR(contact_bias(s, -1e-4, 0.0, 0.0, e, k, 0.0, alpha).bias, -0.2 * 1e-4 / h, relative);
    EXPECT_EQ(contact_bias(s, -1.0, 0.0, 0.0, e, k, 0.0, alpha).bias, -0.05);
    EXPECT_EQ(contact_bias(s, -1.0, 0.0, 0.0, e, k, 0.0, alpha).compliance, 0.0);
}

TEST(ContactBias, OfSpringAndDamperRebounds) {
    ContactSettings s = settings();
    s.impact = ImpactLaw::spring_damper;
    EXPECT_GT(contact_bias(s, 0.0, -0.5, -0.5, e, k, 0.0, alpha).compliance, 0.0);  // no impact at one instant
    EXPECT_EQ(contact_bias(s, 0.0, -0.5, -0.5, e, k, 0.0, alpha).bias, 0.0);
}

/// `resolution` is h sqrt(k / m).
double rebound(double restitution, double resolution, double share) {
    ContactSettings s = settings();
    s.impact = ImpactLaw::spring_damper;
    const double inverse_mass = 0.8;
    PairLaw<double> law{};
    law.restitution = restitution;
    law.stiffness = resolution * resolution / (h * h * inverse_mass);
    law.damper = damper_of(restitution, law.stiffness);
    return attained_restitution(s, law, inverse_mass, share);
}

TEST(ContactBias, OfSpringAndDamperHasThePairsRestitutionWhereTheStepResolvesTheContact) {
    for (const double restitution : {0.05, 0.3, 0.5, 0.7, 0.8, 0.95})
        for (const double share : {0.0, 0.3, 0.9})
            for (const double resolution : {0.1, 0.03, 0.01, 0.003})  // first order in the step
                EXPECT_NEAR(rebound(restitution, resolution, share), restitution, 0.3 * resolution)
                    << resolution << " " << share;
}

TEST(ContactBias, OfSpringAndDamperGivesBackNoMoreThanItTookAtAnyStep) {
    for (const double restitution : {0.0, 0.5, 1.0})
        for (const double resolution : {0.02, 0.1, 0.3, 0.7, 1.0, 1.5, 2.0, 2.9, 4.0, 8.0, 20.0, 1e3})
            for (const double share : {0.0, 0.1, 0.2, 0.5, 0.8, 0.99})
                EXPECT_LE(rebound(restitution, resolution, share), 1.0) << restitution << " " << resolution;
}

TEST(ContactBias, OfAnImpactReturnsTheShareEOfTheApproach) {
    // Without acceleration the law is Newton's, at any gap that closes within the step.
    for (const double gap : {-1e-5, 0.0, 1e-5}) {
        const auto found = contact_bias(settings(), gap, -0.5, -0.5, e, k, 0.0, alpha);
        EXPECT_NEAR(found.bias, -e * 0.5, relative) << gap;
        EXPECT_EQ(found.compliance, 0.0);
    }
}

TEST(ContactBias, OfAContactThatAlreadyCarriesAForceDoesNotBounce) {
    for (const double gap : {-1e-5, 0.0, 1e-5}) {
        const auto found = contact_bias(settings(), gap, -0.5, -0.5, e, k, 0.0, alpha, true);
        EXPECT_NEAR(found.bias, gap / (gap < 0.0 ? h + alpha : h), relative) << gap;
        EXPECT_NEAR(found.compliance * k * h * (h + alpha), 1.0, relative);
    }
}

TEST(ContactBias, ByPoissonsLawIsThatOfCompressionAndNamesE) {
    ContactSettings s = settings();
    s.impact = ImpactLaw::poisson;
    // Without a free acceleration compression ends at rest, whatever e.
    const auto meets = contact_bias(s, 1e-4, -1.0, -1.0, e, k, 0.0, alpha);
    EXPECT_TRUE(meets.impact);
    EXPECT_EQ(meets.bias, 0.0);
    EXPECT_EQ(meets.compliance, 0.0);
    EXPECT_EQ(meets.rebound, e);
    EXPECT_NEAR(meets.delay, 1e-4, relative);
    // Touching, without an approach: a shock may come. Farther than v_min closes in a step, or loaded before: none.
    const double near = s.threshold * h;
    for (const double gap : {-0.9 * near, 0.0, 0.9 * near}) {
        const auto touches = contact_bias(s, gap, 0.0, 0.0, e, k, 0.0, alpha);
        EXPECT_TRUE(touches.impact) << gap;
        EXPECT_EQ(touches.rebound, e);
        EXPECT_NEAR(touches.bias, std::max(gap, 0.0) / h, relative);
        EXPECT_FALSE(contact_bias(s, gap, 0.0, 0.0, e, k, 0.0, alpha, true).impact);
    }
    EXPECT_FALSE(contact_bias(s, 1.1 * near, 0.0, 0.0, e, k, 0.0, alpha).impact);
    EXPECT_FALSE(contact_bias(s, -1.1 * near, 0.0, 0.0, e, k, 0.0, alpha).impact);
}

TEST(ContactBias, OfASlowOrFarOrPartingContactIsNoImpact) {
    EXPECT_GT(contact_bias(settings(), 0.0, -0.049, -0.049, e, k, 0.0, alpha).compliance, 0.0);
    EXPECT_GT(contact_bias(settings(), 1.1 * h * 0.5, -0.5, -0.5, e, k, 0.0, alpha).compliance, 0.0);
    EXPECT_GT(contact_bias(settings(), -1e-5, 0.5, 0.5, e, k, 0.0, alpha).compliance, 0.0);
}

TEST(ContactBias, OfACohesiveContactActsUpToItsElongation) {
    const double cohesion = 2.0, elongation = cohesion / k;
    EXPECT_NEAR(contact_bias(settings(), 0.9 * elongation, 0.0, 0.0, e, k, cohesion, alpha).bias,
                0.9 * elongation / (h + alpha), relative);
    EXPECT_NEAR(contact_bias(settings(), 1.1 * elongation, 0.0, 0.0, e, k, cohesion, alpha).bias, 1.1 * elongation / h,
                relative);
    EXPECT_TRUE(cohesive(settings(), 0.9 * elongation, k, cohesion, 0.01));
    EXPECT_FALSE(cohesive(settings(), 1.1 * elongation, k, cohesion, 0.01));
    EXPECT_FALSE(cohesive(settings(), -1e-3, k, 0.0, 0.01));
}

}  // namespace
}  // namespace scree::kernels
