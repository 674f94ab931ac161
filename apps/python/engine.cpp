// SPDX-License-Identifier: BSD-3-Clause
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
using model::Vec3;
using Clock = std::chrono::steady_clock;

void apply(const Machine& machine, model::Scene& scene) {
    const auto refuse = [](const char* name, const std::string& value, const char* allowed) {
        throw model::Error(ErrorKind::usage, fmt::format("{} = '{}' is none of {}", name, value, allowed));
    };
    if (machine.backend) {
        if (*machine.backend == "cpu")
            scene.settings.backend = model::Backend::cpu;
        else if (*machine.backend == "cuda")
            scene.settings.backend = model::Backend::cuda;
        else if (*machine.backend == "auto")
            scene.settings.backend = model::Backend::automatic;
        else
            refuse("backend", *machine.backend, "auto, cpu, cuda");
    }
    if (machine.precision) {
        if (*machine.precision == "mixed")
            scene.settings.precision = model::Precision::mixed;
        else if (*machine.precision == "double")
            scene.settings.precision = model::Precision::double_;
        else
            refuse("precision", *machine.precision, "mixed, double");
    }
    if (!machine.threads) return;
    if (*machine.threads > 4096)
        throw model::Error(ErrorKind::usage, fmt::format("threads = {} is out of range", *machine.threads),
                           "0 to 4096");
    scene.settings.threads = *machine.threads;
}

/// Position of a name in a list; several may not have it.
std::size_t index_of(const std::vector<std::string>& names, const std::string& name, const char* what) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        throw model::Error(ErrorKind::usage, fmt::format("there is no {} '{}'", what, name),
                           names.empty() ? fmt::format("the scene has no {}", what)
                                         : fmt::format("there are: {}", fmt::join(names, ", ")));
    if (std::find(found + 1, names.end(), name) != names.end())
        throw model::Error(ErrorKind::usage, fmt::format("there are several {}s '{}'", what, name),
                           "give them names of their own");
    return std::size_t(found - names.begin());
}

template <class Item>
std::vector<std::string> names_of(const std::vector<Item>& items, const char* list) {
    std::vector<std::string> names;
    names.reserve(items.size());
    for (const Item& item : items)
        names.push_back(item.name.empty() ? fmt::format("{}[{}]", list, names.size()) : item.name);
    return names;
}

/// Ids as the engine counts them; what is below 1 stays out of its range.
std::uint64_t id_of(std::int64_t id) { return id < 0 ? 0 : std::uint64_t(id); }

/// Whole numbers in one dimension; a mask of truths is none.
Ids list_of_ids(const py::object& given) {
    const py::array array = py::array::ensure(given);
    if (!array) {
        PyErr_Clear();
        throw model::Error(ErrorKind::usage, "the ids are no array", "a list of whole numbers");
    }
    if (array.ndim() != 1)
        throw model::Error(ErrorKind::usage, fmt::format("ids have {} dimensions", array.ndim()), "a list of ids");
    const char kind = array.dtype().kind();
    if (array.size() > 0 && kind != 'i' && kind != 'u')
        throw model::Error(
            ErrorKind::usage,
            fmt::format("ids are whole numbers, not of the type {}", std::string(py::str(array.dtype()))),
            "those that a mask selects: ids[mask]");
    return Ids(array);
}

Vec3 vector_of(const Doubles& array, const char* name) { return Rows(array, 1, name)[0]; }

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
                                     const Machine& machine) {
    std::unique_ptr<Engine> engine;
    without_lock([&](Unlocked&) {
        model::Scene scene = scene::load_scene(file, overrides);
        python::apply(machine, scene);
        engine.reset(new Engine(std::move(scene)));
    });
    return engine;
}

std::unique_ptr<Engine> Engine::parse(const std::string& text, const std::string& name,
                                      const std::vector<std::string>& overrides, const Machine& machine) {
    std::unique_ptr<Engine> engine;
    without_lock([&](Unlocked&) {
        model::Scene scene = scene::parse_scene(text, name, overrides);
        python::apply(machine, scene);
        engine.reset(new Engine(std::move(scene)));
    });
    return engine;
}

std::unique_ptr<Engine> Engine::resume(const std::string& path, const Machine& machine) {
    std::unique_ptr<Engine> engine;
    without_lock([&](Unlocked&) {
        simulation::RestartPoint point = simulation::load_restart_point(path);
        python::apply(machine, point.scene);
        engine.reset(new Engine(point.scene));
        engine->simulation_.restore(point.checkpoint);
        engine->point_ = std::move(point);
    });
    return engine;
}

