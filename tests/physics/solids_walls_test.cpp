// SPDX-License-Identifier: BSD-3-Clause
// Bodies of other shapes where walls meet, end and bend: in corners, on rims, on ridges. A wall that is lost and found
// again there throws bodies, so the energy tells.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::test {
namespace {

using model::Quat;
using model::SolidBox;
using model::SolidPolytope;

const SolidPolytope tetrahedron{{{0.1, 0, 0}, {-0.05, 0.08, 0}, {-0.05, -0.08, 0}, {0, 0, 0.12}}};

model::MeshShape mesh(std::vector<Vec3> vertices, std::vector<std::array<std::uint32_t, 3>> triangles) {
    model::MeshShape shape;
    shape.vertices = std::move(vertices);
    shape.triangles = std::move(triangles);
    return shape;
}

struct Extremes {
    double most_gained = 0.0;  ///< Largest rise of the energy over what it was before [J].
    double overlap = 0.0;      ///< Relative.
};

/// Runs for `time` and watches the energy of one body of 1 kg.
Extremes watch(const SceneMaker& scene, double time) {
    Experiment run(scene);
    Extremes extremes;
    double least = 1e300;
    run.until(time, [&] {
        const model::Snapshot& s = run.now();
        const double energy = kinetic_energy_of(s, 0) + s.mass[0] * gravity * s.position[0].z;
        least = std::min(least, energy);
        extremes.most_gained = std::max(extremes.most_gained, energy - least);
        extremes.overlap = std::max(extremes.overlap, run.report().overlap_relative);
    });
    return extremes;
}

/// The half-implicit step gives back, at an impact, what it lost in free flight: up to m v g h / 2 at the speed v, here
/// 3 m/s at most; and overlaps of a body at rest, of some 1e-5 of its size, store next to nothing.
void expect_quiet(const Extremes& e, double h, double overlap = 0.01) {
    EXPECT_LT(e.most_gained, 3.0 * gravity * h);
    EXPECT_LT(e.overlap, overlap);
}

class SolidsAtWalls : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Steps, SolidsAtWalls, testing::Values(1e-3, 5e-4));

// A face bears on each face of a container in four points, a side in two. (Those of +x, +y and +z once had one.)
TEST(SolidsInAContainer, BearOnEveryFaceAlike) {
    const model::BoxShape room{{0.1, 0.2, 0.3}, {1.0, 1.1, 1.2}, {}, true, {}};
    const double halves[3] = {1.0, 1.1, 1.2};
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const double side : {-1.0, 1.0})
            for (const bool is_cube : {true, false}) {
                Vec3 outward{axis == 0 ? side : 0.0, axis == 1 ? side : 0.0, axis == 2 ? side : 0.0};
                SceneMaker scene(2e-3);
                scene.exact(1e-8).law({.friction = 0.4}).acceleration(9.81 * outward);
                scene.boundary(room);
                const Vec3 place = room.center + (halves[axis] - 0.1) * outward;
                // The log lies along an axis of the face.
                const Quat lying = model::from_axis_angle(axis == 0 ? Vec3{0, 0, 1} : Vec3{1, 0, 0},
                                                          axis == 0 ? 0.0 : 0.5 * std::acos(-1.0));
                const Quat turn = axis == 1 ? Quat{} : lying;
                scene.solid(
                    is_cube ? model::Solid(SolidBox{{0.1, 0.1, 0.1}}) : model::Solid(model::SolidCylinder{0.1, 0.2}),
                    {.position = place, .orientation = is_cube ? Quat{} : turn, .mass = 1.0});
                Experiment run(scene);
                run.until(0.5);
                EXPECT_EQ(run.now().contacts.size(), is_cube ? 4U : 2U) << axis << ' ' << side;
                EXPECT_LT(norm(run.now().velocity[0]), 1e-6) << axis << ' ' << side;
                EXPECT_LT(norm(run.now().angular_velocity[0]), 1e-6) << axis << ' ' << side;
            }
}

