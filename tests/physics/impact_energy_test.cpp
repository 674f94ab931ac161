// SPDX-License-Identifier: BSD-3-Clause
// Impacts do not make energy (kernels/step/impact_limit.hpp): random throws of bodies of many shapes, laws and steps,
// and cases with known outcomes.
#include "tests/support/throws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::test {
namespace {

using model::FrictionLaw;

struct Energy {
    double kinetic = 0.0;
    double kept = 0.0;  ///< v^2/2 - g . x + h g . v / 2 per mass, which the scheme keeps in free motion.
};
Energy energy(Experiment& run) {
    const model::Snapshot& s = run.now();
    const Vec3 g = run.simulation().scene().gravity;
    Energy sum;
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        if (!std::isfinite(s.mass[i])) continue;
        sum.kinetic += kinetic_energy_of(s, i);
        sum.kept -= s.mass[i] * (dot(g, s.position[i]) - 0.5 * run.h() * dot(g, s.velocity[i]));
    }
    sum.kept += sum.kinetic;
    return sum;
}

/// What the impulses of the last step may add to the energy [J].
struct Allowance {
    double springs = 0.0;   ///< What springs of overlaps gave back at most.
    double residual = 0.0;  ///< Impulses times the certified residual.
};
Allowance allowance(Experiment& run) {
    const kernels::ProblemDownload p = run.simulation().problem();
    Allowance sum;
    for (std::size_t c = 0; c < p.bias.size(); ++c) {
        const Vec3 impulse{p.impulse[3 * c], p.impulse[3 * c + 1], p.impulse[3 * c + 2]};
        const double normal = dot(impulse, {p.normal[3 * c], p.normal[3 * c + 1], p.normal[3 * c + 2]});
        sum.residual += norm(impulse) * run.report().residual.max;
        if (p.compliance[c] > 0.0) sum.springs += normal * std::max(0.0, -p.bias[c] - p.compliance[c] * normal);
    }
    return sum;
}

/// Runs throws and looks at each step in which surfaces meet.
class Judge {
public:
    /// At most `steps` steps, or `most` with impacts. `rounding` is relative to the kinetic energy.
    void watch(Experiment& run, std::size_t steps, std::size_t most, double rounding) {
        const double h = run.h(), g = norm(run.simulation().scene().gravity);
        // A contact that stops a body which still rises, at less than g h, keeps it a little too high.
        const double landing = run.simulation().free_mass() * (g * h) * (g * h) / 8.0;
        Energy before = energy(run);
        for (std::size_t k = 0, met = 0; k < steps && met < most; ++k) {
            run.step();
            const Energy after = energy(run);
            if (run.report().impacts) {
                ++met;
                ++impacts;
                limited += run.report().limited_clusters;
                const Allowance allowed = allowance(run);
                const double gain = after.kept - before.kept - run.report().other_work - allowed.springs;
                EXPECT_LE(gain, rounding * before.kinetic + allowed.residual + landing)
                    << "step " << run.simulation().step_index() << ", h = " << h << ", kinetic energy "
                    << before.kinetic << ", limited clusters " << run.report().limited_clusters;
            }
            before = after;
        }
    }
    std::int64_t impacts = 0, limited = 0;
};
/// Sums of some hundred terms in double precision; the residual is counted apart.
constexpr double rounding = 1e-11;

std::vector<Setting> settings(std::initializer_list<double> steps) {
    std::vector<Setting> all;
    for (const double h : steps)
        for (const double g : {0.0, gravity})
            for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::associated}) all.push_back({h, g, law});
    return all;
}
TEST(ImpactEnergy, OfOneBodyNeverGrows) {
    Judge judge;
    for (const Setting& s : settings({1e-4, 1e-3, 5e-3}))
        for (std::size_t k = 0; k < (s.h < 5e-4 ? 40 : 120); ++k) {
            Dice dice(1000 + k);
            Law law = dice.law();
            if (k % 5 == 0) law.rolling = 0.005;
            Experiment run(thrown(s, dice, k % shapes, law));
            judge.watch(run, std::size_t(0.3 / s.h), 3, rounding);
        }
    EXPECT_GT(judge.impacts, 1200);
    EXPECT_GT(judge.limited, 50);
}

/// Six bodies that fly into each other and onto the floor, of four materials with a law for each pair.
model::Scene cluster(const Setting& s, Dice& dice, bool balls) {
    SceneMaker scene(s.h);
    scene.exact(1e-10).acceleration({0, 0, -s.g}).friction_law(s.friction).law({}).plane();
    const double size = balls ? 0.05 : 0.1;
    for (int b = 0; b < 6; ++b) {
        const Vec3 place{2.1 * size * double(b % 2), 2.1 * size * double(b / 2 % 2),
                         1.1 * size + 2.1 * size * double(b / 4)};
        const Vec3 velocity = dice.vector(1.0) + Vec3{0, 0, -2} - 3.0 * (place - Vec3{0.1, 0.1, 0.1});
        const double mass = dice.between(0.5, 2.0);
        if (balls)
            scene.sphere({.position = place,
                          .radius = size,
                          .velocity = velocity,
                          .angular_velocity = dice.vector(20.0),
                          .mass = mass});
        else
            scene.solid(shape(dice.below(shapes)), {.position = place,
                                                    .orientation = dice.turn(),
                                                    .velocity = velocity,
                                                    .angular_velocity = dice.vector(5.0),
                                                    .mass = mass});
        scene.edit().sources.back().material = scene.material(1000.0 + double(b % 3));
    }
    model::Scene whole = scene.scene();
    const bool tangential = dice.below(4) == 0;
    for (model::MaterialPair& pair : whole.pairs) {
        const Law law = dice.law();
        pair.friction = law.friction;
        pair.restitution = law.restitution;
        if (tangential) pair.tangential_restitution = dice.between(0.0, 0.9);
    }
    return whole;
}

