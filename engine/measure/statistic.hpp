// SPDX-License-Identifier: BSD-3-Clause
// Least, greatest and mean value of a quantity over time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace scree::measure {

/// The mean is over time, with the quantity linear between the instants at which it was seen.
class Statistic {
public:
    /// Times must grow; a second value for the last instant is ignored.
    void add(double time, double value) {
        if (seen_ && !(time > time_)) return;
        if (seen_) {
            integral_ += 0.5 * (value_ + value) * (time - time_);
        } else {
            start_ = time;
        }
        seen_ = true;
        time_ = time;
        value_ = value;
        min_ = std::min(min_, value);
        max_ = std::max(max_, value);
    }

    [[nodiscard]] bool seen() const { return seen_; }
    [[nodiscard]] double last() const { return value_; }
    [[nodiscard]] double min() const { return min_; }
    [[nodiscard]] double max() const { return max_; }
    [[nodiscard]] double mean() const { return time_ > start_ ? integral_ / (time_ - start_) : value_; }

    static constexpr std::size_t state_size = 7;
    void save(std::vector<double>& state) const {
        state.insert(state.end(), {seen_ ? 1.0 : 0.0, start_, time_, value_, integral_, min_, max_});
    }
    void restore(std::span<const double> state) {
        seen_ = state[0] > 0.0;
        start_ = state[1];
        time_ = state[2];
        value_ = state[3];
        integral_ = state[4];
        min_ = state[5];
        max_ = state[6];
    }

private:
    bool seen_ = false;
    double start_ = 0.0, time_ = 0.0, value_ = 0.0, integral_ = 0.0;
    double min_ = std::numeric_limits<double>::infinity(), max_ = -std::numeric_limits<double>::infinity();
};

}  // namespace scree::measure
