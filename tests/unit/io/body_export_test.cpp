// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/body_export.hpp"

#include "engine/geometry/particle_file.hpp"
#include "engine/model/error.hpp"
#include "tests/unit/io/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace scree::io {
namespace {

using test::content_of;
using test::TemporaryDirectory;
using testing::HasSubstr;

/// Two free spheres and a fixed one on a floor between walls.
model::Scene scene() {
    model::Scene s;
    s.name = "three\nspheres";
    s.materials.resize(2);
    s.materials[0].name = "glass";
    s.materials[0].density = 2500.0;
    s.materials[1].name = "steel";
    s.materials[1].density = 7800.0;
    model::Boundary floor, walls, slope;
    floor.name = "floor";
    floor.shape = model::PlaneShape{{5, 5, -1}, {0, 0, 1}};
    walls.name = "walls";
    model::BoxShape box;
    box.half_extents = {4, 3, 2};
    box.open = {false, true, true, true, true, true};
    walls.shape = box;
    slope.name = "slope";
    slope.shape = model::PlaneShape{{0, 0, 0}, {0.6, 0, 0.8}};
    s.boundaries = {floor, walls, slope};
    return s;
}

model::Snapshot bodies() {
    model::Snapshot s;
    s.step = 7;
    s.id = {1, 4, 9};
    s.position = {{0.1, 0.2, 0.3}, {1, 2, 3}, {-1, 0, 1.0 / 3.0}};
    s.orientation = {{1, 0, 0, 0}, {std::sqrt(0.5), 0, 0, std::sqrt(0.5)}, {1, 0, 0, 0}};
    s.velocity = {{1, 2, 3}, {-4, 5, 1e-17}, {0, 0, 0}};
    s.angular_velocity = {{.1, .2, .3}, {2, 0, 0}, {0, 0, 0}};
    s.radius = {0.5, 0.25, 1.0};
    s.mass = {2500.0 * std::numbers::pi / 6.0, 3.0, std::numeric_limits<double>::infinity()};
    s.material = {0, 1, 1};
    return s;
}

std::string written(const std::string& name, const model::Snapshot& s = bodies()) {
    const TemporaryDirectory directory;
    const std::filesystem::path path = directory / name;
    write_bodies(path, body_format("", path), scene(), s);
    return content_of(path);
}

TEST(BodyExport, WritesADataFileOfLammps) {
    const std::string text = written("bed.lammps");
    EXPECT_THAT(text, testing::StartsWith("LAMMPS data file: three spheres, step 7;"));
    EXPECT_THAT(text, HasSubstr("\n3 atoms\n4 atom types\n"));
    EXPECT_THAT(text, HasSubstr("\n# type 2: steel\n"));
    EXPECT_THAT(text, HasSubstr("\n# type 4: fixed bodies of steel\n"));
    EXPECT_THAT(text, HasSubstr("\n# wall 'floor': zplane -1 NULL\n# wall 'walls': xplane -4 NULL\n"));
    EXPECT_THAT(text, HasSubstr("\n# wall 'slope': not a plane at rest across an axis, left out\n"));
    // Spheres and walls, and 2 m, the largest diameter, on each side.
    EXPECT_THAT(text, HasSubstr("\n-6 3.25 xlo xhi\n-3 4.25 ylo yhi\n-3 5.25 zlo zhi\n"));
    EXPECT_THAT(text, HasSubstr("\nAtoms\n\n1 1 1 2500 0.1 0.2 0.3\n4 2 0.5 "));
    EXPECT_THAT(text, HasSubstr("\n9 4 2 7800 -1 0 0.3333333333333333\n\nVelocities\n\n1 1 2 3 0.1 0.2 0.3\n"));
    EXPECT_THAT(text, HasSubstr("\n4 -4 5 1e-17 2 0 0\n9 0 0 0 0 0 0\n"));
}

TEST(BodyExport, TakesThePeriodForTheBoxAndNoTypesOfFixedBodiesWithoutThem) {
    const TemporaryDirectory directory;
    model::Scene periodic = scene();
    periodic.periodic[0] = {true, -10, 10};
    model::Snapshot s = bodies();
    s.mass[2] = 1.0;
    write_bodies(directory / "bed", body_format("lammps", "bed"), periodic, s);
    EXPECT_THAT(content_of(directory / "bed"), HasSubstr("\n-10 10 xlo xhi\n"));
    EXPECT_THAT(content_of(directory / "bed"), HasSubstr("\n2 atom types\n"));
}

TEST(BodyExport, ParticleFilesReadBackToTheSameNumbers) {
    const TemporaryDirectory directory;
    const model::Snapshot s = bodies();
    write_bodies(directory / "bed.csv", body_format("csv", ""), scene(), s);
    model::FileSource source;
    source.path = (directory / "bed.csv").string();
    const geometry::ParticleTable table = geometry::read_particles(source);
    ASSERT_EQ(table.rows.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(table.rows[i].position, s.position[i]);
        EXPECT_EQ(table.rows[i].velocity, s.velocity[i]);
        EXPECT_EQ(table.rows[i].angular_velocity, s.angular_velocity[i]);
        EXPECT_EQ(table.rows[i].radius, s.radius[i]);
    }
}

TEST(BodyExport, RecordsHoldPosesOfBodiesOfAnyShapeAndSpinsInBodyAxes) {
    model::Snapshot s = bodies();
    s.shape = {0, 1, 0};
    const std::string bytes = written("bed.bin", s);
    ASSERT_EQ(bytes.size(), 3U * 13U * 8U);
    std::vector<double> values(39);
    std::memcpy(values.data(), bytes.data(), bytes.size());  // little-endian, as this machine
    EXPECT_EQ(values[0], 0.1);
    EXPECT_EQ(values[2 * 13 + 2], 1.0 / 3.0);
    EXPECT_EQ(values[13 + 3], std::sqrt(0.5));
    EXPECT_EQ(values[13 + 9], 1e-17);
    // Turned by 90 degrees about z: a spin about the world's x is one about the body's -y.
    EXPECT_NEAR(values[13 + 10], 0.0, 1e-15);
    EXPECT_NEAR(values[13 + 11], -2.0, 1e-15);
}

TEST(BodyExport, NamesTheBodyThatAFormatCannotHoldAndLeavesNoFile) {
    const TemporaryDirectory directory;
    model::Snapshot s = bodies();
    s.shape = {0, 1, 0};
    for (const char* name : {"bed.lammps", "bed.csv"}) {
        const std::filesystem::path path = directory / name;
        try {
            write_bodies(path, body_format("", path), scene(), s);
            ADD_FAILURE() << name << " took a box";
        } catch (const model::Error& error) {
            EXPECT_EQ(error.kind(), model::ErrorKind::input);
            EXPECT_THAT(error.what(), HasSubstr("body 4 is no sphere"));
        }
    }
    EXPECT_TRUE(std::filesystem::is_empty(directory / "."));
}

TEST(BodyExport, RefusesNoBodiesUnknownFormatsAndFoldersThatAreNotThere) {
    EXPECT_THROW(written("bed.csv", model::Snapshot{}), model::Error);
    EXPECT_THROW(static_cast<void>(body_format("", "bed.txt")), model::Error);
    EXPECT_THROW(static_cast<void>(body_format("vtk", "bed.csv")), model::Error);
    try {
        write_bodies("/no/such/folder/bed.csv", body_format("csv", ""), scene(), bodies());
        ADD_FAILURE() << "wrote into no folder";
    } catch (const model::Error& error) {
        EXPECT_EQ(error.kind(), model::ErrorKind::environment);
        EXPECT_THAT(error.what(), HasSubstr("/no/such/folder/bed.csv"));
    }
}

}  // namespace
}  // namespace scree::io
