// SPDX-License-Identifier: BSD-3-Clause
// Which bodies a feed makes, when they are due, and where they join.
#include "engine/geometry/feed.hpp"
#include "engine/geometry/mass.hpp"
#include "tests/unit/geometry/source_scenes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::geometry {
namespace {

using model::FeedSource;
using model::Scene;
using model::Vec3;

constexpr double h = 1e-3;

FeedSource spout(double rate) {
    FeedSource feed;
    feed.region.lower = {-0.1, -0.1, 0.0};
    feed.region.upper = {0.1, 0.1, 0.1};
    feed.sizes.kind = model::SizeDistribution::Kind::uniform;
    feed.sizes.lower = 2e-3;
    feed.sizes.upper = 5e-3;
    feed.rate = rate;
    return feed;
}

Scene scene_with(const FeedSource& feed) {
    Scene scene = test::scene_with(feed);
    scene.settings.time.step = h;
    scene.settings.time.end = 10.0;
    return scene;
}

/// Steps of a world in which bodies vanish at once; with their steps.
struct Joined {
    std::vector<model::Sphere> bodies;
    std::vector<std::int64_t> steps;
};
Joined run(Feeder& feeder, std::int64_t steps) {
    Joined all;
    for (std::int64_t step = 0; step < steps; ++step) {
        if (!feeder.acts(step)) continue;
        for (const model::Sphere& body : feeder.join(step, {}, {})) {
            all.bodies.push_back(body);
            all.steps.push_back(step);
        }
    }
    return all;
}

void expect_apart(const std::vector<model::Sphere>& bodies, double gap,
                  const std::array<model::PeriodicFaces, 3>& periodic = {}) {
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            Vec3 way = bodies[i].position - bodies[j].position;
            if (periodic[0].active) {
                const double period = periodic[0].upper - periodic[0].lower;
                way.x -= period * std::round(way.x / period);
            }
            EXPECT_GE(norm(way) - bodies[i].radius - bodies[j].radius, gap - 1e-12) << i << " " << j;
        }
}

TEST(Feed, BringsBodiesAtItsRateEveryTenSteps) {
    const Scene scene = scene_with(spout(250.0));
    Feeder feeder(scene);
    const Joined joined = run(feeder, 1001);
    // The first at t = 0, then one every 4 ms.
    ASSERT_EQ(joined.bodies.size(), 251U);
    for (std::size_t k = 0; k < joined.steps.size(); ++k) {
        EXPECT_EQ(joined.steps[k] % 10, 0);
        const double wait = double(joined.steps[k]) * h - double(k) / 250.0;
        EXPECT_GE(wait, -1e-9);
        EXPECT_LT(wait, 10 * h);
    }
}

TEST(Feed, StartsEndsAndStopsAtItsCount) {
    FeedSource feed = spout(1000.0);
    feed.start = 0.0205;
    feed.end = 0.0505;
    feed.interval = 2e-3;
    {
        Feeder feeder(scene_with(feed));
        const Joined joined = run(feeder, 200);
        EXPECT_EQ(joined.bodies.size(), 30U);
        EXPECT_EQ(joined.steps.front(), 21);
        EXPECT_LE(joined.steps.back(), 51);
        for (const std::int64_t step : joined.steps) EXPECT_EQ((step - 21) % 2, 0);
    }
    feed.count = 12;
    Feeder feeder(scene_with(feed));
    EXPECT_EQ(run(feeder, 200).bodies.size(), 12U);
    EXPECT_EQ(feeder.feeds()[0].next_due(), HUGE_VAL);
}

TEST(Feed, BringsItsMassRate) {
    FeedSource feed = spout(0.0);
    feed.mass_rate = 0.2;
    Feeder feeder(scene_with(feed));
    const Joined joined = run(feeder, 2001);
    double mass = 0.0;
    for (const model::Sphere& body : joined.bodies) mass += sphere_mass(2500.0, body.radius);
    // At 2 s, the body that began the last gram included.
    EXPECT_NEAR(mass, 0.4, sphere_mass(2500.0, 5e-3));
    EXPECT_NEAR(feeder.feeds()[0].due(2.0), double(joined.bodies.size()), 2.0);
    EXPECT_NEAR(feeder.feeds()[0].mean_mass(), mass / double(joined.bodies.size()),
                0.02 * feeder.feeds()[0].mean_mass());
}

