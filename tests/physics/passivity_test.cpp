// SPDX-License-Identifier: BSD-3-Clause
// Contacts make no energy: thousands of small random scenes, step by step.
//
// For the step v+ = v + h g + M^-1 D gamma, x+ = x + h v+ and E = kinetic + potential energy
//
//     E+ - E = gamma . u+ - |v+ - v|^2_M / 2,
//     gamma . u+ = gamma . u^ - sum gamma_n (b + C gamma_n + mu |u_t|)          (C: the compliance)
//
// whatever gamma is. Open gaps have b >= 0. An overlap has b = Phi / (h + alpha), its spring, and with the energy k
// Phi^2 / 2 of the springs in E what is left is -h k u_n^2 (alpha + h/2) <= 0, if the gap ends where its row says, at
// Phi + h u_n. So E grows by gamma . u^, the complementarity gap that each step reports, by rounding, and by nothing
// else. In E stand the gyroscopic and turning works that a step reports, too; they swing about zero for a body that
// spins freely.
//
// Gaps do not quite end where rows say: turns are of second order, and bodies that meet have the normal of that moment.
// So it is also asked that the bodies never have more than they and their springs had at first.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <random>

namespace scree::test {
namespace {

enum class Bodies { spheres, boxes, mixed };

/// Two to five bodies near each other over a floor, between walls or not, of random law, masses, speeds and step.
model::Scene random_scene(Bodies kind, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> share(0.0, 1.0), both(-1.0, 1.0);
    const auto vector = [&](double size) {
        return Vec3{size * both(random), size * both(random), size * both(random)};
    };
    const double steps[] = {1e-4, 1e-3, 5e-3, 1e-2};
    SceneMaker scene(steps[random() % 4]);
    // What Coulomb's iteration leaves (mu above 1, masses of 1e4 to 1) is solved again by direct solvers.
    scene.exact(1e-6).solver(1e-6, 1000);
    scene.edit().settings.solver.fallback = model::Fallback::lemke;
    scene.edit().settings.solver.fallback_contacts = 32;
    const double stiffnesses[] = {0.0, 1e4, 1e6};
    scene.law({.friction = 2.0 * share(random), .stiffness = stiffnesses[random() % 3]});
    if (random() % 3 == 0) scene.acceleration({});
    scene.plane();
    if (random() % 2 == 0) scene.plane({-.35, 0, 0}, {1, 0, 0});
    const int count = 2 + int(random() % 5);
    for (int k = 0; k < count; ++k) {
        const Vec3 place{.2 * (k % 2) + .01 * both(random), .2 * (k / 2 % 2) + .01 * both(random),
                         .1 + .19 * double(k / 4) + .005 * both(random)};
        // They close in on the middle, so that most meet.
        const Vec3 inward = Vec3{.1, .1, .1} - place;
        const double mass = std::pow(10.0, 2.0 * both(random)), speed = share(random);
        const bool box = kind == Bodies::boxes || (kind == Bodies::mixed && random() % 2 == 0);
        if (box) {
            const Vec3 half{.04 + .05 * share(random), .04 + .05 * share(random), .04 + .05 * share(random)};
            const model::Quat turn = unit(model::Quat{1, .3 * both(random), .3 * both(random), both(random)});
            scene.solid(model::SolidBox{half}, {.position = place,
                                                .orientation = turn,
                                                .velocity = vector(speed) + (10.0 * speed) * inward,
                                                .angular_velocity = vector(5.0 * speed),
                                                .mass = mass});
        } else {
            scene.sphere({.position = place,
                          .radius = .06 + .05 * share(random),
                          .velocity = vector(speed) + (10.0 * speed) * inward,
                          .angular_velocity = vector(10.0 * speed),
                          .mass = mass});
        }
    }
    return scene.scene();
}

struct Energy {
    double kinetic = 0.0, potential = 0.0;
    [[nodiscard]] double sum() const { return kinetic + potential; }
};
Energy energy_of(const model::Snapshot& s, Vec3 gravity) {
    Energy e;
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        if (!std::isfinite(s.mass[i])) continue;
        e.kinetic += kinetic_energy_of(s, i);
        e.potential -= s.mass[i] * dot(gravity, s.position[i]);
    }
    return e;
}

double stiffness_of(Experiment& run) {
    const double own = run.simulation().scene().pairs.back().stiffness;
    return own > 0.0 ? own : run.simulation().resolved().stiffness;
}

/// Normal velocities of the last step's contacts, from its problem: v* + M^-1 D gamma.
std::vector<double> normal_velocities(const kernels::ProblemDownload& p) {
    const auto three = [](const std::vector<double>& from, std::size_t at) {
        return Eigen::Vector3d(from[at], from[at + 1], from[at + 2]);
    };
    const bool arms = !p.arm_a.empty();
    const auto arm = [&](std::size_t c, bool of_a) -> Eigen::Vector3d {
        if (arms) return three(of_a ? p.arm_a : p.arm_b, 3 * c);
        return (of_a ? p.lever_a[c] : -p.lever_b[c]) * three(p.normal, 3 * c);
    };
    std::vector<double> v = p.free_velocity;
    const auto push = [&](kernels::Index body, const Eigen::Vector3d& g, const Eigen::Vector3d& r) {
        if (body < 0) return;
        const auto i = std::size_t(body);
        Eigen::Matrix3d inverse = p.inverse_mass[2 * i + 1] * Eigen::Matrix3d::Identity();
        if (arms) {
            const double* m = &p.inverse_inertia[6 * i];
            inverse << m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2];
        }
        const Eigen::Vector3d linear = p.inverse_mass[2 * i] * g, angular = inverse * r.cross(g);
        for (std::size_t k = 0; k < 3; ++k) {
            v[6 * i + k] += linear[Eigen::Index(k)];
            v[6 * i + 3 + k] += angular[Eigen::Index(k)];
        }
    };
    for (std::size_t c = 0; c < p.a.size(); ++c) {
        const Eigen::Vector3d g = three(p.impulse, 3 * c);
        push(p.a[c], -g, arm(c, true));
        push(p.b[c], g, arm(c, false));
    }
    const auto at_contact = [&](kernels::Index body, const Eigen::Vector3d& r) -> Eigen::Vector3d {
        if (body < 0) return Eigen::Vector3d::Zero();
        return three(v, 6 * std::size_t(body)) + three(v, 6 * std::size_t(body) + 3).cross(r);
    };
    std::vector<double> normal;
    for (std::size_t c = 0; c < p.a.size(); ++c)
        normal.push_back(
            (at_contact(p.b[c], arm(c, false)) - at_contact(p.a[c], arm(c, true))).dot(three(p.normal, 3 * c)));
    return normal;
}

