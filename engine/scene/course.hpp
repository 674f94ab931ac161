// SPDX-License-Identifier: BSD-3-Clause
// Values over time that scenes prescribe: constants, tables, expressions.
#pragma once

#include "engine/model/joint.hpp"

#include <memory>

namespace scree::scene {

/// Evaluates a model::Course. Throws model::Error (input) for an expression that cannot be read, saying where.
class CourseFunction {
public:
    explicit CourseFunction(const model::Course& course);
    ~CourseFunction();
    CourseFunction(CourseFunction&&) noexcept;
    CourseFunction& operator=(CourseFunction&&) noexcept;

    /// The value at time t [s]; may be infinite or NaN where an expression is.
    [[nodiscard]] double at(double time) const;

private:
    struct Formula;
    model::Course course_;
    std::unique_ptr<Formula> formula_;  ///< Null: a constant or a table.
};

}  // namespace scree::scene
