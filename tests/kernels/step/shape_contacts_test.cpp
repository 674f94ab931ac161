// SPDX-License-Identifier: BSD-3-Clause
// The contacts of ten thousand pairs of every two kinds of shapes, and of every kind on thin triangles, found by one
// engine and by another: parallel faces, edges that touch, equal centres and far pairs among them.
#include "engine/simulation/body_shapes.hpp"
#include "kernels/step/step_engine.hpp"
#include "tests/support/mesh_data.hpp"
#include "tests/support/require_gpu.hpp"
#include "tests/support/sphere_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>

namespace scree::kernels {
namespace {

constexpr int kinds = 8, pairs = 10000, across = 100;  // on the device; threads are told apart by a fifth of them
constexpr double apart = 8.0;                          ///< Of the places of pairs [m]; bodies have radii up to 1.8 m.

std::array<std::int32_t, kinds> one_of_each(geometry::ConvexShapes& list) {
    return {list.add_sphere(0.5),
            list.add_capsule(0.2, 0.6),
            list.add_box({0.6, 0.4, 0.3}),
            list.add_cylinder(0.4, 0.5),
            list.add_cone(0.5, 1.0),
            list.add_ellipsoid({0.7, 0.5, 0.3}),
            list.add_superquadric({0.6, 0.5, 0.4}, 0.4, 1.3),
            list.add_polyhedron(std::vector<model::Vec3>{
                {0.6, 0.6, 0.6}, {0.6, -0.6, -0.6}, {-0.6, 0.6, -0.6}, {-0.6, -0.6, 0.6}, {0.5, 0.5, -0.2}})};
}

/// A world whose bodies are placed one by one; nothing pulls on them.
struct ShapeWorld {
    WorldDescription world = test::empty_world();
    geometry::ConvexShapes list;
    std::array<std::int32_t, kinds> shape = one_of_each(list);
    std::mt19937 random{17};
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;

