// SPDX-License-Identifier: BSD-3-Clause
// The contact set: which contacts, their rows against scalar formulas, and the lists that solvers gather through.
#include "kernels/collide/contact_set.hpp"

#include "kernels/parallel/cpu.hpp"
#include "tests/support/brute_force_pairs.hpp"
#include "tests/support/contact_fixture.hpp"
#include "tests/support/mesh_data.hpp"
#include "tests/support/sphere_world.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

namespace scree::kernels {
namespace {

using test::ContactFixture;
using test::HostContact;

Vector3d row_of(const std::vector<double>& rows, std::size_t width, Index i, std::size_t offset = 0) {
    const double* r = rows.data() + width * std::size_t(i) + offset;
    return {r[0], r[1], r[2]};
}

template <class R>
class ContactRows : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(ContactRows, Precisions);

/// When two spheres at distance `d` with relative velocity `u` touch, by bisection; negative: not within h.
double meeting_time(const Vector3d& d, const Vector3d& u, double contact, double h) {
    const double nearest = std::min(h, -dot(d, u) / dot(u, u));
    if (!(nearest > 0.0) || norm(d + nearest * u) > contact) return -1.0;
    double before = 0.0, after = nearest;
    for (int k = 0; k < 100; ++k) {
        const double middle = 0.5 * (before + after);
        (norm(d + middle * u) > contact ? before : after) = middle;
    }
    return after;
}

TYPED_TEST(ContactRows, AreThoseOfTheFormulasForAllPairsAndWallsInReach) {
    using R = TypeParam;
    test::WorldDescription world = test::random_pile(250, 1, 0.3, {0.4, 0.0, 0.001, 0.002, 0.0, 2e6});
    world.contact.damping_time = 3e-3;
    world.contact.threshold = 1e9;  // no impacts: their bias has its own test
    for (double& v : world.velocity) v *= 10.0;
    ContactFixture<Cpu, R> fixture(world);
    const auto overlap = fixture.build(test::still_poses(world));
    const std::vector<HostContact> found = fixture.host_contacts();
    const std::vector<float> extent = fixture.to_host(fixture.extent);

    // Float rows carry 6e-8 of each number; gap is a difference of positions, formed in double.
    const double eps = sizeof(R) == 4 ? 3e-7 : 1e-14;
    const double h = world.contact.step, time = h + world.contact.damping_time;
    std::map<std::pair<Index, Index>, int> pairs;
    double largest = 0.0;
    int meetings = 0;
    for (const HostContact& c : found) {
        const Index i = c.a, j = c.partner;
        ++pairs[j < 0 ? std::pair{i, j} : std::pair{std::min(i, j), std::max(i, j)}];
        const double radius = world.position[4 * std::size_t(i) + 3];
        const double ma = world.inverse_mass[2 * std::size_t(i)], ia = world.inverse_mass[2 * std::size_t(i) + 1];
        double gap = 0.0, lever_b = 0.0, mb = 0.0, ib = 0.0, lever_a = 0.0;
        double speed = 0.0;
        Vector3d normal{};
        if (j < 0) {
            const BoundaryPart& part = world.parts[std::size_t(-1 - j)];
            normal = -1.0 * part.e3;
            lever_a = dot(row_of(world.position, 4, i) - part.origin, part.e3);
            gap = lever_a - radius;
            lever_a -= std::max(gap, 0.0);  // of the moment at which they meet
            EXPECT_EQ(c.b, fixture.bodies.count);
        } else {
            const Vector3d d = row_of(world.position, 4, j) - row_of(world.position, 4, i);
            const double other = world.position[4 * std::size_t(j) + 3];
            gap = norm(d) - radius - other;
            normal = (1.0 / norm(d)) * d;
            lever_a = radius + 0.5 * gap;
            lever_b = other + 0.5 * gap;
            // Nothing is fixed: gravity moves all alike. Those that meet do so in the frame of that moment.
            const Vector3d u = row_of(world.velocity, 6, j) - row_of(world.velocity, 6, i);
            const double tau = gap > 0.0 ? meeting_time(d, u, radius + other, h) : -1.0;
            if (tau >= 0.0) {
                ++meetings;
                normal = (1.0 / norm(d + tau * u)) * (d + tau * u);
                lever_a = radius;
                lever_b = other;
                gap = -tau * dot(u, normal);
                speed = norm(u);
            }
            mb = world.inverse_mass[2 * std::size_t(j)];
            ib = world.inverse_mass[2 * std::size_t(j) + 1];
            EXPECT_EQ(c.b, j);
        }
        largest = std::max(largest, -gap);
        const double compliance = 1.0 / (2e6 * h * time), dn = ma + mb + compliance;
        const double dt = ma + mb + lever_a * lever_a * ia + lever_b * lever_b * ib;
        EXPECT_NEAR(norm(c.row.n - normal), 0.0, 4.0 * eps);
        EXPECT_NEAR(c.row.lever_a, lever_a, eps * lever_a);
        EXPECT_NEAR(c.row.lever_b, lever_b, eps * (lever_b + 1e-30));
        EXPECT_NEAR(c.row.bias, gap / (gap < 0.0 ? time : h), eps * (std::abs(gap / h) + speed) + 1e-16 / h);
        EXPECT_NEAR(c.row.compliance * 2e6 * h * time, 1.0, eps);
        EXPECT_NEAR(c.row.inv_dn * dn, 1.0, 4.0 * eps);
        EXPECT_NEAR(c.row.inv_dt * dt, 1.0, 4.0 * eps);
        EXPECT_NEAR(c.row.friction, 0.4, eps);
        EXPECT_NEAR(c.rolling.rolling, 0.001, eps);
        EXPECT_NEAR(c.rolling.spinning, 0.002, eps);
        EXPECT_NEAR(c.rolling.inv_d * (ia + ib), 1.0, 4.0 * eps);
        EXPECT_EQ(norm(c.g), 0.0);  // nothing to start from
    }
    EXPECT_GE(meetings, 10);
    EXPECT_NEAR(overlap.largest, largest, 1e-15);

    // Exactly once each, and none missing.
    std::map<std::pair<Index, Index>, int> expected;
    for (const auto& pair : test::brute_force_pairs(world.position, extent, world.periodic)) ++expected[pair];
    for (Index i = 0; i < fixture.bodies.count; ++i)
        for (std::size_t w = 0; w < world.parts.size(); ++w)
            if (dot(row_of(world.position, 4, i) - world.parts[w].origin, world.parts[w].e3) <=
                double(extent[std::size_t(i)]))
                ++expected[{i, -1 - Index(w)}];
    EXPECT_EQ(pairs, expected);
}

TYPED_TEST(ContactRows, CarryImpactsAndCohesion) {
    using R = TypeParam;
    const double c = 3.0, k = 1e6;
    test::WorldDescription world = test::empty_world({0.5, 0.8, 0.0, 0.0, c, k});
    world.gravity = {0, 0, 0};
    test::add_sphere(world, {0.0, 0.0, 0.0}, 0.01);
    test::add_sphere(world, {0.0199, 0.0, 0.0}, 0.01, {-1.0, 0, 0});  // an impact
    test::add_sphere(world, {1.0, 0.0, 0.0}, 0.01);
    test::add_sphere(world, {1.02 + 0.9 * c / k, 0.0, 0.0}, 0.01);  // held by cohesion
    test::add_sphere(world, {2.0, 0.0, 0.0}, 0.01);
    test::add_sphere(world, {2.02 + 1.1 * c / k, 0.0, 0.0}, 0.01);  // just beyond it
    ContactFixture<Cpu, R> fixture(world);
    (void)fixture.build({});
    const std::vector<HostContact> found = fixture.host_contacts();
    ASSERT_EQ(found.size(), 3U);
    const double h = world.contact.step, eps = sizeof(R) == 4 ? 3e-7 : 1e-14;
    EXPECT_NEAR(found[0].row.bias, -0.8, eps);
    EXPECT_EQ(found[0].row.compliance, 0.0);
    EXPECT_NEAR(found[1].cohesion, c * h, eps * c * h);
    // The gap is a difference of coordinates of size 1.
    EXPECT_NEAR(found[1].row.bias, 0.9 * c / k / (h + world.contact.damping_time), 1e-15 / h + eps * 1e-3);
    EXPECT_EQ(found[2].cohesion, 0.0);
}

TEST(ContactSet, GivesAMovingWallsContactsTheWallsVelocity) {
    test::WorldDescription world = test::empty_world();
    for (int i = 0; i < 20; ++i) test::add_sphere(world, {0.1 * i, 0.0, 0.0099}, 0.01);
    test::add_plane(world, {0, 0, 0}, {0, 0, 1});
    std::vector<BoundaryPose> poses = test::still_poses(world);
    poses[0].moving = 1;
    poses[0].velocity[0] = 0.25;
    poses[0].angular_velocity[1] = 2.0;
    poses[0].reference[0] = 0.5;
    ContactFixture<Cpu, double> fixture(world);
    (void)fixture.build(poses);
    const auto found = fixture.host_contacts();
    const auto rows = fixture.to_host(fixture.free_velocity);
    ASSERT_EQ(found.size(), 20U);
    EXPECT_EQ(fixture.contacts.rows_of_velocity(), 20 + 1 + 20);
    for (const HostContact& c : found) {
        ASSERT_GT(c.b, 20);
        ASSERT_LT(c.b, 41);
        const double* wall = rows.data() + 8 * std::size_t(c.b);
        // v + w x (p - reference) with p = (x, 0, 0): w x = (0, 2, 0) x (x - .5, 0, 0) = (0, 0, -2 (x - .5)).
        const double x = world.position[4 * std::size_t(c.a)];
        EXPECT_NEAR(wall[0], 0.25, 1e-15);
        EXPECT_NEAR(wall[1], 0.0, 1e-15);
        EXPECT_NEAR(wall[2], -2.0 * (x - 0.5), 1e-15);
        EXPECT_EQ(wall[5], 2.0);
    }
}

TEST(ContactSet, FindsAWallThatWillArriveWithinTheStep) {
    test::WorldDescription world = test::empty_world();
    test::add_sphere(world, {0, 0, 0.02}, 0.01);
    test::add_plane(world, {0, 0, 0}, {0, 0, 1});
    std::vector<BoundaryPose> poses = test::still_poses(world);
    ContactFixture<Cpu, double> fixture(world);
    (void)fixture.build(poses);
    EXPECT_EQ(fixture.contacts.count(), 0);
    poses[0].moving = 1;
    poses[0].velocity[2] = 11.0;  // 11 mm a step towards a gap of 10 mm
    (void)fixture.build(poses);
    EXPECT_EQ(fixture.contacts.count(), 1);
    poses[0].active = 0;
    (void)fixture.build(poses);
    EXPECT_EQ(fixture.contacts.count(), 0);
}

TEST(ContactSet, LeavesOutContactsBetweenFixedThings) {
    test::WorldDescription world = test::empty_world();
    test::add_sphere(world, {0, 0, 0.009}, 0.01, {0, 0, 0}, {0, 0, 0}, true);
    test::add_sphere(world, {0.015, 0, 0.009}, 0.01, {0, 0, 0}, {0, 0, 0}, true);
    test::add_plane(world, {0, 0, 0}, {0, 0, 1});
    ContactFixture<Cpu, double> fixture(world);
    (void)fixture.build(test::still_poses(world));
    EXPECT_EQ(fixture.contacts.count(), 0);
    test::add_sphere(world, {0.007, 0.015, 0.009}, 0.01);
    fixture.contacts.forget();
    fixture.set_world(world);
    (void)fixture.build(test::still_poses(world));
    EXPECT_EQ(fixture.contacts.count(), 3);  // the free sphere with both and with the plane
}

TEST(ContactSet, OfNothingIsEmpty) {
    const test::WorldDescription world = test::empty_world();
    ContactFixture<Cpu, float> fixture(world);
    const auto overlap = fixture.build({});
    EXPECT_EQ(fixture.contacts.count(), 0);
    EXPECT_EQ(overlap.largest, 0.0);
}

TEST(ContactSet, ListsContactsByFinderAndByPartner) {
    const test::WorldDescription world = test::random_pile(300, 2, 0.5);
    ContactFixture<Cpu, float> fixture(world);
    (void)fixture.build(test::still_poses(world));
    const Index n = fixture.bodies.count, total = padded(fixture.contacts.count(), Cpu::tile);
    const auto found = fixture.host_contacts();
    const auto problem = fixture.problem();
    ASSERT_GT(found.size(), 300U);
    ASSERT_EQ(problem.contacts, total);

    std::vector<std::vector<Index>> finder, partner;
    finder.resize(std::size_t(n));
    partner.resize(std::size_t(n));
    for (std::size_t c = 0; c < found.size(); ++c) {
        finder[std::size_t(found[c].a)].push_back(Index(c));
        if (found[c].partner >= 0) partner[std::size_t(found[c].partner)].push_back(Index(c));
    }
    for (Index i = 0; i < n; ++i) {
        std::vector<Index> as_a, as_b;
        for (Index c = problem.a_start[i]; c < problem.a_start[i + 1]; ++c) as_a.push_back(c);
        for (Index k = problem.b_start[i]; k < problem.b_start[i + 1]; ++k) as_b.push_back(problem.b_list[k]);
        ASSERT_EQ(as_a, finder[std::size_t(i)]);
        ASSERT_EQ(as_b, partner[std::size_t(i)]);
    }
    for (Index c = fixture.contacts.count(); c < total; ++c) {
        EXPECT_EQ(problem.body_a[c], n);
        EXPECT_EQ(problem.body_b[c], n);
        EXPECT_EQ((load_row<float, Cpu::tile>(problem.rows, c).inv_dn), 1.0f);
    }
}

TEST(ContactSet, OfAMeshPlaneIsThatOfThePlane) {
    test::WorldDescription with_plane = test::empty_world();
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (int i = 0; i < 100; ++i)
        test::add_sphere(with_plane,
                         {0.2 + 0.6 * unit(random), 0.2 + 0.6 * unit(random), 0.0095 + 0.001 * unit(random)}, 0.01);
    test::WorldDescription with_mesh = with_plane;
    test::add_plane(with_plane, {0, 0, 0}, {0, 0, 1});
    test::add_plane(with_mesh, {0, 0, 0}, {0, 0, 1});
    with_mesh.parts[0].kind = PartKind::mesh;
    with_mesh.parts[0].mesh = 0;
    with_mesh.meshes = {test::mesh_of(test::tessellated({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 40, 1))};
    ContactFixture<Cpu, double> plane(with_plane), mesh(with_mesh);
    (void)plane.build(test::still_poses(with_plane));
    (void)mesh.build(test::still_poses(with_mesh));
    const auto expected = plane.host_contacts(), found = mesh.host_contacts();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t c = 0; c < found.size(); ++c) {
        EXPECT_EQ(found[c].a, expected[c].a);
        EXPECT_EQ(found[c].partner, expected[c].partner);
        EXPECT_NEAR(norm(found[c].row.n - expected[c].row.n), 0.0, 1e-12);
        EXPECT_NEAR(found[c].row.bias, expected[c].row.bias, 1e-12);  // gaps to 1e-15 m over h = 1e-3 s
    }
}

}  // namespace
}  // namespace scree::kernels
