// SPDX-License-Identifier: BSD-3-Clause
// How long work is given up half way: whoever starts it hands down a flag, the innermost loop looks at it.
#pragma once

#include <atomic>
#include <exception>

namespace scree::model {

/// Not an error: someone asked for the end. What threw it has left its inputs as they were.
class Interrupted : public std::exception {
public:
    [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

/// Throws Interrupted when the flag is set; null: never.
inline void stop_if(const std::atomic<bool>* interrupt) {
    if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) throw Interrupted();
}

}  // namespace scree::model