TEST(Feed, FollowsItsSizesInEveryBatch) {
    Feeder feeder(scene_with(spout(1000.0)));
    const Joined joined = run(feeder, 1101);
    ASSERT_GE(joined.bodies.size(), 1024U);
    for (std::size_t batch = 0; batch < 4; ++batch) {
        std::vector<double> radii;
        for (std::size_t k = 0; k < 256; ++k) radii.push_back(joined.bodies[256 * batch + k].radius);
        const bool sorted = std::is_sorted(radii.begin(), radii.end());
        EXPECT_FALSE(sorted);
        std::sort(radii.begin(), radii.end());
        for (std::size_t k = 0; k < 256; ++k) {
            EXPECT_GE(radii[k], 2e-3 + 3e-3 * double(k) / 256.0 - 1e-15);
            EXPECT_LE(radii[k], 2e-3 + 3e-3 * double(k + 1) / 256.0 + 1e-15);
        }
    }
    // Two batches are not the same radii in the same order.
    EXPECT_NE(joined.bodies[0].radius, joined.bodies[256].radius);
}

TEST(Feed, KeepsBodiesInsideApartAndReproducible) {
    FeedSource feed = spout(5000.0);
    feed.gap = 1e-3;
    feed.interval = 20e-3;
    const Scene scene = scene_with(feed);
    Feeder one(scene), other(scene);
    for (const std::int64_t step : {0, 20, 40}) {
        const auto bodies = one.join(step, {}, {});
        ASSERT_GE(bodies.size(), step == 0 ? 1U : 90U);
        expect_apart(bodies, 1e-3);
        for (const model::Sphere& body : bodies) {
            EXPECT_LE(std::abs(body.position.x), 0.1 - body.radius + 1e-12);
            EXPECT_GE(body.position.z, body.radius - 1e-12);
            EXPECT_LE(body.position.z, 0.1 - body.radius + 1e-12);
        }
        const auto again = other.join(step, {}, {});
        ASSERT_EQ(again.size(), bodies.size());
        for (std::size_t k = 0; k < bodies.size(); ++k) EXPECT_EQ(again[k].position, bodies[k].position);
    }
}

TEST(Feed, WhatFindsNoPlaceWaitsInItsOrder) {
    FeedSource feed = spout(1e6);
    feed.interval = h;
    feed.region.lower = {-0.03, -0.03, 0.0};
    feed.region.upper = {0.03, 0.03, 0.06};
    const Scene scene = scene_with(feed);
    Feeder crowded(scene);
    std::vector<model::Sphere> first = crowded.join(0, {}, {});
    EXPECT_EQ(first.size(), 1U);
    std::vector<model::Sphere> next = crowded.join(1, {}, {});
    EXPECT_GT(next.size(), 100U);  // 1000 are due, for which there is no room
    EXPECT_LT(next.size(), 999U);
    expect_apart(next, 0.0);
    // Those that are there leave no place.
    std::vector<double> places;
    for (const auto* bodies : {&first, &next})
        for (const model::Sphere& body : *bodies)
            places.insert(places.end(), {body.position.x, body.position.y, body.position.z, body.radius});
    const std::size_t joined = crowded.feeds()[0].joined();
    const auto more = crowded.join(2, places, {});
    EXPECT_LT(more.size(), next.size() / 4);
    // Nobody was passed over.
    Feed order(scene, crowded.solids(), 0);
    std::vector<model::Sphere> all = first;
    all.insert(all.end(), next.begin(), next.end());
    all.insert(all.end(), more.begin(), more.end());
    ASSERT_EQ(all.size(), joined + more.size());
    for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(all[k].radius, order.body(k).radius);
}