TEST_P(SolidsAtWalls, ConeSlidesIntoTheCornerOfADrum) {
    SceneMaker scene(GetParam());
    scene.solver(1e-4, 2000).law({});
    model::RevolutionShape drum;
    drum.start = {0, 0, 0};
    drum.axis = {0, 0, 1};
    drum.length = 1.0;
    drum.radius_start = drum.radius_end = 0.65;
    drum.cap_start = true;
    scene.boundary(drum);
    scene.solid(model::SolidCone{0.1, 0.2}, {.position = {0.2, 0, 0.05}, .velocity = {1, 0, 0}});
    expect_quiet(watch(scene, 1.0), GetParam());
}

TEST_P(SolidsAtWalls, TetrahedronSlidesIntoTheCornerOfAMesh) {
    SceneMaker scene(GetParam());
    scene.solver(1e-4, 2000).law({});
    scene.boundary(mesh({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {1, -1, 1}, {1, 1, 1}},
                        {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}}));
    scene.solid(tetrahedron, {.position = {0.5, 0.1, 0.0301}, .velocity = {1, 0, 0}});
    expect_quiet(watch(scene, 1.0), GetParam());
}

TEST_P(SolidsAtWalls, BoxFallsIntoAPitOfFourTriangles) {
    SceneMaker scene(GetParam());
    scene.solver(1e-4, 2000).law({.friction = 0.5});
    scene.boundary(mesh({{1, 1, 1}, {-1, 1, 1}, {-1, -1, 1}, {1, -1, 1}, {0, 0, 0}},
                        {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}));
    scene.solid(SolidBox{{0.1, 0.08, 0.06}},
                {.position = {0.05, -0.03, 0.5}, .orientation = model::from_axis_angle({1, 2, 3}, 0.7)});
    expect_quiet(watch(scene, 1.5), GetParam());
}

TEST_P(SolidsAtWalls, TetrahedronSlidesOffAMeshedSpike) {
    SceneMaker scene(GetParam());
    scene.solver(1e-4, 2000).law({.friction = 0.5});
    scene.boundary(mesh({{0.5, 0.5, -0.5}, {-0.5, 0.5, -0.5}, {-0.5, -0.5, -0.5}, {0.5, -0.5, -0.5}, {0, 0, 0}},
                        {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}));
    scene.solid(tetrahedron, {.position = {-0.0068, -0.0195, 0.25}});
    expect_quiet(watch(scene, 0.45), GetParam(), 0.03);
}

TEST_P(SolidsAtWalls, BodiesFallOnTheRimOfAPipe) {
    for (const model::Solid& solid :
         {model::Solid{SolidBox{{0.1, 0.08, 0.06}}}, model::Solid{model::SolidCapsule{0.06, 0.08}},
          model::Solid{model::SolidEllipsoid{{0.1, 0.1, 0.1}}}})
        for (const double inside : {0.01, -0.05})
            for (const auto side : {model::Side::inside, model::Side::outside}) {
                SceneMaker scene(GetParam());
                scene.solver(1e-4, 2000).law({.friction = 0.3});
                model::RevolutionShape pipe;
                pipe.start = {0, 0, 0};
                pipe.axis = {0, 0, 1};
                pipe.length = 1.0;
                pipe.radius_start = pipe.radius_end = 0.5;
                pipe.side = side;
                scene.boundary(pipe);
                scene.plane();
                scene.solid(solid, {.position = {0.5 - inside, 0, 1.3}});
                Extremes e = watch(scene, 0.6);
                EXPECT_LT(e.most_gained, 3.0 * gravity * GetParam())
                    << solid.index() << ' ' << inside << ' ' << int(side);
                EXPECT_LT(e.overlap, 0.01) << solid.index() << ' ' << inside << ' ' << int(side);
            }
}

}  // namespace
}  // namespace scree::test
