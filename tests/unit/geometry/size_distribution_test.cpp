// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/size_distribution.hpp"

#include "engine/geometry/mass.hpp"
#include "engine/geometry/random_stream.hpp"
#include "tests/unit/geometry/scratch_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace scree::geometry {
namespace {

using model::SizeDistribution;
using Kind = SizeDistribution::Kind;

constexpr std::size_t many = 200000;

SizeDistribution uniform(double lower, double upper) {
    SizeDistribution sizes;
    sizes.kind = Kind::uniform;
    sizes.lower = lower;
    sizes.upper = upper;
    return sizes;
}

SizeDistribution bell(Kind kind, double mean, double deviation, double lower = 0.0, double upper = 0.0) {
    SizeDistribution sizes;
    sizes.kind = kind;
    sizes.mean = mean;
    sizes.deviation = deviation;
    sizes.lower = lower;
    sizes.upper = upper;
    return sizes;
}

SizeDistribution sieve(std::vector<std::pair<double, double>> passing) {
    SizeDistribution sizes;
    sizes.kind = Kind::sieve;
    sizes.passing = std::move(passing);
    return sizes;
}

double mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double>& values) {
    const double mean = mean_of(values);
    double sum = 0.0;
    for (const double v : values) sum += (v - mean) * (v - mean);
    return std::sqrt(sum / static_cast<double>(values.size()));
}

std::string error_text(const SizeDistribution& sizes) {
    return test::error_of([&] { static_cast<void>(RadiusSampler(sizes)); }).what();
}

TEST(GeometrySizes, GeneratorGivesTheReferenceSequence) {
    // xoshiro256** with its state from splitmix64(0), computed independently.
    RandomStream random(0);
    EXPECT_EQ(random.next(), 0x99ec5f36cb75f2b4ULL);
    EXPECT_EQ(random.next(), 0xbf6e1f784956452aULL);
    EXPECT_EQ(random.next(), 0x1a5f849d4933e6e0ULL);
}

TEST(GeometrySizes, GeneratorStreamsDiffer) {
    RandomStream a(1, 0), b(1, 1), c(2, 0);
    const std::uint64_t first = a.next();
    EXPECT_NE(first, b.next());
    EXPECT_NE(first, c.next());
}

TEST(GeometrySizes, ConstantIsConstant) {
    SizeDistribution sizes;
    sizes.radius = 0.25;
    const RadiusSampler sampler(sizes);
    EXPECT_EQ(sample_radii(sampler, 3, 1), (std::vector<double>{0.25, 0.25, 0.25}));
    EXPECT_EQ(sampler.mean_volume(), sphere_volume(0.25));
}

TEST(GeometrySizes, SamplesDependOnTheSeedOnly) {
    const RadiusSampler sampler(uniform(1, 2));
    EXPECT_EQ(sample_radii(sampler, 1000, 5), sample_radii(sampler, 1000, 5));
    EXPECT_NE(sample_radii(sampler, 1000, 5), sample_radii(sampler, 1000, 6));
    EXPECT_TRUE(sample_radii(sampler, 0, 5).empty());
}

// Samples are stratified, so the mean of n has an error of order (largest - smallest) / n^1.5, about 1e-8 of the width
// here; the tolerances below are 1e-6 of the width.
TEST(GeometrySizes, UniformHasTheMeanDeviationAndVolumeOfTheClosedForm) {
    const RadiusSampler sampler(uniform(1, 3));
    const std::vector<double> radii = sample_radii(sampler, many, 1);
    EXPECT_NEAR(mean_of(radii), 2.0, 2e-6);
    EXPECT_NEAR(deviation_of(radii), 2.0 / std::sqrt(12.0), 2e-6);
    EXPECT_NEAR(sampler.mean_volume(), sphere_volume(1.0) * (81.0 - 1.0) / 8.0, 1e-12);
    EXPECT_GE(*std::min_element(radii.begin(), radii.end()), 1.0);
    EXPECT_LE(*std::max_element(radii.begin(), radii.end()), 3.0);
}

