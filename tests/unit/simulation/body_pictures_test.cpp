// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/body_pictures.hpp"

#include "tests/unit/io/temporary_directory.hpp"
#include "tests/unit/io/vtp_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

namespace scree::simulation {
namespace {

using testing::Each;
using testing::ElementsAre;

TEST(BodyPictures, ShowSolidsWhereTheyStandAndNoSpheres) {
    model::Scene scene;
    scene.materials.emplace_back().density = 1000.0;
    model::Source bricks, ball, hook;
    bricks.shape = model::Solid(model::SolidBox{{1, 2, 3}});
    bricks.what = model::LatticeSource{};
    ball.what = model::SphereSource{};
    model::SolidCompound two;
    for (const double x : {-2.0, 2.0}) two.parts.push_back({model::SolidBox{{0.5, 0.5, 0.5}}, {x, 0, 0}, {}});
    model::BodySource body;
    body.shape = model::Solid(two);
    hook.what = body;
    scene.sources = {bricks, ball, hook};

    model::Snapshot s;
    s.id = {3, 5, 8, 9};
    s.source = {0, 1, 0, 2};
    s.radius = {std::sqrt(14.0), 1.0, 0.5 * std::sqrt(14.0), std::sqrt(6.75)};
    s.position = {{10, 0, 0}, {0, 0, 0}, {0, 0, -7}, {0, 50, 0}};
    s.orientation = {{std::sqrt(0.5), 0, 0, std::sqrt(0.5)}, {}, {}, {}};  // a quarter of a turn about z
    s.velocity = {{1, 2, 3}, {}, {4, 5, 6}, {}};
    s.angular_velocity.resize(4);
    s.material.resize(4);

    BodyPictures pictures(scene);
    ASSERT_FALSE(pictures.empty());
    const test::TemporaryDirectory directory;
    pictures.write(directory / "s.vtp", s);
    auto file = test::read_vtp(test::content_of(directory / "s.vtp"));
    EXPECT_EQ(file.counts["Polys"], 12U * 4U);
    const auto& ids = file.arrays["PointData/id"].values;
    const auto& points = file.arrays["Points/points"].values;
    const auto& velocities = file.arrays["PointData/velocity"].values;
    ASSERT_EQ(ids.size(), 8U * 4U);
    const auto corners_of = [&](double id) {
        std::set<std::array<double, 3>> corners;
        for (std::size_t k = 0; k < ids.size(); ++k)
            if (ids[k] == id)
                corners.insert({std::round(1e5 * points[3 * k]) / 1e5, std::round(1e5 * points[3 * k + 1]) / 1e5,
                                std::round(1e5 * points[3 * k + 2]) / 1e5});
        return corners;
    };
    std::set<std::array<double, 3>> whole, half;
    for (const double x : {-1.0, 1.0})
        for (const double y : {-1.0, 1.0})
            for (const double z : {-1.0, 1.0}) {
                whole.insert({10.0 + 2.0 * x, y, 3.0 * z});
                half.insert({0.5 * x, y, -7.0 + 1.5 * z});
            }
    EXPECT_EQ(corners_of(3), whole);
    EXPECT_EQ(corners_of(8), half);
    EXPECT_TRUE(corners_of(5).empty());
    EXPECT_EQ(corners_of(9).size(), 16U);
    EXPECT_EQ(*corners_of(9).begin(), (std::array<double, 3>{-2.5, 49.5, -0.5}));
    for (std::size_t k = 0; k < 8; ++k)
        EXPECT_THAT(std::vector<double>(velocities.begin() + std::ptrdiff_t(3 * k),
                                        velocities.begin() + std::ptrdiff_t(3 * k + 3)),
                    ElementsAre(1, 2, 3));
    EXPECT_THAT(file.arrays["PointData/material"].values, Each(0));
}

TEST(BodyPictures, AreEmptyWhereAllBodiesAreSpheres) {
    model::Scene scene;
    scene.materials.emplace_back();
    scene.sources.emplace_back().what = model::SphereSource{};
    EXPECT_TRUE(BodyPictures(scene).empty());
}

}  // namespace
}  // namespace scree::simulation
