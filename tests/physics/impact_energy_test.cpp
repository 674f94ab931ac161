// SPDX-License-Identifier: BSD-3-Clause
// Impacts do not make energy (kernels/step/impact_limit.hpp): random throws of bodies of many shapes, laws and steps,
// and cases with known outcomes.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace scree::test {
namespace {

using model::FrictionLaw;
using model::Quat;

/// Draws that are the same with every library.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}
    double between(double low, double high) { return low + (high - low) * double(engine_() >> 11) * 0x1p-53; }
    std::size_t below(std::size_t count) { return std::size_t(engine_() % count); }
    Vec3 vector(double most) { return {between(-most, most), between(-most, most), between(-most, most)}; }
    Quat turn() {
        Vec3 axis = vector(1.0);
        while (!(norm(axis) > 0.1 && norm(axis) < 1.0)) axis = vector(1.0);
        return model::from_axis_angle((1.0 / norm(axis)) * axis, between(0.0, 3.14));
    }
    /// e in [0, 1], the ends often; mu in [0, 1.5].
    Law law() {
        const std::size_t end = below(6);
        return {.friction = between(0.0, 1.5), .restitution = end == 0 ? 0.0 : end == 1 ? 1.0 : between(0.0, 1.0)};
    }

private:
    std::mt19937_64 engine_;
};

/// Shapes within a ball of radius .1.
model::Solid shape(std::size_t kind) {
    switch (kind) {
        case 0:
            return model::SolidSphere{0.1};
        case 1:
            return model::SolidBox{{0.055, 0.055, 0.055}};
        case 2:
            return model::SolidBox{{0.085, 0.04, 0.02}};
        case 3:
            return model::SolidCapsule{0.02, 0.07};
        case 4:
            return model::SolidCylinder{0.06, 0.03};
        case 5:
            return model::SolidEllipsoid{{0.09, 0.06, 0.04}};
        case 6:
            return model::SolidCone{0.06, 0.1};
        default:
            return model::SolidPolytope{
                {{0.05, 0.05, 0.05}, {-0.05, -0.05, 0.05}, {-0.05, 0.05, -0.05}, {0.05, -0.05, -0.05}}};
    }
}
constexpr std::size_t shapes = 8;

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
        sum.kinetic += 0.5 * s.mass[i] * dot(s.velocity[i], s.velocity[i]) + model::rotational_energy(s, i);
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

struct Setting {
    double h, g;
    FrictionLaw friction;
};
std::vector<Setting> settings(std::initializer_list<double> steps) {
    std::vector<Setting> all;
    for (const double h : steps)
        for (const double g : {0.0, gravity})
            for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::associated}) all.push_back({h, g, law});
    return all;
}

