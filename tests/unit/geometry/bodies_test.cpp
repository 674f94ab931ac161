// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/bodies.hpp"

#include "engine/geometry/mass.hpp"
#include "engine/model/error.hpp"
#include "tests/unit/geometry/scratch_file.hpp"
#include "tests/unit/geometry/source_scenes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace scree::geometry {
namespace {

using model::FileSource;
using model::LatticeSource;
using model::Scene;
using model::SphereSource;
using model::Vec3;
using test::add_source;
using test::all_notes;
using test::bodies_error;
using test::expect_error;
using test::lattice;
using test::scene_with;

SphereSource sphere(Vec3 position, double radius, bool fixed = false) {
    SphereSource source;
    source.position = position;
    source.radius = radius;
    source.fixed = fixed;
    return source;
}

TEST(GeometryBodies, SceneWithoutSourcesHasNoBodies) {
    const BodySet set = make_bodies({});
    EXPECT_TRUE(set.bodies.empty());
    EXPECT_TRUE(set.reports.empty());
}

TEST(GeometryBodies, SingleSphereCarriesWhatItsSourceSays) {
    Scene scene = scene_with(sphere({1, 2, 3}, 0.1));
    scene.sources[0].material = 1;
    scene.sources[0].velocity = {4, 5, 6};
    scene.sources[0].angular_velocity = {7, 8, 9};
    const BodySet set = make_bodies(scene);
    ASSERT_EQ(set.bodies.size(), 1U);
    const model::Sphere& body = set.bodies[0];
    EXPECT_EQ(body.position, (Vec3{1, 2, 3}));
    EXPECT_EQ(body.velocity, (Vec3{4, 5, 6}));
    EXPECT_EQ(body.angular_velocity, (Vec3{7, 8, 9}));
    EXPECT_EQ(body.material, 1U);
    EXPECT_EQ(body.id, 1U);
    EXPECT_FALSE(body.fixed);
    EXPECT_EQ(set.reports[0].name, "first");
    EXPECT_EQ(set.reports[0].mass, sphere_mass(7200.0, 0.1));
    EXPECT_TRUE(set.reports[0].notes.empty());
}

TEST(GeometryBodies, IdsAndSourcesFollowTheOrderOfTheScene) {
    Scene scene = scene_with(lattice(LatticeSource::Kind::sc, {4, 4, 4}, 1.0));
    add_source(scene, "second", sphere({10, 0, 0}, 1.0, true));
    const BodySet set = make_bodies(scene);
    ASSERT_EQ(set.bodies.size(), 9U);
    for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_EQ(set.bodies[i].id, i + 1);
        EXPECT_EQ(set.bodies[i].source, i < 8 ? 0U : 1U);
    }
    EXPECT_TRUE(set.bodies[8].fixed);
    EXPECT_EQ(set.reports[1].mass, 0.0);  // fixed bodies have none
}

TEST(GeometryBodies, FileIsFoundBesideTheSceneAndVelocitiesAdd) {
    const test::ScratchFile file("x y z radius vz\n1 2 3 0.5 7\n4 5 6 1.5 8\n", ".csv");
    FileSource source;
    source.path = file.path().filename().string();
    Scene scene = scene_with(source);
    scene.path = (file.path().parent_path() / "scene.yaml").string();
    scene.sources[0].velocity = {1, 0, 1};
    const BodySet set = make_bodies(scene);
    ASSERT_EQ(set.bodies.size(), 2U);
    EXPECT_EQ(set.bodies[1].position, (Vec3{4, 5, 6}));
    EXPECT_EQ(set.bodies[1].velocity, (Vec3{1, 0, 9}));
    EXPECT_EQ(set.reports[0].requested, 2U);
    EXPECT_EQ(set.reports[0].inserted, 2U);
    EXPECT_EQ(set.reports[0].radius_min, 0.5);
    EXPECT_EQ(set.reports[0].radius_mean, 1.0);
    EXPECT_EQ(set.reports[0].radius_max, 1.5);
}

