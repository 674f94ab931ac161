// SPDX-License-Identifier: BSD-3-Clause
// Contacts find their impulses of the last step again, whoever finds them and however bodies moved.
#include "kernels/collide/contact_set.hpp"

#include "kernels/parallel/cpu.hpp"
#include "tests/support/contact_fixture.hpp"
#include "tests/support/sphere_world.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <map>
#include <random>
#include <vector>

namespace scree::kernels {
namespace {

using Fixture = test::ContactFixture<Cpu, double>;
using test::HostContact;

/// An impulse that tells its pair: on the body with the larger slot, so that both views of a pair can be compared; of
/// walls along the normal, since impulses that no friction allows are taken for those of other walls.
Vector3d mark(Index low, Index high) { return {1.0 + low, 0.5 * high, 0.25 * (low + high)}; }
Vector3d mark_of(const HostContact& c) {
    if (c.partner < 0) return norm(mark(c.a, c.a)) * c.row.n;
    return c.a < c.partner ? mark(c.a, c.partner) : -1.0 * mark(c.partner, c.a);
}
/// Writes marks as the impulses (and, halved, moments) of the present contacts.
void mark_all(Fixture& fixture) {
    const auto contacts = fixture.host_contacts();
    const std::size_t size = std::size_t(padded(Index(contacts.size()), Cpu::tile)) * 3;
    std::vector<double> g(size, 0.0), m(size, 0.0);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        const Vector3d v = mark_of(contacts[c]);
        const double xyz[3] = {v.x, v.y, v.z};
        for (int k = 0; k < 3; ++k) {
            g[std::size_t(tiled<Cpu::tile, 3>(Index(c), k))] = xyz[k];
            m[std::size_t(tiled<Cpu::tile, 3>(Index(c), k))] = 0.5 * xyz[k];
        }
    }
    fixture.solution.g.assign(g);
    fixture.solution.m.assign(m);
}
constexpr PairLaw<double> rolling_law = {0.5, 0.0, 0.001, 0.001, 0.0, 1e6};

TEST(WarmStart, FollowsPairsWhenBodiesMove) {
    test::WorldDescription world = test::random_pile(200, 1, 0.2, rolling_law);
    Fixture fixture(world);
    const auto poses = test::still_poses(world);
    (void)fixture.build(poses);
    mark_all(fixture);
    const auto before = fixture.host_contacts();
    std::map<std::pair<Index, Index>, bool> known;
    for (const HostContact& c : before) known[std::minmax(c.a, c.partner)] = true;

    std::mt19937 random(2);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    for (std::size_t i = 0; i < world.position.size(); ++i)
        if (i % 4 != 3) world.position[i] += 1e-4 * both(random);
    fixture.set_world(world);
    (void)fixture.build(poses);

    int matched = 0;
    for (const HostContact& c : fixture.host_contacts()) {
        const bool old = known.count(std::minmax(c.a, c.partner)) > 0;
        matched += old ? 1 : 0;
        const Vector3d expected = old ? mark_of(c) : Vector3d{0, 0, 0};
        EXPECT_EQ(norm(c.g - expected), 0.0);
        EXPECT_EQ(norm(c.m - 0.5 * expected), 0.0);
    }
    EXPECT_GT(matched, 300);
}

TEST(WarmStart, TurnsTheSignWhenTheOtherBodyFindsThePair) {
    // Slot 0 finds slot 1; grown to more than twice its size it sits on a coarser level, and slot 1 finds it.
    test::WorldDescription world = test::empty_world(rolling_law);
    test::add_sphere(world, {0, 0, 0}, 0.01);
    test::add_sphere(world, {0.0199, 0, 0}, 0.01);
    Fixture fixture(world);
    (void)fixture.build({});
    mark_all(fixture);
    ASSERT_EQ(fixture.host_contacts()[0].a, 0);
    world.position[0] = -0.02;
    world.position[3] = 0.03;
    fixture.set_world(world);
    (void)fixture.build({});
    const auto now = fixture.host_contacts();
    ASSERT_EQ(now.size(), 1U);
    ASSERT_EQ(now[0].a, 1);
    EXPECT_EQ(norm(now[0].g + mark(0, 1)), 0.0);
    EXPECT_EQ(norm(now[0].m + 0.5 * mark(0, 1)), 0.0);
    // And back again.
    world.position[0] = 0.0;
    world.position[3] = 0.01;
    fixture.set_world(world);
    (void)fixture.build({});
    EXPECT_EQ(norm(fixture.host_contacts()[0].g - mark(0, 1)), 0.0);
}

/// A sphere on a floor and at a side, both of one boundary.
test::WorldDescription in_a_corner() {
    test::WorldDescription world = test::empty_world();
    test::add_sphere(world, {0.0099, 0.0, 0.0099}, 0.01);
    test::add_plane(world, {0, 0, 0}, {0, 0, 1});
    test::add_plane(world, {0, 0, 0}, {1, 0, 0});
    world.parts[1].boundary = 0;
    world.boundaries = 1;
    return world;
}

TEST(WarmStart, TellsTheWallsOfOneBoundaryApartByTheirNormals) {
    test::WorldDescription world = in_a_corner();
    Fixture fixture(world);
    const auto poses = test::still_poses(world);
    (void)fixture.build(poses);
    ASSERT_EQ(fixture.contacts.count(), 2);
    std::vector<double> g(24, 0.0);
    g[std::size_t(tiled<Cpu::tile, 3>(0, 2))] = -5.0;  // on the floor
    g[std::size_t(tiled<Cpu::tile, 3>(1, 0))] = -3.0;  // on the side
    fixture.solution.g.assign(g);
    std::swap(world.parts[0], world.parts[1]);  // found in the other order
    fixture.set_world(world);
    (void)fixture.build(poses);
    for (const HostContact& c : fixture.host_contacts()) EXPECT_EQ(dot(c.g, c.row.n), c.row.n.z < -0.5 ? 5.0 : 3.0);
}

// A floor bears a hundred times what the side does, and its friction leans on the side: neither gets the other's.
TEST(WarmStart, OfTwoWallsOfOneBoundaryOneThatBearsLittleKeepsItsOwn) {
    test::WorldDescription world = in_a_corner();
    Fixture fixture(world);
    const auto poses = test::still_poses(world);
    (void)fixture.build(poses);
    ASSERT_EQ(fixture.contacts.count(), 2);
    const auto set = [&](double side) {
        std::vector<double> g(24, 0.0);
        g[std::size_t(tiled<Cpu::tile, 3>(0, 2))] = -5.0;
        g[std::size_t(tiled<Cpu::tile, 3>(0, 0))] = -2.0;
        g[std::size_t(tiled<Cpu::tile, 3>(1, 0))] = -side;
        fixture.solution.g.assign(g);
    };
    for (const double side : {0.05, 0.0}) {  // 0: a contact that is new
        set(side);
        (void)fixture.build(poses);
        for (const HostContact& c : fixture.host_contacts())
            EXPECT_EQ(dot(c.g, c.row.n), c.row.n.z < -0.5 ? 5.0 : side) << side;
    }
}

TEST(WarmStart, ForgetsAContactWhosePartnerWasRemoved) {
    test::WorldDescription world = test::empty_world();
    for (int i = 0; i < 3; ++i) test::add_sphere(world, {0.0199 * i, 0, 0}, 0.01);
    Fixture fixture(world);
    (void)fixture.build({});
    mark_all(fixture);
    ASSERT_EQ(fixture.contacts.count(), 2);
    // Body 1 is gone; body 2 is in its slot and has come to touch body 0. The engine marks what refers to nobody.
    std::vector<Index> a_start{0, 1, 1}, partner{INT_MIN};
    test::WorldDescription left = test::empty_world();
    test::add_sphere(left, {0, 0, 0}, 0.01);
    test::add_sphere(left, {0.0199, 0, 0}, 0.01);
    fixture.set_world(left);
    fixture.contacts.a_start().assign(a_start);
    fixture.contacts.partner().assign(partner);
    fixture.contacts.adopt(1);
    (void)fixture.build({});
    ASSERT_EQ(fixture.contacts.count(), 1);
    EXPECT_EQ(norm(fixture.host_contacts()[0].g), 0.0);
}

TEST(WarmStart, HasNothingAfterForgetting) {
    const test::WorldDescription world = test::random_pile(50, 3);
    Fixture fixture(world);
    const auto poses = test::still_poses(world);
    (void)fixture.build(poses);
    mark_all(fixture);
    fixture.contacts.forget();
    (void)fixture.build(poses);
    for (const HostContact& c : fixture.host_contacts()) EXPECT_EQ(norm(c.g), 0.0);
}

}  // namespace
}  // namespace scree::kernels