TEST(GeometrySizes, NormalIsCutAtThreeDeviationsByDefault) {
    const RadiusSampler sampler(bell(Kind::normal, 10.0, 2.0));
    EXPECT_EQ(sampler.smallest(), 4.0);
    EXPECT_EQ(sampler.largest(), 16.0);
    EXPECT_EQ(sampler.quantile(0.0), 4.0);
    EXPECT_EQ(sampler.quantile(1.0), 16.0);
    const std::vector<double> radii = sample_radii(sampler, many, 1);
    EXPECT_NEAR(mean_of(radii), 10.0, 1e-5);
    // Variance of a normal cut at +-a: 1 - 2 a phi(a) / (2 Phi(a) - 1).
    const double phi = std::exp(-4.5) / std::sqrt(2.0 * std::numbers::pi);
    const double kept = std::erf(3.0 / std::numbers::sqrt2);
    EXPECT_NEAR(deviation_of(radii), 2.0 * std::sqrt(1.0 - 6.0 * phi / kept), 1e-5);
}

TEST(GeometrySizes, NormalQuantilesAreThoseOfTheTables) {
    const RadiusSampler sampler(bell(Kind::normal, 100.0, 1.0, 50.0, 150.0));  // as good as uncut
    EXPECT_NEAR(sampler.quantile(0.5), 100.0, 1e-12);
    EXPECT_NEAR(sampler.quantile(0.975), 101.959963984540054, 1e-12);
    EXPECT_NEAR(sampler.quantile(0.001), 96.909767693832, 1e-11);
    EXPECT_NEAR(sampler.quantile(0.8413447460685429), 101.0, 1e-12);
}

TEST(GeometrySizes, LognormalHasTheMedianAndTheSpreadOfItsLogarithm) {
    const RadiusSampler sampler(bell(Kind::lognormal, 0.01, 0.5, 1e-4, 1.0));  // cut at 9 sigma
    std::vector<double> radii = sample_radii(sampler, many, 1);
    for (double& r : radii) r = std::log(r / 0.01);
    EXPECT_NEAR(sampler.quantile(0.5), 0.01, 1e-14);
    EXPECT_NEAR(mean_of(radii), 0.0, 1e-5);
    EXPECT_NEAR(deviation_of(radii), 0.5, 1e-4);
    // Third moment of a log-normal: median^3 exp(9 sigma^2 / 2); midpoint rule in the tail: 2e-3 relative.
    EXPECT_NEAR(sampler.mean_volume() / (sphere_volume(0.01) * std::exp(4.5 * 0.25)), 1.0, 2e-3);
}

TEST(GeometrySizes, LognormalIsCutAtThreeSigmaByDefault) {
    const RadiusSampler sampler(bell(Kind::lognormal, 0.01, 0.5));
    EXPECT_NEAR(sampler.smallest(), 0.01 * std::exp(-1.5), 1e-16);
    EXPECT_NEAR(sampler.largest(), 0.01 * std::exp(1.5), 1e-15);
}

TEST(GeometrySizes, BoundsFarInATailStillGiveSamplesBetweenThem) {
    const RadiusSampler sampler(bell(Kind::normal, 10.0, 1.0, 13.0, 14.0));
    const std::vector<double> radii = sample_radii(sampler, 1000, 1);
    EXPECT_GE(*std::min_element(radii.begin(), radii.end()), 13.0);
    EXPECT_LE(*std::max_element(radii.begin(), radii.end()), 14.0);
    EXPECT_LT(mean_of(radii), 13.4);  // mean of the cut tail: 13.27
}

TEST(GeometrySizes, SieveHasTheMassFractionsOfItsTable) {
    const std::vector<std::pair<double, double>> table{{0.5, 0.0}, {1.0, 0.2}, {2.0, 0.2}, {3.0, 0.7}, {10.0, 1.0}};
    const RadiusSampler sampler(sieve(table));
    const std::vector<double> radii = sample_radii(sampler, many, 1);
    double total = 0.0;
    for (const double r : radii) total += sphere_volume(r);
    for (const auto& [opening, share] : table) {
        double passing = 0.0;
        for (const double r : radii) passing += r <= opening ? sphere_volume(r) : 0.0;
        // The few largest spheres carry the error: about 3000 of class 3-10, stratified.
        EXPECT_NEAR(passing / total, share, 1e-3) << opening;
    }
    EXPECT_NEAR(total / static_cast<double>(many) / sampler.mean_volume(), 1.0, 2e-3);
}

