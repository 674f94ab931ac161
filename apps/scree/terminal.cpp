// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/terminal.hpp"

#include "apps/scree/say.hpp"
#include "apps/scree/words.hpp"

#include <nlohmann/json.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

namespace scree::app {
namespace {

// A redrawn line may change often; lines that stay must not flood a log.
constexpr std::chrono::duration<double> redraw_interval(0.2), line_interval(5.0), json_interval(2.0);

std::size_t terminal_width() {
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// The parts of the line; the first ones matter most on a narrow terminal.
std::vector<std::string> parts_of(const simulation::Progress& p) {
    return {fmt::format("step {}/{}", p.step, p.end_step),
            fmt::format("t {:.5g}/{:.5g} s", p.time, p.end_time),
            fmt::format("wall {}", duration_text(p.wall)),
            fmt::format("ETA {}", duration_text(p.remaining)),
            fmt::format("bodies {} (+{} -{} lost {})", p.bodies, p.inserted, p.removed, p.lost),
            fmt::format("contacts {}", p.contacts),
            fmt::format("it {}", p.iterations),
            fmt::format("res {:.1e}{}", p.residual, p.converged ? "" : "!"),
            fmt::format("pen {}", percent_text(p.penetration)),
            fmt::format("{:.3g} M/s", 1e-6 * p.body_steps_per_second),
            fmt::format("RTF {:.3g}", p.real_time_factor)};
}

std::string line_of(const simulation::Progress& p, std::size_t width) {
    std::string line;
    for (const std::string& part : parts_of(p)) {
        if (line.size() + part.size() + 2 > width) break;
        if (!line.empty()) line += "  ";
        line += part;
    }
    return line;
}

std::string json_of(const simulation::Progress& p) {
    const nlohmann::ordered_json object{{"event", "progress"},
                                        {"step", p.step},
                                        {"end_step", p.end_step},
                                        {"time", p.time},
                                        {"end_time", p.end_time},
                                        {"wall_seconds", p.wall},
                                        {"remaining_seconds", p.remaining},
                                        {"bodies", p.bodies},
                                        {"inserted", p.inserted},
                                        {"removed", p.removed},
                                        {"lost", p.lost},
                                        {"contacts", p.contacts},
                                        {"iterations", p.iterations},
                                        {"residual_rms", p.residual},
                                        {"converged", p.converged},
                                        {"penetration_relative", p.penetration},
                                        {"body_steps_per_second", p.body_steps_per_second},
                                        {"real_time_factor", p.real_time_factor}};
    return object.dump();
}

}  // namespace

ProgressDisplay::ProgressDisplay(Voice voice)
    : voice_(voice),
      terminal_(voice.text() && isatty(STDOUT_FILENO) == 1),
      interval_(voice.json  ? json_interval
                : terminal_ ? redraw_interval
                            : line_interval),
      next_(std::chrono::steady_clock::now()) {}

void ProgressDisplay::on_step(const simulation::Progress& progress) {
    if (voice_.quiet) return;
    last_ = progress;
    pending_ = true;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(interval_);
    show(progress);
}

void ProgressDisplay::finish() {
    if (pending_) show(last_);
    if (terminal_ && shown_) say("\n");
    std::fflush(stdout);
}

void ProgressDisplay::show(const simulation::Progress& progress) {
    if (voice_.json)
        say("{}\n", json_of(progress));
    else if (terminal_)
        say("\r{}\x1b[K", line_of(progress, terminal_width()));
    else
        say("{}\n", line_of(progress, 1000));
    std::fflush(stdout);
    shown_ = true;
    pending_ = false;
}

}  // namespace scree::app
