// SPDX-License-Identifier: BSD-3-Clause
// Arrays in a backend's memory. Memory is 64-byte aligned and never initialised; capacity grows in steps of a
// sixteenth.
#pragma once

#include "kernels/items/real.hpp"

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace scree::kernels {

/// Raw memory of a backend; specialised in memory_cpu.cpp and cuda.cu.
template <class Backend>
struct Memory {
    /// At least `bytes` bytes; throws kernels::OutOfMemory naming the size.
    static void* allocate(std::size_t bytes);
    static void release(void* memory) noexcept;
    static void copy(void* to, const void* from, std::size_t bytes);           ///< Inside the backend.
    static void copy_in(void* to, const void* from_host, std::size_t bytes);   ///< Returns when done.
    static void copy_out(void* to_host, const void* from, std::size_t bytes);  ///< Returns when done.
};

template <class T, class Backend>
class Array {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Array() = default;
    Array(Array&& other) noexcept { swap(other); }
    Array& operator=(Array&& other) noexcept {
        swap(other);
        return *this;
    }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() { Memory<Backend>::release(data_); }

    [[nodiscard]] T* data() { return data_; }
    [[nodiscard]] const T* data() const { return data_; }
    [[nodiscard]] Size size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const { return std::size_t(capacity_) * sizeof(T); }

    /// New size; the contents are lost when the capacity has to grow.
    void resize_discard(Size size) {
        if (size > capacity_) {
            Memory<Backend>::release(std::exchange(data_, nullptr));
            size_ = 0;  // should there be no memory
            // The first size is taken as it is (most worlds keep their bodies); what grows will grow again.
            const Size capacity = std::exchange(capacity_, 0) > 0 ? grown(size) : size;
            data_ = static_cast<T*>(Memory<Backend>::allocate(std::size_t(capacity) * sizeof(T)));
            capacity_ = capacity;
        }
        size_ = size;
    }
    /// New size; the first min(old, new) items are kept.
    void resize_keep(Size size) {
        if (size > capacity_) {
            Array larger;
            larger.resize_discard(capacity_ > 0 ? grown(size) : size);
            if (size_ > 0) Memory<Backend>::copy(larger.data_, data_, std::size_t(size_) * sizeof(T));
            swap(larger);
        }
        size_ = size;
    }
    void assign(std::span<const T> host) {
        resize_discard(Size(host.size()));
        if (!host.empty()) Memory<Backend>::copy_in(data_, host.data(), host.size_bytes());
    }
    /// Adds items behind those that are there.
    void append(std::span<const T> host) {
        const Size old = size_;
        resize_keep(old + Size(host.size()));
        if (!host.empty()) Memory<Backend>::copy_in(data_ + old, host.data(), host.size_bytes());
    }
    void copy_to(std::span<T> host) const {
        if (!host.empty()) Memory<Backend>::copy_out(host.data(), data_, host.size_bytes());
    }
    void swap(Array& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

private:
    static Size grown(Size size) { return size + size / 16 + 64; }
    T* data_ = nullptr;
    Size size_ = 0;
    Size capacity_ = 0;
};

}  // namespace scree::kernels
