// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/run.hpp"

#include "engine/model/error.hpp"
#include "engine/model/interrupt.hpp"
#include "engine/simulation/output_folder.hpp"
#include "engine/simulation/outputs.hpp"
#include "engine/simulation/problem_file.hpp"
#include "engine/simulation/run_summary.hpp"
#include "engine/simulation/scene_copy.hpp"
#include "engine/simulation/stop_rules.hpp"

#include <algorithm>
#include <cmath>

namespace scree::simulation {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

const char* name_of(RunStatus status) {
    return status == RunStatus::done ? "done" : status == RunStatus::stopped ? "stopped" : "interrupted";
}

/// One execution of run().
class RunLoop {
public:
    RunLoop(Simulation& simulation, const RunOptions& options, const RestartPoint* restart)
        : simulation_(simulation),
          options_(options),
          restart_(restart),
          statistics_(simulation.scene()),
          end_(end_step(simulation, options)),
          begin_step_(simulation.step_index()) {}

    RunResult execute() {
        make_folder(options_.directory);
        const FolderLock lock(options_.directory);
        if (options_.replace) remove_run(options_.directory);
        try {
            prepare();
            steps();
            return finish();
        } catch (const model::Error& error) {
            fail(error.what());
            throw;
        } catch (const std::exception& error) {
            fail(error.what());
            throw model::Error(model::ErrorKind::environment, error.what());
        }
    }

private:
    void prepare() {
        simulation_.watch(options_.interrupt);
        write_scene_copy(options_.directory, simulation_.scene());
        setup_seconds_ = seconds_since(options_.started);
        if (restart_ != nullptr) {
            statistics_.restore(restart_->checkpoint);
            if (restart_->other_gravity) statistics_.leave_energy_open();
            outputs_.emplace(simulation_, options_.directory, restart_);
            return;
        }
        outputs_.emplace(simulation_, options_.directory);
        const model::Snapshot first = simulation_.snapshot(false);
        statistics_.start(first);
        outputs_->begin(first, statistics_);
    }

    void steps() {
        Pace pace(Clock::now());
        while (simulation_.step_index() < end_) {
            if (options_.interrupt != nullptr && options_.interrupt->load()) {
                status_ = RunStatus::interrupted;
                reason_ = options_.interruption;
                return;
            }
            kernels::StepReport report;
            try {
                report = simulation_.step();
            } catch (const model::Interrupted&) {
                continue;  // the flag is set: ends above, with the step before as the last
            }
            statistics_.add(report, simulation_.free_mass());
            if (statistics_.wants_deepest_overlap())
                statistics_.note_deepest_overlap(deepest_overlap(simulation_.snapshot()));
            check_balance();
            watch_rest(simulation_, statistics_);
            if (options_.observer != nullptr) options_.observer->before_output();
            const auto before_output = Clock::now();
            outputs_->after_step(statistics_);
            dump_problem(report);
            output_seconds_ += seconds_since(before_output);
            pace.step();
            const double wall = seconds_since(options_.started);
            if (options_.observer != nullptr)
                options_.observer->on_step(progress_of(simulation_, statistics_, pace, end_, wall));
            const auto stop = stop_reason(simulation_.scene().settings.stop, simulation_, statistics_, wall);
            if (stop) {
                status_ = RunStatus::stopped;
                reason_ = *stop;
                return;
            }
        }
    }

    /// inserted = removed + present: a body that is neither was lost, and no later number means anything.
    void check_balance() const {
        const Balance& balance = simulation_.balance();
        const auto present = std::uint64_t(simulation_.body_count());
        if (balance.inserted == balance.removed + present) return;
        throw model::Error(model::ErrorKind::numerics,
                           std::to_string(balance.inserted) + " bodies were inserted, " +
                               std::to_string(balance.removed) + " removed and " + std::to_string(present) +
                               " are present after step " + std::to_string(simulation_.step_index()),
                           "bodies were lost; please report this", simulation_.scene().path);
    }

