// SPDX-License-Identifier: BSD-3-Clause
// What every backend must do, checked against short sequential code on the host. The checks are templates, because a
// test's .cpp file cannot include the CUDA backend: backend_checks_cuda.cu instantiates them for Cuda, and
// run_on_cuda() is how a test calls them.
#pragma once

#include "kernels/items/real.hpp"
#include "kernels/parallel/array.hpp"
#include "kernels/parallel/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace scree::kernels::checks {

enum class Check {
    for_each,           ///< Each index once, none beyond n.
    for_each_tile,      ///< Each lane once.
    reduce_exact,       ///< Sums and maxima of small integers, where every order gives the same.
    reduce_rounded,     ///< Sums of random reals: near the sum in double, and the same bits again.
    reduce_tiles,       ///< The same through the tiled form, n rounded down to whole tiles.
    reduce_in_turn,     ///< Parts one after the other, each of which needs what the one before has written.
    exclusive_scan,     ///< Prefix sums and total.
    sort_full,          ///< Against std::stable_sort, 64-bit keys.
    sort_few_bits,      ///< 13-bit keys, many equal ones: stable.
    sort_ignores_high,  ///< Keys that differ above the bits asked for stay in their order.
    array_growth,       ///< resize_keep keeps, resize_discard fits, assign and copy_to agree.
};

/// Runs a check with n items; returns what is wrong, in words, or nothing.
template <class Backend>
std::string run(Backend& backend, Check check, Index n);

/// The same on a CUDA device. Throws DeviceError in a build without CUDA or on a machine without a device.
std::string run_on_cuda(int device, Check check, Index n);
/// The exact bits that class Cuda documents for its sums, from a sequential model of its blocks.
std::string run_cuda_reduction_shape(int device, Index n);
/// A device that is not there and memory that is not there must each be an error in words, and leave the device usable.
std::string run_cuda_errors(int device);
/// Writes to a null pointer in a kernel, in phase "contact set" of step 7; throws. The process cannot use CUDA
/// afterwards.
void provoke_cuda_fault(int device);

// --- items
// -------------------------------------------------------------------------------------------------------------

struct CountVisit {
    Index* visits;
    SCREE_HD void operator()(Index i) const { visits[i] += i + 1; }
};

template <class R>
struct ScaleLanes {
    const R* from;
    R* to;
    template <class P>
    SCREE_HD void operator()(Index first) const {
        Lanes<P>::store(to + first, P(R(2)) * Lanes<P>::load(from + first) + P(R(1)));
    }
};

/// Two sums and a maximum.
template <class R>
struct SumValues {
    const R* values;
    SCREE_HD void operator()(Index i, Accumulator<R, 2, 1>& acc) const {
        acc.sum[0] += values[i];
        acc.sum[1] += R(1);
        acc.max[0] = larger(acc.max[0], values[i]);
    }
    template <class P>
    SCREE_HD void operator()(Index first, Accumulator<P, 2, 1>& acc) const {
        const P value = Lanes<P>::load(values + first);
        acc.sum[0] += value;
        acc.sum[1] += P(R(1));
        acc.max[0] = larger(acc.max[0], value);
    }
};

/// Sums of a part whose values are those of its own and the first result of the part before.
template <class R>
struct SumInTurn {
    const R* values;
    R* results;
    Index begin;
    Index before;  ///< First of the part before; -1: there is none.
    template <class P>
    SCREE_HD void operator()(Index k, Accumulator<P, 2, 1>& acc) const {
        const P from = P(before < 0 ? R(0) : results[before]);
        const P result = Lanes<P>::load(values + begin + k) + from;
        Lanes<P>::store(results + begin + k, result);
        acc.sum[0] += result;
        acc.sum[1] += P(R(1));
        acc.max[0] = larger(acc.max[0], result);
    }
};

// --- checks
// ------------------------------------------------------------------------------------------------------------

inline std::string mismatch(const std::string& what, std::int64_t at, double found, double expected) {
    return what + " " + std::to_string(at) + ": " + std::to_string(found) + ", expected " + std::to_string(expected);
}

/// An array of the backend, back on the host.
template <class Backend, class T>
std::vector<T> on_host(const Array<T, Backend>& array, Index n) {
    std::vector<T> host(std::size_t(n), T{});
    array.copy_to(host);
    return host;
}

template <class Backend>
std::string check_for_each(Backend& backend, Index n) {
    constexpr Index guard = 64;  // Items past the end, which must stay untouched.
    Array<Index, Backend> visits;
    visits.assign(std::vector<Index>(std::size_t(n + guard), 0));
    backend.for_each(n, CountVisit{visits.data()});
    const std::vector<Index> found = on_host(visits, n + guard);
    for (Index i = 0; i < n + guard; ++i) {
        const Index expected = i < n ? i + 1 : 0;
        if (found[std::size_t(i)] != expected) return mismatch("item", i, found[std::size_t(i)], expected);
    }
    return {};
}

