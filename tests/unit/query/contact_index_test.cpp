// SPDX-License-Identifier: BSD-3-Clause
#include "engine/query/contact_index.hpp"

#include "engine/model/error.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace scree::query {
namespace {

using model::Vec3;
using test::Experiment;
using test::SceneMaker;

// Solves end at 1e-9 of g h: forces are exact to about that share of the weight.
constexpr double share = 1e-6;

void expect_load(const Load& load, Vec3 force, Vec3 torque, std::size_t contacts, double scale) {
    EXPECT_NEAR(norm(load.force - force), 0.0, share * scale);
    EXPECT_NEAR(norm(load.torque - torque), 0.0, share * scale);
    EXPECT_EQ(load.contacts, contacts);
}

TEST(ContactIndex, AStackOfTwoBallsPassesTheirWeightsDown) {
    SceneMaker maker(1e-3);
    maker.exact();
    maker.plane();
    maker.sphere({.position = {0, 0, 0.5}, .radius = 0.5, .mass = 2.0});
    maker.sphere({.position = {0, 0, 1.5}, .radius = 0.5, .mass = 1.0});
    maker.sphere({.position = {9, 0, 5.0}, .radius = 0.5, .mass = 1.0});  // falls
    Experiment run(maker);
    run.until(0.5);
    const ContactIndex contacts(run.simulation().scene(), run.now());
    const double g = test::gravity;
    EXPECT_EQ(contacts.of_body(1).size(), 2u);
    EXPECT_EQ(contacts.of_body(2).size(), 1u);
    EXPECT_TRUE(contacts.of_body(3).empty());
    EXPECT_EQ(contacts.of_boundary(0).size(), 1u);
    EXPECT_EQ(contacts.between_bodies(1, 2), contacts.between_bodies(2, 1));
    expect_load(contacts.on_body_by_body(2, 1), {0, 0, g}, {}, 1, g);
    expect_load(contacts.on_body_by_body(1, 2), {0, 0, -g}, {}, 1, g);
    expect_load(contacts.on_body_by_boundary(1, 0), {0, 0, 3 * g}, {}, 1, g);
    expect_load(contacts.on_body_by_boundary(2, 0), {}, {}, 0, g);
    expect_load(contacts.on_body_by_body(3, 1), {}, {}, 0, g);
    expect_load(contacts.on_body(1), {0, 0, 2 * g}, {}, 2, g);
    expect_load(contacts.on_body(3), {}, {}, 0, g);
    expect_load(contacts.on_boundary(0), {0, 0, -3 * g}, {}, 1, g);
}

TEST(ContactIndex, PairsOfABodyAddUpToItsLoad) {
    // A box that slides: friction at four corners, with a torque about its centre.
    SceneMaker maker(1e-3);
    maker.exact().law({.friction = 0.3});
    maker.plane();
    maker.solid(model::SolidBox{{0.2, 0.2, 0.1}}, {.position = {0, 0, 0.1}, .velocity = {2, 0, 0}});
    Experiment run(maker);
    run.until(0.1);
    const ContactIndex contacts(run.simulation().scene(), run.now());
    const double g = test::gravity;
    const Load by_floor = contacts.on_body_by_boundary(1, 0), all = contacts.on_body(1);
    EXPECT_EQ(by_floor.contacts, 4u);
    EXPECT_NEAR(norm(by_floor.force - Vec3{-0.3 * g, 0, g}), 0.0, 1e-4 * g);
    EXPECT_NEAR(norm(by_floor.force - all.force), 0.0, share * g);
    // Points of contact are those before the step, 2 mm ago at most: times the weight.
    EXPECT_NEAR(norm(by_floor.torque - all.torque), 0.0, 2.1e-3 * g);
}

TEST(ContactIndex, FixedBodiesKnowWhatTheyCarry) {
    SceneMaker maker(1e-3);
    maker.exact();
    maker.sphere({.position = {0, 0, 0}, .radius = 0.5, .fixed = true});
    maker.sphere({.position = {0, 0, 1}, .radius = 0.5, .mass = 1.0});
    Experiment run(maker);
    run.until(0.2);
    const ContactIndex contacts(run.simulation().scene(), run.now());
    expect_load(contacts.on_body(1), {0, 0, -test::gravity}, {}, 1, test::gravity);
}

TEST(ContactIndex, ArmsReachOverPeriodicFaces) {
    // Two equal balls pressed together over the face; the upper one would roll but for the one below it.
    SceneMaker maker(1e-3);
    maker.exact().law({.friction = 0.5}).periodic(0, 0.0, 10.0);
    maker.sphere({.position = {0.3, 0, 0.5}, .radius = 0.5, .fixed = true});
    maker.sphere({.position = {9.5, 0, 0.5 + 0.6}, .radius = 0.5, .mass = 1.0});
    Experiment run(maker);
    run.steps(2);
    const ContactIndex contacts(run.simulation().scene(), run.now());
    const Load on_upper = contacts.on_body_by_body(2, 1), on_lower = contacts.on_body_by_body(1, 2);
    ASSERT_EQ(on_upper.contacts, 1u);
    EXPECT_GT(norm(on_upper.force), 1.0);
    EXPECT_NEAR(norm(on_upper.force + on_lower.force), 0.0, 1e-12);
    // Arms are the radii: torques of the tangential force alone, equal on both.
    EXPECT_LE(norm(on_upper.torque), 0.51 * norm(on_upper.force));
    EXPECT_NEAR(norm(on_upper.torque - contacts.on_body(2).torque), 0.0, 1e-3 * norm(on_upper.force));
    EXPECT_NEAR(norm(on_lower.torque - on_upper.torque), 0.0, 1e-3 * norm(on_upper.force));
}

TEST(ContactIndex, BodiesThatAnOutletTakesLeaveNoContactsBehind) {
    SceneMaker maker(1e-3);
    maker.law({.friction = 0.5});
    maker.plane();
    maker.outlet({0.5, 0, 0}, {1, 0, 0});
    for (int k = 0; k < 20; ++k)
        maker.sphere({.position = {-0.1 * k, 0, 0.05}, .radius = 0.05, .velocity = {3.0 - 0.05 * k, 0, 0}});
    Experiment run(maker);
    std::size_t most = 0, last = 20;
    run.until(0.5, [&] {
        const ContactIndex contacts(run.simulation().scene(), run.now());
        most = std::max(most, contacts.of_boundary(0).size());
        last = run.now().id.size();
    });
    EXPECT_EQ(most, 20u);
    EXPECT_LT(last, 20u);
}

TEST(ContactIndex, UnknownBodiesAndBoundariesAreErrorsWithAHint) {
    SceneMaker maker(1e-3);
    maker.plane();
    maker.sphere({.position = {0, 0, 3}});
    Experiment run(maker);
    const ContactIndex contacts(run.simulation().scene(), run.now());
    EXPECT_TRUE(contacts.of_body(1).empty()) << "before the first step";
    const std::function<void()> bad[] = {[&] { (void)contacts.of_body(0); },
                                         [&] { (void)contacts.of_body(2); },
                                         [&] { (void)contacts.between_bodies(1, 7); },
                                         [&] { (void)contacts.on_body_by_boundary(1, 1); },
                                         [&] { (void)contacts.on_boundary(1); },
                                         [&] { (void)boundary_named(run.simulation().scene(), "wall 9"); }};
    for (const auto& ask : bad) {
        try {
            ask();
            ADD_FAILURE() << "no error";
        } catch (const model::Error& error) {
            EXPECT_EQ(error.kind(), model::ErrorKind::input);
            EXPECT_FALSE(error.hint().empty());
        }
    }
    EXPECT_EQ(boundary_named(run.simulation().scene(), "wall 0"), 0u);
}

}  // namespace
}  // namespace scree::query
