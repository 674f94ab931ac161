// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/coarse_grain.hpp"

#include "engine/measure/field.hpp"
#include "engine/measure/stress.hpp"
#include "tests/unit/measure/bodies.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace scree::measure {
namespace {

using model::Vec3;

model::Probe box(Vec3 lower, Vec3 upper, std::array<std::size_t, 3> cells = {1, 1, 1}) {
    model::Probe probe;
    probe.name = "field";
    probe.kind = model::Probe::Kind::field;
    probe.box = {lower, upper};
    probe.cells = cells;
    return probe;
}

void add_contact(model::Snapshot& s, std::uint64_t a, std::uint64_t b, Vec3 point, Vec3 force) {
    model::ContactRecord contact;
    contact.id_a = a;
    contact.id_b = b;
    contact.point = point;
    contact.force = force;
    s.contacts.push_back(contact);
}

void add_wall_contact(model::Snapshot& s, std::uint64_t a, Vec3 point, Vec3 force) {
    add_contact(s, a, 0, point, force);
    s.contacts.back().boundary = 0;
}

std::array<double, 9> stress_in(const model::Snapshot& s, model::Probe probe,
                                std::array<model::PeriodicFaces, 3> periodic = {}) {
    model::Scene scene = test::scene_with(probe);
    scene.periodic = periodic;
    Stress stress(scene, probe);
    std::array<double, 9> values{};
    EXPECT_EQ(stress.fields().size(), values.size());
    stress.evaluate(s, values);
    return values;
}

/// Two spheres of radius 0.5 at z = 0 and 1, pressed together by 12 N along z with 3 N along x.
model::Snapshot pressed_pair() {
    model::Snapshot s;
    test::add_body(s, {0, 0, 0}, 0.5);
    test::add_body(s, {0, 0, 1}, 0.5);
    add_contact(s, 1, 2, {0, 0, 0.5}, {3, 0, 12});
    return s;
}

TEST(Stress, OfAContactIsForceTimesBranchOverVolume) {
    const auto v = stress_in(pressed_pair(), box({-1, -1, -1}, {1, 1, 2}));
    constexpr double volume = 12.0;
    EXPECT_DOUBLE_EQ(v[2], 12.0 / volume);
    EXPECT_DOUBLE_EQ(v[4], 0.5 * 3.0 / volume);
    for (const std::size_t zero : {0u, 1u, 3u, 5u, 8u}) EXPECT_EQ(v[zero], 0.0);
    EXPECT_DOUBLE_EQ(v[6], 4.0 / volume);
    // s = diag(-4, -4, 8) / V with xz = 1.5 / V
    EXPECT_DOUBLE_EQ(v[7], std::sqrt(1.5 * (16.0 + 16.0 + 64.0 + 2.0 * 2.25)) / volume);
}

TEST(Stress, OfABoxThatCutsABranchTakesItsShare) {
    const auto v = stress_in(pressed_pair(), box({-1, -1, 0.25}, {1, 1, 1.25}));
    EXPECT_DOUBLE_EQ(v[2], 0.75 * 12.0 / 4.0);
}

TEST(Stress, OfAdjacentBoxesAddsUpWhereABranchLiesInTheirCommonFace) {
    double sum = 0.0;
    for (const double first : {-1.0, 0.0}) sum += stress_in(pressed_pair(), box({first, -1, -1}, {first + 1, 1, 2}))[2];
    EXPECT_DOUBLE_EQ(sum, 12.0 / 6.0);
}

TEST(Stress, OfAWallContactEndsAtTheWall) {
    model::Snapshot s;
    test::add_body(s, {0, 0, 0.4}, 0.5);
    add_wall_contact(s, 1, {0, 0, -0.1}, {0, 0, -8});
    EXPECT_DOUBLE_EQ(stress_in(s, box({-1, -1, -1}, {1, 1, 1}))[2], 8.0 * 0.5 / 8.0);
}

TEST(Stress, LeavesOutWhatLiesInFixedBodies) {
    model::Snapshot s = pressed_pair();
    s.mass[0] = std::numeric_limits<double>::infinity();
    EXPECT_DOUBLE_EQ(stress_in(s, box({-1, -1, -1}, {1, 1, 2}))[2], 0.5 * 12.0 / 12.0);
}

TEST(Stress, AcrossPeriodicFacesIsThatOfTheSamePairInside) {
    const model::PeriodicFaces faces{true, 0.0, 4.0};
    model::Snapshot s;
    test::add_body(s, {1, 1, 3.75}, 0.5);
    test::add_body(s, {1, 1, 0.75}, 0.5);
    add_contact(s, 1, 2, {1, 1, 4.25}, {3, 0, 12});
    const auto whole = stress_in(s, box({0, 0, 0}, {2, 2, 4}), {model::PeriodicFaces{}, {}, faces});
    EXPECT_NEAR(whole[2], 12.0 / 16.0, 1e-14);
    // A quarter of the way from centre to centre lies below the upper face, the rest above the lower one.
    const auto low = stress_in(s, box({0, 0, 0}, {2, 2, 2}), {model::PeriodicFaces{}, {}, faces});
    EXPECT_NEAR(low[2], 0.75 * 12.0 / 8.0, 1e-14);
}

TEST(Stress, OfFluctuationsIsThatOfAGas) {
    model::Snapshot s;
    for (int k = 0; k < 8; ++k) {
        test::add_body(s, {k % 2 - 0.5, k / 2 % 2 - 0.5, k / 4 - 0.5}, 0.25);
        s.velocity.back() = {5.0 + 2.0 * (k % 2 == 0 ? 1 : -1), 0.0, 0.0};
    }
    const auto v = stress_in(s, box({-1, -1, -1}, {1, 1, 1}));
    const double mass = s.mass[0];
    EXPECT_NEAR(v[0], 8.0 * mass * 4.0 / 8.0, 1e-9);
    EXPECT_NEAR(v[8], v[0] / 3.0, 1e-12);
    EXPECT_NEAR(v[1], 0.0, 1e-12);
}

TEST(Field, CellsAddUpToTheWhole) {
    const double radius = 0.3, edge = std::sqrt(8.0) * radius;
    model::Snapshot s = test::face_centred(4, radius);
    double x = 0.4;
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        x = 3.9 * x * (1.0 - x);
        s.velocity[i] = {x, 2.0 * x, x * x};
        s.angular_velocity[i] = {1.0 - x, x, 3.0};
    }
    for (std::uint64_t id = 1; id + 1 < s.id.size(); id += 3)
        add_contact(s, id, id + 1, 0.5 * (s.position[id - 1] + s.position[id]), {x, 1.0 - x, 2.0});
    const Vec3 lower{0.4 * edge, 0.1 * edge, -0.2 * edge}, upper{3.3 * edge, 4.2 * edge, 3.1 * edge};
    const auto sums_of = [&](std::array<std::size_t, 3> cells) {
        const model::Probe probe = box(lower, upper, cells);
        return CoarseGrain(test::scene_with(probe), {probe.box, cells}).sums(s);
    };
    const CellSums whole = sums_of({1, 1, 1}).front();
    CellSums parts;
    for (const CellSums& cell : sums_of({5, 3, 11})) {
        parts.count += cell.count;
        parts.solid += cell.solid;
        parts.mass += cell.mass;
        parts.momentum = parts.momentum + cell.momentum;
        parts.spin = parts.spin + cell.spin;
        for (std::size_t k = 0; k < 6; ++k) {
            parts.momentum_flow[k] += cell.momentum_flow[k];
            parts.virial[k] += cell.virial[k];
        }
    }
    EXPECT_EQ(parts.count, whole.count);
    EXPECT_NEAR(parts.solid, whole.solid, 1e-11 * whole.solid);
    EXPECT_NEAR(parts.mass, whole.mass, 1e-11 * whole.mass);
    EXPECT_NEAR(norm(parts.momentum - whole.momentum), 0.0, 1e-11 * norm(whole.momentum));
    EXPECT_NEAR(norm(parts.spin - whole.spin), 0.0, 1e-11 * norm(whole.spin));
    for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_NEAR(parts.momentum_flow[k], whole.momentum_flow[k], 1e-11 * whole.momentum_flow[0]);
        EXPECT_NEAR(parts.virial[k], whole.virial[k], 1e-11 * (1.0 + std::abs(whole.virial[2])));
    }
    EXPECT_GT(whole.count, 100.0);
}

