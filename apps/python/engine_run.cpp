// SPDX-License-Identifier: BSD-3-Clause
// Engine: how it begins and goes on, which it does without Python's lock.
#include "apps/python/engine.hpp"

#include "apps/scree/scene_warnings.hpp"
#include "engine/scene/load.hpp"
#include "engine/scene/write.hpp"
#include "engine/simulation/output_folder.hpp"

#include <fmt/format.h>

#include <cxxabi.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <thread>

namespace scree::python {
namespace {

namespace fs = std::filesystem;
using model::ErrorKind;
using Clock = std::chrono::steady_clock;

bool same_folder(const fs::path& a, const fs::path& b) {
    std::error_code ignored;
    return fs::equivalent(a, b, ignored);
}

/// True while it lives.
class Mark {
public:
    explicit Mark(bool& flag) : flag_(flag) { flag_ = true; }
    ~Mark() { flag_ = false; }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;

private:
    bool& flag_;
};

/// Whether the interpreter comes to its end.
bool is_ending() {
#if PY_VERSION_HEX >= 0x030D0000
    return Py_IsFinalizing() != 0;
#else
    return _Py_IsFinalizing() != 0;
#endif
}

/// Python's lock, given up by a thread that held it. No destructor takes it back: where the interpreter ends meanwhile,
/// taking it ends this thread, which no destructor survives.
class Unlocked {
public:
    Unlocked() : state_(PyEval_SaveThread()) {}
    void lock() {
        while (is_ending()) std::this_thread::sleep_for(std::chrono::hours(1));
        PyEval_RestoreThread(state_);
    }
    void unlock() { state_ = PyEval_SaveThread(); }

private:
    PyThreadState* state_;
};

/// Calls work(lock) without Python's lock, and passes on what it throws.
template <class Work>
void without_lock(const Work& work) {
    Unlocked lock;
    std::exception_ptr raised;
    try {
        work(lock);
    } catch (abi::__forced_unwind&) {
        throw;
    } catch (...) {
        raised = std::current_exception();
    }
    lock.lock();
    if (raised) std::rethrow_exception(raised);
}

/// Calls back into Python, and keeps what Python raises until the run has closed its files.
class Caller final : public simulation::RunObserver {
public:
    /// `steps`: false while it calls.
    Caller(py::object each, std::int64_t every, std::atomic<bool>& interrupt, bool& steps, Unlocked& lock)
        : each_(std::move(each)), every_(every), interrupt_(interrupt), makes_steps_(steps), lock_(lock) {}

