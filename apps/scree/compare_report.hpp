// SPDX-License-Identifier: BSD-3-Clause
// Compares states step by step and keeps what the user wants to know: where they first differ, and by how much.
#pragma once

#include "engine/measure/compare.hpp"
#include "engine/model/snapshot.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace scree::app {

/// The unit in which a difference is judged.
struct CompareUnits {
    double length = 1.0;  ///< [m]
    double speed = 1.0;   ///< [m/s]
    double rate = 1.0;    ///< [rad/s]
    bool relative = false;
};

/// Relative units: the mean diameter d of the bodies, d / h, and 1 / h.
[[nodiscard]] CompareUnits relative_units(const model::Snapshot& bodies, double step_size);

class CompareReport {
public:
    CompareReport(double tolerance, CompareUnits units) : tolerance_(tolerance), units_(units) {}

    /// States of one step; steps in increasing order.
    void add(const model::Snapshot& a, const model::Snapshot& b);

    [[nodiscard]] bool equal() const { return !first_step_; }
    [[nodiscard]] nlohmann::ordered_json json() const;
    void print() const;

private:
    struct Largest {
        std::optional<measure::Difference> difference;
        std::uint64_t step = 0;
    };
    [[nodiscard]] double unit_of(measure::Field field) const;
    [[nodiscard]] std::string unit_name(measure::Field field) const;
    [[nodiscard]] std::string text_of(const measure::Difference& difference) const;

    double tolerance_;
    CompareUnits units_;
    std::uint64_t steps_ = 0, last_step_ = 0;
    std::optional<std::uint64_t> first_step_;
    measure::Comparison first_, last_;  ///< Of the first step that differs, and of the last one.
    std::array<Largest, 4> largest_;    ///< Per field, over all steps.
};

}  // namespace scree::app
