// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/bodies.hpp"

#include "engine/geometry/mass.hpp"
#include "engine/model/error.hpp"
#include "tests/unit/geometry/packing_checks.hpp"
#include "tests/unit/geometry/scratch_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

namespace scree::geometry {
namespace {

using model::FileSource;
using model::LatticeSource;
using model::Scene;
using model::SphereSource;
using model::Vec3;
using test::error_of;
using test::least_gap;
using test::most_outside;

template <class What>
void add_source(Scene& scene, const std::string& name, const What& what) {
    model::Source source;
    source.name = name;
    source.line = 10 + scene.sources.size();
    source.what = what;
    scene.sources.push_back(source);
}

template <class What>
Scene scene_with(const What& what) {
    Scene scene;
    scene.path = "scenes/test.yaml";
    scene.materials = {{"glass", 2500.0}, {"steel", 7200.0}};
    add_source(scene, "first", what);
    return scene;
}

SphereSource sphere(Vec3 position, double radius, bool fixed = false) {
    SphereSource source;
    source.position = position;
    source.radius = radius;
    source.fixed = fixed;
    return source;
}

LatticeSource lattice(LatticeSource::Kind kind, Vec3 upper, double radius, double spacing = 0.0) {
    LatticeSource source;
    source.kind = kind;
    source.upper = upper;
    source.radius = radius;
    source.spacing = spacing;
    return source;
}

std::string all_notes(const SourceReport& report) {
    std::string text;
    for (const std::string& note : report.notes) text += note + "\n";
    return text;
}

model::Error bodies_error(const Scene& scene) {
    model::Error error = error_of([&] { static_cast<void>(make_bodies(scene)); });
    EXPECT_EQ(error.kind(), model::ErrorKind::input);
    return error;
}

/// The scene's only source fails with this text, at the scene's file and the source's line.
void expect_error(const Scene& scene, const std::string& text) {
    const model::Error error = bodies_error(scene);
    EXPECT_NE(error.message().find(text), std::string::npos) << error.what();
    EXPECT_NE(error.message().find("source 'first'"), std::string::npos);
    EXPECT_EQ(error.file(), "scenes/test.yaml");
    EXPECT_EQ(error.line(), 10U);
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

TEST(GeometryBodies, SimpleCubicLatticeFillsItsBoxExactly) {
    const BodySet set = make_bodies(scene_with(lattice(LatticeSource::Kind::sc, {4, 6, 8}, 1.0)));
    ASSERT_EQ(set.bodies.size(), 24U);
    EXPECT_EQ(set.bodies[0].position, (Vec3{1, 1, 1}));
    EXPECT_EQ(set.bodies[1].position, (Vec3{3, 1, 1}));
    EXPECT_EQ(set.bodies[2].position, (Vec3{1, 3, 1}));
    EXPECT_EQ(set.bodies[6].position, (Vec3{1, 1, 3}));
    EXPECT_EQ(set.bodies[23].position, (Vec3{3, 5, 7}));
    EXPECT_EQ(set.reports[0].requested, 24U);
    EXPECT_EQ(set.reports[0].rejected, 0U);
}

TEST(GeometryBodies, LatticeOfADecimalSpacingLosesNoLayerToRounding) {
    // 0.1 / 0.01 is not 10 in binary.
    EXPECT_EQ(make_bodies(scene_with(lattice(LatticeSource::Kind::sc, {0.1, 0.1, 0.1}, 0.005))).bodies.size(), 1000U);
}

TEST(GeometryBodies, FaceCentredLatticeHasFourSpheresPerCube) {
    // n cubes of edge e between the centres: 4 n^3 + 6 n^2 + 3 n + 1 points.
    const double edge = std::numbers::sqrt2;  // spacing 1
    const double side = 3 * edge + 1.0;
    const BodySet set = make_bodies(scene_with(lattice(LatticeSource::Kind::fcc, {side, side, side}, 0.5)));
    EXPECT_EQ(set.bodies.size(), 4U * 27U + 6U * 9U + 3U * 3U + 1U);
    EXPECT_NEAR(least_gap(set.bodies), 0.0, 1e-14);
    EXPECT_LE(most_outside(set.bodies, {0, 0, 0}, {side, side, side}), 1e-14);
}

int neighbours_at(const std::vector<model::Sphere>& bodies, Vec3 center, double distance) {
    int count = 0;
    for (const model::Sphere& b : bodies) count += std::abs(norm(b.position - center) - distance) < 1e-9 ? 1 : 0;
    return count;
}

TEST(GeometryBodies, ClosePackedLatticesHaveTwelveNeighbours) {
    for (const auto kind : {LatticeSource::Kind::fcc, LatticeSource::Kind::hcp}) {
        const BodySet set = make_bodies(scene_with(lattice(kind, {6, 6, 6}, 0.45, 1.0)));
        std::size_t inner = 0;
        for (const model::Sphere& b : set.bodies) {
            const Vec3 d = b.position - Vec3{3, 3, 3};
            if (std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) > 1.0) continue;
            EXPECT_EQ(neighbours_at(set.bodies, b.position, 1.0), 12);
            ++inner;
        }
        EXPECT_GE(inner, 4U);
        EXPECT_NEAR(least_gap(set.bodies), 0.1, 1e-12);
        EXPECT_LE(most_outside(set.bodies, {0, 0, 0}, {6, 6, 6}), 1e-12);
    }
}

TEST(GeometryBodies, HexagonalLatticeHasItsLayerDistance) {
    const BodySet set = make_bodies(scene_with(lattice(LatticeSource::Kind::hcp, {6, 6, 6}, 0.5, 1.0)));
    const double height = std::sqrt(2.0 / 3.0);
    EXPECT_EQ(neighbours_at(set.bodies, set.bodies[0].position + Vec3{0, 0, 2 * height}, 0.0), 1);  // A B A
}

TEST(GeometryBodies, LatticeStopsAtItsCountOrSaysThatTheBoxIsTooSmall) {
    LatticeSource source = lattice(LatticeSource::Kind::sc, {4, 4, 4}, 1.0);
    source.count = 5;
    EXPECT_EQ(make_bodies(scene_with(source)).bodies.size(), 5U);
    source.count = 9;
    const BodySet set = make_bodies(scene_with(source));
    EXPECT_EQ(set.reports[0].requested, 9U);
    EXPECT_EQ(set.reports[0].inserted, 8U);
    EXPECT_EQ(set.reports[0].rejected, 1U);
    EXPECT_NE(all_notes(set.reports[0]).find("only 8"), std::string::npos);
}

TEST(GeometryBodies, LargestJitterAllowedNeverMakesAnOverlap) {
    for (const auto& [kind, sum] :
         {std::pair{LatticeSource::Kind::sc, 1.0}, std::pair{LatticeSource::Kind::fcc, std::numbers::sqrt2},
          std::pair{LatticeSource::Kind::hcp, 1.6051716}}) {
        LatticeSource source = lattice(kind, {8, 8, 8}, 0.4, 1.0);
        source.jitter = 0.1 / sum * (1.0 - 1e-6);  // half the gap of 0.2
        const BodySet set = make_bodies(scene_with(source));
        EXPECT_GT(set.bodies.size(), 300U);
        EXPECT_GE(least_gap(set.bodies), 0.0);
        EXPECT_LT(least_gap(set.bodies), 0.15);  // it does move
        EXPECT_LE(most_outside(set.bodies, {0, 0, 0}, {8, 8, 8}), 1e-12);

        source.jitter = 0.1 / sum * (1.0 + 1e-6);
        expect_error(scene_with(source), "for the free gap of 0.2 m");
    }
}

TEST(GeometryBodies, CopiesOfAShapeStandCloserThanTheSpheresAroundThem) {
    // Bricks of 2 x 1 x 1 on a face-centred lattice: running bond, face to face.
    LatticeSource source = lattice(LatticeSource::Kind::fcc, {10, 10, 10}, std::sqrt(1.5), std::numbers::sqrt2);
    Scene scene = scene_with(source);
    expect_error(scene, "allowed: at least the diameter");
    scene.sources[0].shape = model::SolidBox{{1.0, 0.5, 0.5}};
    const BodySet bricks = make_bodies(scene);
    EXPECT_GT(bricks.bodies.size(), 200U);
    EXPECT_EQ(bricks.reports[0].overlaps, 0U);
    EXPECT_NEAR(least_gap(bricks.bodies), std::numbers::sqrt2 - 2 * std::sqrt(1.5), 1e-12);

    // Turned, they stand in each other, which is said.
    scene.sources[0].turned_at_random = true;
    EXPECT_GT(make_bodies(scene).reports[0].overlaps, 200U);
    source.jitter = 1e-3;
    scene.sources[0].what = source;
    expect_error(scene, "for the free gap of 0 m");
    // Bricks of 2 m^3 with 1.99 m^3 for each.
    source.jitter = 0.0;
    source.spacing *= 0.998;
    scene.sources[0].what = source;
    expect_error(scene, "at least 1.41421 m, at which the copies fill the space");
}

TEST(GeometryBodies, JitterDependsOnTheSeed) {
    LatticeSource source = lattice(LatticeSource::Kind::sc, {8, 8, 8}, 0.4, 1.0);
    source.jitter = 0.05;
    const Vec3 first = make_bodies(scene_with(source)).bodies[0].position;
    EXPECT_EQ(make_bodies(scene_with(source)).bodies[0].position, first);
    source.seed = 2;
    EXPECT_NE(make_bodies(scene_with(source)).bodies[0].position, first);
}

TEST(GeometryBodies, LatticesThatMakeNoSenseAreErrors) {
    using K = LatticeSource::Kind;
    expect_error(scene_with(lattice(K::sc, {1, 1, 1}, 0.0)), "radius is 0");
    expect_error(scene_with(lattice(K::sc, {1, 1, 1}, 0.1, 0.19)), "spacing is 0.19");
    expect_error(scene_with(lattice(K::sc, {1, 1, 0.1}, 0.1)), "holds no sphere");
    expect_error(scene_with(lattice(K::sc, {1, INFINITY, 1}, 0.1)), "not finite");
    expect_error(scene_with(lattice(K::hcp, {1000, 1000, 1000}, 0.1)), "spheres are wanted, allowed: 2147483646");
    LatticeSource source = lattice(K::fcc, {1e9, 1e9, 1e9}, 1e-3);
    source.count = 3000000000;
    expect_error(scene_with(source), "allowed: 2147483646");
    source.count = 3;
    EXPECT_EQ(make_bodies(scene_with(source)).bodies.size(), 3U);
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