    void on_step(const simulation::Progress&) override {}
    void before_output() override {
        made_ = true;
        const bool due = !each_.is_none() && ++steps_ % every_ == 0;
        const auto now = Clock::now();
        if (interrupt_.load() || (!due && now - seen_ < std::chrono::milliseconds(200))) return;
        seen_ = now;
        lock_.lock();
        try {
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
            makes_steps_ = false;
            if (due) each_();
        } catch (abi::__forced_unwind&) {
            throw;
        } catch (...) {
            raised_ = std::current_exception();
            interrupt_ = true;
        }
        makes_steps_ = true;
        lock_.unlock();
    }
    [[nodiscard]] bool made_steps() const { return made_; }
    void raise() const {
        if (raised_) std::rethrow_exception(raised_);
    }

private:
    py::object each_;
    std::int64_t every_, steps_ = 0;
    std::atomic<bool>& interrupt_;
    bool& makes_steps_;
    Unlocked& lock_;
    Clock::time_point seen_ = Clock::now();
    bool made_ = false;
    std::exception_ptr raised_;
};

}  // namespace

Engine::Engine(model::Scene scene) : simulation_(std::move(scene)) {
    model::Scene same = simulation_.scene();
    same.settings.threads = 0;  // on which no state depends
    same.settings.device = 0;
    scene_text_ = std::make_shared<const std::string>(scene::to_yaml(same));
}

std::unique_ptr<Engine> Engine::load(const std::string& file, const std::vector<std::string>& overrides,
                                     const app::SceneOptions& machine) {
    std::unique_ptr<Engine> engine;
    without_lock([&](Unlocked&) {
        model::Scene scene = scene::load_scene(file, overrides);
        machine.apply(scene);
        engine.reset(new Engine(std::move(scene)));
    });
    return engine;
}

std::unique_ptr<Engine> Engine::parse(const std::string& text, const std::string& name,
                                      const std::vector<std::string>& overrides, const app::SceneOptions& machine) {
    std::unique_ptr<Engine> engine;
    without_lock([&](Unlocked&) {
        model::Scene scene = scene::parse_scene(text, name, overrides);
        machine.apply(scene);
        engine.reset(new Engine(std::move(scene)));
    });
    return engine;
}

std::unique_ptr<Engine> Engine::resume(const std::string& path, const app::SceneOptions& machine) {
    std::unique_ptr<Engine> engine;
    without_lock([&](Unlocked&) {
        simulation::RestartPoint point = simulation::load_restart_point(path);
        machine.apply(point.scene);
        engine.reset(new Engine(point.scene));
        engine->simulation_.restore(point.checkpoint);
        engine->point_ = std::move(point);
    });
    return engine;
}

py::dict Engine::step(std::int64_t n) {
    need_no_run();
    need_state();
    if (n < 1) throw model::Error(ErrorKind::usage, fmt::format("step({}) makes no step", n), "n >= 1");
    kernels::StepReport last;
    std::int64_t made = 0, unsolved = 0, iterations = 0, removed = 0, inserted = 0;
    double overlap = 0.0;
    bool interrupted = false;
    {
        const Mark steps(steps_);
        without_lock([&](Unlocked& lock) {
            auto seen = Clock::now();
            while (made < n && !interrupted) {
                try {
                    last = simulation_.step();
                } catch (...) {
                    failed_ = true;
                    throw;
                }
                ++made;
                unsolved += last.converged ? 0 : 1;
                iterations += last.iterations;
                removed += last.removed;
                inserted += last.inserted;
                overlap = std::max(overlap, last.overlap_relative);
                if (Clock::now() - seen < std::chrono::milliseconds(200)) continue;
                lock.lock();
                interrupted = PyErr_CheckSignals() != 0;
                lock.unlock();
                seen = Clock::now();
            }
        });
    }
    if (interrupted) throw py::error_already_set();
    py::dict report;
    report["steps"] = made;
    report["time"] = time();
    report["bodies"] = body_count();
    report["contacts"] = last.contacts;
    report["iterations"] = iterations;
    report["unsolved"] = unsolved;
    report["residual"] = simulation::relative_residual(last, simulation_.scene().settings.solver.tolerance);
    report["overlap"] = overlap;
    report["kinetic_energy"] = last.kinetic_translation + last.kinetic_rotation;
    report["inserted"] = inserted;
    report["removed"] = removed;
    return report;
}

std::string Engine::run(const std::string& folder, std::optional<double> until, std::optional<std::int64_t> steps,
                        bool force, const py::object& each, std::int64_t every) {
    need_no_run();
    need_state();
    if (every < 1)
        throw model::Error(ErrorKind::usage, fmt::format("every = {} is no number of steps", every), "every >= 1");
    if (until && !(std::isfinite(*until) && *until > 0.0))
        throw model::Error(ErrorKind::usage, fmt::format("until = {} s is out of range", *until), "a time > 0 s");
    if (steps && *steps < 1)
        throw model::Error(ErrorKind::usage, fmt::format("steps = {} are none", *steps), "steps >= 1");
    simulation::RunOptions options;
    options.directory = folder;
    options.until = until;
    options.steps = steps;
    if (point_ && point_->step != step_index())
        throw model::Error(ErrorKind::usage,
                           fmt::format("the simulation is at step {}, what {} holds ends at step {}", step_index(),
                                       point_->directory.string(), point_->step),
                           "between two runs make no steps by step(); use `each`");
    if (!point_ && step_index() > 0)
        throw model::Error(ErrorKind::usage,
                           fmt::format("steps were made before the run: the simulation is at step {}", step_index()),
                           "run() from the start, with `each` to be called between steps");
    const bool elsewhere = !point_ || !same_folder(folder, point_->directory);
    const auto trace = elsewhere ? simulation::trace_of_a_run(folder) : std::nullopt;
    if (trace && !force)
        throw model::Error(ErrorKind::usage, fmt::format("{} holds another run ({})", folder, *trace),
                           "another folder, or force=True to replace it");
    options.replace = trace.has_value();
    if (simulation::end_step(simulation_, options) <= step_index())
        throw model::Error(ErrorKind::usage,
                           fmt::format("the simulation is at t = {:g} s already, the end of the run", time()),
                           "go on with until=T or steps=N");
    std::atomic<bool> interrupt = false;
    options.interrupt = &interrupt;
    options.interruption = "interrupted by the program";
    simulation::RunResult result;
    std::optional<Caller> caller;
    {
        const Mark runs(runs_), makes_steps(steps_);
        without_lock([&](Unlocked& lock) {
            caller.emplace(each, every, interrupt, steps_, lock);
            options.observer = &*caller;
            options.warnings = app::scene_warnings(simulation_);
            try {
                result = simulation::run(simulation_, options, point_ ? &*point_ : nullptr);
            } catch (const model::Error& error) {
                failed_ = error.kind() == ErrorKind::numerics ||
                          (error.kind() == ErrorKind::environment && caller->made_steps());
                throw;
            }
            point_ = simulation::load_restart_point(folder);
        });
    }
    caller->raise();
    return result.summary.status;
}

}  // namespace scree::python
