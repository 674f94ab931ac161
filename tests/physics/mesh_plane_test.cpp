// SPDX-License-Identifier: BSD-3-Clause
// A plane made of many triangles is the analytic plane, across shared edges and vertices (validation A13).
#include "tests/support/mesh_plane.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace scree::test {
namespace {

struct Throw {
    const char* name;
    Vec3 from, velocity, spin;
    double restitution;
};

class MeshPlane : public testing::TestWithParam<std::tuple<double, Throw>> {
protected:
    static constexpr double radius = 0.04;
    static SceneMaker thrown(double h, const Throw& t) {
        SceneMaker scene(h);
        scene.exact().law({.friction = 0.4, .restitution = t.restitution});
        scene.sphere({.position = t.from, .radius = radius, .velocity = t.velocity, .angular_velocity = t.spin});
        return scene;
    }
};
INSTANTIATE_TEST_SUITE_P(
    A13, MeshPlane,
    testing::Combine(
        testing::Values(1e-3, 5e-4),
        testing::Values(Throw{"rolls along edges", {-0.5, 0, 0.04}, {1, 0, 0}, {}, 0},
                        Throw{"rolls along diagonals over vertices", {-0.5, -0.5, 0.04}, {0.8, 0.8, 0}, {}, 0},
                        Throw{"rolls anywhere", {-0.5, -0.31, 0.04}, {0.9, 0.37, 0}, {3, 4, 5}, 0},
                        Throw{"bounces on vertices and edges", {0, 0, 0.3}, {0, 0, 0}, {0, 5, 0}, 0.8},
                        Throw{"bounces across", {-0.5, -0.31, 0.3}, {0.9, 0.37, 0}, {3, 4, 5}, 0.7})));

TEST_P(MeshPlane, ActsAsTheAnalyticPlane) {
    const auto& [h, t] = GetParam();
    SceneMaker flat = thrown(h, t), triangles = thrown(h, t);
    flat.plane();
    triangles.boundary(meshed_square());
    Experiment on_plane(flat), on_mesh(triangles);
    double apart = 0.0, faster = 0.0, turned = 0.0;
    for (int step = 0; step < int(std::lround(1.0 / h)); ++step) {
        on_plane.step();
        on_mesh.step();
        const BodyNow a = on_plane.body(0), b = on_mesh.body(0);
        apart = std::max(apart, norm(a.position - b.position));
        faster = std::max(faster, norm(a.velocity - b.velocity));
        turned = std::max(turned, radius * norm(a.angular_velocity - b.angular_velocity));
    }
    EXPECT_LT(apart, 1e-6) << t.name;   // [m]
    EXPECT_LT(faster, 1e-6) << t.name;  // [m/s]
    EXPECT_LT(turned, 1e-6) << t.name;
    EXPECT_GT(norm(on_plane.body(0).position - t.from), 0.1);
}

// Mixed precision rounds the same way on both: the same normal and gap lead to the same rows.
TEST(MeshPlaneMixed, RollsAsOnTheAnalyticPlane) {
    for (const double h : {1e-3, 5e-4}) {
        const Throw t{"", {-0.5, -0.31, 0.04}, {0.9, 0.37, 0}, {3, 4, 5}, 0};
        SceneMaker flat(h), triangles(h);
        for (SceneMaker* scene : {&flat, &triangles}) {
            scene->law({.friction = 0.4}).solver(1e-5, 2000);
            scene->sphere({.position = t.from, .radius = 0.04, .velocity = t.velocity, .angular_velocity = t.spin});
        }
        flat.plane();
        triangles.boundary(meshed_square());
        Experiment on_plane(flat), on_mesh(triangles);
        on_plane.until(1.0);
        on_mesh.until(1.0);
        EXPECT_LT(norm(on_plane.body(0).position - on_mesh.body(0).position), 1e-6);
        EXPECT_LT(norm(on_plane.body(0).velocity - on_mesh.body(0).velocity), 1e-6);
    }
}

// Edges of a mesh that are no part of a plane do act: a sphere that rolls over a rim falls.
TEST(MeshPlaneRim, LetsASphereFallOverTheRim) {
    SceneMaker scene(1e-3);
    scene.exact().law({.friction = 0.4});
    scene.boundary(meshed_square());
    const std::size_t ball = scene.sphere({.position = {0.9, 0, 0.04}, .radius = 0.04, .velocity = {1, 0, 0}});
    Experiment run(scene);
    run.until(0.6);
    EXPECT_GT(run.body(ball).position.x, 1.0);
    EXPECT_LT(run.body(ball).position.z, -0.2);
}

}  // namespace
}  // namespace scree::test
