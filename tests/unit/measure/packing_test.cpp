// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/packing.hpp"

#include "tests/unit/measure/bodies.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace scree::measure {
namespace {

constexpr double pi = std::numbers::pi;
const double close_packed = pi / std::sqrt(18.0);  // 0.74048

struct Values {
    double fraction, coordination, no_rattlers, rattlers, count;
};

Values measure(const model::Snapshot& s, model::Probe probe, std::array<model::PeriodicFaces, 3> periodic = {}) {
    probe.kind = model::Probe::Kind::packing;
    model::Scene scene = test::scene_with(probe);
    scene.periodic = periodic;
    Packing packing(scene, probe);
    std::array<double, 5> v{};
    EXPECT_EQ(packing.fields().size(), v.size());
    packing.evaluate(s, v);
    return {v[0], v[1], v[2], v[3], v[4]};
}

model::Probe box(model::Vec3 lower, model::Vec3 upper) {
    model::Probe probe;
    probe.box = {lower, upper};
    return probe;
}

TEST(Packing, CutsTwoSpheresAtAFace) {
    model::Snapshot s;
    test::add_body(s, {0, 0, 0}, 0.5);
    test::add_body(s, {0, 0, 1}, 0.5);
    // The face z = 0.25 cuts a cap of height 0.25 off the lower sphere; the box holds the cap and the upper sphere.
    const auto v = measure(s, box({-1, -1, 0.25}, {1, 1, 2.25}));
    const double cap = pi * 0.0625 * (1.5 - 0.25) / 3.0;
    EXPECT_NEAR(v.fraction, (cap + pi / 6.0) / 8.0, 1e-14);
    EXPECT_EQ(v.count, 1.0);
    EXPECT_EQ(v.coordination, 1.0);  // The lower sphere is outside, but touches.
    EXPECT_EQ(v.rattlers, 1.0);
    EXPECT_EQ(v.no_rattlers, 0.0);
}

TEST(Packing, OfAnInnerBoxOfACrystalIsClosePacked) {
    const double radius = 0.3, edge = std::sqrt(8.0) * radius;
    const auto s = test::face_centred(5, radius);
    // A whole number of unit cells, shifted so that faces cut spheres at odd places.
    const model::Vec3 lower{1.1 * edge, 1.23 * edge, 1.377 * edge};
    const auto v = measure(s, box(lower, lower + model::Vec3{2 * edge, 2 * edge, 2 * edge}));
    EXPECT_NEAR(v.fraction, close_packed, 1e-12);
    EXPECT_EQ(v.coordination, 12.0);
    EXPECT_EQ(v.no_rattlers, 12.0);
    EXPECT_EQ(v.rattlers, 0.0);
    EXPECT_EQ(v.count, 32.0);
}

TEST(Packing, OfAPeriodicCrystalIsClosePackedToo) {
    const double radius = 0.3, edge = std::sqrt(8.0) * radius;
    const model::PeriodicFaces faces{true, 0.0, 2 * edge};
    const auto v = measure(test::face_centred(2, radius), {}, {faces, faces, faces});
    EXPECT_NEAR(v.fraction, close_packed, 1e-12);
    EXPECT_EQ(v.coordination, 12.0);
    EXPECT_EQ(v.count, 32.0);
}

TEST(Packing, CountsContactsUpToTheGap) {
    model::Snapshot s;
    test::add_body(s, {0, 0, 0}, 0.5);
    test::add_body(s, {1.0009, 0, 0}, 0.5);
    model::Probe probe;
    probe.contact_gap = 1e-3;
    EXPECT_EQ(measure(s, probe).coordination, 1.0);
    probe.contact_gap = 8e-4;
    EXPECT_EQ(measure(s, probe).coordination, 0.0);
}

TEST(Packing, OfAnInfiniteBoxEndsAtTheBodies) {
    model::Snapshot s;
    test::add_body(s, {3, 3, 3}, 0.5);
    test::add_body(s, {3, 3, 4}, 0.5);
    EXPECT_NEAR(measure(s, {}).fraction, pi / 6.0, 1e-14);
    // Half-infinite: from the middle of the lower sphere upwards.
    model::Probe probe;
    probe.box.lower.z = 3.0;
    EXPECT_NEAR(measure(s, probe).fraction, 0.75 * pi / 3.0 / 1.5, 1e-14);
}

TEST(Packing, OfNothingIsZero) {
    for (const auto& probe : {model::Probe{}, box({0, 0, 0}, {1, 1, 1}), box({0, 0, 0}, {0, 0, 0})}) {
        const auto v = measure({}, probe);
        EXPECT_EQ(v.fraction, 0.0);
        EXPECT_EQ(v.coordination, 0.0);
        EXPECT_EQ(v.rattlers, 0.0);
    }
}

TEST(Packing, CountsRattlersApart) {
    model::Snapshot s;
    for (int i = 0; i < 3; ++i) test::add_body(s, {1.0 * i, 0, 0}, 0.5);  // A chain: 1, 2, 1 contacts.
    const auto v = measure(s, {});
    EXPECT_DOUBLE_EQ(v.coordination, 4.0 / 3.0);
    EXPECT_DOUBLE_EQ(v.no_rattlers, 2.0);
    EXPECT_DOUBLE_EQ(v.rattlers, 2.0 / 3.0);
}

}  // namespace
}  // namespace scree::measure
