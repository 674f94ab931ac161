// SPDX-License-Identifier: BSD-3-Clause
// The broad phase against all pairs.
#include "kernels/collide/grid.hpp"

#include "kernels/parallel/cpu.hpp"
#include "tests/support/brute_force_pairs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace scree::kernels {
namespace {

using Pairs = std::vector<std::pair<Index, Index>>;

/// Spheres as a cloud of the test's choice.
struct Cloud {
    std::vector<double> position;
    std::vector<float> extent;
    Periodic periodic;

    void add(double x, double y, double z, double e) {
        position.insert(position.end(), {x, y, z, e});
        extent.push_back(float(e));
    }
};

/// Grids of a cloud, as any backend builds them.
template <class Backend>
Grid built(Backend& backend, GridBuilder<Backend>& builder, const Cloud& cloud, Array<double, Backend>& position,
           Array<float, Backend>& extent) {
    position.assign(cloud.position);
    extent.assign(cloud.extent);
    return builder.build(backend, position.data(), extent.data(), Index(cloud.extent.size()), cloud.periodic);
}

/// What the grid finds: pairs within reach, and how many candidates it looked at.
struct Found {
    Pairs pairs;
    std::int64_t candidates = 0;
};
Found found_pairs(const Cloud& cloud, GridBuilder<Cpu>& builder, std::size_t threads = 1) {
    Cpu cpu(threads);
    Array<double, Cpu> position;
    Array<float, Cpu> extent;
    const Grid grid = built(cpu, builder, cloud, position, extent);
    Found found;
    for (Index place = 0; place < Index(cloud.extent.size()); ++place) {
        const Index i = grid.order[place];
        const auto look_at = [&](Index j) {
            ++found.candidates;
            const auto d = cloud.periodic.nearest_image(center_of(position.data(), j) - center_of(position.data(), i));
            const double reach = double(extent.data()[i]) + double(extent.data()[j]);
            if (dot(d, d) <= reach * reach) found.pairs.emplace_back(std::min(i, j), std::max(i, j));
        };
        for_each_run_of_candidates(grid, place, [&](Index begin, Index end) {
            for (Index k = begin; k < end; ++k) look_at(grid.order[k]);
        });
    }
    std::sort(found.pairs.begin(), found.pairs.end());
    return found;
}
/// Each pair exactly once: the sorted list with duplicates equals that of all pairs.
void expect_all_pairs(const Cloud& cloud) {
    GridBuilder<Cpu> builder;
    const Pairs expected = test::brute_force_pairs(cloud.position, cloud.extent, cloud.periodic);
    EXPECT_EQ(found_pairs(cloud, builder).pairs, expected);
    EXPECT_EQ(found_pairs(cloud, builder).pairs, expected) << "second build with the same builder";
}

/// `n` spheres in a cube of side `side`, sizes from `low` to `high` evenly in the logarithm.
Cloud random_cloud(int n, unsigned seed, double side, double low, double high) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    Cloud cloud;
    for (int i = 0; i < n; ++i) {
        const double x = side * unit(random), y = side * unit(random), z = side * unit(random);
        cloud.add(x, y, z, low * std::pow(high / low, unit(random)));
    }
    return cloud;
}

TEST(Grid, FindsAllPairsOfARandomCloud) {
    for (unsigned seed = 0; seed < 5; ++seed) expect_all_pairs(random_cloud(800, seed, 1.0, 0.05, 0.05));
}

TEST(Grid, FindsAllPairsForSizeRatiosUpToThousands) {
    for (const double ratio : {2.0, 2.0000001, 10.0, 100.0, 5000.0}) {
        expect_all_pairs(random_cloud(700, 1, 1.0, 0.2 / ratio, 0.2));
        Cloud two = random_cloud(500, 2, 1.0, 0.3 / ratio, 0.3 / ratio);
        for (std::size_t k = 0; k < 5; ++k) two.extent[100 * k] = 0.3f;
        expect_all_pairs(two);
    }
}

TEST(Grid, KeepsLevelsBeyondItsLimitOnTheLast) {
    // Sizes over 2^20: more octaves than levels.
    expect_all_pairs(random_cloud(400, 3, 1.0, 0.25 / (1 << 20), 0.25));
}

TEST(Grid, FindsAllPairsOfCoincidentSpheres) {
    Cloud cloud;
    for (int i = 0; i < 60; ++i) cloud.add(0.3, -0.2, 7.0, i % 2 == 0 ? 0.1 : 0.001);
    expect_all_pairs(cloud);
}

TEST(Grid, OfNoneOrOneFindsNothing) {
    Cloud cloud;
    expect_all_pairs(cloud);
    cloud.add(1e3, 2.0, -5.0, 0.1);
    expect_all_pairs(cloud);
}

TEST(Grid, FindsSpheresThatOnlyJustReachEachOther) {
    Cloud cloud;
    for (int i = 0; i < 40; ++i) cloud.add(0.125 * i, 0.0, 0.0, 0.0625);  // exact in float: distance = e + e
    expect_all_pairs(cloud);
    GridBuilder<Cpu> builder;
    EXPECT_EQ(found_pairs(cloud, builder).pairs.size(), 39U);
}

TEST(Grid, ToleratesOutliersMillionsOfDiametersAway) {
    Cloud cloud = random_cloud(500, 4, 1.0, 0.05, 0.05);
    cloud.add(1e5, 0.0, 0.0, 0.05);
    cloud.add(-1e5, 1e5, -1e5, 0.05);
    cloud.add(-1e5 + 0.07, 1e5, -1e5, 0.05);
    expect_all_pairs(cloud);
    cloud.add(1e12, 1e12, 1e12, 0.05);
    expect_all_pairs(cloud);
}

