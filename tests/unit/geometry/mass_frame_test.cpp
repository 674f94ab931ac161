// SPDX-License-Identifier: BSD-3-Clause
// A body with a centre of mass and axes of its own: where its mass and its shape are.
#include "engine/geometry/compound.hpp"
#include "engine/geometry/scene_shapes.hpp"
#include "engine/scene/load.hpp"
#include "engine/scene/write.hpp"
#include "tests/unit/geometry/scratch_file.hpp"

#include <gtest/gtest.h>

#include <string>

namespace scree::geometry {
namespace {

using model::Quat;
using model::Vec3;

double apart(Vec3 a, Vec3 b) { return model::norm(a - b); }

TEST(MassFrame, ShiftsTheShapeAndLeavesItWhereItStands) {
    model::BodySource source;
    source.shape = model::SolidBox{{0.5, 0.3, 0.2}};
    source.orientation = model::from_axis_angle({1, 1, 0}, 0.4);
    source.mass = 2.0;
    source.inertia = {1.0, 0.4, 0.9};
    source.center_of_mass = Vec3{0.1, -0.2, 0.05};
    source.inertia_axes = model::from_axis_angle({0, 1, 1}, 0.8);
    const SolidFacts facts = solid_facts(source, 1000.0, false);
    EXPECT_EQ(facts.mass, 2.0);
    EXPECT_EQ(facts.inertia, (Vec3{1.0, 0.4, 0.9}));
    // The middle of the box, from the centre of mass, and an axis of the box, in the world.
    EXPECT_LT(
        apart(model::rotate(facts.orientation, facts.shift), model::rotate(source.orientation, {-0.1, 0.2, -0.05})),
        1e-15);
    EXPECT_LT(
        apart(model::rotate(facts.orientation * facts.turn, {1, 0, 0}), model::rotate(source.orientation, {1, 0, 0})),
        1e-15);
    EXPECT_GE(facts.radius, apart({0.5, 0.3, 0.2}, {0.1, -0.2, 0.05}));
}

TEST(MassFrame, GivenAsThatOfTheHomogeneousSolidChangesNothing) {
    const model::SolidPolytope wedge{{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {1, 2, 3}}};
    const model::SolidCompound pair{{{model::SolidSphere{0.1}, {1, 2, 3}, {}}, {wedge, {2, 2, 2}, {}}}};
    for (const model::Solid& shape : {model::Solid(wedge), model::Solid(pair)}) {
        model::Scene scene;
        scene.materials.push_back({.name = "m"});
        for (const bool given : {false, true}) {
            model::BodySource source;
            source.shape = shape;
            if (given) {
                const SolidFacts known = solid_facts(
                    scene.sources.empty() ? source : std::get<model::BodySource>(scene.sources[0].what), 2500.0, false);
                source.mass = known.mass;
                source.inertia = known.inertia;
                source.inertia_axes = known.orientation;
            }
            scene.sources.emplace_back().what = source;
        }
        const SourceSolids solids(scene);
        const SceneShapes shapes(scene, solids);
        const auto &homogeneous = shapes.of_source(0), &with_axes = shapes.of_source(1);
        ASSERT_EQ(homogeneous.size(), with_axes.size());
        for (std::size_t k = 0; k < homogeneous.size(); ++k) {
            EXPECT_LT(apart(homogeneous[k].offset, with_axes[k].offset), 1e-14);
            EXPECT_LT(apart(model::rotate(homogeneous[k].rotation, {1, 2, 3}),
                            model::rotate(with_axes[k].rotation, {1, 2, 3})),
                      1e-13);
        }
    }
}

std::string scene_with(const std::string& keys, const std::string& more = "") {
    return "materials: {m: {density: 1000}}\npairs: [{between: [m, m]}]\n" + more +
           "bodies: [{material: m, body: {box: {half_extents: [1, 1, 1]}, position: [0, 0, 0], " + keys + "}}]\n";
}

TEST(MassFrame, IsReadAndWritten) {
    const model::Scene scene = scene::parse_scene(
        scene_with(
            "mass: 2, inertia: [1, 1, 1.5], center_of_mass: [0, 0.1, 0], inertia_axes: {axis: [0, 0, 1], angle: 90 "
            "deg}, collide: false"),
        "scene.yaml");
    const model::Scene again = scene::parse_scene(scene::to_yaml(scene), "scene.yaml");
    for (const model::Scene* s : {&scene, &again}) {
        const auto& body = std::get<model::BodySource>(s->sources[0].what);
        EXPECT_EQ(body.center_of_mass, (Vec3{0, 0.1, 0}));
        ASSERT_TRUE(body.inertia_axes.has_value());
        EXPECT_LT(apart(model::rotate(*body.inertia_axes, {1, 0, 0}), {0, 1, 0}), 1e-15);
        EXPECT_FALSE(body.collide);
    }
}

TEST(MassFrame, NeedsMomentsAndTheProductionStep) {
    const auto refused = [](const std::string& keys, const std::string& more = "") {
        return test::error_of([&] { (void)scene::parse_scene(scene_with(keys, more), "scene.yaml"); }).message();
    };
    EXPECT_NE(refused("center_of_mass: [0, 0, 0.1]").find("without 'inertia'"), std::string::npos);
    EXPECT_NE(refused("inertia_axes: [1, 0, 0, 0]").find("without 'inertia'"), std::string::npos);
    const std::string lcp = "stepper: lcp\n";
    EXPECT_NE(refused("collide: false", lcp).find("touch nothing"), std::string::npos);
    EXPECT_NE(refused("inertia: [1, 1, 1], center_of_mass: [0, 0, 0.1]", lcp).find("homogeneous"), std::string::npos);
}

}  // namespace
}  // namespace scree::geometry
