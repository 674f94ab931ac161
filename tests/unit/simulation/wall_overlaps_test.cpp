// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/wall_overlaps.hpp"

#include "tests/support/mesh_plane.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

namespace scree::simulation {
namespace {

using test::Experiment;
using test::SceneMaker;

const model::SolidBox slab{{0.1, 0.1, 0.02}};

std::vector<WallOverlaps> of(const SceneMaker& maker) {
    Experiment run(maker);
    return wall_overlaps(run.simulation().scene(), run.simulation().snapshot(false));
}

TEST(WallOverlaps, AreToldForEveryKindOfBoundary) {
    model::BoxShape block;
    block.center = {0, 0, -0.5};
    block.half_extents = {1, 1, 0.5};
    block.container = false;
    model::BoxShape bin;
    bin.center = {0, 0, 1};
    bin.half_extents = {1, 1, 1};
    model::RevolutionShape drum;
    drum.cap_start = true;
    for (const model::BoundaryShape& shape :
         {model::BoundaryShape{model::PlaneShape{}}, model::BoundaryShape{block}, model::BoundaryShape{bin},
          model::BoundaryShape{drum}, model::BoundaryShape{test::meshed_square()}}) {
        SceneMaker scene(1e-3);
        scene.boundary(shape);
        scene.solid(slab, {.position = {0.05, 0, 0.0195}});  // 2.5 % deep
        scene.solid(slab, {.position = {-0.3, 0, 0.015}});
        scene.solid(slab, {.position = {-0.3, 0.3, 0.005}, .fixed = true});
        const auto found = of(scene);
        ASSERT_EQ(found.size(), 1u);
        EXPECT_EQ(found[0].count, 1u) << shape.index();
        EXPECT_EQ(found[0].body, 2u) << shape.index();
        EXPECT_NEAR(found[0].depth, 0.005, 1e-12) << shape.index();
        EXPECT_NEAR(found[0].share, 0.25, 1e-9) << shape.index();
    }
}

TEST(WallOverlaps, OfSpheresAndCompoundsCountToo) {
    SceneMaker scene(1e-3);
    scene.plane();
    scene.sphere({.position = {0, 0, 0.04}, .radius = 0.05});
    scene.solid(model::SolidCompound{{{slab, {0, 0, 0.05}, {}}, {slab, {0, 0, -0.05}, {}}}},
                {.position = {1, 0, 0.05}});
    const auto found = of(scene);
    EXPECT_EQ(found[0].count, 2u);
    EXPECT_EQ(found[0].body, 2u);
    EXPECT_NEAR(found[0].depth, 0.02, 1e-12);
}

TEST(WallOverlaps, HalfTheThicknessIsThatOfTheThinnestAxis) {
    SceneMaker scene(1e-3);
    scene.solid(slab, {});
    Experiment solid(scene);
    EXPECT_DOUBLE_EQ(half_thickness(solid.simulation().snapshot(false), 0), 0.02);
    SceneMaker plain(1e-3);
    plain.sphere({.radius = 0.3});
    Experiment sphere(plain);
    EXPECT_DOUBLE_EQ(half_thickness(sphere.simulation().snapshot(false), 0), 0.3);
}

}  // namespace
}  // namespace scree::simulation