TEST(Feed, KnowsPeriodicImages) {
    FeedSource feed = spout(1e5);
    feed.interval = h;
    Scene scene = scene_with(feed);
    scene.periodic[0] = {true, -0.1, 0.1};
    Feeder feeder(scene);
    const auto first = feeder.join(0, {}, {});
    auto bodies = feeder.join(3, {}, {});
    ASSERT_GT(bodies.size(), 100U);
    expect_apart(bodies, 0.0, scene.periodic);
    std::vector<double> places;
    for (const model::Sphere& body : bodies)
        // Where an image of it is: nothing changes for a world between its faces, but a feed may reach over them.
        places.insert(places.end(), {body.position.x, body.position.y, body.position.z, body.radius});
    const auto more = feeder.join(4, places, {});
    ASSERT_GT(more.size(), 10U);
    bodies.insert(bodies.end(), more.begin(), more.end());
    expect_apart(bodies, 0.0, scene.periodic);
}

TEST(Feed, LargeSolidsAreInTheWayByTheirShape) {
    // A plate across the region at half height, whose sphere holds all of it.
    model::BodySource plate;
    plate.shape = model::SolidBox{{0.2, 0.2, 0.01}};
    plate.position = {0, 0, 0.05};
    Scene scene = scene_with(spout(20000.0));
    test::add_source(scene, "plate", plate);
    Feeder feeder(scene);
    model::Sphere there;
    there.position = plate.position;
    there.radius = std::sqrt(0.2 * 0.2 * 2 + 0.01 * 0.01);
    there.source = 1;
    const std::vector<double> places{0, 0, 0.05, there.radius};
    const auto bodies = feeder.join(10, places, [&](std::size_t) { return there; });
    ASSERT_GT(bodies.size(), 100U);
    for (const model::Sphere& body : bodies)
        EXPECT_GE(std::abs(body.position.z - 0.05) - body.radius - 0.01, -1e-9) << body.position.z;
}

TEST(Feed, GoesOnWhereItWas) {
    const Scene scene = scene_with(spout(700.0));
    Feeder whole(scene), continued(scene);
    (void)run(whole, 500);
    const std::vector<std::uint32_t> sources(whole.feeds()[0].joined(), 0);
    EXPECT_EQ(continued.joined_before(sources).size(), sources.size());
    EXPECT_EQ(whole.feeds()[0].next_due(), continued.feeds()[0].next_due());
    const auto a = whole.join(510, {}, {}), b = continued.join(510, {}, {});
    ASSERT_EQ(a.size(), b.size());
    ASSERT_GT(a.size(), 3U);
    for (std::size_t k = 0; k < a.size(); ++k) {
        EXPECT_EQ(a[k].position, b[k].position);
        EXPECT_EQ(a[k].radius, b[k].radius);
    }
}

TEST(Feed, ExpectsWhatWillCome) {
    FeedSource feed = spout(1e5);
    feed.end = 3.0;
    const Feeder feeder(scene_with(feed));
    const auto expected = feeder.expected();
    double copies = 0.0;
    for (const double c : expected.copies) copies += c;
    EXPECT_NEAR(copies, 3e5, 1e-6);
    EXPECT_LE(expected.bodies.size(), 10000U);
}

TEST(Feed, RefusesWhatMakesNoSense) {
    const auto message = [](const FeedSource& feed) {
        const model::Error error = test::error_of([&] { Feeder feeder(scene_with(feed)); });
        EXPECT_EQ(error.kind(), model::ErrorKind::input);
        return error.message();
    };
    FeedSource feed = spout(100.0);
    feed.region.upper.z = 0.009;
    EXPECT_NE(message(feed).find("source 'first': feed: the largest body has a radius of 0.005 m, the region holds "
                                 "0.0045 m"),
              std::string::npos);
    feed = spout(1e12);
    EXPECT_NE(message(feed).find("bodies are due until time.end"), std::string::npos);
    feed = spout(100.0);
    feed.mass_rate = 1.0;
    EXPECT_NE(message(feed).find("one rate"), std::string::npos);
}

}  // namespace
}  // namespace scree::geometry
