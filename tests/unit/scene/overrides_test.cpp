// SPDX-License-Identifier: BSD-3-Clause
#include "tests/unit/scene/sample_scenes.hpp"

#include <gmock/gmock.h>

#include <numbers>

namespace scree::scene {
namespace {

using namespace model;
using samples::complete;
using samples::error_of;
using samples::minimal;
using samples::parse;
using testing::HasSubstr;

TEST(SceneOverrides, ReplaceValuesOfTheFile) {
    const auto scene = parse(complete, {"time.step=0.25ms", "solver.max_iterations=7", "backend=auto", "name=other"});
    EXPECT_EQ(scene.settings.time.step, 0.00025);
    EXPECT_EQ(scene.settings.solver.max_iterations, 7U);
    EXPECT_EQ(scene.settings.backend, Backend::automatic);
    EXPECT_EQ(scene.name, "other");
}

TEST(SceneOverrides, SetValuesThatTheFileLeavesOut) {
    const auto scene = parse(minimal, {"time.end=3 s", "output.contacts=true", "periodic.x=[0, 1]", "stop={after: 1}"});
    EXPECT_EQ(scene.settings.time.end, 3.0);
    EXPECT_TRUE(scene.settings.output.contacts);
    EXPECT_TRUE(scene.periodic[0].active);
    EXPECT_EQ(scene.settings.stop.after, 1.0);
}

TEST(SceneOverrides, TheLastOneWins) { EXPECT_EQ(parse(minimal, {"time.end=3", "time.end=4"}).settings.time.end, 4.0); }

TEST(SceneOverrides, ListItemsByNameOrIndex) {
    const auto scene =
        parse(complete, {"boundaries.drum.torque_point=[1, 2, 3]", "boundaries.0.material=glass",
                         "bodies.ball.material=glass", "materials.steel.density=7", "pairs.glass-steel.friction=0.9",
                         "pairs.glass-glass.friction=0.1", "probes.load.target=bin", "pairs.2.friction=3"});
    EXPECT_EQ(scene.boundaries[3].torque_point, (Vec3{1, 2, 3}));
    EXPECT_EQ(scene.boundaries[0].material, 0U);
    EXPECT_EQ(scene.sources[0].material, 0U);
    EXPECT_EQ(scene.materials[1].density, 7.0);
    EXPECT_EQ(scene.pairs[1].friction, 0.9);
    EXPECT_EQ(scene.pairs[0].friction, 0.1);
    EXPECT_EQ(scene.pairs[2].friction, 3.0);
    EXPECT_EQ(scene.probes[5].target, "bin");
    EXPECT_EQ(parse(complete, {"pairs.steel-glass.friction=0.8"}).pairs[1].friction, 0.8);
}

TEST(SceneOverrides, TheLevelThatTellsKindsApartMayBeLeftOut) {
    const auto scene = parse(complete, {"boundaries.drum.motion.angular_speed=3", "boundaries.funnel.cone.length=7",
                                        "boundaries.block.center=[1, 1, 1]", "bodies.ball.radius=2 cm",
                                        "bodies.ball.velocity.z=-1", "bodies.anchor.velocity=[0, 0, 9]",
                                        "boundaries.shaker.motion.1.frequency=5 Hz", "bodies.5.sizes.constant=1 mm"});
    EXPECT_EQ(scene.boundaries[3].motions[0].angular_speed, 3.0);
    EXPECT_EQ(std::get<RevolutionShape>(scene.boundaries[4].shape).length, 7.0);
    EXPECT_EQ(std::get<BoxShape>(scene.boundaries[2].shape).center, (Vec3{1, 1, 1}));
    EXPECT_EQ(std::get<SphereSource>(scene.sources[0].what).radius, 0.02);
    EXPECT_EQ(scene.sources[0].velocity, (Vec3{0, 0, -1}));  // given inside `sphere` in the file
    EXPECT_EQ(scene.sources[1].velocity, (Vec3{0, 0, 9}));   // given beside it
    EXPECT_EQ(scene.boundaries[5].motions[1].frequency, 5.0);
    EXPECT_EQ(std::get<RandomSource>(scene.sources[5].what).sizes.radius, 0.001);
}

TEST(SceneOverrides, ComponentsOfVectors) {
    const auto scene = parse(complete, {"gravity.z=-1.62", "gravity.0=2", "boundaries.bin.box.orientation.angle=0",
                                        "bodies.9.random.sizes.sieve.1.1=0.7", "probes.upper_left.box.upper.x=.inf"});
    EXPECT_EQ(scene.gravity, (Vec3{2, 0, -1.62}));
    EXPECT_EQ(std::get<BoxShape>(scene.boundaries[1].shape).orientation, Quat{});
    EXPECT_EQ(std::get<RandomSource>(scene.sources[9].what).sizes.passing[1].second, 0.7);
    EXPECT_TRUE(std::isinf(scene.probes[0].box.upper.x));
}

struct WrongOverride {
    std::string text, message, hint;
    friend void PrintTo(const WrongOverride& wrong, std::ostream* out) { *out << wrong.text; }
};

class SceneOverridesWrong : public testing::TestWithParam<WrongOverride> {};

TEST_P(SceneOverridesWrong, SaySetAsFileAndTheKey) {
    const auto error = error_of(complete, {"time.step=1 us", GetParam().text});
    EXPECT_EQ(error.file(), "--set");
    EXPECT_EQ(error.line(), 0U);
    EXPECT_THAT(error.message(), HasSubstr(GetParam().text));
    EXPECT_THAT(error.message(), HasSubstr(GetParam().message));
    EXPECT_THAT(error.hint(), HasSubstr(GetParam().hint));
}

INSTANTIATE_TEST_SUITE_P(
    SceneOverrides, SceneOverridesWrong,
    testing::Values(WrongOverride{"time.stepp=1", "unknown key 'stepp'", "did you mean 'step'"},
                    WrongOverride{"tme.step=1", "unknown key 'tme'", "did you mean 'time'"},
                    WrongOverride{"boundaries.drim.remove_at=1", "no boundary 'drim'",
                                  "did you mean 'drum'? known names: floor, bin"},
                    WrongOverride{"boundaries.99.remove_at=1", "no boundary '99'", "floor"},
                    WrongOverride{"boundaries.drum.motion.speed=1", "unknown key 'speed'", "known keys"},
                    WrongOverride{"materials.steal.density=1", "no material 'steal'", "did you mean 'steel'"},
                    WrongOverride{"time.step=5 kg", "time.step = '5 kg' has the unit 'kg', a unit of mass", "ms"},
                    WrongOverride{"time.step=-1", "time.step = '-1' is out of range (allowed: > 0 s)", ""},
                    WrongOverride{"time.step", "an override is KEY=VALUE", "time.step=0.5ms"},
                    WrongOverride{"=5", "an override is KEY=VALUE", ""}, WrongOverride{"time.step=", "no value", ""},
                    WrongOverride{"time.step=~", "time.step has no value", ""},
                    WrongOverride{"time.step=[1", "not valid YAML", ""},
                    WrongOverride{"time.step=\xFF", "not UTF-8", ""},
                    WrongOverride{"time.step.x=1", "'step' is a single value", ""},
                    WrongOverride{"gravity.w=1", "'gravity' has no element 'w'", "list of 3"},
                    WrongOverride{"gravity.3=1", "'gravity' has no element '3'", "list of 3"},
                    WrongOverride{"time..step=1", "unknown key ''", ""},
                    WrongOverride{"bodies.ball.material=woud", "body source 'ball': material = 'woud' is no material",
                                  "glass"}));

TEST(SceneOverrides, ListsThatTheFileLeavesOutAreNotMadeItemByItem) {
    EXPECT_THAT(error_of(minimal, {"boundaries.drum.remove_at=1"}).message(),
                HasSubstr("the file gives no 'boundaries'"));
}

TEST(SceneOverrides, AnErrorOfTheFileStaysAnErrorOfTheFile) {
    EXPECT_EQ(error_of("materials: {glass: {dens: 1}}\nbodies: []\n", {"time.end=2"}).file(), "scene.yaml");
}

}  // namespace
}  // namespace scree::scene
