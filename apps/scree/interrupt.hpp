// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C: the first one asks the run to end after its step, the second one ends the process at once.
#pragma once

#include <atomic>

namespace scree::app {

inline constexpr int exit_interrupted = 130;

/// Installs handlers for SIGINT, SIGTERM and SIGHUP; returns the flag that they set.
[[nodiscard]] const std::atomic<bool>& watch_for_interrupt();

}  // namespace scree::app
