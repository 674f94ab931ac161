// SPDX-License-Identifier: BSD-3-Clause
// The backends against sequential code. One executable serves both: the Gpu tests skip without a device.
#include "kernels/parallel/backend_checks.hpp"
#include "kernels/parallel/cpu.hpp"
#include "kernels/parallel/error.hpp"
#include "tests/support/require_gpu.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

namespace scree::kernels {
namespace {

using checks::Check;

struct NamedCheck {
    const char* name;
    Check check;
    friend void PrintTo(const NamedCheck& named, std::ostream* out) { *out << named.name; }
};
constexpr NamedCheck all_checks[] = {
    {"ForEach", Check::for_each},
    {"ForEachTile", Check::for_each_tile},
    {"ReduceExact", Check::reduce_exact},
    {"ReduceRounded", Check::reduce_rounded},
    {"ReduceTiles", Check::reduce_tiles},
    {"ReduceInTurn", Check::reduce_in_turn},
    {"ExclusiveScan", Check::exclusive_scan},
    {"SortFull", Check::sort_full},
    {"SortFewBits", Check::sort_few_bits},
    {"SortIgnoresHigh", Check::sort_ignores_high},
    {"ArrayGrowth", Check::array_growth},
};

// 0, 1, around one warp, around one block of a reduction on either backend, and many.
constexpr Index small_sizes[] = {0, 1, 31, 32, 33, 255, 257, 1000, 4097};
constexpr Index large_sizes[] = {262144, 262145, 1000000};

using Case = std::tuple<NamedCheck, Index>;
std::string case_name(const testing::TestParamInfo<Case>& info) {
    return std::string(std::get<0>(info.param).name) + "_" + std::to_string(std::get<1>(info.param));
}

// --- Cpu

class CpuBackend : public testing::TestWithParam<Case> {};

TEST_P(CpuBackend, DoesAsTheSequentialCodeForAnyNumberOfThreads) {
    const auto [named, n] = GetParam();
    for (std::size_t threads = 1; threads <= 4; ++threads) {
        Cpu cpu(threads);
        EXPECT_EQ(checks::run(cpu, named.check, n), "") << threads << " threads";
    }
}
INSTANTIATE_TEST_SUITE_P(Small, CpuBackend,
                         testing::Combine(testing::ValuesIn(all_checks), testing::ValuesIn(small_sizes)), case_name);
INSTANTIATE_TEST_SUITE_P(Large, CpuBackend,
                         testing::Combine(testing::ValuesIn(all_checks), testing::ValuesIn(large_sizes)), case_name);

TEST(CpuReduction, HasTheSameBitsForAnyNumberOfThreads) {
    const Index n = 1000000;
    const std::vector<float> values = checks::random_values<float>(n, false);
    const checks::SumValues<float> item{values.data()};
    Cpu one(1);
    const double single = one.reduce<float, 2, 1>(n, item).sum[0];
    const double tiled = one.reduce_tiles<float, 2, 1>(n, item).sum[0];

    for (std::size_t threads = 2; threads <= 4; ++threads) {
        Cpu several(threads);
        EXPECT_EQ((several.reduce<float, 2, 1>(n, item).sum[0]), single) << threads << " threads";
        EXPECT_EQ((several.reduce_tiles<float, 2, 1>(n, item).sum[0]), tiled) << threads << " threads";
    }
}

TEST(CpuReduction, OfNothingIsZero) {
    Cpu cpu(2);
    const Reduction<2, 1> total = cpu.reduce<double, 2, 1>(0, checks::SumValues<double>{nullptr});
    EXPECT_EQ(total.sum[0], 0.0);
    EXPECT_EQ(total.max[0], 0.0);
}

// --- the probe

TEST(DeviceProbe, NamesADeviceOrSaysInWordsWhyThereIsNone) {
    const DeviceProbe probe = probe_devices();
    EXPECT_EQ(probe.devices.empty(), !probe.reason.empty()) << probe.reason;
    for (const DeviceInfo& device : probe.devices) {
        EXPECT_NE(device.name, "");
        EXPECT_GT(device.memory_total, std::size_t(0));
        EXPECT_GT(device.multiprocessors, 0);
    }
}

TEST(DeviceProbe, GivesTheSameAnswerAgain) {
    const DeviceProbe first = probe_devices(), second = probe_devices();
    EXPECT_EQ(first.devices.size(), second.devices.size());
    EXPECT_EQ(first.reason, second.reason);
}

// --- Cuda

class GpuBackend : public testing::TestWithParam<Case> {};

TEST_P(GpuBackend, DoesAsTheSequentialCode) {
    SCREE_SKIP_WITHOUT_GPU();
    const auto [named, n] = GetParam();
    EXPECT_EQ(checks::run_on_cuda(0, named.check, n), "");
}
INSTANTIATE_TEST_SUITE_P(Small, GpuBackend,
                         testing::Combine(testing::ValuesIn(all_checks), testing::ValuesIn(small_sizes)), case_name);
INSTANTIATE_TEST_SUITE_P(Large, GpuBackend,
                         testing::Combine(testing::ValuesIn(all_checks), testing::ValuesIn(large_sizes)), case_name);

TEST(GpuReduction, AddsInTheDocumentedOrder) {
    SCREE_SKIP_WITHOUT_GPU();
    for (const Index n : {1, 255, 257, 65537, 262144, 262145, 5000000})
        EXPECT_EQ(checks::run_cuda_reduction_shape(0, n), "");
}

TEST(GpuErrors, AreSaidInWordsAndLeaveTheDeviceUsable) {
    SCREE_SKIP_WITHOUT_GPU();
    EXPECT_EQ(checks::run_cuda_errors(0), "");
}

TEST(GpuErrors, OfAKernelNamePhaseStepAndItem) {
    SCREE_SKIP_WITHOUT_GPU();
    // In a process of its own, which starts anew: after a fault a process cannot use CUDA any more.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto fault = [] {
        setenv("SCREE_CUDA_SYNC", "1", 1);
        try {
            checks::provoke_cuda_fault(0);
        } catch (const DeviceError& error) {
            std::fputs(error.what(), stderr);
            std::exit(3);
        }
    };
    EXPECT_EXIT(fault(), testing::ExitedWithCode(3), "contact set of step 7: for_each of .*WriteBeyond over 33 items");
}

}  // namespace
}  // namespace scree::kernels
