// SPDX-License-Identifier: BSD-3-Clause
#include "engine/query/rest.hpp"

#include "engine/geometry/random_stream.hpp"
#include "engine/model/error.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::query {
namespace {

using model::Vec3;
using test::Experiment;
using test::SceneMaker;

model::Snapshot one_body(double time, Vec3 velocity, Vec3 spin, double radius = 0.5, double mass = 1.0) {
    model::Snapshot s;
    s.time = time;
    s.id = {1};
    s.position = {{}};
    s.orientation = {{}};
    s.velocity = {velocity};
    s.angular_velocity = {spin};
    s.radius = {radius};
    s.mass = {mass};
    return s;
}

TEST(SurfaceSpeed, IsThatOfTheFastestPoint) {
    EXPECT_EQ(surface_speed(one_body(0, {3, 4, 0}, {}), 0), 5.0);
    EXPECT_EQ(surface_speed(one_body(0, {}, {0, 0, 8}), 0), 4.0);
    EXPECT_EQ(surface_speed(one_body(0, {1, 0, 0}, {0, 2, 0}), 0), 2.0) << "a ball that rolls: the top at 2 v";
    EXPECT_EQ(surface_speed(one_body(0, {0, 0, 3}, {0, 0, 8}), 0), 5.0) << "a screw";
    geometry::RandomStream random(3);
    const auto any = [&] { return random.between(-1.0, 1.0); };
    for (int k = 0; k < 20; ++k) {
        const Vec3 v{any(), any(), any()}, w{any(), any(), any()};
        double fastest = 0.0;
        for (int i = 0; i < 20000; ++i) {
            const Vec3 arm = 0.5 * normalized(Vec3{any(), any(), any()});
            fastest = std::max(fastest, norm(v + cross(w, arm)));
        }
        const double speed = surface_speed(one_body(0, v, w), 0);
        EXPECT_LE(fastest, speed * (1.0 + 1e-12));
        EXPECT_GE(fastest, speed * 0.99);  // samples lie about 0.02 rad apart
    }
}

TEST(AllSlow, LooksAtTheSurfacesOfFreeBodies) {
    model::Snapshot s = one_body(0, {}, {0, 0, 8});
    EXPECT_FALSE(all_slow(s, 4.0));
    EXPECT_TRUE(all_slow(s, 4.1));
    s.mass[0] = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(all_slow(s, 1e-3)) << "fixed bodies may move";
    EXPECT_TRUE(all_slow({}, 1e-3));
}

TEST(RestWatch, ABodyRestsWhenItWasSlowForTheWholeWindow) {
    RestWatch watch({.speed = 0.1, .window = 0.3});
    EXPECT_FALSE(watch.all_at_rest()) << "nothing is known yet";
    watch.update(one_body(0.0, {1, 0, 0}, {}));
    for (const double t : {0.1, 0.2, 0.3}) {
        watch.update(one_body(t, {0.05, 0, 0}, {}));
        EXPECT_FALSE(watch.at_rest(1)) << t;
    }
    watch.update(one_body(0.1 + 0.3, {0.05, 0, 0}, {}));
    EXPECT_TRUE(watch.at_rest(1));
    EXPECT_TRUE(watch.all_at_rest());
    EXPECT_EQ(watch.count_at_rest(), 1u);
    watch.update(one_body(0.5, {0, 0, 0}, {0, 0, 1}));  // spins at 0.5 m/s
    EXPECT_FALSE(watch.at_rest(1));
    watch.update(one_body(0.6, {}, {}));
    EXPECT_FALSE(watch.at_rest(1)) << "the window begins anew";
}

TEST(RestWatch, ABallAtTheTopOfItsWayDoesNotRest) {
    SceneMaker maker(1e-3);
    maker.plane();
    maker.sphere({.position = {0, 0, 0.5}, .radius = 0.5, .velocity = {0, 0, 2}});
    Experiment run(maker);
    RestWatch watch({.speed = 0.02, .window = 0.01});
    double slowest = 1e300;
    run.until(0.3, [&] {
        watch.update(run.now());
        slowest = std::min(slowest, norm(run.now().velocity[0]));
        EXPECT_FALSE(watch.all_at_rest()) << run.time();
    });
    EXPECT_LT(slowest, 0.02) << "its speed alone would say so";
    run.until(1.0, [&] { watch.update(run.now()); });
    EXPECT_TRUE(watch.all_at_rest()) << "it landed, with a restitution of 0";
}

TEST(RestWatch, FixedBodiesDoNotKeepASceneAwake) {
    RestWatch watch({.speed = 0.1, .window = 0.0});
    watch.update(one_body(0.0, {1, 0, 0}, {}, 0.5, std::numeric_limits<double>::infinity()));
    EXPECT_FALSE(watch.at_rest(1));
    EXPECT_TRUE(watch.all_at_rest());
    EXPECT_EQ(watch.count_at_rest(), 0u);
    watch.update(model::Snapshot{});
    EXPECT_TRUE(watch.all_at_rest()) << "no bodies at all";
}

TEST(RestWatch, RemovedBodiesAreForgotten) {
    const auto two = [](double t) {
        model::Snapshot s = one_body(t, {}, {});
        s.id = {3, 7};
        s.velocity.push_back({});
        s.angular_velocity.push_back({});
        s.radius.push_back(1.0);
        s.mass.push_back(1.0);
        return s;
    };
    RestWatch watch({.speed = 0.1, .window = 0.1});
    watch.update(two(0.0));
    model::Snapshot later = one_body(0.1, {}, {});
    later.id = {7};
    watch.update(later);
    EXPECT_TRUE(watch.at_rest(7));
    EXPECT_THROW((void)watch.at_rest(3), model::Error);
}

TEST(RestWatch, BadLimitsAndSnapshotsOutOfOrderAreErrors) {
    const double nan = std::nan("");
    for (const RestRule& rule :
         {RestRule{.speed = 0.0}, RestRule{.speed = nan}, RestRule{.window = -1.0}, RestRule{.window = nan}})
        EXPECT_THROW(RestWatch{rule}, model::Error);
    RestWatch watch({});
    EXPECT_THROW((void)watch.at_rest(1), model::Error);
    watch.update(one_body(1.0, {}, {}));
    EXPECT_THROW(watch.update(one_body(0.5, {}, {})), model::Error);
}

}  // namespace
}  // namespace scree::query
