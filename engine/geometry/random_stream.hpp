// SPDX-License-Identifier: BSD-3-Clause
// The random numbers of geometry: the same on every platform, unlike the distributions of <random>.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace scree::geometry {

/// xoshiro256** (Blackman and Vigna 2018), its state filled by splitmix64. One seed has independent streams, so that
/// changing how many numbers one use takes does not change another use.
class RandomStream {
public:
    explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0) {
        std::uint64_t state = seed ^ (stream * 0xD1342543DE82EF95ULL);
        for (std::uint64_t& word : state_) {
            state += 0x9E3779B97F4A7C15ULL;
            word = (state ^ (state >> 30U)) * 0xBF58476D1CE4E5B9ULL;
            word = (word ^ (word >> 27U)) * 0x94D049BB133111EBULL;
            word ^= word >> 31U;
        }
    }

    std::uint64_t next() {
        const std::uint64_t result = std::rotl(state_[1] * 5U, 7) * 9U;
        const std::uint64_t shifted = state_[1] << 17U;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    double unit() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

    /// Uniform in [lower, upper).
    double between(double lower, double upper) { return lower + (upper - lower) * unit(); }

    /// Uniform in 0 .. count - 1; count > 0. Its bias is below count / 2^53.
    std::size_t index(std::size_t count) {
        const auto i = static_cast<std::size_t>(unit() * static_cast<double>(count));
        return i < count ? i : count - 1;
    }

    /// Fisher-Yates.
    template <class T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[index(i)]);
    }

private:
    std::uint64_t state_[4];
};

}  // namespace scree::geometry
