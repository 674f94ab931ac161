// SPDX-License-Identifier: BSD-3-Clause
// An ellipsoid that rocks on a plane without slip is a pendulum: w^2 = m g (R - c) / (I + m c^2), with the radius of
// curvature R = a^2 / c at its lowest point. Nothing damps it.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace scree::test {
namespace {

struct Rocking {
    double period = 0.0;
    double kept = 0.0;  ///< Largest spin of the last period over that of the first.
};
constexpr double a = 0.0125, b = 0.01, c = 0.008;

Rocking rock(double h, double tilt, model::Precision precision) {
    SceneMaker scene(h);
    scene.exact(1e-8).precision(precision).law({.friction = 0.5});
    scene.plane();
    const double s = std::sin(tilt), height = std::sqrt(a * a * s * s + c * c * (1.0 - s * s));
    scene.solid(model::SolidEllipsoid{{a, b, c}},
                {.position = {0, 0, height}, .orientation = model::from_axis_angle({0, 1, 0}, tilt), .mass = 0.004});
    Experiment run(scene);
    std::vector<double> crossings, peaks;
    double before = 0.0, most = 0.0;
    run.until(3.0, [&] {
        const double spin = run.body(0).angular_velocity.y;
        most = std::max(most, std::abs(spin));
        if (before < 0.0 && spin >= 0.0) {
            crossings.push_back(run.time() - h * spin / (spin - before));
            peaks.push_back(most);
            most = 0.0;
        }
        before = spin;
    });
    return {(crossings.back() - crossings.front()) / double(crossings.size() - 1), peaks.back() / peaks[1]};
}

TEST(RockingEllipsoid, IsAPendulumThatNothingDamps) {
    const double w = std::sqrt(gravity * (a * a / c - c) / ((a * a + c * c) / 5.0 + c * c));
    const double period = 2.0 * std::numbers::pi / w;
    for (const auto precision : {model::Precision::double_, model::Precision::mixed})
        for (const double h : {2e-3, 1e-3}) {
            const Rocking rocked = rock(h, 0.02, precision);
            EXPECT_NEAR(rocked.period, period, 1e-3 * period) << h;  // of small angles: .02^2 and h^2 w^2 / 24
            EXPECT_NEAR(rocked.kept, 1.0, 1e-3) << h;                // fourteen periods later
        }
}

}  // namespace
}  // namespace scree::test
