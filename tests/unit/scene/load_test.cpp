// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/load.hpp"

#include "tests/unit/scene/sample_scenes.hpp"

#include <filesystem>
#include <fstream>
#include <numbers>

namespace scree::scene {
namespace {

using namespace model;
using samples::parse;

constexpr double inf = std::numeric_limits<double>::infinity();

TEST(SceneLoad, LeftOutKeysTakeTheDefaultsOfTheModel) {
    const auto scene = parse(samples::minimal);
    EXPECT_EQ(scene.name, "scene");  // from "scene.yaml"
    EXPECT_EQ(scene.path, "scene.yaml");
    EXPECT_EQ(scene.gravity, (Vec3{0, 0, -9.81}));
    EXPECT_EQ(scene.settings.time.step, TimeSettings{}.step);
    EXPECT_EQ(scene.settings.solver.max_iterations, SolverSettings{}.max_iterations);
    EXPECT_EQ(scene.settings.contact.envelope, -1.0);
    EXPECT_FALSE(scene.settings.stop.use_bodies_left);
    ASSERT_EQ(scene.sources.size(), 1U);
    EXPECT_EQ(scene.sources[0].name, "ball");
    EXPECT_EQ(scene.sources[0].line, 2U);
}

TEST(SceneLoad, SettingsReachTheModel) {
    const auto scene = parse(samples::complete);
    const auto& s = scene.settings;
    EXPECT_EQ(scene.gravity, (Vec3{0.1, 0, -9.80665}));
    EXPECT_EQ(s.time.step, 0.0005);
    EXPECT_EQ(s.time.end, 120.0);
    EXPECT_EQ(s.stop.unbalanced_force, 0.001);
    EXPECT_TRUE(s.stop.use_bodies_left);
    EXPECT_EQ(s.stop.bodies_left, 10U);
    EXPECT_EQ(s.stop.wall_clock, 600.0);
    EXPECT_EQ(s.solver.kind, SolverKind::projected_jacobi);
    EXPECT_EQ(s.solver.friction, FrictionLaw::associated);
    EXPECT_FALSE(s.solver.warm_start);
    EXPECT_EQ(s.contact.feedback, PositionFeedback::rigid);
    EXPECT_EQ(s.contact.stiffness, 1e7);
    EXPECT_EQ(s.contact.damping_time, 0.002);
    EXPECT_EQ(s.output.checkpoints_kept, 3U);
    EXPECT_TRUE(s.output.contacts);
    EXPECT_EQ(s.backend, Backend::cpu);
    EXPECT_EQ(s.precision, Precision::double_);
    EXPECT_EQ(s.threads, 2U);
    EXPECT_EQ(s.device, 1);
}

TEST(SceneLoad, MaterialsKeepTheirOrderAndPairsTheirIndices) {
    const auto scene = parse(samples::complete);
    ASSERT_EQ(scene.materials.size(), 3U);
    EXPECT_EQ(scene.materials[0].name, "glass");
    EXPECT_EQ(scene.materials[2].name, "odd name: #1");
    const auto& pair = scene.pairs[1];
    EXPECT_EQ(pair.first, 0U);
    EXPECT_EQ(pair.second, 1U);
    EXPECT_EQ(pair.rolling_resistance, 1e-4);
    EXPECT_EQ(pair.cohesion, 1e-3);
    EXPECT_EQ(pair.stiffness, 1e5);
    EXPECT_EQ(scene.pairs[0].stiffness, 0.0);
}

TEST(SceneLoad, NameAndVelocityStandAtEitherLevelOfASphere) {
    const auto scene = parse(samples::complete);
    EXPECT_EQ(scene.sources[0].name, "ball");
    EXPECT_EQ(scene.sources[0].velocity, (Vec3{0, 0, -5}));
    EXPECT_NEAR(scene.sources[0].angular_velocity.x, 2.0 * std::numbers::pi / 6.0, 1e-15);
    EXPECT_EQ(scene.sources[1].name, "anchor");
    EXPECT_EQ(scene.sources[1].velocity.x, 1e-3);
    EXPECT_TRUE(std::get<SphereSource>(scene.sources[1].what).fixed);
}

TEST(SceneLoad, SourcesOfAllKinds) {
    const auto scene = parse(samples::complete);
    const auto& file = std::get<FileSource>(scene.sources[2].what);
    EXPECT_EQ(file.columns.size(), 6U);
    EXPECT_EQ(file.radius_min, 0.0015);
    EXPECT_EQ(file.radius_max, 0.0025);
    EXPECT_EQ(std::get<FileSource>(scene.sources[3].what).radius_max, inf);
    const auto& lattice = std::get<LatticeSource>(scene.sources[4].what);
    EXPECT_EQ(lattice.kind, LatticeSource::Kind::hcp);
    EXPECT_EQ(lattice.seed, 18446744073709551615U);
    const auto& by_count = std::get<RandomSource>(scene.sources[5].what);
    EXPECT_EQ(by_count.count, 1000U);
    EXPECT_EQ(by_count.sizes.radius, 0.005);
    const auto& by_fraction = std::get<RandomSource>(scene.sources[6].what);
    EXPECT_EQ(by_fraction.count, 0U);
    EXPECT_EQ(by_fraction.fraction, 0.3);
    EXPECT_EQ(by_fraction.region.kind, Region::Kind::cylinder);
    EXPECT_NEAR(by_fraction.region.axis.y, 0.6, 1e-15);
    EXPECT_EQ(by_fraction.sizes.kind, SizeDistribution::Kind::uniform);
    EXPECT_EQ(std::get<RandomSource>(scene.sources[7].what).sizes.kind, SizeDistribution::Kind::normal);
    EXPECT_EQ(std::get<RandomSource>(scene.sources[8].what).sizes.mean, 0.003);
    EXPECT_EQ(std::get<RandomSource>(scene.sources[9].what).sizes.passing.at(1), std::pair(0.002, 0.4));
}

TEST(LoadScene, ReadsFeeds) {
    const auto scene = parse(samples::complete);
    const FeedSource* spout = feed_of(scene.sources[10]);
    ASSERT_NE(spout, nullptr);
    EXPECT_EQ(scene.sources[10].velocity.z, -2.0);
    EXPECT_EQ(spout->rate, 100.0);
    EXPECT_EQ(spout->mass_rate, 0.0);
    EXPECT_EQ(spout->start, 0.5);
    EXPECT_EQ(spout->end, 2.0);
    EXPECT_EQ(spout->count, 120U);
    EXPECT_EQ(spout->interval, 0.02);
    EXPECT_EQ(spout->gap, 2e-4);
    EXPECT_EQ(spout->seed, 9U);
    const FeedSource* hopper = feed_of(scene.sources[11]);
    ASSERT_NE(hopper, nullptr);
    EXPECT_EQ(hopper->rate, 0.0);
    EXPECT_DOUBLE_EQ(hopper->mass_rate, 1.0);
    EXPECT_EQ(hopper->end, inf);
    EXPECT_EQ(hopper->region.kind, Region::Kind::cylinder);
}

TEST(SceneLoad, BoundariesOfAllShapes) {
    const auto scene = parse(samples::complete);
    EXPECT_EQ(std::get<PlaneShape>(scene.boundaries[0].shape).normal, (Vec3{0, 0, 1}));
    const auto& bin = std::get<BoxShape>(scene.boundaries[1].shape);
    EXPECT_EQ(bin.center, (Vec3{0, 0.5, 1}));
    EXPECT_EQ(bin.half_extents, (Vec3{1, 1.5, 2}));
    EXPECT_EQ(bin.open, (std::array<bool, 6>{true, false, false, false, false, true}));
    EXPECT_NEAR(bin.orientation.w, std::cos(std::numbers::pi / 12.0), 1e-15);
    EXPECT_FALSE(std::get<BoxShape>(scene.boundaries[2].shape).container);
    const auto& drum = std::get<RevolutionShape>(scene.boundaries[3].shape);
    EXPECT_EQ(drum.radius_end, 0.3);
    EXPECT_EQ(drum.side, Side::outside);
    EXPECT_TRUE(drum.cap_start && drum.cap_end);
    const auto& funnel = std::get<RevolutionShape>(scene.boundaries[4].shape);
    EXPECT_EQ(funnel.radius_end, 0.1);
    EXPECT_TRUE(funnel.cap_start && !funnel.cap_end);
    EXPECT_EQ(scene.boundaries[4].remove_at, 1.0);
    const auto& mesh = std::get<MeshShape>(scene.boundaries[5].shape);
    EXPECT_EQ(mesh.vertices.size(), 3U);
    EXPECT_EQ(mesh.path, "shaker.stl");
}

TEST(SceneLoad, OneMotionOrSeveral) {
    const auto scene = parse(samples::complete);
    ASSERT_EQ(scene.boundaries[3].motions.size(), 1U);
    const auto& turn = scene.boundaries[3].motions[0];
    EXPECT_EQ(turn.kind, Motion::Kind::rotation);
    EXPECT_NEAR(turn.angular_speed, 2.0 * std::numbers::pi / 3.0, 1e-15);
    EXPECT_EQ(turn.stop, 2.0);
    ASSERT_EQ(scene.boundaries[5].motions.size(), 2U);
    EXPECT_EQ(scene.boundaries[5].motions[0].stop, inf);
    EXPECT_EQ(scene.boundaries[5].motions[1].kind, Motion::Kind::oscillation);
    EXPECT_EQ(scene.boundaries[5].motions[1].frequency, 50.0);
    const auto& servos = scene.boundaries[6].motions;
    ASSERT_EQ(servos.size(), 4U);
    EXPECT_EQ(servos[2].kind, Motion::Kind::servo);
    EXPECT_EQ(servos[2].force, 5.0);
    EXPECT_EQ(servos[2].largest_speed, 0.02);
    EXPECT_EQ(servos[2].stop, 3.0);
    ASSERT_EQ(servos[3].rows.size(), 2U);
    EXPECT_EQ(servos[3].rows[1].value.x, 0.03);
}

TEST(SceneLoad, OutletsPeriodicFacesAndProbes) {
    const auto scene = parse(samples::complete);
    EXPECT_EQ(scene.outlets[0].normal, (Vec3{0, 0, -1}));
    EXPECT_EQ(scene.outlets[1].kind, Outlet::Kind::box);
    EXPECT_FALSE(scene.outlets[1].takes_inside);
    EXPECT_TRUE(scene.outlets[2].takes_inside);
    EXPECT_TRUE(scene.periodic[0].active && !scene.periodic[1].active && scene.periodic[2].active);
    EXPECT_EQ(scene.periodic[2].upper, 1.0);
    EXPECT_EQ(scene.probes[0].box.lower, (Vec3{-inf, 0, 0}));
    EXPECT_EQ(scene.probes[0].material, 0U);
    EXPECT_EQ(scene.probes[2].contact_gap, 1e-3);
    EXPECT_EQ(scene.probes[4].target, "ball");
}

TEST(SceneLoad, BlockStyleAnchorsAndQuotedValuesAreYamlToo) {
    const auto scene = parse(R"(%YAML 1.2
---
materials:
  glass: &stuff
    density: "2.5 g/cm^3"
  other: *stuff
pairs: [{between: [other, other]}, {between: [glass, other]}]
bodies:
- material: glass
  sphere:
    position: [0, 0, 1]
    radius: 1e-2
- {material: other, sphere: {position: [0, 0, 2], radius: 1e-2}}
)");
    EXPECT_EQ(scene.materials[1].density, 2500.0);
    EXPECT_EQ(scene.sources.size(), 2U);
}

TEST(SceneLoad, PairsOfBodiesThatCannotMeetNeedNotBeListed) {
    // One sphere does not meet itself, and fixed bodies meet neither each other nor walls.
    EXPECT_NO_THROW(parse(samples::minimal));
    EXPECT_NO_THROW(parse(R"(materials: {a: {}, b: {}}
bodies:
  - {sphere: {position: [0, 0, 1], radius: 1 cm, fixed: true}, material: a}
  - {sphere: {position: [0, 0, 2], radius: 1 cm, fixed: true}, material: b}
boundaries: [{name: floor, material: a, plane: {}}]
)"));
}

/// A folder that goes with the test.
class SceneLoadFiles : public testing::Test {
protected:
    void SetUp() override {
        folder_ =
            std::filesystem::temp_directory_path() /
            ("scree_scene_" +
             std::to_string(std::hash<std::string>{}(testing::UnitTest::GetInstance()->current_test_info()->name())));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return folder_ / name;
    }

    std::filesystem::path folder_;
};

TEST_F(SceneLoadFiles, MeshPathsStartAtTheScene) {
    write("wall.txt", "0 0 0 1 0 0 0 1 0\n");
    const auto file = write("scene.yaml", samples::minimal + R"(pairs: [{between: [glass, glass]}]
boundaries: [{name: wall, material: glass, mesh: {path: wall.txt, scale: 2, rotation: {axis: [0, 0, 1], angle: 90 deg}, translation: [0, 0, 1]}}]
)");
    const auto scene = load_scene(file);
    const auto& mesh = std::get<MeshShape>(scene.boundaries[0].shape);
    EXPECT_EQ(mesh.path, "wall.txt");
    ASSERT_EQ(mesh.vertices.size(), 3U);
    EXPECT_NEAR(mesh.vertices[1].y, 2.0, 1e-12);  // (1, 0, 0) twice as far, a quarter turn on
    EXPECT_NEAR(mesh.vertices[1].z, 1.0, 1e-12);
}

TEST_F(SceneLoadFiles, MissingFilesAreNamedWithTheirPlace) {
    const auto expect_missing = [&](const std::string& text, std::size_t line, const std::string& name) {
        const auto file = write("scene.yaml", text);
        try {
            (void)load_scene(file);
            ADD_FAILURE() << "no error";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input);
            EXPECT_EQ(error.line(), line);
            EXPECT_NE(error.message().find("'" + name + "': there is no such file"), std::string::npos) << error.what();
        }
    };
    expect_missing(samples::minimal +
                       "pairs: [{between: [glass, glass]}]\n"
                       "boundaries: [{name: wall, material: glass, mesh: {path: gone.stl}}]\n",
                   4, "gone.stl");
    expect_missing(
        "materials: {glass: {}}\npairs: [{between: [glass, glass]}]\n"
        "bodies: [{file: {path: gone.csv}, material: glass}]\n",
        3, "gone.csv");
    EXPECT_THROW((void)load_scene(folder_ / "nowhere.yaml"), Error);
    EXPECT_THROW((void)load_scene(folder_), Error);
}

TEST(SceneLoad, TheTutorialScenesAreValid) {
    const std::filesystem::path scenes = std::filesystem::path(SCREE_SOURCE_DIR) / "scenes";
    EXPECT_EQ(load_scene(scenes / "tutorial.yaml").name, "tutorial");
    const auto drum = load_scene(scenes / "tutorial_drum.yaml");
    EXPECT_EQ(std::get<RandomSource>(drum.sources[0].what).fraction, 0.25);
}

}  // namespace
}  // namespace scree::scene
