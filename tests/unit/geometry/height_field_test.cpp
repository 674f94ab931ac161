// SPDX-License-Identifier: BSD-3-Clause
// Terrain from grids of heights.
#include "engine/geometry/height_field.hpp"
#include "engine/model/error.hpp"
#include "engine/scene/load.hpp"
#include "engine/scene/write.hpp"
#include "engine/simulation/simulation.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <string>

namespace scree::geometry {
namespace {

using testing::HasSubstr;

TEST(HeightField, HasTwoTrianglesPerCellThatFaceUp) {
    const model::MeshShape mesh = height_field_mesh({{0, 1, 2}, {3, 4, 5}}, {10, 20, 30}, 0.5, 2.0);
    ASSERT_EQ(mesh.vertices.size(), 6U);
    ASSERT_EQ(mesh.triangles.size(), 4U);
    EXPECT_EQ(mesh.vertices[5], (model::Vec3{11, 22, 35}));
    double area = 0.0;
    for (const auto& t : mesh.triangles) {
        const model::Vec3 n =
            model::cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]);
        EXPECT_GT(n.z, 0.0);
        area += 0.5 * n.z;
    }
    EXPECT_NEAR(area, 2.0, 1e-15);
}

std::string written(const std::string& name, const std::string& text) {
    const std::string file = testing::TempDir() + name;
    std::ofstream(file) << text;
    return file;
}
std::string error_of(const std::string& text) {
    try {
        (void)read_heights(written("heights.txt", text));
    } catch (const model::Error& error) {
        return error.what();
    }
    return "none";
}

TEST(HeightField, FilesAreRectanglesOfNumbers) {
    const auto rows = read_heights(written("heights.txt", "# terrain\n1, 2,3\n\n4,5,-6e-1\n"));
    EXPECT_EQ(rows, (HeightRows{{1, 2, 3}, {4, 5, -0.6}}));
    EXPECT_THAT(error_of("1 2\n3\n"), HasSubstr("has 1 heights, the first row has 2"));
    EXPECT_THAT(error_of("1 2\n3 x\n"), HasSubstr("a height"));
    EXPECT_THAT(error_of("1 nan\n3 4\n"), HasSubstr("a height"));
    EXPECT_THAT(error_of("1 2 3\n"), HasSubstr("at least 2 x 2"));
    EXPECT_THAT(error_of(""), HasSubstr("at least 2 x 2"));
}

TEST(HeightField, IsABoundaryOfAScene) {
    const std::string text = R"(time: {step: 1 ms}
materials: {earth: {density: 2000}}
pairs: [{between: [earth, earth], friction: 0.5, rolling_resistance: 5 mm}]
bodies: [{sphere: {name: ball, position: [0.35, 0.45, 1.3], radius: 5 cm}, material: earth}]
boundaries:
  - {name: hill, material: earth, height_field: {corner: [0, 0, 1], spacing: [0.5, 0.5], heights: [[0.5, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0.5]]}}
)";
    const model::Scene scene = scene::parse_scene(text, "hill.yaml");
    EXPECT_EQ(std::get<model::MeshShape>(scene.boundaries[0].shape).triangles.size(), 8U);
    EXPECT_EQ(scene::to_yaml(scene::parse_scene(scene::to_yaml(scene), "hill.yaml")), scene::to_yaml(scene));
    // The ball rolls into the hollow.
    simulation::Simulation run(scene);
    for (int k = 0; k < 4000; ++k) run.step();
    const auto s = run.snapshot();
    EXPECT_NEAR(s.position[0].x, 0.5, 0.1);
    EXPECT_NEAR(s.position[0].y, 0.5, 0.1);
    EXPECT_GT(s.position[0].z, 1.0);
    EXPECT_THROW(
        (void)scene::parse_scene(std::string(text).replace(text.find("[0.5, 0, 0.5]"), 13, "[0.5, 0]"), "a.yaml"),
        model::Error);
}

}  // namespace
}  // namespace scree::geometry