void Engine::need_rest() const {
    if (steps_)
        throw model::Error(ErrorKind::usage, "the simulation is making steps in another thread",
                           "ask it between steps");
}

void Engine::need_no_run() const {
    need_rest();
    if (runs_)
        throw model::Error(ErrorKind::usage, "the simulation is in a run, which makes its steps itself",
                           "in `each`, look at it and impose what is wanted; no step, run or restore");
}

void Engine::need_state() const {
    need_rest();
    if (failed_)
        throw model::Error(ErrorKind::usage, "a step of the simulation failed, and left no state",
                           "restore() one that was saved before, or make another simulation");
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

std::vector<std::string> Engine::sources() const { return names_of(simulation_.scene().sources, "bodies"); }
std::vector<std::string> Engine::materials() const { return names_of(simulation_.scene().materials, "materials"); }
std::vector<std::string> Engine::wall_names() const { return names_of(simulation_.scene().boundaries, "boundaries"); }
std::vector<std::string> Engine::joint_names() const { return names_of(simulation_.scene().joints, "joints"); }
std::string Engine::backend() const { return simulation_.backend().backend == model::Backend::cuda ? "cuda" : "cpu"; }
std::vector<std::string> Engine::warnings() {
    need_state();
    return app::scene_warnings(simulation_);
}

py::dict Engine::bodies() {
    need_state();
    model::Snapshot now = simulation_.snapshot(false);
    std::replace_if(
        now.mass.begin(), now.mass.end(), [](double m) { return std::isinf(m); }, 0.0);
    py::dict fields;
    fields["id"] = array_of(now.id).cast<Ids>();
    fields["points"] = array_of(now.position);
    fields["quaternion"] = array_of(now.orientation);
    fields["radius"] = array_of(now.radius);
    fields["velocity"] = array_of(now.velocity);
    fields["omega"] = array_of(now.angular_velocity);
    fields["force"] = array_of(now.force);
    fields["torque"] = array_of(now.torque);
    fields["mass"] = array_of(now.mass);
    fields["material"] = array_of(now.material).cast<Ids>();
    fields["source"] = array_of(now.source).cast<Ids>();
    return fields;
}

py::dict Engine::contacts() {
    need_state();
    const model::Snapshot now = simulation_.snapshot();
    std::vector<std::int64_t> a, b, wall;
    std::vector<Vec3> point, normal, force, moment;
    std::vector<double> gap;
    for (const model::ContactRecord& contact : now.contacts) {
        a.push_back(std::int64_t(contact.id_a));
        b.push_back(std::int64_t(contact.id_b));
        wall.push_back(contact.boundary);
        point.push_back(contact.point);
        normal.push_back(contact.normal);
        force.push_back(contact.force);
        moment.push_back(contact.moment);
        gap.push_back(contact.gap);
    }
    py::dict fields;
    fields["id_a"] = array_of(a);
    fields["id_b"] = array_of(b);
    fields["boundary"] = array_of(wall);
    fields["point"] = array_of(point);
    fields["normal"] = array_of(normal);
    fields["force"] = array_of(force);
    fields["moment"] = array_of(moment);
    fields["gap"] = array_of(gap);
    return fields;
}

py::dict Engine::walls() {
    need_state();
    const model::Snapshot now = simulation_.snapshot(simulation::Simulation::Contacts::none);
    const std::vector<std::string> names = wall_names();
    py::dict walls;
    for (std::size_t b = 0; b < now.boundaries.size(); ++b) {
        const model::BoundaryState& state = now.boundaries[b];
        py::dict wall;
        wall["force"] = array_of(state.force);
        wall["torque"] = array_of(state.torque);
        wall["displacement"] = array_of(state.displacement);
        wall["quaternion"] =
            array_of(std::vector<double>{state.rotation.w, state.rotation.x, state.rotation.y, state.rotation.z});
        wall["velocity"] = array_of(state.velocity);
        wall["omega"] = array_of(state.angular_velocity);
        wall["active"] = state.active;
        walls[py::str(names[b])] = wall;
    }
    return walls;
}

py::dict Engine::joints() {
    need_state();
    const std::vector<model::JointState> states = simulation_.joints();
    const std::vector<std::string> names = joint_names();
    py::dict joints;
    for (std::size_t k = 0; k < states.size(); ++k) {
        const model::JointState& state = states[k];
        py::dict joint;
        joint["turn"] = state.turn;
        joint["slide"] = state.slide;
        joint["force"] = array_of(state.force);
        joint["torque"] = array_of(state.torque);
        joint["turn_motor"] = state.turn_motor;
        joint["slide_motor"] = state.slide_motor;
        joints[py::str(names[k])] = joint;
    }
    return joints;
}

py::dict Engine::balance() const {
    const simulation::Balance& balance = simulation_.balance();
    py::dict counts;
    counts["inserted"] = balance.inserted;
    counts["removed"] = balance.removed;
    counts["present"] = body_count();
    return counts;
}

py::object Engine::cast(const Doubles& origin, const Doubles& direction, double most) {
    need_state();
    if (query_ == nullptr) query_ = std::make_unique<query::SceneQuery>(simulation_.scene());
    if (seen_by_query_ != step_index()) query_->update(simulation_.snapshot(false));
    seen_by_query_ = step_index();
    const auto hit = query_->cast({vector_of(origin, "origin"), vector_of(direction, "direction"), most});
    if (!hit) return py::none();
    py::dict found;
    found["body"] = hit->body;
    found["wall"] =
        hit->boundary < 0 ? py::object(py::none()) : py::object(py::str(wall_names()[std::size_t(hit->boundary)]));
    found["distance"] = hit->distance;
    found["point"] = array_of(hit->point);
    found["normal"] = array_of(hit->normal);
    found["inside"] = hit->inside;
    return found;
}

void Engine::apply(const py::object& given, const Doubles& force, const Doubles& torque) {
    need_state();
    const Ids ids = list_of_ids(given);
    const Rows forces(force, ids.size(), "force"), torques(torque, ids.size(), "torque");
    std::vector<model::AppliedForce> applied;
    for (py::ssize_t i = 0; i < ids.size(); ++i) applied.push_back({id_of(ids.at(i)), forces[i], torques[i]});
    simulation_.apply(applied);
}

void Engine::set_velocity(const py::object& given, const Doubles& velocity, const Doubles& omega) {
    need_state();
    const Ids ids = list_of_ids(given);
    const Rows velocities(velocity, ids.size(), "velocity"), spins(omega, ids.size(), "omega");
    std::vector<model::ImposedVelocity> imposed;
    for (py::ssize_t i = 0; i < ids.size(); ++i) imposed.push_back({id_of(ids.at(i)), velocities[i], spins[i]});
    simulation_.set_velocities(imposed);
}

void Engine::steer(const std::string& wall, const Doubles& velocity, const Doubles& omega) {
    need_state();
    simulation_.steer(index_of(wall_names(), wall, "boundary"), vector_of(velocity, "velocity"),
                      vector_of(omega, "omega"));
}

void Engine::set_motor(const std::string& joint, std::optional<double> target, const std::string& axis) {
    need_state();
    const std::size_t index = index_of(joint_names(), joint, "joint");
    const bool has_slide_motor = simulation_.scene().joints[index].slide.motor != model::JointAxis::Motor::none;
    const bool has_turn_motor = simulation_.scene().joints[index].turn.motor != model::JointAxis::Motor::none;
    if (axis.empty() && has_slide_motor && has_turn_motor)
        throw model::Error(ErrorKind::usage, fmt::format("joint '{}' has two motors", joint),
                           "axis='turn' or axis='slide'");
    if (!axis.empty() && axis != "turn" && axis != "slide")
        throw model::Error(ErrorKind::usage, fmt::format("axis = '{}' is none of turn, slide", axis));
    simulation_.set_motor(index, axis.empty() ? !has_slide_motor : axis == "turn", target);
}

State Engine::save() {
    need_state();
    return {simulation_.save(), scene_text_};
}

void Engine::restore(const State& state) {
    need_no_run();
    if (state.scene != scene_text_ && *state.scene != *scene_text_)
        throw model::Error(ErrorKind::usage, "the state is that of another scene",
                           "a state of this simulation, or of one of the same scene, step and precision");
    seen_by_query_ = -1;
    failed_ = true;  // until all of it is there
    simulation_.restore(state.checkpoint);
    failed_ = false;
}

}  // namespace scree::python