template <class R, class Backend>
std::string check_for_each_tile(Backend& backend, Index n) {
    n -= n % Backend::tile;
    std::vector<R> values(std::size_t(n), R(0));
    std::iota(values.begin(), values.end(), R(0));
    Array<R, Backend> from, to;
    from.assign(values);
    to.assign(std::vector<R>(values.size() + 1, R(-1)));
    backend.template for_each_tile<R>(n, ScaleLanes<R>{from.data(), to.data()});
    const std::vector<R> found = on_host(to, n + 1);
    for (Index i = 0; i <= n; ++i) {
        const R expected = i < n ? R(2) * values[std::size_t(i)] + R(1) : R(-1);
        if (found[std::size_t(i)] != expected)
            return mismatch("lane", i, double(found[std::size_t(i)]), double(expected));
    }
    return {};
}

/// Values in [0, 1), the same on every machine.
template <class R>
std::vector<R> random_values(Index n, bool whole) {
    std::mt19937 random(20240229);
    std::vector<R> values(std::size_t(n), R(0));
    for (R& value : values) value = whole ? R(random() % 8) : R(double(random()) / 4294967296.0);
    return values;
}

/// `Tiled` picks reduce_tiles or reduce; `whole` values make every order of summation exact.
template <class R, bool Tiled, class Backend>
std::string check_reduce(Backend& backend, Index n, bool whole) {
    if (Tiled) n -= n % Backend::tile;
    const std::vector<R> values = random_values<R>(n, whole);
    Array<R, Backend> array;
    array.assign(values);
    const SumValues<R> item{array.data()};
    const auto reduce = [&] {
        if constexpr (Tiled)
            return backend.template reduce_tiles<R, 2, 1>(n, item);
        else
            return backend.template reduce<R, 2, 1>(n, item);
    };
    const Reduction<2, 1> first = reduce(), second = reduce();
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    const double largest = values.empty() ? 0.0 : double(*std::max_element(values.begin(), values.end()));
    // A block of the CPU sums 4096 values, or 512 per lane, in R: half an ulp of the running sum for each, at worst.
    const double tolerance = whole ? 0.0 : (sizeof(R) == 4 ? 4096 * 6.0e-8 : 4096 * 1.2e-16) * sum;
    if (!(std::abs(first.sum[0] - sum) <= tolerance)) return mismatch("sum of items", n, first.sum[0], sum);
    if (first.sum[1] != double(n)) return mismatch("count of items", n, first.sum[1], double(n));
    if (first.max[0] != largest) return mismatch("maximum of items", n, first.max[0], largest);
    if (first.sum[0] != second.sum[0]) return mismatch("a second run over items", n, second.sum[0], first.sum[0]);
    return {};
}

template <class R, class Backend>
std::string check_reduce_in_turn(Backend& backend, Index n) {
    // More parts than results that the device can leave at once, empty ones among them.
    constexpr Index count = 50;
    n -= n % Backend::tile;
    const std::vector<R> values = random_values<R>(n, true);
    std::vector<Index> parts(std::size_t(count) + 1);
    for (Index k = 0; k <= count; ++k) {
        const Index at = k == count ? n : Index(std::int64_t(n) * k * k / (count * count));
        parts[std::size_t(k)] = at - at % Backend::tile;
    }
    Array<R, Backend> array, results;
    array.assign(values);
    results.assign(std::vector<R>(values.size(), R(-1)));
    // The last part before k that has items.
    const auto before = [&](std::size_t k) {
        for (std::size_t j = k; j-- > 0;)
            if (parts[j + 1] > parts[j]) return parts[j];
        return Index(-1);
    };
    const auto found = backend.template reduce_tiles_in_turn<R, 2, 1>(parts, [&](std::size_t k) {
        return SumInTurn<R>{array.data(), results.data(), parts[k], before(k)};
    });
    double sum = 0.0, largest = 0.0;
    std::vector<double> expected(values.size());
    for (std::size_t k = 0; k < std::size_t(count); ++k)
        for (Index i = parts[k]; i < parts[k + 1]; ++i) {
            double& value = expected[std::size_t(i)];
            value = double(values[std::size_t(i)]) + (before(k) < 0 ? 0.0 : expected[std::size_t(before(k))]);
            sum += value;
            largest = std::max(largest, value);
        }
    const std::vector<R> seen = on_host(results, n);
    for (std::size_t i = 0; i < seen.size(); ++i)
        if (double(seen[i]) != expected[i]) return mismatch("item", std::int64_t(i), double(seen[i]), expected[i]);
    // Whole numbers below 2^24 in every lane of a block: no order rounds.
    if (found.sum[0] != sum) return mismatch("sum of parts", n, found.sum[0], sum);
    if (found.sum[1] != double(n)) return mismatch("count of items", n, found.sum[1], double(n));
    if (found.max[0] != largest) return mismatch("maximum of items", n, found.max[0], largest);
    return {};
}

