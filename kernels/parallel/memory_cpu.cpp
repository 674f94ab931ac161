// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/parallel/array.hpp"
#include "kernels/parallel/cpu.hpp"
#include "kernels/parallel/error.hpp"

#include <cstdlib>
#include <cstring>

namespace scree::kernels {

template <>
void* Memory<Cpu>::allocate(std::size_t bytes) {
    const std::size_t rounded = (bytes + 63) / 64 * 64;
    void* memory = std::aligned_alloc(64, rounded > 0 ? rounded : 64);
    if (memory == nullptr) throw OutOfMemory("host", bytes);
    return memory;
}
template <>
void Memory<Cpu>::release(void* memory) noexcept {
    std::free(memory);
}
template <>
void Memory<Cpu>::copy(void* to, const void* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
}
template <>
void Memory<Cpu>::copy_in(void* to, const void* from_host, std::size_t bytes) {
    std::memcpy(to, from_host, bytes);
}
template <>
void Memory<Cpu>::copy_out(void* to_host, const void* from, std::size_t bytes) {
    std::memcpy(to_host, from, bytes);
}

}  // namespace scree::kernels
