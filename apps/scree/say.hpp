// SPDX-License-Identifier: BSD-3-Clause
// Text on standard output. A reader that has gone away (`scree run ... | head`) is no reason to end a run, so failures
// to write are ignored here; files are another matter.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace scree::app {

template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
    const std::string text = fmt::format(format, std::forward<Values>(values)...);
    std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace scree::app
