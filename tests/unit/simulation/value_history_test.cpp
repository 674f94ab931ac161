// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/value_history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace scree::simulation {
namespace {

TEST(ValueHistory, KnowsLastWorstAndWhen) {
    ValueHistory history;
    EXPECT_EQ(history.steps(), 0U);
    EXPECT_EQ(history.quantile(0.5), 0.0);
    history.add(7, 0.2);
    history.add(8, 0.5);
    history.add(9, 0.5);
    history.add(10, 0.1);
    EXPECT_EQ(history.last(), 0.1);
    EXPECT_EQ(history.worst(), 0.5);
    EXPECT_EQ(history.worst_step(), 8U) << "the first that reached it";
    EXPECT_EQ(history.steps(), 4U);
}

TEST(ValueHistory, QuantilesAreAtMostATwentiethOfADecadeTooLarge) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> exponent(-15.0, 5.0);
    ValueHistory history;
    std::vector<double> values;
    for (std::uint64_t k = 1; k <= 10000; ++k) {
        values.push_back(std::pow(10.0, exponent(random)));
        history.add(k, values.back());
    }
    std::sort(values.begin(), values.end());
    for (const double q : {0.01, 0.5, 0.9, 0.99, 0.9999}) {
        const double exact = values[std::size_t(std::ceil(q * 10000.0)) - 1];
        EXPECT_GE(history.quantile(q), exact * (1.0 - 1e-12)) << q;
        EXPECT_LE(history.quantile(q), exact * std::pow(10.0, 1.0 / 20.0) * (1.0 + 1e-12)) << q;
    }
    EXPECT_EQ(history.quantile(1.0), values.back());
}

TEST(ValueHistory, TakesZerosHugeNumbersAndNoNumbers) {
    ValueHistory history;
    for (std::uint64_t k = 1; k <= 3; ++k) history.add(k, 0.0);
    EXPECT_EQ(history.quantile(0.99), 0.0);
    history.add(4, 1e300);
    EXPECT_EQ(history.quantile(0.5), 0.0);
    EXPECT_EQ(history.quantile(1.0), 1e300);
    history.add(5, std::numeric_limits<double>::quiet_NaN());
    EXPECT_TRUE(std::isnan(history.worst())) << "it must not be hidden";
}

TEST(ValueHistory, GoesOnFromItsState) {
    ValueHistory going_on;
    for (std::uint64_t k = 1; k <= 50; ++k) going_on.add(k, 1.0 / double(k));
    ValueHistory restored;
    ASSERT_EQ(going_on.state().size(), ValueHistory::state_size);
    restored.restore(going_on.state());
    going_on.add(51, 3.0);
    restored.add(51, 3.0);
    EXPECT_EQ(restored.state(), going_on.state());
    EXPECT_EQ(restored.quantile(0.5), going_on.quantile(0.5));
}

}  // namespace
}  // namespace scree::simulation