TEST(GeometryBodies, ErrorInAParticleFileNamesThatFile) {
    const test::ScratchFile file("x y z radius\n1 2 3\n", ".csv");
    FileSource source;
    source.path = file.path().string();
    const model::Error error = bodies_error(scene_with(source));
    EXPECT_EQ(error.file(), file.path().string());
    EXPECT_EQ(error.line(), 2U);
}

TEST(GeometryBodies, SourcesThatMakeNoSenseNameTheLineOfTheScene) {
    expect_error(scene_with(sphere({1, 2, 3}, 0.0)), "radius is 0");
    expect_error(scene_with(sphere({1, NAN, 3}, 1.0)), "position is not finite");
    Scene scene = scene_with(sphere({1, 2, 3}, 1.0));
    scene.sources[0].material = 2;
    expect_error(scene, "material 2 of 2");
    scene.sources[0].material = 0;
    scene.sources[0].velocity.x = INFINITY;
    expect_error(scene, "velocity is not finite");
}

TEST(GeometryBodies, GivenOverlapsAreNotedWithTheWorstPair) {
    Scene scene = scene_with(sphere({0, 0, 0}, 1.0));
    add_source(scene, "touching", sphere({2, 0, 0}, 1.0));
    add_source(scene, "nine", sphere({0, 1.91, 0}, 1.0));  // 9 % of the radius: not deep
    add_source(scene, "deep", sphere({0, 0, 1.2}, 0.5));   // 60 % with body 1
    add_source(scene, "two", sphere({0, 0, 2.0}, 0.4));    // 25 % with body 4
    const BodySet set = make_bodies(scene);
    EXPECT_TRUE(set.reports[1].notes.empty());
    EXPECT_TRUE(set.reports[2].notes.empty());
    EXPECT_EQ(
        all_notes(set.reports[3]),
        "1 pair overlaps by more than 10 % of the smaller radius; worst: bodies 1 and 4, 60.0 %, at (0, 0, 1.2)\n");
    EXPECT_NE(all_notes(set.reports[4]).find("bodies 4 and 5, 25.0 %"), std::string::npos);
}

TEST(GeometryBodies, OverlapsOfSolidsAreThoseOfTheSolids) {
    const auto box = [](model::Vec3 position) {
        model::BodySource body;
        body.shape = model::SolidBox{{1.0, 1.0, 0.1}};
        body.position = position;
        return body;
    };
    // The spheres around the plates overlap by far.
    Scene scene = scene_with(box({0, 0, 0}));
    add_source(scene, "above", box({0, 0, 0.3}));
    EXPECT_TRUE(make_bodies(scene).reports[1].notes.empty());
    add_source(scene, "beside", box({1.7, 0, 0}));  // .2 m along z would part them: 14 % of the radius
    EXPECT_NE(all_notes(make_bodies(scene).reports[2]).find("1 pair overlaps"), std::string::npos)
        << all_notes(make_bodies(scene).reports[2]);
}

TEST(GeometryBodies, OverlapsOfFixedBodiesWithEachOtherDoNotMatter) {
    Scene scene = scene_with(sphere({0, 0, 0}, 1.0, true));
    add_source(scene, "second", sphere({0.5, 0, 0}, 1.0, true));
    EXPECT_TRUE(make_bodies(scene).reports[1].notes.empty());
    add_source(scene, "third", sphere({0, 0.5, 0}, 1.0));
    EXPECT_NE(all_notes(make_bodies(scene).reports[2]).find("2 pairs"), std::string::npos);
}

TEST(GeometryBodies, OverlapsAcrossAPeriodicFaceAreNoted) {
    Scene scene = scene_with(sphere({0.1, 5, 5}, 1.0));
    add_source(scene, "second", sphere({9.9, 5, 5}, 1.0));
    EXPECT_TRUE(make_bodies(scene).reports[1].notes.empty());
    scene.periodic[0] = {true, 0.0, 10.0};
    EXPECT_NE(all_notes(make_bodies(scene).reports[1]).find("bodies 1 and 2, 180.0 %"), std::string::npos);
}