SceneMaker thrown(const Setting& s, Dice& dice, std::size_t kind, const Law& law) {
    SceneMaker scene(s.h);
    scene.exact(1e-10).acceleration({0, 0, -s.g}).friction_law(s.friction).law(law).plane();
    const double spin = std::vector{0.0, 5.0, 50.0}[dice.below(3)];
    scene.solid(shape(kind), {.position = {0, 0, 0.12},
                              .orientation = dice.turn(),
                              .velocity = dice.vector(1.0) + Vec3{0, 0, -2},
                              .angular_velocity = dice.vector(spin)});
    return scene;
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

TEST(Restitution, OfBallsIsThatOfThePairWhateverTheFriction) {
    for (std::size_t k = 0; k < 100; ++k) {
        Dice dice(5000 + k);
        const Law law = dice.law();
        Experiment run(thrown({1e-3, 0.0, FrictionLaw::coulomb}, dice, 0, law));
        const double before = run.body(0).velocity.z;
        std::int64_t limited = 0;
        run.until(0.2, [&] { limited += run.report().limited_clusters; });
        EXPECT_EQ(limited, 0);
        EXPECT_NEAR(run.body(0).velocity.z, -law.restitution * before, 1e-8 * std::abs(before));
    }
}

TEST(Restitution, OfAnyShapeIsThatOfThePairWithoutFriction) {
    for (std::size_t k = 0; k < 200; ++k) {
        Dice dice(6000 + k);
        Law law = dice.law();
        law.friction = 0.0;
        SceneMaker scene = thrown({1e-3, 0.0, FrictionLaw::coulomb}, dice, k % shapes, law);
        // Of a body that tumbles, energy and Newton's law differ by what its free motion adds within the step.
        scene.edit().sources.back().angular_velocity = {};
        Experiment run(scene);
        for (int step = 0; step < 300 && !run.report().impacts; ++step) run.step();
        ASSERT_TRUE(run.report().impacts);
        EXPECT_EQ(run.report().limited_clusters, 0);
    }
}

// A rod comes down on its end, leaning, with e = .95 and friction that holds it: Newton's law would have it leave with
// more than it has. In the plane, with the arm (a, b) from its centre to its end, the end sticks (u = 0 after) and
// leaves at s e times its speed; with N = M^-1 + rotations and the impulse gamma(s) = N^-1 (s e v n - u), the energy
// that is lost, u . N^-1 u / 2 - (s e v)^2 n . N^-1 n / 2, is zero for the s that it tells.
TEST(Restitution, OfALeaningRodIsTheLargestThatItsEnergyAdmits) {
    const double length = 0.07, radius = 0.02, lean = 0.6, speed = 1.0, e = 0.95, mass = 1.0;
    SceneMaker scene(1e-5);
    scene.exact(1e-12).acceleration({}).law({.friction = 1.0, .restitution = e}).plane();
    const double height = length * std::cos(lean) + radius;
    const std::size_t rod =
        scene.solid(model::SolidCapsule{radius, length}, {.position = {0, 0, height + 1e-9},
                                                          .orientation = model::from_axis_angle({0, 1, 0}, lean),
                                                          .velocity = {0.55, 0, -speed},
                                                          .mass = mass});
    Experiment run(scene);
    const double inertia = run.now().inertia.at(0).x, before = energy(run).kinetic;
    // Of the lower end, at (-length sin, -height).
    const double a = -length * std::sin(lean), b = -height;
    const double nxx = 1.0 / mass + b * b / inertia, nzz = 1.0 / mass + a * a / inertia, nxz = -a * b / inertia;
    const double determinant = nxx * nzz - nxz * nxz, ux = 0.55, uz = -speed;
    const double held = (nzz * ux * ux - 2.0 * nxz * ux * uz + nxx * uz * uz) / determinant;  // u . N^-1 u
    const double needed = nxx / determinant;                                                  // n . N^-1 n
    const double largest = std::sqrt(held / needed);
    ASSERT_LT(largest, 0.95 * e);
    run.step();
    ASSERT_EQ(run.report().limited_clusters, 1);
    const BodyNow now = run.body(rod);
    const double parts = now.velocity.z - a * now.angular_velocity.y;
    // The end turns by 1e-5 of a radian within the step.
    EXPECT_NEAR(parts, largest, 1e-3 * largest);
    EXPECT_NEAR(energy(run).kinetic, before, 1e-9 * before);
}

// Three equal balls in a row, e = 1: the first hits the second, which catches the third, that runs ahead of it, in the
// same step. Newton's law for the first pair alone would make (2/3) u (1 - u) of energy.
TEST(Restitution, OfAChainLeavesItsEnergyAndMomentum) {
    const double u = 0.5;
    SceneMaker scene(1e-3);
    scene.exact(1e-12).acceleration({}).law({.restitution = 1.0, .stiffness = 1e12});
    scene.sphere({.position = {0, 0, 0}, .radius = 0.05, .velocity = {1, 0, 0}});
    scene.sphere({.position = {0.1, 0, 0}, .radius = 0.05});
    scene.sphere({.position = {0.2, 0, 0}, .radius = 0.05, .velocity = {u, 0, 0}});
    Experiment run(scene);
    const double before = energy(run).kinetic;
    const Vec3 momentum = run.momentum();
    run.step();
    EXPECT_EQ(run.report().limited_clusters, 1);
    EXPECT_NEAR(energy(run).kinetic, before, 1e-10 * before);
    EXPECT_LT(norm(run.momentum() - momentum), 1e-12);
    EXPECT_GE(run.body(1).velocity.x, run.body(0).velocity.x);
    EXPECT_GE(run.body(2).velocity.x, run.body(1).velocity.x - 1e-6);  // k h^2 = 1e6 m
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
    for (int k = 0; k < 60; ++k) {
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

// The threshold of rebounds, 2 g h, follows gravity: balls come to rest after the Zeno time under any.
TEST(RestitutionThreshold, FollowsGravity) {
    const double e = 0.8, height = 1.0;
    for (const double g : {1.62, 98.1}) {
        const double h = 1e-3 * std::sqrt(gravity / g), rest = std::sqrt(2.0 * height / g) * (1.0 + e) / (1.0 - e);
        SceneMaker scene(h);
        scene.exact().acceleration({0, 0, -g}).law({.restitution = e}).plane();
        scene.sphere({.position = {0, 0, 0.05 + height}, .radius = 0.05});
        Experiment run(scene);
        EXPECT_NEAR(run.simulation().resolved().restitution_threshold, 2.0 * g * h, 1e-12);
        run.until(0.99 * rest);
        EXPECT_GT(std::abs(run.body(0).velocity.z), 0.1 * g * h);
        run.until(1.02 * rest);
        run.until(1.2 * rest, [&] { EXPECT_LT(std::abs(run.body(0).velocity.z), 1e-6); });
    }
}

// Without gravity the threshold is zero, and a body that a constant force presses on a floor comes to rest all the
// same: rebounds that the force turns round within the step are none.
TEST(RestitutionThreshold, IsNoneWithoutGravityAndPressedBodiesComeToRest) {
    SceneMaker scene(1e-3);
    scene.exact().acceleration({}).law({.friction = 0.5, .restitution = 0.8}).plane();
    const std::size_t ball = scene.solid(model::SolidSphere{0.05}, {.position = {0, 0, 0.15}});
    std::get<model::BodySource>(scene.edit().sources[ball].what).force = {0, 0, -gravity};
    Experiment run(scene);
    EXPECT_EQ(run.simulation().resolved().restitution_threshold, 0.0);
    const double rest = std::sqrt(2.0 * 0.1 / gravity) * (1.0 + 0.8) / (1.0 - 0.8);
    run.until(1.2 * rest);
    run.until(1.5 * rest, [&] { EXPECT_LT(std::abs(run.body(ball).velocity.z), 1e-6); });
}

}  // namespace
}  // namespace scree::test
