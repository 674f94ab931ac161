// SPDX-License-Identifier: BSD-3-Clause
// An imported arm swings as the equations of the double pendulum say.
#include "tests/support/scene_maker.hpp"
#include "tests/unit/urdf/robot_text.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace scree::test {
namespace {

/// Angles from hanging, and their rates, of the pendulum of double_pendulum.urdf.
using Swing = std::array<double, 4>;

Swing rate(const Swing& s) {
    constexpr double m1 = 2.0, c1 = 0.3, i1 = 0.06, length = 0.6, m2 = 1.5, c2 = 0.2, i2 = 0.03, g = 9.81;
    const double c = std::cos(s[0] - s[1]), d = std::sin(s[0] - s[1]), k = m2 * length * c2;
    const double a = m1 * c1 * c1 + i1 + m2 * length * length, b = k * c, e = m2 * c2 * c2 + i2;
    const double p = -k * d * s[3] * s[3] - (m1 * c1 + m2 * length) * g * std::sin(s[0]);
    const double q = k * d * s[2] * s[2] - m2 * c2 * g * std::sin(s[1]);
    const double determinant = a * e - b * b;
    return {s[2], s[3], (e * p - b * q) / determinant, (a * q - b * p) / determinant};
}

/// Classical Runge-Kutta; at h = 1e-4 its error is below 1e-10 here.
Swing swing(Swing s, double time) {
    const double h = 1e-4;
    const auto along = [](const Swing& from, const Swing& r, double way) {
        Swing to = from;
        for (std::size_t i = 0; i < 4; ++i) to[i] += way * r[i];
        return to;
    };
    for (int k = 0; k < int(std::lround(time / h)); ++k) {
        const Swing a = rate(s), b = rate(along(s, a, 0.5 * h)), c = rate(along(s, b, 0.5 * h)),
                    d = rate(along(s, c, h));
        for (std::size_t i = 0; i < 4; ++i) s[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
    }
    return s;
}

/// The largest error of both angles after a second [rad].
double error_after_a_second(double step) {
    urdf::ImportOptions options;
    options.pose = {{"shoulder", 0.8}, {"elbow", -0.5}};
    model::Scene scene = urdf::read_urdf(robot_file("double_pendulum.urdf"), options).scene;
    scene.settings.time.step = step;
    scene.settings.backend = model::Backend::cpu;
    scene.settings.threads = 1;
    Experiment run(scene);
    run.until(1.0);
    // Speeds are those of the middle of a step: at rest half a step before the start.
    const Swing rest{0.8, 0.3, 0.0, 0.0}, first = rate(rest);
    const Swing exact = swing({0.8, 0.3, 0.5 * step * first[2], 0.5 * step * first[3]}, 1.0);
    const double shoulder = 0.8 + run.simulation().joints().at(0).turn;
    const double elbow = -0.5 + run.simulation().joints().at(1).turn;
    return std::max(std::abs(shoulder - exact[0]), std::abs(shoulder + elbow - exact[1]));
}

TEST(UrdfDoublePendulum, SwingsAsItsEquationsSay) {
    const double coarse = error_after_a_second(2e-3), fine = error_after_a_second(1e-3);
    // Of second order in the step: some (w h)^2 per radian with frequencies w up to 10 / s.
    EXPECT_LT(fine, 2e-4);
    EXPECT_LT(fine, 0.3 * coarse);
}

TEST(UrdfMimic, KeepsSlidesInTheirRatio) {
    // The leader slides down, the follower must rise: gravity on 2 kg less half of that on 2 kg.
    const std::string down = "<axis xyz=\"0 0 -1\"/><limit lower=\"-9\" upper=\"9\"/>";
    model::Scene scene =
        import_text(link_text("a") + link_text("b") + link_text("c") +
                    joint_text("j", "prismatic", "a", "b", "<origin xyz=\"1 0 0\"/>" + down) +
                    joint_text("k", "prismatic", "a", "c",
                               "<origin xyz=\"-1 0 0\"/>" + down + "<mimic joint=\"j\" multiplier=\"-0.5\"/>"))
            .scene;
    scene.settings.backend = model::Backend::cpu;
    scene.settings.threads = 1;
    Experiment run(scene);
    run.until(0.5);
    const double leader = run.simulation().joints().at(0).slide, follower = run.simulation().joints().at(1).slide;
    EXPECT_NEAR(follower, -0.5 * leader, 1e-9);
    // m (1 + 1/4) a = m (1 - 1/2) g; the step's first-order start is h t / 2 of the acceleration.
    EXPECT_NEAR(leader, 0.5 * 0.4 * 9.81 * 0.25, 0.4 * 9.81 * 0.5 * 1e-3);
}

}  // namespace
}  // namespace scree::test
