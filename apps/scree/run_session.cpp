// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/run_session.hpp"

#include "apps/scree/interrupt.hpp"
#include "apps/scree/run_report.hpp"
#include "apps/scree/say.hpp"
#include "apps/scree/scene_warnings.hpp"
#include "apps/scree/terminal.hpp"
#include "apps/scree/words.hpp"

#include <cstdio>

namespace scree::app {
namespace {

/// Adds up what the closing lines need beside the summary.
class SessionObserver final : public simulation::RunObserver {
public:
    explicit SessionObserver(Voice voice) : display_(voice) {}
    void on_step(const simulation::Progress& progress) override {
        body_steps_ += double(progress.bodies);
        display_.on_step(progress);
    }
    void finish() { display_.finish(); }
    [[nodiscard]] double body_steps() const { return body_steps_; }

private:
    ProgressDisplay display_;
    double body_steps_ = 0.0;
};

}  // namespace

int run_session(simulation::Simulation& simulation, simulation::RunOptions options, Voice voice,
                const simulation::RestartPoint* restart) {
    options.interrupt = &watch_for_interrupt();
    RunPlan plan{simulation.step_index(), simulation::end_step(simulation, options), {}};
    if (restart != nullptr) plan.warnings = restart->notes;
    for (std::string& warning : scene_warnings(simulation)) plan.warnings.push_back(std::move(warning));
    options.warnings = plan.warnings;
    if (voice.json) {
        nlohmann::ordered_json start{{"event", "start"}, {"output", options.directory.string()}};
        start.update(plan_json(simulation, plan));
        say("{}\n", start.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
        std::fflush(stdout);
    } else if (!voice.quiet) {
        print_plan(simulation, plan);
        say("\n");
    }

    SessionObserver observer(voice);
    options.observer = &observer;
    simulation::RunResult result;
    try {
        result = simulation::run(simulation, options, restart);
    } catch (...) {
        observer.finish();
        throw;
    }
    observer.finish();
    if (voice.json) {
        const nlohmann::ordered_json end{
            {"event", "end"}, {"output", options.directory.string()}, {"summary", io::to_json(result.summary)}};
        say("{}\n", end.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    } else if (!voice.quiet) {
        print_summary(result.summary, options.directory, observer.body_steps());
        if (result.status == simulation::RunStatus::interrupted)
            say("  continue it with: scree restart {}\n", options.directory.string());
    }
    std::fflush(stdout);
    return result.status == simulation::RunStatus::interrupted ? exit_interrupted : 0;
}

}  // namespace scree::app