TEST(GeometryBodies, OverlapsAreCountedAsByBruteForce) {
    std::string rows = "x,y,z,radius\n";
    for (int i = 0; i < 400; ++i) {
        rows += std::to_string(std::fmod(i * 0.6180339, 1.0)) + "," + std::to_string(std::fmod(i * 0.7548776, 1.0)) +
                "," + std::to_string(std::fmod(i * 0.5698402, 1.0)) + "," + (i % 7 == 0 ? "0.15" : "0.03") + "\n";
    }
    const test::ScratchFile file(rows, ".csv");
    FileSource source;
    source.path = file.path().string();
    const BodySet set = make_bodies(scene_with(source));
    std::size_t expected = 0;
    for (std::size_t i = 0; i < set.bodies.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const model::Sphere &a = set.bodies[i], &b = set.bodies[j];
            const double overlap = a.radius + b.radius - norm(a.position - b.position);
            expected += overlap > 0.1 * std::min(a.radius, b.radius) ? 1U : 0U;
        }
    }
    EXPECT_GT(expected, 100U);
    EXPECT_EQ(all_notes(set.reports[0]).rfind(std::to_string(expected) + " pairs", 0), 0U);
}

TEST(GeometryBodies, OutsideThePeriodicFacesBeginAtTheirImage) {
    Scene scene = scene_with(sphere({10.25, -3, 0.75}, 0.1));
    add_source(scene, "inside", sphere({0.5, 0.5, 0.5}, 0.1));
    add_source(scene, "face", sphere({1.0, 0.0, -1e-30}, 0.1));
    scene.periodic[0] = {true, 0.0, 1.0};
    scene.periodic[2] = {true, 0.0, 1.0};
    const BodySet set = make_bodies(scene);
    EXPECT_EQ(set.bodies[0].position, (Vec3{0.25, -3, 0.75}));
    EXPECT_EQ(set.bodies[1].position, (Vec3{0.5, 0.5, 0.5}));
    EXPECT_EQ(set.bodies[2].position, (Vec3{0, 0, 0}));
    EXPECT_EQ(set.reports[0].wrapped, 1U);
    EXPECT_EQ(set.reports[1].wrapped, 0U);
    EXPECT_EQ(set.reports[2].wrapped, 1U);
}

TEST(GeometryBodies, ThatArithmeticCannotHoldAreNamed) {
    expect_error(scene_with(sphere({1e300, 0, 0}, 0.1)), "body 1: a coordinate is 1e+300 m (allowed: at most");
    Scene fast = scene_with(sphere({}, 0.1));
    fast.sources[0].velocity = {1e200, 0, 0};
    expect_error(fast, "allowed: at most 1e+15 m/s");
    Scene tiny = scene_with(sphere({}, 1e-9));
    expect_error(tiny, "beyond mixed precision");
    tiny.settings.precision = model::Precision::double_;
    EXPECT_EQ(make_bodies(tiny).bodies.size(), 1U);
    tiny.sources[0].name.clear();
    tiny.settings.precision = model::Precision::mixed;
    EXPECT_EQ(bodies_error(tiny).message().rfind("bodies[0]: body 1: mass", 0), 0U);
    EXPECT_EQ(bodies_error(tiny).hint(), "use precision: double");
    Scene huge = scene_with(sphere({}, 0.1));
    model::BodySource box;
    box.shape = model::SolidBox{{1e120, 1, 1}};
    huge.sources[0].what = box;
    expect_error(huge, "mass or moments of inertia overflow");
    box.shape = model::SolidBox{{1e-200, 1e-200, 1e-200}};
    box.position = {0.5, 0, 0};
    huge.sources[0].what = box;
    expect_error(huge, "body 1: its size is beyond double precision");
    box = {};
    box.shape = model::SolidBox{{1, 1, 1}};
    box.mass = 1.0;
    box.inertia = {1e160, 1e160, 1e160};
    huge.sources[0].what = box;
    huge.settings.precision = model::Precision::double_;
    expect_error(huge, "beyond double precision (allowed: 1e-150 to 1e+150)");
    box = {};
    box.shape = model::SolidBox{{1, 1, 1}};
    box.force = {1e300, 0, 0};
    huge.sources[0].what = box;
    expect_error(huge, "its force makes ");
    // The mass of fixed bodies does not matter.
    EXPECT_EQ(make_bodies(scene_with(sphere({}, 1e-9, true))).bodies.size(), 1U);
}

}  // namespace
}  // namespace scree::geometry
