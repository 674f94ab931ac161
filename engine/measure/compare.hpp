// SPDX-License-Identifier: BSD-3-Clause
// Compares two snapshots body by body: two runs, two backends, or a run and its continuation.
#pragma once

#include "engine/model/snapshot.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace scree::measure {

enum class Field : std::uint8_t { position, orientation, velocity, angular_velocity };
[[nodiscard]] const char* name_of(Field field);

/// Values differ when |a - b| > absolute + relative max(|a|, |b|), with the norm of the vector or quaternion. Not a
/// number never equals anything. Both 0: equal means the same value.
struct Tolerance {
    double absolute = 0.0;  ///< In the unit of the field.
    double relative = 0.0;  ///< [-]
};

/// How one field of one body differs.
struct Difference {
    std::uint64_t id = 0;  ///< Body.
    Field field = Field::position;
    /// Components: x y z, or w x y z with the sign of b turned to a's (q and -q are one orientation).
    std::array<double, 4> a{}, b{};
    double distance = 0.0;  ///< |a - b|
};

/// |x_a - x_b| over the diameter, over the bodies in both snapshots [-].
struct DisplacementStatistics {
    double mean = 0.0, deviation = 0.0, p50 = 0.0, p99 = 0.0, max = 0.0;
};

struct Comparison {
    std::size_t common = 0;             ///< Bodies in both.
    std::vector<std::uint64_t> only_a;  ///< Ids of bodies missing in b, in order.
    std::vector<std::uint64_t> only_b;  ///< Ids of bodies missing in a, in order.
    std::size_t differing = 0;          ///< Bodies with a field beyond the tolerance.
    std::optional<Difference> first;    ///< Of the lowest id, first field in the order of Field.
    /// Largest difference of each field, within tolerance or not; empty without common bodies.
    std::array<std::optional<Difference>, 4> largest;
    DisplacementStatistics displacement;

    [[nodiscard]] bool equal() const { return differing == 0 && only_a.empty() && only_b.empty(); }
};

/// Bodies must be in id order, as snapshots are.
[[nodiscard]] Comparison compare_snapshots(const model::Snapshot& a, const model::Snapshot& b, Tolerance tolerance);

}  // namespace scree::measure
