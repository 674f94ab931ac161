// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/sphere_images.hpp"

#include "tests/unit/measure/bodies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace scree::measure {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::uint32_t> all_pairs(const std::vector<SphereImage>& spheres, double tolerance) {
    std::vector<std::uint32_t> counts(spheres.size(), 0);
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        for (std::size_t j = 0; j < spheres.size(); ++j) {
            const double reach = (spheres[i].radius + spheres[j].radius) * (1.0 + tolerance);
            const auto d = spheres[j].center - spheres[i].center;
            if (spheres[i].body != spheres[j].body && dot(d, d) < reach * reach) ++counts[i];
        }
    }
    return counts;
}

std::vector<SphereImage> cloud(std::size_t n, double smallest, double largest, double extent, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(0.0, extent), size(std::log(smallest), std::log(largest));
    std::vector<SphereImage> spheres;
    for (std::size_t i = 0; i < n; ++i) {
        const double r = smallest == largest ? smallest : std::exp(size(random));
        spheres.push_back({{place(random), place(random), place(random)}, r, i, true});
    }
    return spheres;
}

TEST(ContactCounts, AgreeWithAllPairsOfEqualSpheres) {
    const auto spheres = cloud(1500, 0.05, 0.05, 1.0, 1);
    EXPECT_EQ(contact_counts(spheres, 0.01), all_pairs(spheres, 0.01));
}

TEST(ContactCounts, AgreeWithAllPairsForSizeRatiosOfAHundred) {
    const auto spheres = cloud(1500, 0.001, 0.1, 0.3, 2);
    EXPECT_EQ(contact_counts(spheres, 1e-4), all_pairs(spheres, 1e-4));
}

TEST(ContactCounts, AgreeWithAllPairsWhenBodiesAreFarOff) {
    auto spheres = cloud(300, 0.05, 0.1, 1.0, 3);
    spheres[0].center = {1e12, -1e12, 0};
    spheres[1].center = {1e12 + 0.01, -1e12, 0};
    spheres[2].center = {-1e300, 0, 0};
    EXPECT_EQ(contact_counts(spheres, 1e-4), all_pairs(spheres, 1e-4));
}

TEST(ContactCounts, AgreeWithAllPairsAtCoincidentCentres) {
    auto spheres = cloud(100, 0.05, 0.05, 0.01, 4);
    for (auto& sphere : spheres) sphere.center = {1, 1, 1};
    EXPECT_THAT(contact_counts(spheres, 0.0), testing::Each(99U));
}

TEST(ContactCounts, OfNothingAndOfOne) {
    EXPECT_THAT(contact_counts({}, 1e-4), IsEmpty());
    EXPECT_THAT(contact_counts(cloud(1, 1, 1, 1, 1), 1e-4), ElementsAre(0U));
}

TEST(ContactCounts, UseTheMeanDiameterForTheGap) {
    const double reach = (1.0 + 0.1) * (1.0 + 1e-3);
    const auto pair = [](double distance) {
        return std::vector<SphereImage>{{{0, 0, 0}, 1.0, 0, true}, {{distance, 0, 0}, 0.1, 1, true}};
    };
    EXPECT_THAT(contact_counts(pair(reach * (1 - 1e-9)), 1e-3), ElementsAre(1U, 1U));
    EXPECT_THAT(contact_counts(pair(reach * (1 + 1e-9)), 1e-3), ElementsAre(0U, 0U));
}

TEST(SpheresNear, TakesWhatReachesIntoTheBoxOrTouchesABodyInIt) {
    model::Snapshot s;
    test::add_body(s, {0.5, 0.5, 0.5}, 0.1);
    test::add_body(s, {1.05, 0.5, 0.5}, 0.1);
    test::add_body(s, {3.0, 0.5, 0.5}, 0.1);
    test::add_body(s, {std::nan(""), 0.5, 0.5}, 0.1);
    const auto spheres = spheres_near(s, {}, {{0, 0, 0}, {1, 1, 1}}, 1e-4);
    ASSERT_EQ(spheres.size(), 2U);
    EXPECT_EQ(spheres[1].body, 1U);
}

TEST(SpheresNear, AddsImagesAcrossPeriodicFaces) {
    model::Snapshot s;
    test::add_body(s, {0.02, 0.98, 0.5}, 0.1);
    const model::PeriodicFaces unit{true, 0.0, 1.0};
    const auto spheres = spheres_near(s, {unit, unit, {}}, {{0, 0, 0}, {1, 1, 1}}, 1e-4);
    EXPECT_EQ(spheres.size(), 4U);
    EXPECT_EQ(std::count_if(spheres.begin(), spheres.end(), [](const auto& sphere) { return sphere.original; }), 1);
}

}  // namespace
}  // namespace scree::measure
