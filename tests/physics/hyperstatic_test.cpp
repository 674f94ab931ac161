// SPDX-License-Identifier: BSD-3-Clause
// Piles with more contacts than statics can tell apart: compliance makes their forces unique, so a symmetric pile has
// symmetric force chains, whatever the order of its bodies.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <utility>

namespace scree::test {
namespace {

/// A wall of rows; bodies by their places, from left to right.
struct Wall {
    model::Scene scene;
    std::vector<Vec3> place;
};

/// A triangle of spheres, five in the bottom row, in a slot as wide as they are.
Wall pyramid_of_spheres() {
    SceneMaker scene(2e-3);
    scene.exact(1e-9).law({.friction = .6, .stiffness = 1e5});
    scene.plane();
    const double d = .2;
    for (const double side : {-1.0, 1.0}) {
        scene.plane({side * 2.5 * d, 0, 0}, {-side, 0, 0});
        scene.plane({0, side * .5 * d, 0}, {0, -side, 0});
    }
    Wall wall;
    for (int row = 0; row < 5; ++row)
        for (int k = 0; k < 5 - row; ++k)
            wall.place.push_back({d * (k + .5 * row - 2.0), 0, .5 * d + d * std::sqrt(.75) * row});
    for (const Vec3& place : wall.place) scene.sphere({.position = place, .radius = .5 * d, .mass = 1.0});
    wall.scene = scene.scene();
    return wall;
}

/// Courses of four, three, two bricks and one.
Wall wall_of_boxes() {
    SceneMaker scene(2e-3);
    scene.exact(1e-9).law({.friction = .6, .stiffness = 1e5});
    scene.plane();
    Wall wall;
    for (int row = 0; row < 4; ++row)
        for (int k = 0; k < 4 - row; ++k) wall.place.push_back({.42 * (k - .5 * (3 - row)), 0, .1 + .2 * row});
    for (const Vec3& place : wall.place) scene.solid(model::SolidBox{{.2, .1, .1}}, {.position = place, .mass = 1.0});
    wall.scene = scene.scene();
    return wall;
}

/// Normal force of each pair of places (walls are -1, -2 ...), and size of its friction, after a time at rest.
using Forces = std::map<std::pair<int, int>, std::pair<double, double>>;
Forces forces_of(const Wall& wall, const std::vector<std::size_t>& order) {
    model::Scene scene = wall.scene;
    const auto sources = scene.sources;
    for (std::size_t i = 0; i < order.size(); ++i) scene.sources[i] = sources[order[i]];
    Experiment run(std::move(scene));
    run.until(1.0);
    EXPECT_TRUE(run.report().converged);
    EXPECT_LT(run.report().speed_max, 1e-6) << "it is not at rest";
    std::map<std::pair<int, int>, Vec3> sums;
    Forces forces;
    for (const auto& c : run.now().contacts) {
        int a = int(order[std::size_t(c.id_a - 1)]),
            b = c.boundary >= 0 ? -1 - c.boundary : int(order[std::size_t(c.id_b - 1)]);
        Vec3 force = c.force, normal = c.normal;
        if (b >= 0 && b < a) {
            std::swap(a, b);
            force = -1.0 * force;
            normal = -1.0 * normal;
        }
        sums[{a, b}] = sums[{a, b}] + force;
        forces[{a, b}].first += dot(force, normal);
    }
    for (const auto& [pair, force] : sums)
        forces[pair].second = std::sqrt(std::max(0.0, dot(force, force) - std::pow(forces[pair].first, 2)));
    return forces;
}

/// `hung`: side walls bear a part by friction.
void expect_symmetric_and_unique(const Wall& wall, double weight, bool hung) {
    std::vector<std::size_t> order(wall.place.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const Forces first = forces_of(wall, order);
    const auto mirror_of = [&](int i) {
        if (i == -2 || i == -4) return -6 - i;  // the walls at the ends
        if (i < 0) return i;
        for (std::size_t k = 0; k < wall.place.size(); ++k)
            if (norm(wall.place[k] - Vec3{-wall.place[std::size_t(i)].x, 0, wall.place[std::size_t(i)].z}) < 1e-9)
                return int(k);
        return -100;
    };
    double floor = 0.0;
    // Forces are those of springs and of friction that stuck on the way to rest. Residuals of 1e-9 g h, 1e-9 of the
    // weight each, add up over 500 steps, and friction's share of a row of springs is a few times softer than the rows.
    const double bound = 1e-5 * weight;
    for (const auto& [pair, force] : first) {
        int a = mirror_of(pair.first), b = mirror_of(pair.second);
        if (b >= 0 && b < a) std::swap(a, b);
        const auto other = first.find({a, b});
        ASSERT_NE(other, first.end()) << "pair " << pair.first << ", " << pair.second << " has no mirror image";
        EXPECT_NEAR(force.first, other->second.first, bound) << pair.first << ", " << pair.second;
        EXPECT_NEAR(force.second, other->second.second, bound) << pair.first << ", " << pair.second;
        if (pair.second == -1) floor += force.first;
    }
    if (!hung) {
        EXPECT_NEAR(floor, weight, bound);
    }
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    const Forces second = forces_of(wall, order);
    ASSERT_EQ(second.size(), first.size());
    for (const auto& [pair, force] : first) {
        ASSERT_TRUE(second.contains(pair));
        EXPECT_NEAR(second.at(pair).first, force.first, bound) << pair.first << ", " << pair.second;
        EXPECT_NEAR(second.at(pair).second, force.second, bound) << pair.first << ", " << pair.second;
    }
}

TEST(Hyperstatic, PyramidOfSpheresHasSymmetricForcesInAnyOrder) {
    expect_symmetric_and_unique(pyramid_of_spheres(), 15 * gravity, true);
}

TEST(Hyperstatic, WallOfBoxesHasSymmetricForcesInAnyOrder) {
    expect_symmetric_and_unique(wall_of_boxes(), 10 * gravity, false);
}

}  // namespace
}  // namespace scree::test
