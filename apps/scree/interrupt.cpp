// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

namespace scree::app {
namespace {

// A signal handler reaches nothing but globals.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int) {
    if (interrupted.exchange(true)) _exit(exit_interrupted);
}

}  // namespace

const std::atomic<bool>& watch_for_interrupt() {
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        // nohup and background jobs ignore some signals: leave it so.
        if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        sigaction(number, &action, nullptr);
    }
    return interrupted;
}

}  // namespace scree::app
