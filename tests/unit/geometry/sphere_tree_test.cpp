// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/sphere_tree.hpp"

#include "engine/geometry/random_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::geometry {
namespace {

using model::Vec3;

struct Stored {
    Vec3 position;
    double radius;
};

Vec3 random_point(RandomStream& random, double lower, double upper) {
    const double x = random.between(lower, upper), y = random.between(lower, upper), z = random.between(lower, upper);
    return {x, y, z};
}

void expect_equal_to_brute_force(const std::vector<Stored>& stored, RandomStream& random) {
    SphereTree tree({0, 0, 0}, {1, 1, 1});
    for (std::size_t i = 0; i < stored.size(); ++i) {
        tree.insert(stored[i].position, stored[i].radius, static_cast<std::uint32_t>(i));
    }
    EXPECT_EQ(tree.size(), stored.size());
    for (int q = 0; q < 200; ++q) {
        const Vec3 point = random_point(random, -0.2, 1.2);
        const double reach = 0.3 * random.unit() * random.unit();
        std::vector<std::uint32_t> expected, found;
        for (std::size_t i = 0; i < stored.size(); ++i) {
            const bool near = norm(point - stored[i].position) < reach + stored[i].radius;
            if (near) expected.push_back(static_cast<std::uint32_t>(i));
        }
        tree.visit_near(point, reach, [&](const SphereTree::Entry& entry, double distance) {
            EXPECT_NEAR(distance, norm(point - entry.position), 1e-15);
            found.push_back(entry.label);
            return false;
        });
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, expected);
        EXPECT_EQ(tree.any_near(point, reach), !expected.empty());
    }
}

TEST(GeometrySphereTree, EmptyTreeFindsNothing) {
    const SphereTree tree({0, 0, 0}, {1, 1, 1});
    EXPECT_FALSE(tree.any_near({0.5, 0.5, 0.5}, 10.0));
}

TEST(GeometrySphereTree, QueriesEqualBruteForceForSizesOverFourDecades) {
    RandomStream random(1);
    std::vector<Stored> stored;
    for (int i = 0; i < 3000; ++i) {
        stored.push_back({random_point(random, 0, 1), 0.5 * std::pow(10.0, -4.0 * random.unit())});
    }
    expect_equal_to_brute_force(stored, random);
}

TEST(GeometrySphereTree, QueriesEqualBruteForceForCentresOutsideTheBounds) {
    RandomStream random(2);
    std::vector<Stored> stored;
    for (int i = 0; i < 500; ++i) stored.push_back({random_point(random, -1, 2), 0.05 * random.unit()});
    expect_equal_to_brute_force(stored, random);
}

TEST(GeometrySphereTree, CoincidentAndVanishingSpheresAreAllFound) {
    RandomStream random(3);
    std::vector<Stored> stored(500, Stored{{0.25, 0.5, 0.75}, 1e-300});
    stored.push_back({{0.25, 0.5, 0.75}, 0.1});
    expect_equal_to_brute_force(stored, random);
}

TEST(GeometrySphereTree, TouchingIsNotNear) {
    SphereTree tree({0, 0, 0}, {4, 4, 4});
    tree.insert({1, 1, 1}, 0.5, 0);
    EXPECT_FALSE(tree.any_near({2, 1, 1}, 0.5));
    EXPECT_TRUE(tree.any_near({2, 1, 1}, 0.5000001));
}

TEST(GeometrySphereTree, BoundsOfOnePointWork) {
    SphereTree tree({1, 1, 1}, {1, 1, 1});
    tree.insert({1, 1, 1}, 0.5, 0);
    EXPECT_TRUE(tree.any_near({1.4, 1, 1}, 0.0));
}

}  // namespace
}  // namespace scree::geometry
