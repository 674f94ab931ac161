// SPDX-License-Identifier: BSD-3-Clause
// Bytes that the passes of kernels/cone/projected_gradient_items.hpp must read and write, each once: gathers of the
// bodies' rows by contacts count once per body, as if the caches held them.
#pragma once

#include <cstddef>

namespace scree::kernels {

/// For numbers of `real` bytes: 4 in mixed precision, 8 in double.
struct PassBytes {
    std::size_t real;
    double contacts, bodies;
    bool arms = false;  ///< Arms and inertia tensors: six constants more, impulse rows for both bodies.

    /// Ten constants, two body indices; x and the x before; x+ over the latter; its impulse row. V(y) per body.
    [[nodiscard]] constexpr double contact_pass() const {
        return contacts * double((10 + arm_fields() + 6 + 3 + impulse_row()) * real + 8) + bodies * double(8 * real);
    }
    /// The impulse row again, by its index in the partner's list or in order for the finder. Per body v*, V(x) and V(y)
    /// in and the latter two out; 1/m, 1/I; two list starts.
    [[nodiscard]] constexpr double body_pass() const {
        return contacts * double((arms ? 16 : 8) * real + 4) + bodies * double((arms ? 57 : 42) * real + 8);
    }
    /// Both passes; certificates and start-up are not counted.
    [[nodiscard]] constexpr double iteration() const { return contact_pass() + body_pass(); }
    /// Ten constants, two body indices, x. V(x) per body.
    [[nodiscard]] constexpr double certificate() const {
        return contacts * double((13 + arm_fields()) * real + 8) + bodies * double(8 * real);
    }

private:
    [[nodiscard]] constexpr std::size_t arm_fields() const { return arms ? 6 : 0; }
    [[nodiscard]] constexpr std::size_t impulse_row() const { return arms ? 16 : 8; }
};

}  // namespace scree::kernels
