// SPDX-License-Identifier: BSD-3-Clause
// Bodies of other shapes on a plane made of many triangles: as on the analytic plane, across shared edges and vertices
// (validation A13 with shapes). A seam is no bump.
#include "tests/support/mesh_plane.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

namespace scree::test {
namespace {

struct Thrown {
    const char* name;
    model::Solid shape;
    Vec3 from;
    model::Quat orientation;
    Vec3 velocity, spin;
};

class SolidsOnMeshPlane : public testing::TestWithParam<std::tuple<double, Thrown>> {};

const model::Quat lying = model::from_axis_angle({1, 0, 0}, std::numbers::pi / 2);  // axis z along -y
const model::SolidBox slab{{0.06, 0.05, 0.03}};
const model::SolidPolytope tetrahedron{
    {{0.05, 0.05, 0.05}, {0.05, -0.05, -0.05}, {-0.05, 0.05, -0.05}, {-0.05, -0.05, 0.05}}};
INSTANTIATE_TEST_SUITE_P(
    A13, SolidsOnMeshPlane,
    testing::Combine(
        testing::Values(1e-3, 5e-4),
        testing::Values(
            Thrown{"box slides along an edge", slab, {-0.5, 0, 0.03}, {}, {1.5, 0, 0}, {}},
            Thrown{"box slides over seams", slab, {-0.5, -0.31, 0.03}, {}, {1.4, 0.6, 0}, {}},
            Thrown{"box slides and turns", slab, {-0.5, -0.31, 0.03}, {}, {1.4, 0.6, 0}, {0, 0, 3}},
            Thrown{"cylinder rolls", model::SolidCylinder{0.05, 0.06}, {-0.5, -0.31, 0.05}, lying, {0.8, 0, 0}, {}},
            Thrown{"capsule rolls", model::SolidCapsule{0.05, 0.04}, {-0.5, 0.02, 0.05}, lying, {0.8, 0, 0}, {}},
            Thrown{"ellipsoid rolls",
                   model::SolidEllipsoid{{0.05, 0.04, 0.03}},
                   {-0.5, -0.31, 0.0301},
                   {},
                   {1.2, 0.5, 0},
                   {0, 25, 0}},
            Thrown{"cylinder slides on its face",
                   model::SolidCylinder{0.05, 0.04},
                   {-0.5, -0.31, 0.04},
                   {},
                   {1.4, 0.6, 0},
                   {0, 0, 2}},
            Thrown{"box tumbles",
                   slab,
                   {-0.5, -0.31, 0.2},
                   model::from_axis_angle({1, 2, 3}, 0.7),
                   {1, 0.4, 0},
                   {3, -4, 5}},
            Thrown{"tetrahedron tumbles",
                   tetrahedron,
                   {-0.5, -0.31, 0.2},
                   model::from_axis_angle({1, 2, 3}, 0.7),
                   {1, 0.4, 0},
                   {3, -4, 5}},
            Thrown{"superquadric rolls",
                   model::SolidSuperquadric{{0.05, 0.04, 0.04}, 0.8, 0.9},
                   {-0.5, -0.31, 0.0401},
                   {},
                   {0.7, 0.3, 0},
                   {-6, 8, 0}})));

TEST_P(SolidsOnMeshPlane, MoveAsOnTheAnalyticPlane) {
    const auto& [h, t] = GetParam();
    const auto thrown = [h = h, &t = t] {
        SceneMaker scene(h);
        scene.exact(1e-10).law({.friction = 0.3});
        scene.solid(
            t.shape,
            {.position = t.from, .orientation = t.orientation, .velocity = t.velocity, .angular_velocity = t.spin});
        return scene;
    };
    SceneMaker flat = thrown(), triangles = thrown();
    flat.plane();
    triangles.boundary(meshed_square());
    Experiment on_plane(flat), on_mesh(triangles);
    double apart = 0.0, faster = 0.0, turned = 0.0;
    for (int step = 0; step < int(std::lround(0.7 / h)); ++step) {
        on_plane.step();
        on_mesh.step();
        const BodyNow a = on_plane.body(0), b = on_mesh.body(0);
        apart = std::max(apart, norm(a.position - b.position));
        faster = std::max(faster, norm(a.velocity - b.velocity));
        turned = std::max(turned, a.radius * norm(a.angular_velocity - b.angular_velocity));
    }
    EXPECT_LT(apart, 1e-6) << t.name;   // [m]
    EXPECT_LT(faster, 1e-6) << t.name;  // [m/s]
    EXPECT_LT(turned, 1e-6) << t.name;
    EXPECT_GT(norm(on_plane.body(0).position - t.from), 0.2);
}

}  // namespace
}  // namespace scree::test
