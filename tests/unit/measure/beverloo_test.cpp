// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/beverloo.hpp"

#include <gtest/gtest.h>

namespace scree::measure {
namespace {

TEST(Beverloo, GivesTheRateOfATextbookSilo) {
    // C = 0.58, k = 1.4, D = 80 mm, d = 10 mm: 0.58 x 1500 sqrt(9.81) 0.066^2.5
    EXPECT_NEAR(beverloo_rate(1500.0, 9.81, 0.080, 0.010), 3.049394, 1e-6);
}

TEST(Beverloo, GrowsWithTheOpeningToThePowerOfFiveHalves) {
    const Beverloo law{.discharge = 0.6, .shape = 1.5};
    const double one = beverloo_rate(1000.0, 9.81, 1.5 + 1.0, 1.0, law),
                 four = beverloo_rate(1000.0, 9.81, 1.5 + 4.0, 1.0, law);
    EXPECT_NEAR(four / one, 32.0, 1e-12);
}

TEST(Beverloo, StopsBelowTheEmptyRing) {
    EXPECT_EQ(beverloo_rate(1500.0, 9.81, 0.0139, 0.010), 0.0);
    EXPECT_EQ(beverloo_rate(1500.0, 9.81, 0.001, 0.010), 0.0);
}

}  // namespace
}  // namespace scree::measure