/// What the springs of a step's overlaps hold at its end more than at its start, if gaps end as their rows say [J].
double stored_by_rows(const kernels::ProblemDownload& p, double h, double alpha) {
    double stored = 0.0;
    const std::vector<double> u = normal_velocities(p);
    for (std::size_t c = 0; c < p.a.size(); ++c) {
        if (!(p.bias[c] < 0.0) || !(p.compliance[c] > 0.0)) continue;
        const double stiffness = 1.0 / (p.compliance[c] * h * (h + alpha)), gap = p.bias[c] * (h + alpha);
        stored += 0.5 * stiffness * (std::pow(std::min(0.0, gap + h * u[c]), 2) - gap * gap);
    }
    return stored;
}

struct Growth {
    double worst = 0.0;  ///< Energy beyond what the reports explain, over the largest energy of the scene [-].
    int scene = -1, step = -1;
    int violations = 0;  ///< Steps.
    std::int64_t contacts = 0;
    int cut_short = 0;  ///< Scenes that end before a step which missed the tolerance: its impulses are no solution.

    void add(double excess, unsigned in_scene, int in_step) {
        if (excess > rounding) ++violations;
        if (excess <= worst) return;
        worst = excess;
        scene = int(in_scene);
        step = in_step;
    }
    /// Sums of tens of numbers with roundings of 1e-16 of the largest energy.
    static constexpr double rounding = 1e-13;
};
std::ostream& operator<<(std::ostream& to, const Growth& g) {
    return to << g.cut_short << " scenes cut short; " << g.violations << " steps, worst " << g.worst << " in scene "
              << g.scene << ", step " << g.step;
}

constexpr int steps = 12;

void expect_passive_rows(Bodies kind, unsigned first, unsigned count) {
    Growth by_step, over_the_run;
    for (unsigned seed = first; seed < first + count; ++seed) {
        Experiment run(random_scene(kind, seed));
        const Vec3 gravity = run.simulation().scene().gravity;
        const double h = run.h(), alpha = run.simulation().resolved().damping_time - 0.5 * h;
        const double stiffness = stiffness_of(run);
        const Energy start = energy_of(run.simulation().snapshot(false), gravity);
        Energy before = start;
        double largest = start.kinetic, allowed = 0.0;
        for (int step = 0; step < steps; ++step) {
            const kernels::StepReport report = run.step();
            if (!report.converged) {
                ++by_step.cut_short;
                break;
            }
            const kernels::ProblemDownload problem = run.simulation().problem();
            const double stored = stored_by_rows(problem, h, alpha);
            const Energy now = energy_of(run.now(), gravity);
            if (step == 0)
                for (const auto& c : run.now().contacts) allowed += 0.5 * stiffness * std::pow(std::min(0.0, c.gap), 2);
            largest = std::max({largest, now.kinetic, std::abs(stored), std::abs(now.potential - start.potential)});
            const double explained = report.complementarity_gap + report.other_work + report.turning_work;
            by_step.add((now.sum() + stored - before.sum() - explained) / largest, seed, step);
            // Whatever the overlaps do, bodies never have more than they and the springs had at first.
            allowed += explained;
            over_the_run.add((now.sum() - start.sum() - allowed) / largest, seed, step);
            before = now;
            by_step.contacts += report.contacts;
        }
    }
    ASSERT_GT(by_step.contacts, 50000);
    EXPECT_LT(by_step.cut_short, int(count) / 15) << by_step;
    EXPECT_LT(by_step.worst, Growth::rounding) << by_step;
    EXPECT_LT(over_the_run.worst, Growth::rounding) << "over the run: " << over_the_run;
}

TEST(Passivity, SpheresNeverGainEnergy) { expect_passive_rows(Bodies::spheres, 0, 4000); }

TEST(Passivity, BoxesNeverGainEnergy) { expect_passive_rows(Bodies::boxes, 10000, 3000); }

TEST(Passivity, MixedBodiesNeverGainEnergy) { expect_passive_rows(Bodies::mixed, 20000, 3000); }

}  // namespace
}  // namespace scree::test
