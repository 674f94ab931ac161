// SPDX-License-Identifier: BSD-3-Clause
// When an output is due: a function of the step number alone, so that a continued run keeps the beat of the first one.
#pragma once

#include <cmath>
#include <cstdint>

namespace scree::simulation {

/// Due at the steps nearest to 0, T, 2 T, ... for an interval T [s]; never more than once a step.
class OutputClock {
public:
    enum class Zero : std::uint8_t { never, every_step };

    /// `zero` says what an interval of 0 means.
    OutputClock(double interval, double step_size, Zero zero)
        : steps_(interval > 0.0 ? interval / step_size : (zero == Zero::every_step ? 1.0 : 0.0)) {}

    [[nodiscard]] bool due(std::int64_t step) const {
        if (steps_ <= 0.0) return false;
        return std::llround(std::round(double(step) / steps_) * steps_) == step;
    }

    /// The latest step not after `step` at which it was due; -1 when there is none.
    [[nodiscard]] std::int64_t last_due(std::int64_t step) const {
        if (steps_ <= 0.0) return -1;
        for (std::int64_t s = step; s > 0; --s)
            if (due(s)) return s;
        return 0;
    }

private:
    double steps_;  ///< Steps between two outputs; 0: never.
};

}  // namespace scree::simulation
