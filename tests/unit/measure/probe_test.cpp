// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/probe.hpp"

#include "engine/measure/probe_table.hpp"
#include "engine/model/error.hpp"
#include "tests/unit/measure/bodies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

namespace scree::measure {
namespace {

using model::Probe;
using test::add_body;
using test::scene_with;
using testing::DoubleEq;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

Probe named(const char* name, Probe::Kind kind, const char* target = "") {
    Probe probe;
    probe.name = name;
    probe.kind = kind;
    probe.target = target;
    return probe;
}

model::Scene with_targets(std::vector<Probe> probes) {
    model::Scene scene;
    scene.sources.resize(2);
    scene.sources[0].name = "grains";
    scene.sources[1].name = "ball";
    scene.boundaries.resize(2);
    scene.boundaries[0].name = "wall";
    scene.boundaries[1].name = "floor";
    scene.outlets.resize(1);
    scene.outlets[0].name = "hole";
    scene.probes = std::move(probes);
    return scene;
}

model::Snapshot empty_at(double time) {
    model::Snapshot s;
    s.time = time;
    s.boundaries.resize(2);
    s.removed_count = {0};
    s.removed_mass = {0.0};
    return s;
}

TEST(ProbeTable, HasEveryKind) {
    for (const auto kind : {Probe::Kind::count, Probe::Kind::packing, Probe::Kind::heights, Probe::Kind::body,
                            Probe::Kind::force, Probe::Kind::flow, Probe::Kind::energy, Probe::Kind::stress,
                            Probe::Kind::field, Probe::Kind::mixing, Probe::Kind::repose}) {
        EXPECT_EQ(probe_kind(kind).kind, kind);
    }
}

TEST(ProbeEvaluator, NamesItsColumns) {
    const ProbeEvaluator probes(
        with_targets({named("floor", Probe::Kind::force, "floor"), named("drum_a", Probe::Kind::count, "grains")}));
    EXPECT_THAT(probes.columns(), ElementsAre("floor.fx", "floor.fy", "floor.fz", "floor.tx", "floor.ty", "floor.tz",
                                              "drum_a.count", "drum_a.mass"));
}

TEST(ProbeEvaluator, NamesAMissingTarget) {
    try {
        const ProbeEvaluator probes(with_targets({named("f", Probe::Kind::force, "flor")}));
        FAIL() << "no error";
    } catch (const model::Error& error) {
        EXPECT_EQ(error.kind(), model::ErrorKind::input);
        EXPECT_THAT(error.what(), HasSubstr("probe f: there is no boundary named 'flor' [known: wall, floor]"));
    }
}

TEST(Count, CountsCentresInTheBoxOfOneMaterialOrSource) {
    model::Snapshot s;
    add_body(s, {0, 0, 0}, 0.5, 0, 0);
    add_body(s, {1, 0, 0}, 0.5, 1, 1);  // On the upper face: outside.
    add_body(s, {0.5, 0, 0}, 0.5, 1, 0);
    s.mass[2] = std::numeric_limits<double>::infinity();
    Probe probe = named("c", Probe::Kind::count);
    EXPECT_THAT(ProbeEvaluator(with_targets({probe})).evaluate(s), ElementsAre(3, DoubleEq(s.mass[0] + s.mass[1])));
    probe.material = 1;
    EXPECT_THAT(ProbeEvaluator(with_targets({probe})).evaluate(s), ElementsAre(1, s.mass[1]));
    probe.material.reset();
    probe.target = "ball";
    EXPECT_THAT(ProbeEvaluator(with_targets({probe})).evaluate(s), ElementsAre(2, s.mass[1]));
    probe.target.clear();
    probe.box.upper.x = 1.0;
    probe.box.lower.x = 0.0;
    EXPECT_THAT(ProbeEvaluator(with_targets({probe})).evaluate(s), ElementsAre(2, s.mass[0]));
}

/// 400 bodies in 2 x 5 x 1 cells; `is_marked(i, cell along x, random)` says whether body i is of material 1.
template <class Mark>
std::vector<double> mixing_of(const Mark& is_marked, unsigned seed) {
    Probe probe;
    probe.name = "mixing";
    probe.kind = Probe::Kind::mixing;
    probe.box = {{0, 0, 0}, {2, 5, 1}};
    probe.cells = {2, 5, 1};
    probe.material = 1;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> one(0.0, 1.0);
    model::Snapshot s;
    for (std::size_t i = 0; i < 400; ++i) {
        const model::Vec3 at{2.0 * one(random), 5.0 * one(random), one(random)};
        add_body(s, at, 0.01, 0, is_marked(i, at.x, one(random)) ? 1 : 0);
    }
    add_body(s, {2.5, 1, 0.5}, 0.01, 0, 1);  // outside
    ProbeEvaluator evaluator(scene_with(probe));
    return evaluator.evaluate(s);
}

TEST(Mixing, IsZeroApartAndOneAtRandom) {
    const auto apart = mixing_of([](std::size_t, double x, double) { return x < 1.0; }, 1);
    EXPECT_NEAR(apart[0], 0.0, 1e-12);
    EXPECT_NEAR(apart[1], 0.5, 0.1);
    EXPECT_EQ(apart[2], 10.0);

    // Exactly a quarter of the bodies, at random places: the expected index is 1 (Lacey).
    double sum = 0.0, squares = 0.0;
    const int trials = 400;
    for (int k = 0; k < trials; ++k) {
        const auto mixed = mixing_of([](std::size_t i, double, double) { return i % 4 == 0; }, 100 + unsigned(k));
        EXPECT_EQ(mixed[1], 0.25);
        sum += mixed[0];
        squares += mixed[0] * mixed[0];
    }
    const double mean = sum / trials, error = std::sqrt((squares / trials - mean * mean) / trials);
    EXPECT_NEAR(mean, 1.0, 4.0 * error);
    EXPECT_LT(error, 1e-3);
}

TEST(Mixing, OfOneKindOrNobodyIsZero) {
    const auto one_kind = mixing_of([](std::size_t, double, double) { return true; }, 1);
    EXPECT_THAT(one_kind, ElementsAre(0.0, 1.0, 10.0));
    Probe probe;
    probe.name = "mixing";
    probe.kind = Probe::Kind::mixing;
    probe.box = {{0, 0, 0}, {1, 1, 1}};
    probe.material = 0;
    ProbeEvaluator evaluator(scene_with(probe));
    EXPECT_THAT(evaluator.evaluate({}), ElementsAre(0.0, 0.0, 0.0));
}

TEST(Heights, MeasureAgainstGravity) {
    model::Snapshot s;
    for (int i = 0; i <= 100; ++i) add_body(s, {-0.1 * i, 0, 50.0}, 0.5);
    s.mass[100] = std::numeric_limits<double>::infinity();  // Fixed: does not count.
    model::Scene scene = scene_with(named("h", Probe::Kind::heights));
    scene.gravity = {9.81, 0, 0};
    // Heights 0, 0.1 ... 9.9; the 99th percentile has rank 0.99 x 99 = 98.01.
    EXPECT_THAT(ProbeEvaluator(scene).evaluate(s),
                ElementsAre(DoubleNear(4.95, 1e-12), DoubleNear(9.801, 1e-12), DoubleNear(9.9, 1e-12)));
    scene.gravity = {};
    EXPECT_THAT(ProbeEvaluator(scene).evaluate(s), ElementsAre(50, 50, 50));
    EXPECT_THAT(ProbeEvaluator(scene).evaluate({}), ElementsAre(0, 0, 0));
}

TEST(Body, KeepsTheLastKnownValuesAfterItsRemoval) {
    ProbeEvaluator probes(with_targets({named("b", Probe::Kind::body, "ball")}));
    EXPECT_THAT(probes.evaluate(empty_at(0.0)), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    model::Snapshot s = empty_at(1.0);
    add_body(s, {9, 9, 9}, 0.5, 0);
    add_body(s, {1, 2, 3}, 0.5, 1);
    s.velocity[1] = {4, 5, 6};
    s.angular_velocity[1] = {7, 8, 9};
    s.orientation[1] = {0.5, -0.5, 0.1, 0.7};
    EXPECT_THAT(probes.evaluate(s), ElementsAre(1, 2, 3, 4, 5, 6, 1, 7, 8, 9, 0.5, -0.5, 0.1, 0.7));
    EXPECT_THAT(probes.evaluate(empty_at(2.0)), ElementsAre(1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 0.5, -0.5, 0.1, 0.7));
}

TEST(Force, ReadsOneBoundaryUntilTheEndOfItsLastStep) {
    ProbeEvaluator probes(with_targets({named("f", Probe::Kind::force, "floor")}));
    model::Snapshot s = empty_at(0.0);
    s.boundaries[1].force = {1, 2, 3};
    s.boundaries[1].torque = {4, 5, 6};
    EXPECT_THAT(probes.evaluate(s), ElementsAre(1, 2, 3, 4, 5, 6));
    s.boundaries[1].active = false;  // at the end of the step in which it bore this
    EXPECT_THAT(probes.evaluate(s), ElementsAre(1, 2, 3, 4, 5, 6));
    s.boundaries[1].force = s.boundaries[1].torque = {};
    EXPECT_THAT(probes.evaluate(s), ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(Force, ReadsABodyAndSumsWhatPressesOnAFixedOne) {
    model::Scene scene = with_targets({named("f", Probe::Kind::force, "ball")});
    scene.sources[1].what = model::SphereSource{};
    model::Snapshot s = empty_at(0.0);
    add_body(s, {0, 0, 0}, 0.5, 0);
    add_body(s, {1, 0, 0}, 0.5, 1);
    s.force[1] = {1, 2, 3};
    s.torque[1] = {4, 5, 6};
    {
        ProbeEvaluator probes(scene);
        EXPECT_FALSE(probes.needs_contacts());
        EXPECT_THAT(probes.evaluate(s), ElementsAre(1, 2, 3, 4, 5, 6));
        EXPECT_THAT(probes.evaluate(empty_at(1.0)), ElementsAre(0, 0, 0, 0, 0, 0));
    }
    std::get<model::SphereSource>(scene.sources[1].what).fixed = true;
    s.mass[1] = std::numeric_limits<double>::infinity();
    model::ContactRecord contact;
    contact.id_a = 1;
    contact.id_b = 2;
    contact.point = {1.0, 0.5, 0};
    contact.force = {0, -7, 1};
    contact.moment = {0.5, 0, 0};
    s.contacts.push_back(contact);
    contact.id_a = 2;  // against a boundary
    contact.id_b = 0;
    contact.boundary = 0;
    contact.point = {1.0, 0, -0.5};
    contact.force = {2, 0, -3};
    contact.moment = {0, 0, -0.25};
    s.contacts.push_back(contact);
    contact.id_a = 1;  // of others
    s.contacts.push_back(contact);
    ProbeEvaluator probes(scene);
    EXPECT_TRUE(probes.needs_contacts());
    // (0, .5, 0) x (0, -7, 1) + (0, 0, -.5) x (-2, 0, 3), and the moments
    EXPECT_THAT(probes.evaluate(s), ElementsAre(-2, -7, 4, 1.0, 1, 0.25));
}

TEST(Flow, GivesRatesSinceTheLastEvaluation) {
    ProbeEvaluator probes(with_targets({named("out", Probe::Kind::flow, "hole")}));
    model::Snapshot s = empty_at(1.0);
    s.removed_count = {100};
    s.removed_mass = {50.0};
    EXPECT_THAT(probes.evaluate(s), ElementsAre(100, 50, 0, 0));
    s.time = 1.5;
    s.removed_count = {110};
    s.removed_mass = {54.0};
    EXPECT_THAT(probes.evaluate(s), ElementsAre(110, 54, 8, 20));
    EXPECT_THAT(probes.evaluate(s), ElementsAre(110, 54, 8, 20));  // At the same time.
}

TEST(Energy, OfARollingSphere) {
    model::Scene scene = scene_with(named("e", Probe::Kind::energy));
    scene.gravity = {0, 0, -10};
    model::Snapshot s;
    add_body(s, {0, 0, 2}, 0.5);
    add_body(s, {0, 0, 7}, 0.5);
    s.mass = {3.0, std::numeric_limits<double>::infinity()};
    s.velocity = {{4, 0, 0}, {1, 1, 1}};
    s.angular_velocity = {{0, 8, 0}, {1, 1, 1}};
    EXPECT_THAT(ProbeEvaluator(scene).evaluate(s), ElementsAre(24, DoubleEq(9.6), DoubleEq(33.6), 60, DoubleEq(93.6)));
}

TEST(ProbeEvaluator, SummarisesOverTime) {
    ProbeEvaluator probes(with_targets({named("f", Probe::Kind::force, "floor")}));
    EXPECT_EQ(probes.summary()["f"].dump(), R"({"kind":"force","statistics":{}})");
    // fx = 0, 2, -4 at t = 0, 1, 3: the integral is 1 - 2, over 3 seconds.
    const double times[] = {0.0, 1.0, 3.0}, values[] = {0.0, 2.0, -4.0};
    for (int i = 0; i < 3; ++i) {
        model::Snapshot s = empty_at(times[i]);
        s.boundaries[1].force.x = values[i];
        probes.evaluate(s);
    }
    const auto summary = probes.summary()["f"];
    EXPECT_EQ(summary["fx"], -4.0);
    EXPECT_EQ(summary["statistics"]["fx"]["min"], -4.0);
    EXPECT_EQ(summary["statistics"]["fx"]["max"], 2.0);
    EXPECT_DOUBLE_EQ(summary["statistics"]["fx"]["mean"].get<double>(), -1.0 / 3.0);
}

TEST(ProbeEvaluator, ContinuesAsIfNeverInterrupted) {
    std::vector<Probe> all;
    all.push_back(named("count", Probe::Kind::count));
    all.push_back(named("packing", Probe::Kind::packing));
    all.push_back(named("heights", Probe::Kind::heights));
    all.push_back(named("body", Probe::Kind::body, "ball"));
    all.push_back(named("force", Probe::Kind::force, "floor"));
    all.push_back(named("flow", Probe::Kind::flow, "hole"));
    all.push_back(named("energy", Probe::Kind::energy));
    const auto scene = with_targets(all);
    const auto at = [](int step) {
        model::Snapshot s = empty_at(0.1 * step);
        for (int i = 0; i < 10; ++i) add_body(s, {0.3 * i, 0.01 * step, 0}, 0.2, i == 5 && step < 3 ? 1 : 0);
        s.removed_count = {static_cast<std::uint64_t>(step * step)};
        s.removed_mass = {0.1 * step * step};
        s.boundaries[1].force = {0, 0, 1.0 / (1 + step)};
        return s;
    };
    ProbeEvaluator whole(scene), first(scene), second(scene);
    for (int step = 0; step <= 4; ++step) {
        whole.evaluate(at(step));
        first.evaluate(at(step));
    }
    second.restore(first.state());
    for (int step = 4; step <= 8; ++step) EXPECT_EQ(second.evaluate(at(step)), whole.evaluate(at(step)));
    EXPECT_EQ(second.summary(), whole.summary());
    EXPECT_EQ(second.state(), whole.state());
}

TEST(ProbeEvaluator, RefusesTheStateOfOtherProbes) {
    const ProbeEvaluator flow(with_targets({named("out", Probe::Kind::flow, "hole")}));
    ProbeEvaluator energy(with_targets({named("e", Probe::Kind::energy)}));
    EXPECT_THROW(energy.restore(flow.state()), model::Error);
}

}  // namespace
}  // namespace scree::measure
