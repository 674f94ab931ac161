// SPDX-License-Identifier: BSD-3-Clause
// A 64-bit checksum of a stream of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace scree::io {

/// Takes eight bytes per multiplication. Each step is a bijection of the state, so any change confined to one aligned
/// word of eight bytes changes the result; other changes go unseen with probability 2^-64. Guards against faults, not
/// against forgery. The result does not depend on how the stream is cut into add() calls.
class Checksum {
public:
    void add(std::span<const std::byte> bytes) {
        length_ += bytes.size();
        while (!bytes.empty() && (held_ > 0 || bytes.size() < sizeof(std::uint64_t))) {
            word_ |= std::to_integer<std::uint64_t>(bytes.front()) << (8 * held_);
            bytes = bytes.subspan(1);
            if (++held_ == sizeof(std::uint64_t)) {
                mix(word_);
                word_ = 0;
                held_ = 0;
            }
        }
        for (; bytes.size() >= sizeof(std::uint64_t); bytes = bytes.subspan(sizeof(std::uint64_t))) {
            std::uint64_t word = 0;
            for (std::size_t i = 0; i < sizeof word; ++i) word |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
            mix(word);
        }
        if (!bytes.empty()) {  // The tail is shorter than a word, so this call ends here.
            length_ -= bytes.size();
            add(bytes);
        }
    }

    [[nodiscard]] std::uint64_t value() const {
        Checksum last = *this;
        last.mix(last.word_);
        last.mix(length_);
        return last.state_;
    }

private:
    void mix(std::uint64_t word) {
        state_ = (state_ ^ word) * 0x9e3779b97f4a7c15ULL;
        state_ ^= state_ >> 32;
    }

    std::uint64_t state_ = 0xcbf29ce484222325ULL, word_ = 0, length_ = 0;
    std::size_t held_ = 0;
};

}  // namespace scree::io
