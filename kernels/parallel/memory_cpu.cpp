// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/parallel/array.hpp"
#include "kernels/parallel/cpu.hpp"
#include "kernels/parallel/error.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

namespace scree::kernels {

namespace {
constexpr std::size_t cache_line = 64, huge_page = std::size_t(2) << 20;
}

template <>
void* Memory<Cpu>::allocate(std::size_t bytes) {
    // Rows are read at random: with small pages a large array costs a page walk for nearly each of them.
    const std::size_t alignment = bytes >= 4 * huge_page ? huge_page : cache_line;
    void* memory = nullptr;
    if (posix_memalign(&memory, alignment, bytes > 0 ? bytes : cache_line) != 0) throw OutOfMemory("host", bytes);
    if (alignment == huge_page) madvise(memory, bytes, MADV_HUGEPAGE);  // a wish; where it fails pages stay small
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
