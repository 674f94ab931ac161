// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/parallel/packet.hpp"

#include <gtest/gtest.h>

#include <array>

namespace scree::kernels {
namespace {

template <class P>
class PacketLanes : public testing::Test {};
using PacketTypes =
    testing::Types<float, double, Packet<float, 8>, Packet<double, 8>, Packet<double, 4>, Packet<float, 4>>;
TYPED_TEST_SUITE(PacketLanes, PacketTypes);

TYPED_TEST(PacketLanes, SayInBitsWhereAComparisonHolds) {
    using R = typename LaneTraits<TypeParam>::Scalar;
    constexpr unsigned lanes = LaneTraits<TypeParam>::lanes;
    for (unsigned wanted = 0; wanted < 1U << lanes; ++wanted) {
        std::array<R, lanes> values;
        for (unsigned k = 0; k < lanes; ++k) values[k] = R(wanted >> k & 1U) - R(0.5) + R(k) * R(1e-3);
        EXPECT_EQ(lane_bits(Lanes<TypeParam>::load(values.data()) > TypeParam(R(0.2))), wanted);
    }
}

TYPED_TEST(PacketLanes, AreReadAndWrittenAtAnyPlace) {
    using R = typename LaneTraits<TypeParam>::Scalar;
    constexpr std::size_t lanes = LaneTraits<TypeParam>::lanes;
    std::array<R, 2 * lanes + 1> from, to{};
    for (std::size_t k = 0; k < from.size(); ++k) from[k] = R(k + 1);
    for (std::size_t place = 0; place <= lanes; ++place) {
        to.fill(R(0));
        Lanes<TypeParam>::store(to.data() + place, Lanes<TypeParam>::load(from.data() + place));
        for (std::size_t k = 0; k < to.size(); ++k)
            EXPECT_EQ(to[k], k >= place && k < place + lanes ? from[k] : R(0)) << place << " " << k;
    }
}

TEST(LowestBit, IsThePlaceOfTheFirstOne) {
    for (int k = 0; k < 32; ++k) EXPECT_EQ(lowest_bit(0xffffffffU << k), k);
}

}  // namespace
}  // namespace scree::kernels