TEST(ImpactEnergy, OfBallsThatMeetNeverGrows) {
    Judge judge;
    for (const Setting& s : settings({1e-3, 5e-3}))
        for (std::size_t k = 0; k < 60; ++k) {
            Dice dice(2000 + k);
            Experiment run(cluster(s, dice, true));
            judge.watch(run, std::size_t(0.2 / s.h), 20, rounding);
        }
    EXPECT_GT(judge.impacts, 1500);
    EXPECT_GT(judge.limited, 0);
}

TEST(ImpactEnergy, OfSolidsThatMeetNeverGrows) {
    Judge judge;
    for (const Setting& s : settings({1e-3, 5e-3}))
        for (std::size_t k = 0; k < 40; ++k) {
            Dice dice(3000 + k);
            Experiment run(cluster(s, dice, false));
            judge.watch(run, std::size_t(0.2 / s.h), 20, rounding);
        }
    EXPECT_GT(judge.impacts, 2000);
    EXPECT_GT(judge.limited, 30);
}

TEST(ImpactEnergy, NeverGrowsByPoissonsLaw) {
    Judge judge;
    for (const Setting& s : settings({1e-3, 5e-3}))
        for (std::size_t k = 0; k < 40; ++k) {
            Dice dice(5000 + k);
            SceneMaker one = thrown(s, dice, k % shapes, dice.law());
            one.edit().settings.contact.impact = model::ImpactLaw::poisson;
            Experiment thrown_one(one);
            judge.watch(thrown_one, std::size_t(0.3 / s.h), 3, rounding);
            model::Scene many = cluster(s, dice, k % 2 == 0);
            many.settings.contact.impact = model::ImpactLaw::poisson;
            for (model::MaterialPair& pair : many.pairs) pair.tangential_restitution = 0.0;
            Experiment thrown_many(many);
            judge.watch(thrown_many, std::size_t(0.2 / s.h), 20, rounding);
        }
    EXPECT_GT(judge.impacts, 1500);
    EXPECT_GT(judge.limited, 30);
}

// The default settings: 2^-24 relative in each of some ten velocities, 1e-2 g h of residual.
TEST(ImpactEnergy, NeverGrowsInMixedPrecisionAndWithRigidFeedback) {
    for (const auto feedback : {model::PositionFeedback::compliant, model::PositionFeedback::rigid}) {
        Judge judge;
        for (std::size_t k = 0; k < 100; ++k) {
            Dice dice(4000 + k);
            const Law law = dice.law();
            SceneMaker scene = thrown({1e-3, gravity, FrictionLaw::coulomb}, dice, k % shapes, law);
            scene.precision(model::Precision::mixed).solver(1e-2, 500).feedback(feedback);
            Experiment run(scene);
            judge.watch(run, 300, 1, 1e-5);
        }
        EXPECT_GT(judge.impacts, 95);
        EXPECT_GT(judge.limited, 2);
    }
}

/// Rods that rain on a floor and on each other.
SceneMaker rain(std::size_t threads) {
    SceneMaker scene(2e-3);
    scene.precision(model::Precision::mixed).solver(1e-2, 500).law({.friction = 0.8, .restitution = 0.9}).plane();
    scene.edit().settings.threads = threads;
    Dice dice(7);
    for (int i = 0; i < 900; ++i)
        scene.solid(model::SolidCapsule{0.02, 0.06},
                    {.position = {0.17 * double(i % 15), 0.17 * double(i / 15 % 15), 0.1 + 0.17 * double(i / 225)},
                     .orientation = dice.turn(),
                     .velocity = dice.vector(0.5) + Vec3{0, 0, -3},
                     .angular_velocity = dice.vector(10.0)});
    return scene;
}

TEST(ImpactLimit, IsTheSameForAnyNumberOfThreadsAndAfterARestart) {
    Experiment one(rain(1)), four(rain(4));
    std::int64_t limited = 0;
    for (int k = 0; k < 70; ++k) {
        limited += one.step().limited_clusters;
        four.step();
        ASSERT_EQ(model::state_hash(one.now()), model::state_hash(four.now())) << "step " << k;
        if (k != 20) continue;
        const io::Checkpoint saved = one.simulation().save();
        Experiment again(rain(1));
        again.simulation().restore(saved);
        for (int n = 0; n < 10; ++n) {
            again.step();
            limited += one.step().limited_clusters;
            four.step();
        }
        ASSERT_EQ(model::state_hash(again.now()), model::state_hash(one.now()));
    }
    EXPECT_GT(limited, 100);
}

}  // namespace
}  // namespace scree::test
