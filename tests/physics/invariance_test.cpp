// SPDX-License-Identifier: BSD-3-Clause
// Whole steps of the same scene told in other words: turned, mirrored, in other units, its bodies in another order, as
// one of many copies. Spheres and boxes, contacts that come, go and slide.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

namespace scree::test {
namespace {

using model::Quat;

/// Places of the sources in the scene; a pile that falls over on a floor beside a wall.
model::Scene pile(bool boxes, std::size_t copies = 1) {
    SceneMaker scene(2e-3);
    scene.exact(1e-10).law({.friction = .4, .stiffness = 1e5});
    scene.plane();
    model::ContactSettings& contact = scene.edit().settings.contact;
    contact.restitution_threshold = 1e3;  // compliant contacts alone have unique solutions
    contact.stiffness = 1e5;              // automatic ones ask how much lies over how large a floor
    contact.damping_time = 4e-3;
    for (std::size_t copy = 0; copy < copies; ++copy) {
        const Vec3 at{3.0 * double(copy % 8), 3.0 * double(copy / 8), 0};
        std::mt19937 random(3);
        std::uniform_real_distribution<double> both(-1.0, 1.0);
        const auto vector = [&](double size) {
            return Vec3{size * both(random), size * both(random), size * both(random)};
        };
        for (int k = 0; k < 10; ++k) {
            const Vec3 place = at + Vec3{.21 * (k % 2), .21 * (k / 2 % 2), .1 + .21 * (k / 4)} + vector(.005);
            const Vec3 velocity = vector(.3), spin = vector(1.0);
            const Quat turn = unit(Quat{1, .05 * both(random), .05 * both(random), both(random)});
            const double mass = 1.0 + .5 * both(random), size = .1 + .004 * both(random);
            if (boxes && k % 2 == 0)
                scene.solid(model::SolidBox{{size, size, .9 * size}}, {.position = place,
                                                                       .orientation = turn,
                                                                       .velocity = velocity,
                                                                       .angular_velocity = spin,
                                                                       .mass = mass});
            else
                scene.sphere(
                    {.position = place, .radius = size, .velocity = velocity, .angular_velocity = spin, .mass = mass});
        }
    }
    return scene.scene();
}

/// Changes all vectors: `point` of places, `direction` of velocities and forces, `spin` of pseudovectors.
struct Change {
    std::function<Vec3(Vec3)> direction = [](Vec3 v) { return v; };
    std::function<Vec3(Vec3)> spin = [](Vec3 v) { return v; };
    std::function<Quat(Quat)> turn = [](Quat q) { return q; };
    double length = 1.0, mass = 1.0, time = 1.0;
};

model::Scene changed(model::Scene scene, const Change& c) {
    const double speed = c.length / c.time;
    scene.gravity = (speed / c.time) * c.direction(scene.gravity);
    scene.settings.time.step *= c.time;
    scene.settings.time.end *= c.time;
    scene.settings.contact.stiffness *= c.mass / (c.time * c.time);
    scene.settings.contact.damping_time *= c.time;
    scene.settings.contact.restitution_threshold *= speed;
    for (auto& material : scene.materials) material.density *= c.mass / (c.length * c.length * c.length);
    for (auto& pair : scene.pairs) pair.stiffness *= c.mass / (c.time * c.time);
    for (auto& boundary : scene.boundaries) {
        auto& plane = std::get<model::PlaneShape>(boundary.shape);
        plane.point = c.length * c.direction(plane.point);
        plane.normal = c.direction(plane.normal);
    }
    for (auto& source : scene.sources) {
        source.velocity = speed * c.direction(source.velocity);
        source.angular_velocity = (1.0 / c.time) * c.spin(source.angular_velocity);
        if (auto* sphere = std::get_if<model::SphereSource>(&source.what)) {
            sphere->position = c.length * c.direction(sphere->position);
            sphere->radius *= c.length;
            continue;
        }
        auto& body = std::get<model::BodySource>(source.what);
        body.position = c.length * c.direction(body.position);
        body.orientation = c.turn(body.orientation);
        body.mass *= c.mass;
        auto& box = std::get<model::SolidBox>(body.shape);
        box.half_extents = c.length * box.half_extents;
    }
    return scene;
}

struct State {
    std::vector<Vec3> position, velocity, spin;
    std::vector<double> residuals;
    std::int64_t contacts = 0;
};
State after(model::Scene scene, int steps) {
    Experiment run(std::move(scene));
    State state;
    for (int k = 0; k < steps; ++k) {
        const auto& report = run.step();
        EXPECT_TRUE(report.converged) << "step " << k;
        state.contacts += report.contacts;
        state.residuals.push_back(report.residual.rms);
    }
    const model::Snapshot& s = run.now();
    state.position = s.position;
    state.velocity = s.velocity;
    state.spin = s.angular_velocity;
    return state;
}

/// Largest difference of places, velocities and spins in the units of the first (spins times .1 m).
double difference(const State& a, const State& b, const Change& c, std::size_t bodies) {
    double most = 0.0;
    for (std::size_t i = 0; i < bodies; ++i) {
        most = std::max(most, norm((1.0 / c.length) * b.position[i] - c.direction(a.position[i])));
        most = std::max(most, norm((c.time / c.length) * b.velocity[i] - c.direction(a.velocity[i])));
        most = std::max(most, .1 * norm(c.time * b.spin[i] - c.spin(a.spin[i])));
    }
    return most;
}

class Invariance : public testing::TestWithParam<bool> {
protected:
    static constexpr int steps = 60;
    static bool boxes() { return GetParam(); }
    // A residual of 1e-10 g h = 2e-12 m/s; impacts and sliding magnify differences of it by some 1e5 over 60 steps.
    static constexpr double bound = 1e-6;
};
INSTANTIATE_TEST_SUITE_P(Piles, Invariance, testing::Bool(),
                         [](const auto& kinds) { return kinds.param ? "OfSpheresAndBoxes" : "OfSpheres"; });

TEST_P(Invariance, UnderTurnsOfTheScene) {
    const State first = after(pile(boxes()), steps);
    ASSERT_GT(first.contacts, 5 * steps);
    for (const Quat q : {Quat{1, 0, 0, 1}, Quat{.3, .5, -.2, .8}, Quat{.1, -.9, .3, .2}}) {
        const Quat by = unit(q);
        Change turn;
        turn.direction = turn.spin = [by](Vec3 v) { return model::rotate(by, v); };
        turn.turn = [by](Quat of) { return by * of; };
        const State second = after(changed(pile(boxes()), turn), steps);
        EXPECT_EQ(second.contacts, first.contacts);
        EXPECT_LT(difference(first, second, turn, first.position.size()), bound);
    }
}

TEST_P(Invariance, UnderMirrors) {
    const State first = after(pile(boxes()), steps);
    Change mirror;
    mirror.direction = [](Vec3 v) { return Vec3{v.y, v.x, v.z}; };
    mirror.spin = [](Vec3 v) { return Vec3{-v.y, -v.x, -v.z}; };
    // A box is its own mirror image: the turn about the mirrored pseudovector, with its x and y faces swapped.
    mirror.turn = [](Quat q) { return Quat{q.w, -q.y, -q.x, -q.z}; };
    const State second = after(changed(pile(boxes()), mirror), steps);
    EXPECT_EQ(second.contacts, first.contacts);
    EXPECT_LT(difference(first, second, mirror, first.position.size()), bound);
}

TEST_P(Invariance, UnderChangesOfUnits) {
    const State first = after(pile(boxes()), steps);
    for (const auto& [length, mass, time] :
         {std::array{1e-6, 1.0, 1.0}, std::array{1e6, 1.0, 1.0}, std::array{1.0, 1e-6, 1.0}, std::array{1.0, 1e6, 1.0},
          std::array{1.0, 1.0, 1e-6}, std::array{1.0, 1.0, 1e6}, std::array{1e-4, 1e-6, 1e-2}}) {
        Change units;
        units.length = length;
        units.mass = mass;
        units.time = time;
        const State second = after(changed(pile(boxes()), units), steps);
        EXPECT_LT(difference(first, second, units, first.position.size()), bound)
            << length << " " << mass << " " << time;
    }
}

TEST_P(Invariance, UnderOrdersOfBodies) {
    const State first = after(pile(boxes()), steps);
    for (const unsigned seed : {1U, 2U, 3U}) {
        model::Scene scene = pile(boxes());
        std::vector<std::size_t> from(scene.sources.size());
        std::iota(from.begin(), from.end(), std::size_t(0));
        std::shuffle(from.begin(), from.end(), std::mt19937(seed));
        const auto sources = scene.sources;
        for (std::size_t i = 0; i < from.size(); ++i) scene.sources[i] = sources[from[i]];
        const State shuffled = after(std::move(scene), steps);
        State second = shuffled;
        for (std::size_t i = 0; i < from.size(); ++i) {
            second.position[from[i]] = shuffled.position[i];
            second.velocity[from[i]] = shuffled.velocity[i];
            second.spin[from[i]] = shuffled.spin[i];
        }
        EXPECT_EQ(second.contacts, first.contacts);
        EXPECT_LT(difference(first, second, Change{}, first.position.size()), bound);
    }
}

TEST_P(Invariance, UnderCopies) {
    const State one = after(pile(boxes()), steps);
    for (const std::size_t copies : {8, 64}) {
        const State many = after(pile(boxes(), copies), steps);
        EXPECT_EQ(many.contacts, one.contacts * std::int64_t(copies));
        for (std::size_t copy = 0; copy < copies; ++copy) {
            const Vec3 at{3.0 * double(copy % 8), 3.0 * double(copy / 8), 0};
            State part;
            for (std::size_t i = 0; i < 10; ++i) {
                part.position.push_back(many.position[10 * copy + i] - at);
                part.velocity.push_back(many.velocity[10 * copy + i]);
                part.spin.push_back(many.spin[10 * copy + i]);
            }
            EXPECT_LT(difference(one, part, Change{}, 10), bound) << "copy " << copy << " of " << copies;
        }
    }
}

}  // namespace
}  // namespace scree::test
