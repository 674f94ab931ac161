// SPDX-License-Identifier: BSD-3-Clause
// Bodies of all shapes on meshes that are no planes: on rough ground, over edges of all angles and open rims, on a
// ball. A contact that is deeper than the body lies in the mesh throws it, and one that is missing lets it in: the
// energy tells, and the overlap.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace scree::test {
namespace {

/// Numbers that are the same with every standard library.
class Numbers {
public:
    explicit Numbers(unsigned seed) : engine_(seed) {}
    double between(double low, double high) { return low + (high - low) * (double(engine_()) / 4294967296.0); }
    double between_sizes(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
    model::Quat turn() {
        const Vec3 axis{between(-1, 1), between(-1, 1), between(-1, 1)};
        return model::from_axis_angle((1.0 / norm(axis)) * axis, between(0, std::numbers::pi));
    }

private:
    std::mt19937 engine_;
};

struct Body {
    const char* name;
    model::Solid solid;
    double half_thickness;  ///< [m]
};

/// Bodies of about the radius r.
std::vector<Body> bodies(double r) {
    const model::SolidBox bar{{0.8 * r, 0.2 * r, 0.2 * r}}, cross_bar{{0.2 * r, 0.7 * r, 0.2 * r}};
    return {
        {"box", model::SolidBox{{0.7 * r, 0.55 * r, 0.45 * r}}, 0.45 * r},
        {"plate", model::SolidBox{{0.8 * r, 0.6 * r, 0.15 * r}}, 0.15 * r},
        {"rod", model::SolidBox{{0.95 * r, 0.12 * r, 0.12 * r}}, 0.12 * r},
        {"rounded box", model::SolidBox{{0.7 * r, 0.55 * r, 0.45 * r}, 0.1 * r}, 0.45 * r},
        {"tetrahedron",
         model::SolidPolytope{{{r, 0, 0}, {-0.5 * r, 0.8 * r, 0}, {-0.5 * r, -0.8 * r, 0}, {0, 0, 1.2 * r}}}, 0.3 * r},
        {"cylinder", model::SolidCylinder{0.6 * r, 0.6 * r}, 0.6 * r},
        {"cone", model::SolidCone{0.7 * r, 1.2 * r}, 0.3 * r},
        {"capsule", model::SolidCapsule{0.4 * r, 0.5 * r}, 0.4 * r},
        {"ellipsoid", model::SolidEllipsoid{{r, 0.7 * r, 0.5 * r}}, 0.5 * r},
        {"superquadric", model::SolidSuperquadric{{0.8 * r, 0.6 * r, 0.5 * r}, 0.6, 1.2}, 0.5 * r},
        {"compound", model::SolidCompound{{{bar, {}, {}}, {cross_bar, {}, {}}}}, 0.2 * r}};
}

model::MeshShape rough_ground(Numbers& numbers, double cell, double bump) {
    const int n = int(0.8 / cell) + 2;
    model::MeshShape mesh;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
            mesh.vertices.push_back({(i - 0.5 * n) * cell, (j - 0.5 * n) * cell, numbers.between(0.0, bump)});
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const auto a = std::uint32_t(j * (n + 1) + i), b = a + 1, c = a + std::uint32_t(n) + 1, d = c + 1;
            mesh.triangles.push_back({a, b, d});
            mesh.triangles.push_back({a, d, c});
        }
    return mesh;
}

/// The floor x < 0 and a wall from its end at x = 0: `angle` between them on the free side.
model::MeshShape edge(double angle) {
    const double length = 0.6, x = -std::cos(angle) * length, z = std::sin(angle) * length;
    model::MeshShape mesh;
    mesh.vertices = {{-length, -length, 0}, {0, -length, 0}, {0, length, 0},
                     {-length, length, 0},  {x, -length, z}, {x, length, z}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}};
    return mesh;
}

model::MeshShape ball(double radius, int rings, int sectors) {
    model::MeshShape mesh;
    const auto at = [&](int ring, int sector) {
        if (ring == 0) return std::uint32_t(0);
        if (ring == rings) return std::uint32_t(1);
        return std::uint32_t(2 + (ring - 1) * sectors + sector % sectors);
    };
    mesh.vertices = {{0, 0, radius}, {0, 0, -radius}};
    for (int i = 1; i < rings; ++i)
        for (int j = 0; j < sectors; ++j) {
            const double polar = std::numbers::pi * i / rings, azimuth = 2.0 * std::numbers::pi * j / sectors;
            mesh.vertices.push_back({radius * std::sin(polar) * std::cos(azimuth),
                                     radius * std::sin(polar) * std::sin(azimuth), radius * std::cos(polar)});
        }
    for (int i = 0; i < rings; ++i)
        for (int j = 0; j < sectors; ++j) {
            if (i > 0) mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
            if (i + 1 < rings) mesh.triangles.push_back({at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)});
        }
    return mesh;
}

struct Course {
    double gained = 0.0;  ///< Largest rise of the energy over what it was before [J].
    double overlap = 0.0, overlap_at_rest = 0.0, speed = 0.0;
    Vec3 end;
};