    ShapeWorld() {
        world.gravity = {0, 0, 0};
        world.envelope = 0.05;
        world.parts.clear();
        world.boundaries = 0;
        world.shapes = simulation::library_of(list);
    }
    void add(int kind, Vector3d place, std::array<double, 4> q) {
        const auto body = Index(world.id.size());
        const ConvexShape& its = world.shapes.shapes[std::size_t(shape[std::size_t(kind)])];
        world.position.insert(world.position.end(), {place.x, place.y, place.z, its.bounding_radius});
        world.orientation.insert(world.orientation.end(), q.begin(), q.end());
        world.velocity.insert(world.velocity.end(), 6, 0.0);
        world.inverse_mass.insert(world.inverse_mass.end(), {1.0, 1.0});
        world.inertia.insert(world.inertia.end(), {1.0, 1.0, 1.0, 0.0, 0.0, 0.0});
        world.material.push_back(0);
        world.id.push_back(body);
        BodyPart part;
        part.body = body;
        part.shape = shape[std::size_t(kind)];
        world.body_parts.push_back(part);
    }
    [[nodiscard]] std::array<double, 4> turn() {
        std::array<double, 4> q{};
        double squared = 0.0;
        for (double& x : q) {
            x = normal(random);
            squared += x * x;
        }
        for (double& x : q) x /= std::sqrt(squared);
        return q;
    }
    /// A quarter of a turn about one of the axes, or none: faces and edges are parallel then.
    [[nodiscard]] std::array<double, 4> quarter() {
        std::array<double, 4> q{1, 0, 0, 0};
        const auto axis = std::size_t(1 + 3 * uniform(random));
        if (uniform(random) < 0.7) q[0] = q[std::min<std::size_t>(axis, 3)] = std::sqrt(0.5);
        return q;
    }
    [[nodiscard]] static Vector3d place(int k) {
        const int row = k / across;
        return {apart * (k % across), apart * row, 0.0};
    }
};

ShapeWorld pairs_of(int a, int b, int count) {
    ShapeWorld made;
    for (int k = 0; k < count; ++k) {
        const Vector3d at = ShapeWorld::place(k);
        const bool aligned = k % 5 == 1;
        made.add(a, at, aligned ? std::array<double, 4>{1, 0, 0, 0} : made.turn());
        Vector3d way{made.normal(made.random), made.normal(made.random), made.normal(made.random)};
        way = (1.0 / norm(way)) * way;
        double distance = 1.4 * made.uniform(made.random);
        if (k % 5 == 2) distance = 0.0;  // equal centres
        if (k % 5 == 3) distance = 2.5;  // far apart
        if (aligned) way = {k % 2 == 0 ? 1.0 : 0.0, k % 2 == 0 ? 0.0 : 1.0, k % 3 == 0 ? 1.0 : 0.0};
        made.add(b, at + distance * way, aligned ? made.quarter() : made.turn());
    }
    return made;
}

/// Every place has a triangle, of which every second is a sliver.
ShapeWorld bodies_on_triangles(int kind, int count) {
    ShapeWorld made;
    std::vector<test::Triangle> triangles;
    for (int k = 0; k < count; ++k) {
        const Vector3d at = ShapeWorld::place(k);
        const double height = 0.9 * made.uniform(made.random);
        made.add(kind, {at.x, at.y, height}, k % 5 == 1 ? made.quarter() : made.turn());
        const double width = k % 2 == 0 ? 1.0 : 1e-4;
        triangles.push_back({Vector3d{at.x - 1.0, at.y - 0.3, 0.0}, Vector3d{at.x + 1.0, at.y - 0.3, 0.0},
                             Vector3d{at.x + 0.2, at.y - 0.3 + width, 0.0}});
    }
    BoundaryPart part;
    part.kind = PartKind::mesh;
    part.mesh = 0;
    made.world.parts = {part};
    made.world.boundaries = 1;
    made.world.meshes = {test::mesh_of(std::move(triangles))};
    return made;
}

/// What was found between the body of an even id and the next one, or of any id and the mesh.
struct Found {
    int points = 0;
    double least = 1e300;  ///< Gap [m].
    Vector3d normal{0, 0, 0};
};
std::map<Index, Found> contacts_of(StepEngine& engine, const WorldDescription& world) {
    (void)engine.step(test::still_poses(world));
    BodyDownload bodies;
    ContactDownload contacts;
    engine.download(bodies);
    engine.download(contacts);
    std::map<Index, Found> all;
    for (std::size_t c = 0; c < contacts.a.size(); ++c) {
        const Index a = bodies.id[std::size_t(contacts.a[c])];
        const Index b = contacts.partner[c] < 0 ? a : bodies.id[std::size_t(contacts.partner[c])];
        Found& found = all[std::min(a, b)];
        ++found.points;
        if (contacts.gap[c] >= found.least) continue;
        found.least = contacts.gap[c];
        const double sign = a <= b ? 1.0 : -1.0;
        found.normal = sign * Vector3d{contacts.normal[3 * c], contacts.normal[3 * c + 1], contacts.normal[3 * c + 2]};
    }
    return all;
}

/// Counts places at which two engines found something else.
struct Differences {
    int touching = 0, missing = 0, gaps = 0, others = 0;
};
Differences differences(const std::map<Index, Found>& a, const std::map<Index, Found>& b, double tolerance) {
    Differences d;
    d.touching = int(a.size());
    for (const auto& [place, found] : a) {
        const auto other = b.find(place);
        if (other == b.end()) {
            ++d.missing;
        } else if (std::abs(other->second.least - found.least) > tolerance) {
            ++d.gaps;
        } else if (other->second.points != found.points || norm(other->second.normal - found.normal) > 1e-4) {
            ++d.others;
        }
    }
    for (const auto& [place, found] : b)
        if (!a.contains(place)) ++d.missing;
    return d;
}

class ShapeContacts : public testing::TestWithParam<std::pair<int, int>> {
protected:
    [[nodiscard]] static WorldDescription world(int count, std::size_t threads) {
        const auto [a, b] = GetParam();
        WorldDescription made = (b < 0 ? bodies_on_triangles(a, count) : pairs_of(a, b, count)).world;
        made.threads = threads;
        made.max_iterations = 0;  // contacts alone
        return made;
    }
};
std::vector<std::pair<int, int>> all_pairs() {
    std::vector<std::pair<int, int>> all;
    for (int a = 0; a < kinds; ++a)
        for (int b = -1; b <= a; ++b) all.emplace_back(a, b);
    return all;
}
std::string name_of(const testing::TestParamInfo<std::pair<int, int>>& test) {
    constexpr const char* names[] = {"Sphere", "Capsule",   "Box",          "Cylinder",
                                     "Cone",   "Ellipsoid", "Superquadric", "Polyhedron"};
    const auto [a, b] = test.param;
    return std::string(names[a]) + (b < 0 ? "Triangle" : names[b]);
}

TEST_P(ShapeContacts, AreTheSameBitsOnThreeThreadsAsOnOne) {
    constexpr int count = pairs / 5;
    const WorldDescription one = world(count, 1), three = world(count, 3);
    const auto a = contacts_of(*make_cpu_engine(one, true), one), b = contacts_of(*make_cpu_engine(three, true), three);
    const Differences d = differences(a, b, 0.0);
    EXPECT_GT(d.touching, count / 10);
    EXPECT_LT(d.touching, count);
    EXPECT_EQ(d.missing + d.gaps + d.others, 0);
}

using GpuShapeContacts = ShapeContacts;
TEST_P(GpuShapeContacts, AreThoseOfTheCpu) {
    SCREE_SKIP_WITHOUT_GPU();
    const WorldDescription given = world(pairs, 0);
    const auto cpu = contacts_of(*make_cpu_engine(given, true), given);
    const auto gpu = contacts_of(*make_cuda_engine(given, true), given);
    // Gaps to the narrow phase's accuracy (separation.hpp). Where two faces are equally shallow, rounding chooses: of
    // the pairs with equal centres that may be all, a fifth.
    const Differences d = differences(cpu, gpu, 1e-6);
    EXPECT_LE(d.missing, pairs / 1000);
    EXPECT_LE(d.gaps, pairs / 1000);
    EXPECT_LE(d.others, pairs / 5 + pairs / 100);
}

INSTANTIATE_TEST_SUITE_P(Kinds, ShapeContacts, testing::ValuesIn(all_pairs()), name_of);
INSTANTIATE_TEST_SUITE_P(Kinds, GpuShapeContacts, testing::ValuesIn(all_pairs()), name_of);

}  // namespace
}  // namespace scree::kernels