    void dump_problem(const kernels::StepReport& report) {
        const std::int64_t step = simulation_.step_index();
        const auto& wanted = options_.dump_problems;
        if (std::find(wanted.begin(), wanted.end(), step) == wanted.end()) return;
        const double scale = report.tolerance / simulation_.scene().settings.solver.tolerance;
        const std::string stem = "problem_" + std::to_string(step) + ".";
        const ProblemFile problem{step, simulation_.time(), scale, simulation_.problem()};
        write_problem(options_.directory / (stem + "json"), problem);
        const model::FrictionLaw law = simulation_.scene().settings.solver.friction;
        if (options_.problem_format != "json")
            write_contact_problem(options_.directory / (stem + options_.problem_format), problem, law);
    }

    RunResult finish() {
        const auto before_output = Clock::now();
        const model::Snapshot last = simulation_.snapshot(outputs_->needed_contacts());
        outputs_->finish(last, statistics_);
        output_seconds_ += seconds_since(before_output);
        RunResult result{status_, summarise(simulation_, statistics_, &last)};
        result.summary.status = name_of(status_);
        result.summary.reason = reason_;
        result.summary.state_hash = model::state_hash(last);
        complete(result.summary);
        io::write_summary(options_.directory / "summary.json", result.summary);
        return result;
    }

    /// What summary.json can still say. Nothing of this may hide the failure itself.
    void fail(const std::string& reason) {
        try {
            try {
                if (outputs_) outputs_->drain();
            } catch (const std::exception&) {
                // Perhaps the failure that is being reported.
            }
            io::RunSummary summary = summarise(simulation_, statistics_, nullptr);
            summary.status = "failed";
            summary.reason = reason;
            complete(summary);
            io::write_summary(options_.directory / "summary.json", summary);
        } catch (const std::exception&) {
            // The disk is full or not there; the error goes to the terminal.
        }
    }

    void complete(io::RunSummary& summary) const {
        summary.wall_seconds = seconds_since(options_.started);
        const double simulated =
            double(simulation_.step_index() - begin_step_) * simulation_.scene().settings.time.step;
        summary.real_time_factor = simulated > 0.0 ? summary.wall_seconds / simulated : 0.0;
        double known = setup_seconds_ + output_seconds_;
        for (const auto& [name, seconds] : summary.phases) known += seconds;
        summary.phases.emplace_back("setup", setup_seconds_);
        summary.phases.emplace_back("output", output_seconds_);
        summary.phases.emplace_back("other", std::max(0.0, summary.wall_seconds - known));
        if (outputs_) summary.probes = outputs_->probe_summary();
        summary.warnings = options_.warnings;
        for (std::string& warning : result_warnings(summary)) summary.warnings.push_back(std::move(warning));
    }

    Simulation& simulation_;
    const RunOptions& options_;
    const RestartPoint* restart_;
    RunStatistics statistics_;
    std::int64_t end_, begin_step_;
    std::optional<Outputs> outputs_;
    RunStatus status_ = RunStatus::done;
    std::string reason_;
    double setup_seconds_ = 0.0, output_seconds_ = 0.0;
};

}  // namespace

std::int64_t end_step(const Simulation& simulation, const RunOptions& options) {
    const model::TimeSettings& time = simulation.scene().settings.time;
    // The first step that reaches the end; times are sums of steps, so round-off is not a step.
    const auto step_of = [&](double end) {
        return std::int64_t(std::clamp(std::ceil(end / time.step - 1e-6), 1.0, 0x1p53));
    };
    if (!options.steps) return step_of(options.until.value_or(time.end));
    const std::int64_t by_steps = simulation.step_index() + *options.steps;
    return options.until ? std::min(by_steps, step_of(*options.until)) : by_steps;
}

RunResult run(Simulation& simulation, const RunOptions& options, const RestartPoint* restart) {
    return RunLoop(simulation, options, restart).execute();
}

}  // namespace scree::simulation
