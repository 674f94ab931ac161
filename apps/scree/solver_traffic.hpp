// SPDX-License-Identifier: BSD-3-Clause
// Bytes that one iteration of the projected gradient solvers must move: what the two passes of
// kernels/cone/projected_gradient_items.hpp read and write. Gathers of the bodies' rows by contacts count
// once per body, as if the caches held them. Certificates and start-up are not counted.
#pragma once

#include <cstdint>

namespace scree::app {

/// `real` is the size of the solver's numbers: 4 in mixed precision, 8 in double.
[[nodiscard]] constexpr double solver_bytes_per_iteration(std::uint64_t contacts, std::uint64_t bodies,
                                                          std::size_t real) {
    // Contact pass: ten constants, two body indices; x and the x before; x+ over the latter; the row of impulses for
    // the bodies. Body pass: that row again, by its index in the partner's list or in order for the finder.
    const std::size_t contact = 10 * real + 2 * 4 + 6 * real + 3 * real + 8 * real + 8 * real + 4;
    // V(y) by the contacts; v*, V(x) and V(y) in and the latter two out in the body pass; 1/m, 1/I; two list starts.
    const std::size_t body = 8 * real + 5 * 8 * real + 2 * real + 2 * 4;
    return double(contacts) * double(contact) + double(bodies) * double(body);
}

}  // namespace scree::app
