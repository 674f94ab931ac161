// SPDX-License-Identifier: BSD-3-Clause
// Bodies that join during the run: they fall as bodies do, the books and the energies balance, and a continued run is
// the uninterrupted one.
#include "engine/simulation/run_statistics.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace scree::test {
namespace {

using simulation::RunStatistics;

/// A feed above a floor between four walls, 40 mm wide.
SceneMaker bin(model::Precision precision) {
    SceneMaker scene(1e-3);
    scene.precision(precision).solver(1e-2, 500).law({.friction = 0.4, .restitution = 0.3});
    scene.plane({0, 0, 0}, {0, 0, 1});
    for (const double side : {-1.0, 1.0}) {
        scene.plane({side * 0.02, 0, 0}, {-side, 0, 0});
        scene.plane({0, side * 0.02, 0}, {0, -side, 0});
    }
    return scene;
}

model::Source& add_feed(SceneMaker& scene, double rate) {
    model::FeedSource feed;
    feed.region.lower = {-0.018, -0.018, 0.08};
    feed.region.upper = {0.018, 0.018, 0.1};
    feed.sizes.kind = model::SizeDistribution::Kind::uniform;
    feed.sizes.lower = 1.5e-3;
    feed.sizes.upper = 3e-3;
    feed.rate = rate;
    model::Source source;
    source.name = "spout";
    source.material = scene.material(2500.0);
    source.velocity = {0, 0, -0.5};
    source.angular_velocity = {10, 0, 5};
    source.what = feed;
    scene.edit().sources.push_back(source);
    return scene.edit().sources.back();
}

model::FeedSource& feed_of(model::Source& source) { return std::get<model::FeedSource>(source.what); }

class Feeds : public testing::TestWithParam<model::Precision> {};
INSTANTIATE_TEST_SUITE_P(Precisions, Feeds, testing::Values(model::Precision::double_, model::Precision::mixed),
                         [](const auto& kinds) {
                             return kinds.param == model::Precision::double_ ? "Double" : "Mixed";
                         });

TEST_P(Feeds, BodiesFallFromWhereAndWhenTheyJoin) {
    SceneMaker maker(1e-3);
    maker.precision(GetParam());
    model::FeedSource& feed = feed_of(add_feed(maker, 100.0));
    feed.end = 0.2;
    // From one height: nobody meets who came before.
    feed.sizes = {};
    feed.sizes.radius = 1.5e-3;
    feed.region.lower.z = 0.0969;
    Experiment run(maker);
    std::map<std::uint64_t, std::pair<double, Vec3>> joined;  // time and place
    run.until(0.3, [&] {
        const model::Snapshot& now = run.now();
        for (std::size_t i = 0; i < now.id.size(); ++i) {
            const Vec3 x = now.position[i];
            // One step of free fall after it joined.
            if (!joined.contains(now.id[i])) joined[now.id[i]] = {run.time() - run.h(), x - run.h() * now.velocity[i]};
            const auto& [time, start] = joined[now.id[i]];
            const double h = run.h(), n = std::round((run.time() - time) / h);
            EXPECT_NEAR(x.z, start.z - 0.5 * n * h - 0.5 * gravity * n * (n + 1) * h * h, 2e-6);
            EXPECT_NEAR(x.x, start.x, 2e-6);
            EXPECT_NEAR(now.angular_velocity[i].x, 10.0, 1e-5);
        }
    });
    EXPECT_EQ(joined.size(), 20U);
    for (const auto& [id, from] : joined) {
        EXPECT_GE(from.second.z, 0.0969);
        EXPECT_LE(from.second.z, 0.1);
        // Ids are in order of joining.
        EXPECT_NEAR(from.first, 0.01 * double(id - 1), 1e-9);
    }
}

TEST_P(Feeds, BooksAndEnergiesBalanceWithAnOutlet) {
    for (const bool solids : {false, true}) {
        SceneMaker maker = bin(GetParam());
        maker.outlet({0, 0, 0.01}, {0, 0, -1});
        maker.edit().boundaries[0].remove_at = 0.3;  // the floor opens
        model::Source& source = add_feed(maker, 1500.0);
        feed_of(source).end = 0.5;
        if (solids) {
            source.shape = model::SolidBox{{0.003, 0.002, 0.001}};
            source.turned_at_random = true;
        }
        maker.sphere({.position = {0, 0, 0.01}, .radius = 0.003, .mass = 1e-3});
        Experiment run(maker);
        RunStatistics statistics(run.simulation().scene());
        statistics.start(run.simulation().snapshot(false));
        std::int64_t inserted = 1;
        run.until(0.8, [&] {
            statistics.add(run.report(), run.simulation().free_mass());
            inserted += run.report().inserted;
            const auto& balance = run.simulation().balance();
            ASSERT_EQ(balance.inserted, std::uint64_t(inserted));
            ASSERT_EQ(balance.inserted, balance.removed + std::uint64_t(run.simulation().body_count()));
        });
        EXPECT_EQ(inserted, 751);
        EXPECT_GT(run.simulation().balance().removed, 300U);
        const auto defect = statistics.energy().relative_defect(run.simulation().snapshot(false));
        ASSERT_TRUE(defect.has_value());
        EXPECT_LT(std::abs(*defect), GetParam() == model::Precision::double_ ? 1e-6 : 1e-3);
        const auto feeds = run.simulation().feeds();
        ASSERT_EQ(feeds.size(), 1U);
        EXPECT_EQ(feeds[0].due, 750U);
        EXPECT_EQ(feeds[0].joined, 750U);
        EXPECT_NEAR(feeds[0].radius_mean, 2.25e-3, 1e-5);
        EXPECT_NEAR(run.simulation().free_mass(), 1e-3 + feeds[0].mass - run.simulation().balance().removed_mass[0],
                    1e-12);
    }
}

TEST_P(Feeds, BodiesThatAnOutletTakesAtOnceLeaveTheBalanceClosed) {
    SceneMaker maker = bin(GetParam());
    maker.outlet({0, 0, 1}, {0, 0, -1});
    add_feed(maker, 1000.0);
    Experiment run(maker);
    RunStatistics statistics(run.simulation().scene());
    statistics.start(run.simulation().snapshot(false));
    run.until(0.3, [&] { statistics.add(run.report(), run.simulation().free_mass()); });
    EXPECT_GT(run.simulation().balance().inserted, 200U);
    EXPECT_EQ(run.simulation().balance().inserted, run.simulation().balance().removed);
    const auto defect = statistics.energy().relative_defect(run.simulation().snapshot(false));
    ASSERT_TRUE(defect.has_value());
    EXPECT_LT(std::abs(*defect), GetParam() == model::Precision::double_ ? 1e-6 : 1e-3);
}

/// The same run in one piece and in two, with what a run may have.
void expect_same_continued(const SceneMaker& maker, double half, double end) {
    Experiment whole(maker), first(maker);
    whole.until(end);
    first.until(half);
    const io::Checkpoint saved = first.simulation().save();
    Experiment second(maker);
    second.simulation().restore(saved);
    EXPECT_EQ(second.simulation().balance().inserted, first.simulation().balance().inserted);
    EXPECT_EQ(model::state_hash(second.now()), model::state_hash(first.now()));
    second.until(end);
    EXPECT_EQ(model::state_hash(second.now()), model::state_hash(whole.now()));
    EXPECT_EQ(second.simulation().feeds()[0].mass, whole.simulation().feeds()[0].mass);
    // And back, in the object that has gone on.
    second.simulation().restore(saved);
    EXPECT_EQ(second.simulation().balance().inserted, first.simulation().balance().inserted);
    second.until(end);
    EXPECT_EQ(model::state_hash(second.now()), model::state_hash(whole.now()));
}

TEST_P(Feeds, AContinuedRunIsTheUninterruptedOne) {
    SceneMaker maker = bin(GetParam());
    add_feed(maker, 1500.0);
    for (const double half : {0.0, 0.005, 0.2}) expect_same_continued(maker, half, 0.4);
}

TEST_P(Feeds, AContinuedRunOfSolidsThatSleepIsTheUninterruptedOne) {
    SceneMaker maker = bin(GetParam());
    model::Source& source = add_feed(maker, 1000.0);
    source.shape = model::SolidBox{{0.003, 0.002, 0.001}};
    source.turned_at_random = true;
    maker.edit().settings.sleep = {5e-3, 0.05};
    expect_same_continued(maker, 0.25, 0.4);
}

TEST_P(Feeds, JoinWorldsWithJointsAndPrescribedBodies) {
    SceneMaker maker = bin(GetParam());
    const std::size_t blade =
        maker.solid(model::SolidBox{{0.015, 0.001, 0.005}}, {.position = {0, 0, 0.03}, .mass = 0.01});
    model::Joint& joint = maker.joint(model::RevoluteJoint{{0, 0, 0.03}}, blade, SceneMaker::ground);
    joint.name = "hinge";
    const std::size_t paddle =
        maker.solid(model::SolidBox{{0.015, 0.001, 0.003}}, {.position = {0, 0, 0.008}, .fixed = true});
    model::Motion turning;
    turning.kind = model::Motion::Kind::rotation;
    turning.angular_speed = 10.0;
    maker.edit().sources[paddle].motions = {turning};
    add_feed(maker, 1000.0);
    expect_same_continued(maker, 0.15, 0.3);
}

TEST(FeedRuns, HaveTheSameBitsForAnyNumberOfThreads) {
    SceneMaker maker = bin(model::Precision::mixed);
    add_feed(maker, 2000.0);
    std::uint64_t hash = 0;
    for (const std::size_t threads : {1U, 2U, 3U}) {
        maker.edit().settings.threads = threads;
        Experiment run(maker);
        run.until(0.3);
        if (threads == 1) hash = model::state_hash(run.now());
        EXPECT_EQ(model::state_hash(run.now()), hash) << threads;
    }
}

TEST(FeedRuns, CountForTheStiffnessLikeBodiesOfTheStart) {
    SceneMaker fed = bin(model::Precision::mixed);
    fed.edit().settings.time.end = 1.0;
    model::FeedSource& feed = feed_of(add_feed(fed, 1000.0));
    feed.sizes = {};
    feed.sizes.radius = 2e-3;
    feed.count = 500;
    SceneMaker start = bin(model::Precision::mixed);
    for (int i = 0; i < 500; ++i)
        start.sphere({.position = {-0.016 + 0.0045 * (i % 8), -0.016 + 0.0045 * (i / 8 % 8), 0.002 + 0.0045 * (i / 64)},
                      .radius = 2e-3,
                      .mass = mass_of(2500.0, 2e-3)});
    const double with_feed = Experiment(fed).simulation().resolved().stiffness,
                 with_all = Experiment(start).simulation().resolved().stiffness;
    // The footprints of the bodies are those of the region and of the lattice.
    EXPECT_NEAR(with_feed / with_all, 1.0, 0.15);
}

}  // namespace
}  // namespace scree::test
