// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/vtp.hpp"

#include "engine/model/error.hpp"
#include "tests/unit/io/temporary_directory.hpp"
#include "tests/unit/io/vtp_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <stdexcept>

namespace scree::io {
namespace {

using test::content_of;
using test::read_vtp;
using test::TemporaryDirectory;
using test::VtpFile;
using testing::ElementsAre;
using testing::IsEmpty;

model::Snapshot three_bodies() {
    model::Snapshot s;
    s.step = 7;
    s.time = 0.1;
    s.id = {1, 4, 9007199254740993};
    s.position = {{0, 0, 0.1}, {1, 2, 3}, {-1, 0, 1e6 + 1e-6}};
    s.orientation = {{1, 0, 0, 0}, {0.5, -0.5, 0.5, -0.5}, {0, 1, 0, 0}};
    s.velocity = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    s.angular_velocity = {{.1, .2, .3}, {0, 0, 0}, {0, 0, 0}};
    s.force = {{0, 0, -1}, {0, 0, 0}, {0, 0, 0}};
    s.torque = {{0, 0, 0}, {2, 0, 0}, {0, 0, 0}};
    s.radius = {0.5, 0.25, 2.0};
    s.mass = {1.5, std::numeric_limits<double>::infinity(), 2.5};
    s.material = {0, 1, 2};
    s.source = {3, 3, 4};
    return s;
}

TEST(WriteParticles, KeepsEveryField) {
    const TemporaryDirectory directory;
    write_particles(directory / "p.vtp", three_bodies());
    VtpFile file = read_vtp(content_of(directory / "p.vtp"));
    EXPECT_EQ(file.counts["Points"], 3U);
    EXPECT_EQ(file.counts["Verts"], 3U);
    EXPECT_EQ(file.counts["Polys"], 0U);
    EXPECT_EQ(file.arrays["Points/points"].type, "Float64");
    EXPECT_THAT(file.arrays["Points/points"].values, ElementsAre(0, 0, 0.1, 1, 2, 3, -1, 0, 1e6 + 1e-6));
    EXPECT_THAT(file.arrays["Verts/connectivity"].values, ElementsAre(0, 1, 2));
    EXPECT_THAT(file.arrays["Verts/offsets"].values, ElementsAre(1, 2, 3));
    EXPECT_EQ(file.arrays["PointData/id"].type, "Int64");
    EXPECT_THAT(file.arrays["PointData/id"].values, ElementsAre(1, 4, 9007199254740993));
    EXPECT_THAT(file.arrays["PointData/radius"].values, ElementsAre(0.5, 0.25, 2));
    EXPECT_THAT(file.arrays["PointData/velocity"].values, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
    EXPECT_THAT(file.arrays["PointData/omega"].values, ElementsAre(.1f, .2f, .3f, 0, 0, 0, 0, 0, 0));
    EXPECT_THAT(file.arrays["PointData/force"].values, ElementsAre(0, 0, -1, 0, 0, 0, 0, 0, 0));
    EXPECT_THAT(file.arrays["PointData/torque"].values, ElementsAre(0, 0, 0, 2, 0, 0, 0, 0, 0));
    EXPECT_THAT(file.arrays["PointData/mass"].values, ElementsAre(1.5, 0, 2.5));
    EXPECT_EQ(file.arrays["PointData/quaternion"].components, 4U);
    EXPECT_THAT(file.arrays["PointData/quaternion"].values, ElementsAre(1, 0, 0, 0, .5, -.5, .5, -.5, 0, 1, 0, 0));
    EXPECT_THAT(file.arrays["PointData/material"].values, ElementsAre(0, 1, 2));
    EXPECT_THAT(file.arrays["PointData/source"].values, ElementsAre(3, 3, 4));
}

TEST(WriteParticles, WritesAnEmptyDomain) {
    const TemporaryDirectory directory;
    write_particles(directory / "p.vtp", model::Snapshot{});
    const VtpFile file = read_vtp(content_of(directory / "p.vtp"));
    EXPECT_EQ(file.counts.at("Points"), 0U);
    EXPECT_THAT(file.arrays.at("PointData/velocity").values, IsEmpty());
}

TEST(WriteParticles, KeepsManyBodies) {
    const TemporaryDirectory directory;
    model::Snapshot s;
    for (std::uint64_t i = 0; i < 20000; ++i) {
        s.id.push_back(i + 1);
        s.position.push_back({0.1 * static_cast<double>(i), 0, 0});
    }
    const std::size_t n = s.id.size();
    s.orientation.resize(n);
    s.velocity.resize(n);
    s.angular_velocity.resize(n);
    s.force.resize(n);
    s.torque.resize(n);
    s.radius.assign(n, 1.0);
    s.mass.assign(n, 1.0);
    s.material.resize(n);
    s.source.resize(n);
    write_particles(directory / "p.vtp", s);
    const VtpFile file = read_vtp(content_of(directory / "p.vtp"));
    ASSERT_EQ(file.arrays.at("Points/points").values.size(), 3 * n);
    for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(file.arrays.at("Points/points").values[3 * i], s.position[i].x);
        ASSERT_EQ(file.arrays.at("PointData/id").values[i], static_cast<double>(i + 1));
    }
}

TEST(WriteParticles, RefusesVectorsOfDifferentLength) {
    const TemporaryDirectory directory;
    auto s = three_bodies();
    s.torque.pop_back();
    EXPECT_THROW(write_particles(directory / "p.vtp", s), std::invalid_argument);
}

TEST(WriteParticles, ReportsAMissingDirectory) {
    const TemporaryDirectory directory;
    EXPECT_THROW(write_particles(directory / "missing" / "p.vtp", three_bodies()), model::Error);
}

TEST(WriteContacts, DrawsLinesBetweenCentresAndToWalls) {
    const TemporaryDirectory directory;
    auto s = three_bodies();
    s.contacts.resize(2);
    s.contacts[0] = {.id_a = 1,
                     .id_b = 4,
                     .boundary = -1,
                     .point = {},
                     .normal = {1, 0, 0},
                     .force = {3, 4, 0},
                     .gap = -0.25,
                     .moment = {}};
    s.contacts[1] = {.id_a = 4,
                     .id_b = 0,
                     .boundary = 2,
                     .point = {},
                     .normal = {0, 0, -1},
                     .force = {0, 0, -2},
                     .gap = 0.5,
                     .moment = {}};
    write_contacts(directory / "c.vtp", s);
    VtpFile file = read_vtp(content_of(directory / "c.vtp"));
    EXPECT_EQ(file.counts["Lines"], 2U);
    EXPECT_THAT(file.arrays["Points/points"].values, ElementsAre(0, 0, 0.1, 0.5, 0, 0.1, 1, 2, 3, 1, 2, 2.25));
    EXPECT_THAT(file.arrays["Lines/connectivity"].values, ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(file.arrays["Lines/offsets"].values, ElementsAre(2, 4));
    EXPECT_THAT(file.arrays["CellData/force"].values, ElementsAre(3, 4, 0, 0, 0, -2));
    EXPECT_THAT(file.arrays["CellData/normal_force"].values, ElementsAre(3, 2));
    EXPECT_THAT(file.arrays["CellData/gap"].values, ElementsAre(-0.25, 0.5));
    EXPECT_THAT(file.arrays["CellData/id_a"].values, ElementsAre(1, 4));
    EXPECT_THAT(file.arrays["CellData/id_b"].values, ElementsAre(4, 0));
    EXPECT_THAT(file.arrays["CellData/boundary"].values, ElementsAre(-1, 2));
}

TEST(WriteContacts, NamesABodyThatIsNotThere) {
    const TemporaryDirectory directory;
    auto s = three_bodies();
    s.contacts.resize(1);
    s.contacts[0].id_a = 2;
    EXPECT_THROW(write_contacts(directory / "c.vtp", s), std::invalid_argument);
}

TEST(WriteMesh, MovesTheVerticesWithTheWall) {
    const TemporaryDirectory directory;
    const model::MeshShape mesh{"", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
    model::BoundaryState state;
    state.rotation = {0, 0, 0, 1};  // Half a turn about z.
    state.displacement = {0, 0, 5};
    state.velocity = {1, 0, 0};
    state.angular_velocity = {0, 0, 2};
    state.force = {0, 0, -7};
    write_mesh(directory / "m.vtp", mesh, state);
    VtpFile file = read_vtp(content_of(directory / "m.vtp"));
    EXPECT_EQ(file.counts["Polys"], 1U);
    EXPECT_THAT(file.arrays["Points/points"].values, ElementsAre(0, 0, 5, -1, 0, 5, 0, -1, 5));
    EXPECT_THAT(file.arrays["Polys/connectivity"].values, ElementsAre(0, 1, 2));
    EXPECT_THAT(file.arrays["Polys/offsets"].values, ElementsAre(3));
    EXPECT_THAT(file.arrays["CellData/force"].values, ElementsAre(0, 0, -7));
    EXPECT_THAT(file.arrays["PointData/velocity"].values, ElementsAre(1, 0, 0, 1, -2, 0, 3, 0, 0));
}

TEST(WriteWalls, LeavesOutRemovedWallsAndNumbersTheOthers) {
    const TemporaryDirectory directory;
    const model::MeshShape mesh{"", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {2, 1, 0}}};
    std::array<WallPicture, 3> walls;
    for (int i = 0; i < 3; ++i) {
        walls[static_cast<std::size_t>(i)].mesh = &mesh;
        walls[static_cast<std::size_t>(i)].boundary = i;
    }
    walls[1].state.active = false;
    walls[2].triangle_force = {{1, 2, 3}, {-4, 0, 0}};
    write_walls(directory / "w.vtp", walls, 0.0);
    VtpFile file = read_vtp(content_of(directory / "w.vtp"));
    EXPECT_THAT(file.arrays["CellData/boundary"].values, ElementsAre(0, 0, 2, 2));
    EXPECT_THAT(file.arrays["Polys/connectivity"].values, ElementsAre(0, 1, 2, 2, 1, 0, 3, 4, 5, 5, 4, 3));
    EXPECT_THAT(file.arrays["CellData/triangle_force"].values, ElementsAre(0, 0, 0, 0, 0, 0, 1, 2, 3, -4, 0, 0));
    EXPECT_THAT(file.arrays["CellData/traction"].values, ElementsAre(0, 0, 0, 0, 0, 0, 2, 4, 6, -8, 0, 0));
}

TEST(FrameName, SortsByStep) {
    EXPECT_EQ(frame_name("particles", 1200), "particles_00001200.vtp");
    EXPECT_EQ(frame_name("walls", 1234567890), "walls_1234567890.vtp");
}

}  // namespace
}  // namespace scree::io
