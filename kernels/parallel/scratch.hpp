// SPDX-License-Identifier: BSD-3-Clause
// One block of memory that the phases of a step use in turn: what lives only inside a phase costs the largest phase,
// not the sum of all.
#pragma once

#include "kernels/parallel/array.hpp"

#include <stdexcept>

namespace scree::kernels {

template <class Backend>
class Scratch {
public:
    /// Begins a phase that will take at most `bytes` (plus alignment of `pieces` pieces). Earlier pieces are void.
    void begin(std::size_t bytes, int pieces) {
        used_ = 0;
        const std::size_t lines = bytes / line + std::size_t(pieces) + 1;
        memory_.resize_discard(Size(lines));
    }
    /// A piece for `n` items; throws std::logic_error when the phase asked for less.
    template <class T>
    [[nodiscard]] T* take(std::int64_t n) {
        T* piece = reinterpret_cast<T*>(memory_.data() + used_);
        used_ += (std::size_t(n) * sizeof(T) + line - 1) / line;
        if (used_ > std::size_t(memory_.size()))
            throw std::logic_error("a step phase took more scratch than it announced");
        return piece;
    }
    [[nodiscard]] std::size_t bytes() const { return memory_.bytes(); }

private:
    static constexpr std::size_t line = 128;
    struct alignas(64) Line {
        unsigned char bytes[line];
    };
    Array<Line, Backend> memory_;
    std::size_t used_ = 0;
};

}  // namespace scree::kernels
