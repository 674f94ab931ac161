// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/belts.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace scree::geometry {
namespace {

using model::Vec3;

bool runs(model::BoundaryShape shape, Vec3 velocity) {
    model::Motion belt;
    belt.kind = model::Motion::Kind::belt;
    belt.velocity = velocity;
    model::Boundary boundary;
    boundary.shape = std::move(shape);
    boundary.motions = {belt};
    return belts_run_along(boundary);
}

TEST(Belts, RunAlongPlanesAndFlatMeshes) {
    EXPECT_TRUE(runs(model::PlaneShape{{}, {0, 0, 2}}, {1, 5, 0}));
    EXPECT_FALSE(runs(model::PlaneShape{{}, {0, 0, 2}}, {1, 0, 0.001}));
    EXPECT_TRUE(runs(model::PlaneShape{{}, {0, 0, 2}}, {0, 0, 0}));
    const model::MeshShape gutter{"", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 1}}, {{0, 1, 2}, {0, 1, 3}}, 0};
    EXPECT_TRUE(runs(gutter, {1, 0, 0}));
    EXPECT_FALSE(runs(gutter, {0, 1, 0}));
}

TEST(Belts, RunAlongBoxesThatAreOpenThere) {
    model::BoxShape trough{{}, {1, 1, 1}, {}, true, {true, true, false, false, false, true}};
    EXPECT_TRUE(runs(trough, {3, 0, 0}));
    EXPECT_FALSE(runs(trough, {0, 3, 0}));
    trough.open[1] = false;
    EXPECT_FALSE(runs(trough, {3, 0, 0}));
    trough.open[1] = true;
    trough.container = false;
    EXPECT_FALSE(runs(trough, {3, 0, 0}));
}

TEST(Belts, RunAlongOpenCylinders) {
    model::RevolutionShape pipe{{}, {0, 0, 1}, 1.0, 0.5, 0.5};
    EXPECT_TRUE(runs(pipe, {0, 0, -2}));
    EXPECT_FALSE(runs(pipe, {1, 0, -2}));
    pipe.cap_end = true;
    EXPECT_FALSE(runs(pipe, {0, 0, -2}));
    pipe.cap_end = false;
    pipe.radius_end = 0.4;
    EXPECT_FALSE(runs(pipe, {0, 0, -2}));
}

TEST(Belts, AreNoOtherMotions) {
    model::Motion rise;
    rise.velocity = {0, 0, 1};
    model::Boundary floor;
    floor.motions = {rise};
    EXPECT_TRUE(belts_run_along(floor));
}

}  // namespace
}  // namespace scree::geometry
