// SPDX-License-Identifier: BSD-3-Clause
// Outlets take bodies, and the books balance: inserted = removed + lost + present.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

namespace scree::test {
namespace {

class Outlets : public testing::TestWithParam<std::tuple<double, model::Precision>> {
protected:
    static SceneMaker scene() {
        const auto [h, precision] = GetParam();
        SceneMaker scene(h);
        scene.precision(precision);
        return scene;
    }
};
INSTANTIATE_TEST_SUITE_P(Step, Outlets,
                         testing::Combine(testing::Values(1e-3, 5e-4),
                                          testing::Values(model::Precision::double_, model::Precision::mixed)));

TEST_P(Outlets, TakeEachBodyWhenItsCentreHasPassed) {
    SceneMaker maker = scene();
    const std::vector<double> heights = {0.1, 0.2, 0.4, 0.8};
    double mass = 0.0;
    for (const double z : heights) {
        maker.sphere({.position = {10.0 * z, 0, z}, .radius = 0.01, .mass = z});
        mass += z;
    }
    const std::size_t outlet = maker.outlet({0, 0, 0}, {0, 0, -1});
    Experiment run(maker);
    std::vector<double> times;
    run.until(0.6, [&] {
        const auto& balance = run.simulation().balance();
        ASSERT_EQ(balance.inserted, balance.removed + balance.lost + std::uint64_t(run.simulation().body_count()));
        while (times.size() < balance.removed) times.push_back(run.time());
    });
    ASSERT_EQ(times.size(), heights.size());
    // A body is taken in the step after the one that carries it past.
    for (std::size_t i = 0; i < heights.size(); ++i)
        EXPECT_NEAR(times[i], std::sqrt(2.0 * heights[i] / gravity), 2.0 * run.h());
    EXPECT_EQ(run.simulation().balance().removed_by_outlet[outlet], 4U);
    EXPECT_NEAR(run.simulation().balance().removed_mass[outlet], mass, 1e-12 * mass);
    EXPECT_NEAR(run.simulation().free_mass(), 0.0, 1e-12 * mass);
    EXPECT_EQ(run.simulation().balance().lost, 0U);
    EXPECT_EQ(run.now().removed_count[outlet], 4U);
}

TEST_P(Outlets, OfAListTheFirstThatAppliesCounts) {
    SceneMaker maker = scene();
    maker.acceleration({});
    maker.sphere({.position = {0.5, 0, 0}, .radius = 0.01, .velocity = {1, 0, 0}});
    maker.sphere({.position = {-0.5, 0, 0}, .radius = 0.01, .velocity = {-1, 0, 0}});
    maker.sphere({.position = {0, 0, 0}, .radius = 0.01, .velocity = {0, 1, 0}});
    maker.sphere({.position = {0, 0, 0.5}, .radius = 0.01});
    maker.outlet({1, 0, 0}, {1, 0, 0});
    model::Outlet box;
    box.name = "box";
    box.kind = model::Outlet::Kind::box;
    box.lower = {-1, -1, -1};
    box.upper = {1, 1, 1};
    maker.edit().outlets.push_back(box);
    Experiment run(maker);
    run.until(1.5);
    const auto& balance = run.simulation().balance();
    EXPECT_EQ(balance.removed_by_outlet, (std::vector<std::uint64_t>{1, 2}));
    EXPECT_EQ(run.simulation().body_count(), 1);
    EXPECT_NEAR(run.body(3).position.z, 0.5, 1e-12);  // ids outlive the others
}

TEST_P(Outlets, ADrainTakesWhatGetsIntoIt) {
    SceneMaker maker = scene();
    maker.acceleration({});
    maker.sphere({.position = {-0.5, 0, 0}, .radius = 0.01, .velocity = {1, 0, 0}});
    maker.sphere({.position = {-0.5, 0.2, 0}, .radius = 0.01, .velocity = {1, 0, 0}});  // passes beside it
    model::Outlet drain;
    drain.name = "drain";
    drain.kind = model::Outlet::Kind::box;
    drain.lower = {-0.1, -0.1, -0.1};
    drain.upper = {0.1, 0.1, 0.1};
    drain.takes_inside = true;
    maker.edit().outlets.push_back(drain);
    Experiment run(maker);
    run.until(0.4 - 2.0 * run.h());
    EXPECT_EQ(run.simulation().body_count(), 2);
    run.until(0.4 + 2.0 * run.h());
    EXPECT_EQ(run.simulation().body_count(), 1);
    run.until(1.0);
    EXPECT_EQ(run.simulation().balance().removed_by_outlet, (std::vector<std::uint64_t>{1}));
    EXPECT_NEAR(run.body(1).position.x, 0.5, 1e-6);
}

// A removed body leaves nothing behind: what rested on it falls, what pushed on it goes on.
TEST_P(Outlets, LeaveNoContactsBehind) {
    SceneMaker maker = scene();
    maker.acceleration({0, 0, -gravity});
    const std::size_t carrier =
        maker.sphere({.position = {0, 0, 0.1}, .radius = 0.1, .velocity = {0, 0, 0}, .mass = 1.0, .fixed = true});
    const std::size_t rider = maker.sphere({.position = {0, 0, 0.3}, .radius = 0.1});
    maker.edit().sources[carrier].velocity = {0, 0, -0.2};
    maker.outlet({0, 0, 0}, {0, 0, -1});
    Experiment run(maker);
    run.until(0.45);
    EXPECT_NEAR(run.body(rider).velocity.z, -0.2, 1e-3);
    EXPECT_NEAR(run.body(rider).force.z, gravity, 1e-2 * gravity);
    run.until(0.6);  // the carrier is gone at 0.5 s
    EXPECT_EQ(run.simulation().body_count(), 1);
    EXPECT_NEAR(run.body(rider).velocity.z, -0.2 - gravity * 0.1, 3.0 * gravity * run.h());
    EXPECT_EQ(run.simulation().balance().removed_mass[0], 0.0);  // a fixed body has no mass to lose
}

}  // namespace
}  // namespace scree::test