template <class Backend>
std::string check_exclusive_scan(Backend& backend, Index n) {
    std::vector<Index> values(std::size_t(n) + 1, 12345);  // The place of the total holds anything.
    std::mt19937 random(7);
    for (Index i = 0; i < n; ++i) values[std::size_t(i)] = Index(random() % 5);
    std::vector<Index> expected(values.size(), 0);
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), Index(0));
    Array<Index, Backend> array;
    array.assign(values);
    const Index total = backend.exclusive_scan(array.data(), n);
    const std::vector<Index> found = on_host(array, n + 1);
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i] != expected[i]) return mismatch("prefix", std::int64_t(i), found[i], expected[i]);
    return total == expected.back() ? std::string() : mismatch("total of items", n, total, expected.back());
}

/// `key_bits` of the keys are random, the sort looks at the low `sort_bits`.
template <class Backend>
std::string check_sort(Backend& backend, Index n, int key_bits, int sort_bits) {
    const auto low = [](int bits) { return bits >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << bits) - 1; };
    using Pair = std::pair<std::uint64_t, Index>;
    std::mt19937_64 random(11);
    std::vector<Pair> pairs(std::size_t(n), Pair{});
    std::vector<std::uint64_t> keys;
    std::vector<Index> values;
    for (Index i = 0; i < n; ++i) {
        pairs[std::size_t(i)] = {random() & low(key_bits), i};
        keys.push_back(pairs[std::size_t(i)].first);
        values.push_back(i);
    }
    std::stable_sort(pairs.begin(), pairs.end(), [&](const Pair& a, const Pair& b) {
        return (a.first & low(sort_bits)) < (b.first & low(sort_bits));
    });
    Array<std::uint64_t, Backend> key_array, scratch_keys;
    Array<Index, Backend> value_array, scratch_values;
    key_array.assign(keys);
    value_array.assign(values);
    scratch_keys.resize_discard(n);
    scratch_values.resize_discard(n);
    backend.sort_pairs(key_array.data(), value_array.data(), scratch_keys.data(), scratch_values.data(), n, sort_bits);
    const std::vector<std::uint64_t> found_keys = on_host(key_array, n);
    const std::vector<Index> found_values = on_host(value_array, n);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (found_values[i] != pairs[i].second)
            return mismatch("value at", std::int64_t(i), found_values[i], pairs[i].second);
        if (found_keys[i] != pairs[i].first)
            return mismatch("key at", std::int64_t(i), double(found_keys[i]), double(pairs[i].first));
    }
    return {};
}

template <class Backend>
std::string check_array_growth(Index n) {
    std::vector<Index> values(std::size_t(n), 0);
    std::iota(values.begin(), values.end(), 3);
    Array<Index, Backend> array;
    array.assign(values);
    array.resize_keep(3 * n + 100);
    if (array.size() != 3 * Size(n) + 100)
        return mismatch("size after resize_keep of", n, double(array.size()), 3.0 * n + 100.0);
    if (on_host(array, n) != values) return "resize_keep lost items of " + std::to_string(n);
    array.resize_keep(n / 2);
    values.resize(std::size_t(n / 2));
    if (on_host(array, n / 2) != values) return "shrinking lost items of " + std::to_string(n);
    const std::size_t bytes = array.bytes();
    array.resize_discard(2 * n);
    if (array.bytes() != bytes) return "an array with room was allocated anew at " + std::to_string(n);
    Array<Index, Backend> moved = std::move(array);
    moved.assign(values);
    if (on_host(moved, n / 2) != values) return "a moved array lost items of " + std::to_string(n);
    return {};
}

template <class Backend>
std::string run(Backend& backend, Check check, Index n) {
    const auto first_of = [](std::string one, std::string other) { return one.empty() ? other : one; };
    switch (check) {
        case Check::for_each:
            return check_for_each(backend, n);
        case Check::for_each_tile:
            return first_of(check_for_each_tile<float>(backend, n), check_for_each_tile<double>(backend, n));
        case Check::reduce_exact:
            return first_of(check_reduce<float, false>(backend, n, true),
                            check_reduce<double, false>(backend, n, true));
        case Check::reduce_rounded:
            return first_of(check_reduce<float, false>(backend, n, false),
                            check_reduce<double, false>(backend, n, false));
        case Check::reduce_tiles:
            return first_of(check_reduce<float, true>(backend, n, false), check_reduce<double, true>(backend, n, true));
        case Check::reduce_in_turn:
            return first_of(check_reduce_in_turn<float>(backend, n), check_reduce_in_turn<double>(backend, n));
        case Check::exclusive_scan:
            return check_exclusive_scan(backend, n);
        case Check::sort_full:
            return check_sort(backend, n, 64, 64);
        case Check::sort_few_bits:
            return check_sort(backend, n, 13, 13);
        case Check::sort_ignores_high:
            return check_sort(backend, n, 40, 13);
        case Check::array_growth:
            return check_array_growth<Backend>(n);
    }
    return "no such check";
}

}  // namespace scree::kernels::checks
