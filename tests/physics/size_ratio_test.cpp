// SPDX-License-Identifier: BSD-3-Clause
// Three touching spheres of very different size, held by static friction (validation A12).
//
// A sphere of radius R rests on two that touch each other, of radius r. The centres lean by asin(r / (R + r)), and as
// in B1 (few_bodies_test.cpp) friction must reach the tangent of half of that. The law knows no masses and no
// stiffness: what statics demands decides, whatever the ratio.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace scree::test {
namespace {

class ThreeSpheres : public testing::TestWithParam<std::tuple<double, double>> {
protected:
    static constexpr double small = 1e-3, density = 2500.0;

    static double needed(double ratio) { return std::tan(0.5 * std::asin(1.0 / (ratio + 1.0))); }

    /// The large sphere above two small ones.
    static SceneMaker large_on_small(double h, double ratio, double friction) {
        SceneMaker scene(h);
        const double large = ratio * small;
        scene.exact(1e-6).law({.friction = friction});
        scene.plane();
        for (const double side : {-1.0, 1.0})
            scene.sphere({.position = {side * small, 0, small}, .radius = small, .mass = mass_of(density, small)});
        const double height = std::sqrt((large + small) * (large + small) - small * small);
        scene.sphere({.position = {0, 0, small + height}, .radius = large, .mass = mass_of(density, large)});
        return scene;
    }
};
INSTANTIATE_TEST_SUITE_P(A12, ThreeSpheres,
                         testing::Combine(testing::Values(1e-3, 5e-4), testing::Values(3.0, 10.0, 30.0, 100.0)));

TEST_P(ThreeSpheres, StayAtRestAboveTheFrictionOfStatics) {
    const auto [h, ratio] = GetParam();
    Experiment run(large_on_small(h, ratio, 1.05 * needed(ratio)));
    const Vec3 start = run.body(2).position;
    run.until(0.5);
    EXPECT_LT(norm(run.body(2).position - start), 1e-3 * small);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(norm(run.body(i).velocity), 1e-4) << "sphere " << i;
}

TEST_P(ThreeSpheres, GiveWayBelowTheFrictionOfStatics) {
    const auto [h, ratio] = GetParam();
    Experiment run(large_on_small(h, ratio, 0.9 * needed(ratio)));
    const Vec3 start = run.body(2).position;
    run.until(0.5);
    EXPECT_LT(run.body(2).position.z, start.z - 0.1 * small);
}

}  // namespace
}  // namespace scree::test