TEST(Field, HasARowPerCell) {
    model::Snapshot s;
    test::add_body(s, {0.5, 0, 0}, 0.25);
    s.velocity[0] = {1, 2, 3};
    s.angular_velocity[0] = {4, 5, 6};
    const model::Probe probe = box({0, -0.5, -0.5}, {2, 0.5, 0.5}, {2, 1, 1});
    Field field(test::scene_with(probe), probe);
    EXPECT_TRUE(field.fields().empty());
    field.evaluate(s, {});
    const std::size_t width = field.table_columns().size();
    ASSERT_EQ(field.table().size(), 2 * width);
    const auto first = field.table().first(width), second = field.table().subspan(width);
    const double volume = std::numbers::pi / 48.0;
    const std::array<double, 13> expected{0.5, 0, 0, 1, volume, s.mass[0], 1, 2, 3, 4, 5, 6, 0};
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(first[k], expected[k], 1e-12) << k;
    EXPECT_EQ(second[0], 1.5);
    for (std::size_t k = 3; k < width; ++k) EXPECT_EQ(second[k], 0.0);
}

TEST(Field, OfBoxesTakesTheirVolume) {
    model::Scene scene;
    scene.materials.push_back({});
    model::BodySource source;
    source.shape = model::SolidBox{{0.5, 0.25, 0.125}};
    scene.sources.emplace_back();
    scene.sources.back().name = "block";
    scene.sources.back().what = source;
    model::Snapshot s;
    test::add_body(s, {0, 0, 0}, norm(Vec3{0.5, 0.25, 0.125}));
    s.mass[0] = 6.0;
    // The face x = 0.25 leaves a quarter of the block in the second cell.
    const model::Probe probe = box({-0.75, -1, -1}, {1.25, 1, 1}, {2, 1, 1});
    const auto sums = CoarseGrain(scene, {probe.box, probe.cells}).sums(s);
    EXPECT_NEAR(sums[0].solid, 0.75 * 0.125, 1e-14);
    EXPECT_NEAR(sums[1].solid, 0.25 * 0.125, 1e-14);
    EXPECT_NEAR(sums[1].mass, 1.5, 1e-13);
}

}  // namespace
}  // namespace scree::measure
