// SPDX-License-Identifier: BSD-3-Clause
// All pairs of spheres within reach of each other, by looking at all pairs.
#pragma once

#include "kernels/collide/body_state.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace scree::test {

/// Pairs (i, j), i < j, with distance <= extent[i] + extent[j] by the nearest image, in lexical order.
inline std::vector<std::pair<kernels::Index, kernels::Index>> brute_force_pairs(const std::vector<double>& position,
                                                                                const std::vector<float>& extent,
                                                                                const kernels::Periodic& periodic) {
    std::vector<std::pair<kernels::Index, kernels::Index>> pairs;
    const auto n = kernels::Index(extent.size());
    for (kernels::Index i = 0; i < n; ++i)
        for (kernels::Index j = i + 1; j < n; ++j) {
            const auto d =
                periodic.nearest_image(kernels::center_of(position.data(), j) - kernels::center_of(position.data(), i));
            const double reach = double(extent[std::size_t(i)]) + double(extent[std::size_t(j)]);
            if (dot(d, d) <= reach * reach) pairs.emplace_back(i, j);
        }
    return pairs;
}

}  // namespace scree::test
