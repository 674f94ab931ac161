// SPDX-License-Identifier: BSD-3-Clause
// Shows how a run goes: one line that is redrawn on a terminal, plain lines elsewhere, JSON lines for machines.
#pragma once

#include "apps/scree/command.hpp"
#include "engine/simulation/progress.hpp"

#include <chrono>

namespace scree::app {

class ProgressDisplay final : public simulation::RunObserver {
public:
    explicit ProgressDisplay(Voice voice);
    void on_step(const simulation::Progress& progress) override;
    /// Leaves the last state on its own line.
    void finish();

private:
    void show(const simulation::Progress& progress);

    Voice voice_;
    bool terminal_;
    std::chrono::duration<double> interval_;
    std::chrono::steady_clock::time_point next_;
    simulation::Progress last_;
    bool shown_ = false, pending_ = false;
};

}  // namespace scree::app
