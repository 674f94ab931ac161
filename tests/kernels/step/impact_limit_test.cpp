// SPDX-License-Identifier: BSD-3-Clause
// Clusters and their sums do not depend on the order of threads; shares of rebounds are the largest without a gain.
#include "kernels/step/impact_limit_items.hpp"

#include "kernels/parallel/cpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace scree::kernels {
namespace {

using Edges = std::vector<std::pair<Index, Index>>;

struct ConnectPairsItem {
    const std::pair<Index, Index>* edges;
    ClusterLabels labels;
    SCREE_HD void operator()(Index e, Accumulator<double, 1, 0>& acc) const {
        if (labels.connect(edges[e].first, edges[e].second)) acc.sum[0] += 1.0;
    }
};

std::vector<Index> labels_of(Index nodes, const Edges& edges, std::size_t threads) {
    std::vector<Index> label(std::size_t(nodes), 0);
    Cpu cpu(threads);
    cpu.for_each(nodes, OwnLabelItem{label.data()});
    while (cpu.reduce<double, 1, 0>(Index(edges.size()), ConnectPairsItem{edges.data(), {label.data()}}).sum[0] > 0.0)
        cpu.for_each(nodes, FollowLabelItem{label.data()});
    return label;
}

/// One after the other: each edge gives the larger label of its ends the smaller one, everywhere.
std::vector<Index> labels_by_hand(Index nodes, const Edges& edges) {
    std::vector<Index> label(std::size_t(nodes), 0);
    std::iota(label.begin(), label.end(), 0);
    for (const auto& [a, b] : edges) {
        const Index of_a = label[std::size_t(a)], of_b = label[std::size_t(b)];
        std::replace(label.begin(), label.end(), std::max(of_a, of_b), std::min(of_a, of_b));
    }
    return label;
}

TEST(ClusterLabels, AreTheSmallestNodesOfTheClustersForAnyNumberOfThreads) {
    std::mt19937 random(5);
    const Index nodes = 20000;
    Edges sparse, chain;
    for (int e = 0; e < 9000; ++e) sparse.emplace_back(Index(random() % nodes), Index(random() % nodes));
    std::vector<Index> order(std::size_t(nodes), 0);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    for (std::size_t k = 1; k < order.size(); ++k) chain.emplace_back(order[k - 1], order[k]);
    for (const Edges& edges : {Edges{}, Edges{{3, 7}}, Edges{{4, 4}}, sparse, chain}) {
        const std::vector<Index> expected =
            edges.size() == chain.size() ? std::vector<Index>(std::size_t(nodes), 0) : labels_by_hand(nodes, edges);
        EXPECT_EQ(labels_of(nodes, edges, 1), expected);
        EXPECT_EQ(labels_of(nodes, edges, 4), expected);
    }
}

struct AddItem {
    const double* values;
    const Index* root;
    ClusterSums<2> sums;
    bool adds;
    SCREE_HD void operator()(Index c) const {
        const double both[2] = {values[c], 2.0 * values[c]};
        if (adds)
            sums.add(root[c], both);
        else
            sums.measure(root[c], both);
    }
};

TEST(ClusterSums, AreThoseOfTheClustersBitForBitForAnyNumberOfThreads) {
    // Clusters of very different energies; each is as precise as its own parts.
    std::mt19937_64 random(6);
    std::uniform_real_distribution<double> part(-1.0, 1.0);
    const Index parts = 100000, clusters = 7;
    std::vector<double> values;
    std::vector<Index> root;
    std::vector<double> exact(std::size_t(clusters), 0.0);
    for (Index c = 0; c < parts; ++c) {
        root.push_back(c % (clusters - 1));  // the last one is empty
        values.push_back(part(random) * std::pow(10.0, -4.0 * root.back()));
        exact[std::size_t(root.back())] += values.back();
    }
    std::vector<std::vector<double>> found;
    for (const std::size_t threads : {1, 4}) {
        std::vector<float> largest(std::size_t(clusters), -1.0F);
        std::vector<std::int64_t> whole(2 * std::size_t(clusters), -1);
        const ClusterSums<2> sums{largest.data(), whole.data()};
        Cpu cpu(threads);
        cpu.for_each(clusters, ClearSumsItem<2>{sums});
        for (const bool adds : {false, true}) cpu.for_each(parts, AddItem{values.data(), root.data(), sums, adds});
        found.emplace_back();
        for (Index k = 0; k < clusters; ++k) {
            found.back().push_back(sums.sum(k, 0));
            const double scale = std::pow(10.0, -4.0 * k);
            // Half a unit of 2^-40 of twice the largest part for each part at most.
            EXPECT_NEAR(sums.sum(k, 0), exact[std::size_t(k)], 2.0 * scale * 0x1p-41 * parts / (clusters - 1));
            EXPECT_NEAR(sums.sum(k, 1), 2.0 * exact[std::size_t(k)], 2.0 * scale * 0x1p-41 * parts / (clusters - 1));
        }
    }
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0].back(), 0.0);
}

/// A model of the excess c + b s + a s^2 that learns from `excess`; how often it had to ask.
template <class Excess>
int settle(ReboundModel& model, const Excess& excess) {
    int asked = 0;
    model.settled = 0;
    model.share = model.best();
    while (model.settled == 0 && asked < 50) {
        ++asked;
        model.learn(model.target + excess(model.share), 1e-12);
    }
    return asked;
}

TEST(ReboundModel, FindsTheLargestShareWithoutAGain) {
    // -1 + s^2 (1.2) + a little that the model does not know.
    const auto excess = [](double s) { return -1.0 + 1.2 * s * s + 1e-3 * std::sin(s); };
    ReboundModel model;
    model.constant = -1.0;
    model.curvature = 1.2;
    model.target = -0.5;
    model.gain = 0.2;
    EXPECT_LE(settle(model, excess), 4);
    EXPECT_LE(excess(model.share), 1e-12);
    EXPECT_GT(excess(model.share + ReboundModel::enough), 0.0);
}

TEST(ReboundModel, StopsBelowAJump) {
    const auto excess = [](double s) { return s > 0.4 ? 0.5 : -0.1; };
    ReboundModel model;
    model.constant = -0.1;
    model.slope = 0.6;
    model.gain = 0.5;
    settle(model, excess);
    EXPECT_LE(model.share, 0.4);
    EXPECT_GT(model.share, 0.4 - 2.0 * ReboundModel::enough);
}

TEST(ReboundModel, GivesUpAllReboundsWhereNoneIsFree) {
    ReboundModel model;
    model.constant = 0.1;
    model.slope = 0.1;
    model.gain = 0.2;
    settle(model, [](double s) { return 0.1 + 0.1 * s; });
    EXPECT_EQ(model.share, 0.0);
}

}  // namespace
}  // namespace scree::kernels
