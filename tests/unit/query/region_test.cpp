// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/random_stream.hpp"
#include "engine/model/error.hpp"
#include "engine/query/scene_query.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace scree::query {
namespace {

using model::Vec3;
using test::SceneMaker;
using Ids = std::vector<std::uint64_t>;

class Regions {
public:
    explicit Regions(const SceneMaker& maker)
        : simulation_(maker.scene()), query_(simulation_.scene(), simulation_.snapshot(false)) {}
    [[nodiscard]] Ids sphere(Vec3 center, double radius) const { return query_.bodies_in_sphere(center, radius); }
    [[nodiscard]] Ids box(Vec3 lower, Vec3 upper) const { return query_.bodies_in_box(lower, upper); }

private:
    simulation::Simulation simulation_;
    SceneQuery query_;
};

TEST(Region, AnEmptySceneHasNoBodiesAnywhere) {
    const Regions regions{SceneMaker(1e-3)};
    EXPECT_TRUE(regions.sphere({}, 1.0).empty());
    EXPECT_TRUE(regions.box({-1, -1, -1}, {1, 1, 1}).empty());
}

TEST(Region, BodiesThatTouchItCount) {
    SceneMaker maker(1e-3);
    maker.sphere({.position = {0, 0, 0}, .radius = 0.5});
    maker.solid(model::SolidBox{{1, 1, 1}}, {.position = {5, 0, 0}});
    const Regions regions(maker);
    EXPECT_EQ(regions.sphere({1.5, 0, 0}, 1.0), Ids{1}) << "they just touch";
    EXPECT_TRUE(regions.sphere({1.5 + 1e-9, 0, 0}, 1.0).empty());
    EXPECT_EQ(regions.sphere({3, 0, 0}, 1.0), Ids{2});
    EXPECT_TRUE(regions.sphere({3 - 1e-9, 0, 0}, 1.0).empty());
    // Beyond the box's corner at (4, 1, 1).
    EXPECT_EQ(regions.sphere({3, 2, 2}, std::sqrt(3.0) + 1e-9), Ids{2});
    EXPECT_TRUE(regions.sphere({3, 2, 2}, std::sqrt(3.0) - 1e-9).empty());
    EXPECT_EQ(regions.box({0.5, -1, -1}, {4, 1, 1}), (Ids{1, 2}));
    EXPECT_TRUE(regions.box({0.5 + 1e-9, -1, -1}, {4 - 1e-9, 1, 1}).empty());
    EXPECT_EQ(regions.box({-9, -9, -9}, {9, 9, 9}), (Ids{1, 2})) << "around them";
}

TEST(Region, APointIsHeldByTheBodiesAroundIt) {
    SceneMaker maker(1e-3);
    maker.sphere({.position = {0, 0, 0}, .radius = 1.0});
    maker.solid(model::SolidCylinder{1.0, 1.0}, {.position = {0.5, 0, 0}});
    const Regions regions(maker);
    EXPECT_EQ(regions.sphere({0, 0, 0}, 0.0), (Ids{1, 2}));
    EXPECT_EQ(regions.sphere({0.5, 0.9, 0.9}, 0.0), Ids{2});
    EXPECT_EQ(regions.box({1.2, 0, 0}, {1.2, 0, 0}), Ids{2});
    EXPECT_TRUE(regions.sphere({2, 0, 0}, 0.0).empty());
}

TEST(Region, OfACompoundEveryPartCountsOnce) {
    SceneMaker maker(1e-3);
    model::SolidCompound dumbbell;
    dumbbell.parts = {{model::SolidSphere{0.5}, {-1, 0, 0}, {}}, {model::SolidSphere{0.5}, {1, 0, 0}, {}}};
    maker.solid(dumbbell, {.position = {}});
    const Regions regions(maker);
    EXPECT_TRUE(regions.sphere({0, 0, 0}, 0.4).empty()) << "between the parts";
    EXPECT_EQ(regions.sphere({0, 0, 0}, 0.6), Ids{1});
}

TEST(Region, BallsAreFoundAsDistancesSay) {
    geometry::RandomStream random(23);
    const auto point = [&](double size) {
        return Vec3{random.between(-size, size), random.between(-size, size), random.between(-size, size)};
    };
    SceneMaker maker(1e-3);
    std::vector<Vec3> centers;
    std::vector<double> radii;
    for (int k = 0; k < 500; ++k) {
        centers.push_back(point(3.0));
        radii.push_back(random.between(0.05, 0.4));
        maker.sphere(  // of one density: a scene has 256 materials at most
            {.position = centers.back(), .radius = radii.back(), .mass = test::mass_of(1000.0, radii.back())});
    }
    const Regions regions(maker);
    for (int k = 0; k < 300; ++k) {
        const Vec3 at = point(3.0), half{random.between(0, 1), random.between(0, 1), random.between(0, 1)};
        const double radius = random.between(0.0, 1.0);
        Ids in_sphere, in_box;
        for (std::size_t b = 0; b < centers.size(); ++b) {
            const Vec3 d = centers[b] - at;
            const Vec3 beyond{std::max(std::abs(d.x) - half.x, 0.0), std::max(std::abs(d.y) - half.y, 0.0),
                              std::max(std::abs(d.z) - half.z, 0.0)};
            if (norm(d) <= radius + radii[b]) in_sphere.push_back(b + 1);
            if (norm(beyond) <= radii[b]) in_box.push_back(b + 1);
        }
        EXPECT_EQ(regions.sphere(at, radius), in_sphere) << k;
        EXPECT_EQ(regions.box(at - half, at + half), in_box) << k;
    }
}

TEST(Region, PeriodicImagesCountWhereverTheRegionLies) {
    SceneMaker maker(1e-3);
    maker.periodic(0, 0.0, 10.0).sphere({.position = {0.5, 0, 0}, .radius = 0.5});
    const Regions regions(maker);
    EXPECT_EQ(regions.sphere({9.5, 0, 0}, 0.6), Ids{1});
    EXPECT_TRUE(regions.sphere({9.0, 0, 0}, 0.9).empty());
    EXPECT_EQ(regions.sphere({-9.5, 0, 0}, 0.1), Ids{1});
    EXPECT_EQ(regions.sphere({5, 0, 0}, 1e9), Ids{1});
    EXPECT_EQ(regions.box({9.4, -1, -1}, {10.1, 1, 1}), Ids{1});
}

TEST(Region, BadRegionsAreErrorsWithAHint) {
    const Regions regions{SceneMaker(1e-3)};
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    const std::function<void()> bad[] = {[&] {
                                             (void)regions.sphere({nan, 0, 0}, 1.0);
                                         },
                                         [&] { (void)regions.sphere({}, -1.0); },
                                         [&] { (void)regions.sphere({}, nan); },
                                         [&] { (void)regions.sphere({}, infinity); },
                                         [&] {
                                             (void)regions.box({0, 0, 0}, {1, -1, 1});
                                         },
                                         [&] {
                                             (void)regions.box({0, 0, nan}, {1, 1, 1});
                                         }};
    for (const auto& ask : bad) {
        try {
            ask();
            ADD_FAILURE() << "no error";
        } catch (const model::Error& error) {
            EXPECT_EQ(error.kind(), model::ErrorKind::input);
            EXPECT_FALSE(error.hint().empty());
        }
    }
}

}  // namespace
}  // namespace scree::query