Course follow(const SceneMaker& scene, double time) {
    Experiment run(scene);
    Course course;
    double least = 1e300;
    run.until(time, [&] {
        const model::Snapshot& s = run.now();
        const double energy = kinetic_energy_of(s, 0) + s.mass[0] * gravity * s.position[0].z;
        least = std::min(least, energy);
        course.gained = std::max(course.gained, energy - least);
        course.overlap = std::max(course.overlap, run.report().overlap_relative);
        if (s.time > time - 0.1)
            course.overlap_at_rest = std::max(course.overlap_at_rest, run.report().overlap_relative);
        course.speed = std::max(course.speed, norm(s.velocity[0]));
    });
    course.end = run.body(0).position;
    return course;
}

/// The step gives back at an impact what it lost in free flight, up to m v g h / 2; twice that, and what overlaps of
/// bodies that hit with several points within a step store, which are some per cent of the size of the smallest.
void expect_quiet(const Course& c, double h, const std::string& what) {
    EXPECT_LT(c.gained, std::max(3.0, c.speed) * gravity * h) << what;
    EXPECT_LT(c.overlap, 0.03) << what;
    EXPECT_LT(c.overlap_at_rest, 0.01) << what;
}

/// Of the limit that the shape of bodies sets (docs/solids.md), for speeds up to 3 m/s.
double step_for(const Body& body) { return std::min(5e-4, 0.2 * body.half_thickness / 3.0); }

SceneMaker with_friction(double h, double friction) {
    SceneMaker scene(h);
    scene.solver(1e-4, 2000).law({.friction = friction});
    return scene;
}

TEST(SolidsOnMeshes, SettleOnRoughGround) {
    Numbers numbers(1);
    for (int k = 0; k < 44; ++k) {
        const double r = numbers.between_sizes(0.02, 0.1);
        const std::vector<Body> all = bodies(r);
        const Body& body = all[std::size_t(k) % all.size()];
        const double h = step_for(body), bump = numbers.between(0.005, 0.05);
        SceneMaker scene = with_friction(h, 0.3 * (k / 11 % 3));
        scene.boundary(rough_ground(numbers, numbers.between_sizes(0.02, 0.2), bump));
        scene.solid(body.solid, {.position = {0, 0, bump + 1.3 * r + 0.05}, .orientation = numbers.turn()});
        const Course course = follow(scene, 0.6);
        expect_quiet(course, h, body.name + std::string(" of run ") + std::to_string(k));
        EXPECT_GT(course.end.z, 0.0) << k;
    }
}

TEST(SolidsOnMeshes, SlideOverEdgesOfAllAngles) {
    Numbers numbers(2);
    for (int k = 0; k < 55; ++k) {
        const double r = 0.05, angle = (45.0 + 285.0 * k / 54) * std::numbers::pi / 180.0;
        const std::vector<Body> all = bodies(r);
        const Body& body = all[std::size_t(k) % all.size()];
        const double h = step_for(body);
        SceneMaker scene = with_friction(h, 0.3 * (k % 2));
        scene.boundary(edge(angle));
        scene.solid(body.solid, {.position = {angle < 2.0 ? -0.3 : -0.15, 0.05, 1.3 * r},
                                 .orientation = numbers.turn(),
                                 .velocity = {numbers.between(0.3, 2.0), 0.1, 0}});
        expect_quiet(follow(scene, 0.5), h, body.name + std::string(" over ") + std::to_string(angle));
    }
}

TEST(SolidsOnMeshes, HangOverAnOpenRimAsOverThatOfARectangle) {
    model::MeshShape mesh;
    mesh.vertices = {{-1, -1, 0}, {0, -1, 0}, {0, 1, 0}, {-1, 1, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    model::BoxShape rectangle;
    rectangle.center = {-0.5, 0, 0.5};
    rectangle.half_extents = {0.5, 1, 0.5};
    rectangle.container = true;
    rectangle.open = {true, true, true, true, false, true};
    const std::vector<Body> all = bodies(0.07);
    for (const double x : {-0.04, -0.025, -0.01, 0.015})
        for (const Body& body : all) {
            const auto course_on = [&](const auto& wall) {
                SceneMaker scene = with_friction(step_for(body), 0.4);
                scene.boundary(wall);
                scene.solid(body.solid, {.position = {x, 0.013, 0.1}});
                return follow(scene, 0.5);
            };
            const std::string what = body.name + std::string(" at ") + std::to_string(x);
            const Course on_mesh = course_on(mesh), on_rectangle = course_on(rectangle);
            expect_quiet(on_mesh, step_for(body), what);
            // What stays on the one stays on the other.
            EXPECT_EQ(on_mesh.end.z > 0.0, on_rectangle.end.z > 0.0) << what;
        }
}

TEST(SolidsOnMeshes, FallOnABallAndIntoIt) {
    Numbers numbers(3);
    for (int k = 0; k < 33; ++k) {
        const double r = 0.05;
        const std::vector<Body> all = bodies(r);
        const Body& body = all[std::size_t(k) % all.size()];
        const double h = step_for(body);
        SceneMaker scene = with_friction(h, 0.3);
        scene.boundary(ball(0.25, 8 + k % 3 * 6, 12 + k % 2 * 10));
        const double z = k % 2 == 0 ? 0.25 + 1.3 * r + 0.02 : -0.1;
        scene.solid(body.solid, {.position = {numbers.between(-0.05, 0.05), numbers.between(-0.05, 0.05), z},
                                 .orientation = numbers.turn()});
        const Course course = follow(scene, 0.4);
        expect_quiet(course, h, body.name + std::string(" of run ") + std::to_string(k));
        if (k % 2 != 0) {
            EXPECT_LT(norm(course.end), 0.25) << k;
        }
    }
}

}  // namespace
}  // namespace scree::test
