// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/copy_bandwidth.hpp"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace scree::app {
namespace {

constexpr std::size_t bytes_per_array = std::size_t(256) << 20;
constexpr int repeats = 6;  // The first one also maps the pages.

}  // namespace

double measure_copy_bandwidth(std::size_t threads) {
    threads = std::max<std::size_t>(threads, 1);
    const std::size_t part = bytes_per_array / threads;
    std::barrier barrier(static_cast<std::ptrdiff_t>(threads));
    std::vector<double> seconds(threads * repeats);
    const auto work = [&](std::size_t thread) {
        const auto from = std::make_unique<char[]>(part), to = std::make_unique<char[]>(part);
        for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
            barrier.arrive_and_wait();
            const auto begin = std::chrono::steady_clock::now();
            std::memcpy(to.get(), from.get(), part);
            // Without a use of the result the copy might not be made at all.
            asm volatile("" : : "r"(to.get()) : "memory");
            seconds[repeat * threads + thread] =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        }
    };
    std::vector<std::thread> others;
    for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
    work(0);
    for (std::thread& other : others) other.join();

    double best = 0.0;
    for (std::size_t repeat = 1; repeat < repeats; ++repeat) {
        const auto begin = seconds.begin() + std::ptrdiff_t(repeat * threads);
        const double slowest = *std::max_element(begin, begin + std::ptrdiff_t(threads));
        best = std::max(best, 2.0 * double(part * threads) / slowest);
    }
    return best;
}

}  // namespace scree::app
