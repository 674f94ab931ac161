// SPDX-License-Identifier: BSD-3-Clause
// How one number of every step went over a run: last, worst, when, and quantiles, in a fixed amount of memory.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::simulation {

/// Of numbers that are not negative. Quantiles come from a histogram of their logarithms, 20 bins a decade from 1e-18
/// to 1e6: they are the upper end of a bin, at most 12 % too large, and exact for the worst. Sums in integers, so that
/// a continued run tells what the uninterrupted one would.
class ValueHistory {
    static constexpr int lowest = -18, decades = 24, per_decade = 20;
    static constexpr std::size_t bins = std::size_t(decades) * per_decade + 2;  ///< One for zeros, one for the rest.

public:
    static constexpr std::size_t state_size = 4 + bins;

    void add(std::uint64_t step, double value) {
        last_ = value;
        if (steps_ == 0 || value > worst_ || std::isnan(value)) {
            worst_ = value;
            worst_step_ = step;
        }
        ++steps_;
        ++bins_[bin_of(value)];
    }

    [[nodiscard]] std::uint64_t steps() const { return steps_; }
    [[nodiscard]] double last() const { return last_; }
    [[nodiscard]] double worst() const { return worst_; }
    [[nodiscard]] std::uint64_t worst_step() const { return worst_step_; }  ///< The first that reached it.
    /// At most this in the share `q` of the steps.
    [[nodiscard]] double quantile(double q) const {
        const double wanted = std::ceil(q * double(steps_));
        std::uint64_t seen = 0;
        for (std::size_t k = 0; k < bins_.size(); ++k) {
            seen += bins_[k];
            if (seen > 0 && double(seen) >= wanted) return std::min(upper_end(k), worst_);
        }
        return worst_;
    }

    [[nodiscard]] std::vector<double> state() const {
        std::vector<double> state{last_, worst_, double(worst_step_), double(steps_)};
        for (const std::uint64_t count : bins_) state.push_back(double(count));  // exact up to 2^53 steps
        return state;
    }
    void restore(std::span<const double> state) {
        last_ = state[0];
        worst_ = state[1];
        worst_step_ = std::uint64_t(state[2]);
        steps_ = std::uint64_t(state[3]);
        for (std::size_t k = 0; k < bins_.size(); ++k) bins_[k] = std::uint64_t(state[4 + k]);
    }

private:
    static std::size_t bin_of(double value) {
        if (!(value > 0.0)) return 0;
        const double place = std::ceil((std::log10(value) - lowest) * per_decade);
        return std::size_t(std::clamp(place, 1.0, double(bins - 1)));
    }
    static double upper_end(std::size_t bin) {
        if (bin == 0) return 0.0;
        if (bin == bins - 1) return HUGE_VAL;
        return std::pow(10.0, lowest + double(bin) / per_decade);
    }

    double last_ = 0.0, worst_ = 0.0;
    std::uint64_t worst_step_ = 0, steps_ = 0;
    std::array<std::uint64_t, bins> bins_{};
};

}  // namespace scree::simulation