TEST(GeometrySizes, SieveMassIsUniformInTheLogarithmWithinAClass) {
    const RadiusSampler sampler(sieve({{1.0, 0.0}, {4.0, 1.0}}));
    const std::vector<double> radii = sample_radii(sampler, many, 1);
    double total = 0.0, below = 0.0;
    for (const double r : radii) {
        total += r * r * r;
        below += r < 2.0 ? r * r * r : 0.0;
    }
    EXPECT_NEAR(below / total, 0.5, 1e-4);
    // Quantile in closed form: share of spheres below 2 is (1 - 1/8) / (1 - 1/64).
    EXPECT_NEAR(sampler.quantile(0.875 / 0.984375), 2.0, 1e-12);
    EXPECT_NEAR(sampler.mean_volume(), sphere_volume(1.0) * 3.0 * std::log(4.0) / 0.984375, 1e-12);
}

TEST(GeometrySizes, EmptySieveClassGetsNoSpheres) {
    const RadiusSampler sampler(sieve({{1, 0}, {2, 0}, {3, 1}, {4, 1}}));
    for (const double r : sample_radii(sampler, 10000, 1)) {
        EXPECT_GE(r, 2.0);
        EXPECT_LE(r, 3.0);
    }
}

TEST(GeometrySizes, EachStratumHoldsOneSample) {
    for (const SizeDistribution& sizes :
         {uniform(1, 2), bell(Kind::normal, 5, 1), bell(Kind::lognormal, 5, 1), sieve({{1, 0}, {2, 0.3}, {50, 1}})}) {
        const RadiusSampler sampler(sizes);
        std::vector<double> radii = sample_radii(sampler, 1000, 3);
        EXPECT_FALSE(std::is_sorted(radii.begin(), radii.end()));
        std::sort(radii.begin(), radii.end());
        for (std::size_t i = 0; i < radii.size(); ++i) {
            EXPECT_GE(radii[i], sampler.quantile(static_cast<double>(i) / 1000.0) * (1.0 - 1e-12));
            EXPECT_LE(radii[i], sampler.quantile(static_cast<double>(i + 1) / 1000.0) * (1.0 + 1e-12));
        }
    }
}

TEST(GeometrySizes, ParametersThatMakeNoSenseAreErrors) {
    EXPECT_NE(error_text({}).find("radius is 0"), std::string::npos);
    EXPECT_NE(error_text(uniform(0, 1)).find("lower bound is 0"), std::string::npos);
    EXPECT_NE(error_text(uniform(2, 1)).find("2 and 1"), std::string::npos);
    EXPECT_NE(error_text(uniform(1, std::nan(""))).find("bounds"), std::string::npos);
    EXPECT_NE(error_text(bell(Kind::normal, -1, 1)).find("mean is -1"), std::string::npos);
    EXPECT_NE(error_text(bell(Kind::normal, 1, 0)).find("deviation is 0"), std::string::npos);
    EXPECT_NE(error_text(bell(Kind::normal, 1, 0.5)).find("3 deviations"), std::string::npos);
    EXPECT_NE(error_text(bell(Kind::normal, 1, 0.1, 3, 4)).find("between the bounds"), std::string::npos);
    EXPECT_NE(error_text(bell(Kind::lognormal, 1, 0.1, 0, 4)).find("lower bound"), std::string::npos);
    EXPECT_NE(error_text(bell(Kind::lognormal, 1, 1e6)).find("3 deviations"), std::string::npos);
    EXPECT_NE(error_text(sieve({{1, 0}})).find("1 rows"), std::string::npos);
    EXPECT_NE(error_text(sieve({{1, 0}, {1, 1}})).find("increase"), std::string::npos);
    EXPECT_NE(error_text(sieve({{1, 0}, {2, 0.6}, {3, 0.5}, {4, 1}})).find("decrease"), std::string::npos);
    EXPECT_NE(error_text(sieve({{1, 0.1}, {2, 1}})).find("0 to 1"), std::string::npos);
    EXPECT_NE(error_text(sieve({{1, 0}, {2, 0.9}})).find("0 to 1"), std::string::npos);
    EXPECT_NE(error_text(sieve({{0, 0}, {2, 1}})).find("opening is 0"), std::string::npos);
    EXPECT_NE(error_text(sieve({{1, 0}, {2, std::nan("")}})).find("decrease"), std::string::npos);
}

TEST(GeometrySizes, MassAndInertiaOfASphere) {
    EXPECT_NEAR(sphere_mass(2500.0, 0.05), 2500.0 * 4.0 / 3.0 * std::numbers::pi * 1.25e-4, 1e-12);
    EXPECT_NEAR(sphere_inertia(2.0, 3.0), 7.2, 1e-15);
}

}  // namespace
}  // namespace scree::geometry
