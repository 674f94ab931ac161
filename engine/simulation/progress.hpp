// SPDX-License-Identifier: BSD-3-Clause
// How far a run is: what the launcher draws. The run loop reports every step; observers choose how often to show it.
#pragma once

#include "engine/simulation/run_statistics.hpp"
#include "engine/simulation/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace scree::simulation {

struct Progress {
    std::int64_t step = 0, end_step = 0;
    double time = 0.0, end_time = 0.0;  ///< [s]
    double wall = 0.0;                  ///< Since the process began its work [s].
    double remaining = 0.0;             ///< Estimate from the pace of the last steps [s].
    std::uint64_t bodies = 0, inserted = 0, removed = 0, lost = 0;
    std::uint64_t contacts = 0, iterations = 0;
    double residual = 0.0;  ///< Relative [-].
    bool converged = true;
    double penetration = 0.0;            ///< Largest, over the smaller diameter [-].
    double body_steps_per_second = 0.0;  ///< Of the last steps.
    double real_time_factor = 0.0;       ///< Wall seconds per simulated second, of the last steps.
};

class RunObserver {
public:
    virtual ~RunObserver() = default;
    /// After every step, before what it gave is written: what is imposed on the simulation here is in its checkpoint.
    virtual void before_output() {}
    /// After every step, on the thread that runs. Must be quick.
    virtual void on_step(const Progress& progress) = 0;
};

/// Seconds per step, averaged over about the last `memory` steps, so that an ETA follows a run that gets slower.
class Pace {
public:
    using Clock = std::chrono::steady_clock;

    explicit Pace(Clock::time_point begin) : last_(begin) {}

    void step() {
        const auto now = Clock::now();
        const double seconds = std::chrono::duration<double>(now - last_).count();
        last_ = now;
        count_ = std::min(count_ + 1.0, memory);
        seconds_per_step_ += (seconds - seconds_per_step_) / count_;
    }
    [[nodiscard]] double seconds_per_step() const { return seconds_per_step_; }

private:
    static constexpr double memory = 100.0;
    Clock::time_point last_;
    double count_ = 0.0, seconds_per_step_ = 0.0;
};

[[nodiscard]] inline Progress progress_of(const Simulation& simulation, const RunStatistics& statistics,
                                          const Pace& pace, std::int64_t end_step, double wall) {
    const RunStatistics::Last& last = statistics.last();
    const double h = simulation.scene().settings.time.step, seconds = pace.seconds_per_step();
    Progress p;
    p.step = simulation.step_index();
    p.end_step = end_step;
    p.time = simulation.time();
    p.end_time = double(end_step) * h;
    p.wall = wall;
    p.remaining = double(end_step - p.step) * seconds;
    p.bodies = last.bodies;
    p.inserted = simulation.balance().inserted;
    p.removed = simulation.balance().removed;
    p.lost = simulation.balance().lost;
    p.contacts = last.contacts;
    p.iterations = last.iterations;
    p.residual = last.residual;
    p.converged = last.converged != 0;
    p.penetration = last.overlap_relative;
    p.body_steps_per_second = seconds > 0.0 ? double(last.bodies) / seconds : 0.0;
    p.real_time_factor = seconds / h;
    return p;
}

}  // namespace scree::simulation
