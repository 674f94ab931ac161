// SPDX-License-Identifier: BSD-3-Clause
// Collision meshes: where they lie, and what becomes of them.
#include "engine/urdf/file_uri.hpp"
#include "engine/urdf/mesh_hull.hpp"
#include "tests/unit/io/temporary_directory.hpp"
#include "tests/unit/urdf/robot_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

namespace scree::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A unit cube from 0 to 1 with a corner pushed in, or not.
std::string cube(double corner = 1.0) {
    std::string text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\n";
    const std::string c = std::to_string(corner);
    text += "v " + c + " " + c + " " + c + "\n";
    return text + "f 1 4 3 2\nf 1 2 6 5\nf 1 5 7 4\nf 2 3 8\nf 2 8 6\nf 3 4 7\nf 3 7 8\nf 5 6 8\nf 5 8 7\n";
}

TEST(MeshHull, OfACubeIsTheCube) {
    const ScratchFile file(cube(), ".obj");
    const urdf::MeshHull hull = urdf::hull_of_mesh(file.path(), {2, 1, -1});
    EXPECT_EQ(hull.polytope.vertices.size(), 8U);
    EXPECT_TRUE(hull.changes.empty());
    EXPECT_NEAR(hull.center.x, 1.0, 1e-14);
    EXPECT_NEAR(hull.center.y, 0.5, 1e-14);
    EXPECT_NEAR(hull.center.z, -0.5, 1e-14);
}

TEST(MeshHull, SaysWhereTheMeshIsNotConvex) {
    const ScratchFile file(cube(0.3), ".obj");
    const urdf::MeshHull hull = urdf::hull_of_mesh(file.path(), {1, 1, 1});
    ASSERT_EQ(hull.changes.size(), 1U);
    EXPECT_THAT(hull.changes[0], HasSubstr("is not convex"));
}

TEST(MeshHull, OfManyCornersIsThatOfTheExtremeOnes) {
    // A ball of radius 1 by 60 x 60 points.
    std::string text;
    const int n = 60;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j < n; ++j) {
            const double a = M_PI * i / n, b = 2.0 * M_PI * j / n;
            text += "v " + std::to_string(std::sin(a) * std::cos(b)) + " " + std::to_string(std::sin(a) * std::sin(b)) +
                    " " + std::to_string(std::cos(a)) + "\n";
        }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const int next = (j + 1) % n;
            text += "f " + std::to_string(i * n + j + 1) + " " + std::to_string((i + 1) * n + j + 1) + " " +
                    std::to_string((i + 1) * n + next + 1) + " " + std::to_string(i * n + next + 1) + "\n";
        }
    const ScratchFile file(text, ".obj");
    const urdf::MeshHull hull = urdf::hull_of_mesh(file.path(), {1, 1, 1});
    EXPECT_LE(hull.polytope.vertices.size(), urdf::most_corners);
    EXPECT_GE(hull.polytope.vertices.size(), urdf::most_corners / 2);
    ASSERT_EQ(hull.changes.size(), 1U);
    EXPECT_THAT(hull.changes[0], HasSubstr("% smaller"));
}

TEST(MeshHull, OfAFlatMeshIsAnError) {
    const ScratchFile file("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", ".obj");
    EXPECT_THAT(error_of([&] { (void)urdf::hull_of_mesh(file.path(), {1, 1, 1}); }).hint(), HasSubstr("volume"));
}

TEST(FileUri, FindsPackages) {
    const TemporaryDirectory folder;
    const fs::path root = folder / "ws";
    fs::create_directories(root / "robot_description" / "urdf");
    fs::create_directories(root / "robot_description" / "meshes");
    fs::create_directories(root / "other" / "meshes");
    for (const char* name : {"robot_description/meshes/a.stl", "other/meshes/b.stl", "robot_description/urdf/c.stl"})
        std::ofstream(root / name) << "solid\n";
    const fs::path urdf = root / "robot_description" / "urdf" / "robot.urdf";
    EXPECT_EQ(urdf::find_file("package://robot_description/meshes/a.stl", urdf, {}),
              root / "robot_description" / "meshes" / "a.stl");
    EXPECT_EQ(urdf::find_file("package://other/meshes/b.stl", urdf, {}), root / "other" / "meshes" / "b.stl");
    EXPECT_EQ(urdf::find_file("package://elsewhere/meshes/b.stl", urdf, {{"elsewhere", root / "other"}}),
              root / "other" / "meshes" / "b.stl");
    EXPECT_EQ(urdf::find_file("c.stl", urdf, {}), urdf.parent_path() / "c.stl");
    EXPECT_EQ(urdf::find_file("file://" + (root / "other/meshes/b.stl").string(), urdf, {}),
              root / "other" / "meshes" / "b.stl");
    EXPECT_THROW((void)urdf::find_file("http://host/b.stl", urdf, {}), model::Error);
    EXPECT_THROW((void)urdf::find_file("package://other", urdf, {}), model::Error);
}

TEST(UrdfMeshes, CollideAsTheirHullsWhereTheyStand) {
    const ScratchFile file(cube(), ".obj");
    const urdf::Import import =
        import_text("<link name=\"a\"><collision><origin xyz=\"5 0 0\"/><geometry><mesh filename=\"" +
                    file.path().string() + "\" scale=\"2 2 2\"/></geometry></collision></link>");
    const auto& part = std::get<model::SolidCompound>(body_named(import.scene, "a").shape).parts.at(0);
    EXPECT_NEAR(part.position.x, 6.0, 1e-14);
    EXPECT_NEAR(part.position.y, 1.0, 1e-14);
}

TEST(UrdfMeshes, OfOtherFormatsAreLeftOutWithANote) {
    const urdf::Import import =
        import_text(link_text("a", "<collision><geometry><mesh filename=\"a.dae\"/></geometry></collision>"));
    EXPECT_TRUE(has_note(import, "its format is not understood", 2));
}

}  // namespace
}  // namespace scree::test