TEST(Grid, FindsAllPairsOnALine) {
    for (int axis = 0; axis < 3; ++axis) {
        Cloud cloud;
        for (int i = 0; i < 500; ++i) {
            const double x = 0.013 * ((i * 211) % 500);
            cloud.add(axis == 0 ? x : 1.0, axis == 1 ? x : 1.0, axis == 2 ? x : 1.0, 0.01 + 1e-5 * i);
        }
        expect_all_pairs(cloud);
    }
}

TEST(Grid, FindsPairsThroughPeriodicFaces) {
    for (int axes = 1; axes < 8; ++axes)
        for (const double size : {0.01, 0.06, 0.12, 0.2}) {  // from 50 cells on an axis down to 2
            Cloud cloud = random_cloud(400, unsigned(axes), 1.0, size / 4.0, size);
            for (int axis = 0; axis < 3; ++axis)
                if ((axes >> axis & 1) != 0) cloud.periodic.length[axis] = 1.0;
            expect_all_pairs(cloud);
        }
}

TEST(Grid, FindsPairsInPeriodicBoxesOfASingleCell) {
    Cloud cloud = random_cloud(60, 5, 1.0, 0.24, 0.24);
    for (double& length : cloud.periodic.length) length = 1.0;
    expect_all_pairs(cloud);
    cloud = random_cloud(60, 6, 1.0, 0.02, 0.8);  // a sphere larger than the box
    for (double& length : cloud.periodic.length) length = 1.0;
    expect_all_pairs(cloud);
}

TEST(Grid, FindsPairsOfSpheresThatReachFurtherThanCellsCanBeCounted) {
    Cloud cloud = random_cloud(100, 8, 1.0, 0.01, 0.02);
    for (double& length : cloud.periodic.length) length = 1.0;
    cloud.extent[7] = 1e12f;
    expect_all_pairs(cloud);
}

TEST(Grid, FindsPairsOfSpheresOnAndBeyondPeriodicFaces) {
    Cloud cloud;
    cloud.periodic.lower[0] = -2.0;
    cloud.periodic.length[0] = 3.0;
    for (const double x : {-2.0, 1.0, -2.0000001, 1.0000001, -1.95, 0.95, 0.0}) cloud.add(x, 0.0, 0.0, 0.06);
    expect_all_pairs(cloud);
}

TEST(Grid, AnswersTheSameAfterOtherCloudsWereBuilt) {
    GridBuilder<Cpu> builder;
    const Cloud cloud = random_cloud(500, 7, 1.0, 0.02, 0.1);
    const Pairs first = found_pairs(cloud, builder).pairs;
    Cloud elsewhere = random_cloud(900, 8, 50.0, 0.5, 5.0);
    for (std::size_t i = 0; i < elsewhere.position.size(); i += 4) elsewhere.position[i] += 1e4;
    EXPECT_EQ(found_pairs(elsewhere, builder).pairs,
              test::brute_force_pairs(elsewhere.position, elsewhere.extent, elsewhere.periodic));
    EXPECT_EQ(found_pairs(cloud, builder).pairs, first);
}

TEST(Grid, HasOriginAndOrderThatFollowFromTheStateAlone) {
    // A run that goes on and one that was restored build the same grid, whatever was built before.
    Cpu cpu(1);
    const Cloud cloud = random_cloud(1000, 9, 0.7, 0.01, 0.03);
    Cloud shifted = cloud;
    for (double& x : shifted.position) x += 0.1234567;
    GridBuilder<Cpu> fresh, used;
    Array<double, Cpu> position, position_2;
    Array<float, Cpu> extent, extent_2;
    (void)built(cpu, used, shifted, position_2, extent_2);
    const Grid b = built(cpu, used, cloud, position_2, extent_2);
    const Grid a = built(cpu, fresh, cloud, position, extent);
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(a.origin[axis], b.origin[axis]);
        for (int l = 0; l < a.levels; ++l) EXPECT_EQ(a.level[l].cells[axis], b.level[l].cells[axis]);
    }
    for (Index k = 0; k < 1000; ++k) ASSERT_EQ(a.order[k], b.order[k]);
}

TEST(Grid, LooksAtFewCandidatesWhateverTheSizeRatio) {
    // Per body at most 5^3 finer-cell volumes: for equal spheres of extent e at number density c the box searched is at
    // most (2 e + 2 e + 2 cells)^3 = (12 e)^3, a few times what a perfect search sees. All pairs would be 3000 x 1500.
    GridBuilder<Cpu> builder;
    const Cloud equal = random_cloud(3000, 10, 1.0, 0.02, 0.02);
    EXPECT_LT(found_pairs(equal, builder).candidates, 3000 * 3000 * std::pow(12.0 * 0.02, 3));
    // One sphere of a hundred times the size adds one candidate per body, not a coarser grid.
    Cloud mixed = equal;
    mixed.add(0.5, 0.5, 0.5, 2.0);
    EXPECT_LE(found_pairs(mixed, builder).candidates, found_pairs(equal, builder).candidates + 3000);
}

TEST(Grid, HasTheSameOrderForAnyNumberOfThreads) {
    const Cloud cloud = random_cloud(40000, 11, 1.0, 0.001, 0.02);
    GridBuilder<Cpu> one_builder;
    Cpu one(1);
    Array<double, Cpu> position;
    Array<float, Cpu> extent;
    const Grid a = built(one, one_builder, cloud, position, extent);
    for (std::size_t threads = 2; threads <= 4; ++threads) {
        GridBuilder<Cpu> builder;
        Cpu several(threads);
        const Grid b = built(several, builder, cloud, position, extent);
        for (Index k = 0; k < 40000; ++k) ASSERT_EQ(a.order[k], b.order[k]) << threads;
    }
}

}  // namespace
}  // namespace scree::kernels
