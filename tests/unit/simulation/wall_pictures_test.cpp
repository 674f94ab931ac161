// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/wall_pictures.hpp"

#include "tests/unit/io/temporary_directory.hpp"
#include "tests/unit/io/vtp_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace scree::simulation {
namespace {

using testing::ElementsAre;

model::ContactRecord contact_with(std::int32_t boundary, model::Vec3 point, model::Vec3 force) {
    model::ContactRecord contact;
    contact.id_a = 1;
    contact.boundary = boundary;
    contact.point = point;
    contact.force = force;
    return contact;
}

TEST(WallPictures, GiveEachTriangleTheForcesThatActOnIt) {
    model::Scene scene;
    model::Boundary square;
    square.shape = model::MeshShape{"", {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
    scene.boundaries = {square, square};
    model::Snapshot s;
    s.boundaries.resize(2);
    // The second stands upright at x = 5: a quarter of a turn about y took x to -z.
    const double half = std::sqrt(0.5);
    s.boundaries[1].rotation = {half, 0, half, 0};
    s.boundaries[1].displacement = {5, 0, 0};
    s.contacts = {contact_with(0, {0.9, 0.1, 0.01}, {0, 0, -1}), contact_with(0, {0.8, 0.3, 0.0}, {1, 0, -2}),
                  contact_with(-1, {0.9, 0.1, 0}, {9, 9, 9}), contact_with(1, {5, 0.9, -0.1}, {7, 0, 0})};
    geometry::Extent extent;
    extent.add({0, 0, 0});
    extent.add({1, 1, 1});
    WallPictures walls(scene, extent);
    const test::TemporaryDirectory directory;
    walls.write(directory / "w.vtp", s);
    auto file = test::read_vtp(test::content_of(directory / "w.vtp"));
    EXPECT_THAT(file.arrays["CellData/triangle_force"].values, ElementsAre(1, 0, -3, 0, 0, 0, 0, 0, 0, 7, 0, 0));
}

}  // namespace
}  // namespace scree::simulation
