// SPDX-License-Identifier: BSD-3-Clause
// A Simulation as Python holds it: arrays in and out, names in place of indices. docs/python.md tells what callers see
// of it, by the class Simulation of apps/python/scree/simulation.py.
#pragma once

#include "apps/python/arrays.hpp"
#include "apps/scree/scene_options.hpp"
#include "engine/query/scene_query.hpp"
#include "engine/simulation/run.hpp"
#include "engine/simulation/simulation.hpp"

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scree::python {

/// A state of a simulation, and the scene (as text) that it belongs to.
struct State {
    io::Checkpoint checkpoint;
    std::shared_ptr<const std::string> scene;
};

class Engine {
public:
    /// Reads a scene file. `machine`: of the launcher's options those of the machine. Throws model::Error, as all do.
    static std::unique_ptr<Engine> load(const std::string& file, const std::vector<std::string>& overrides,
                                        const app::SceneOptions& machine);
    /// Reads a scene from text, whose relative paths start at the folder of `name`.
    static std::unique_ptr<Engine> parse(const std::string& text, const std::string& name,
                                         const std::vector<std::string>& overrides, const app::SceneOptions& machine);
    /// The state in a checkpoint, or in the newest of a run's folder, with the scene that is kept there.
    static std::unique_ptr<Engine> resume(const std::string& path, const app::SceneOptions& machine);

    /// Makes n steps; a dict of the last, and of what happened in all. Lets other threads of Python run meanwhile, and
    /// ends early for Ctrl-C.
    py::dict step(std::int64_t n);
    /// As the launcher runs a scene, with all its outputs, from where the simulation is. `each` is called with no
    /// arguments after every `every` steps. `folder` goes on if it is that of the run which was resumed or which this
    /// object began. Returns the status: "done", "stopped" or "interrupted".
    std::string run(const std::string& folder, std::optional<double> until, std::optional<std::int64_t> steps,
                    bool force, const py::object& each, std::int64_t every);

    [[nodiscard]] double time() const { return simulation_.time(); }
    [[nodiscard]] double step_size() const { return simulation_.scene().settings.time.step; }
    [[nodiscard]] double end_time() const { return simulation_.scene().settings.time.end; }
    [[nodiscard]] std::int64_t step_index() const { return simulation_.step_index(); }
    [[nodiscard]] std::int64_t body_count() const { return simulation_.body_count(); }
    [[nodiscard]] std::vector<std::string> sources() const;
    [[nodiscard]] std::vector<std::string> materials() const;
    [[nodiscard]] std::vector<std::string> wall_names() const;
    [[nodiscard]] std::vector<std::string> joint_names() const;
    [[nodiscard]] std::string backend() const;
    [[nodiscard]] std::vector<std::string> warnings();

    py::dict bodies();
    py::dict contacts();
    py::dict walls();
    py::dict joints();
    [[nodiscard]] py::dict balance() const;
    py::object cast(const Doubles& origin, const Doubles& direction, double most);

    void apply(const py::object& ids, const Doubles& force, const Doubles& torque);
    void set_velocity(const py::object& ids, const Doubles& velocity, const Doubles& omega);
    void steer(const std::string& wall, const Doubles& velocity, const Doubles& omega);
    void set_motor(const std::string& joint, std::optional<double> target, const std::string& axis);

    [[nodiscard]] State save();
    /// Throws for the state of another scene, precision or step.
    void restore(const State& state);

private:
    explicit Engine(model::Scene scene);
    /// Throws model::Error while steps are made, whose thread does not hold Python's lock.
    void need_rest() const;
    /// The same inside of run(), too.
    void need_no_run() const;
    /// The same after a step that failed, which left nothing that can be asked.
    void need_state() const;

    simulation::Simulation simulation_;
    std::shared_ptr<const std::string> scene_text_;
    bool steps_ = false, runs_ = false;  ///< Under Python's lock. Between steps, where `each` is called, runs_ alone.
    bool failed_ = false;                ///< A step did.
    std::optional<simulation::RestartPoint> point_;  ///< Where its outputs go on.
    std::unique_ptr<query::SceneQuery> query_;
    std::int64_t seen_by_query_ = -1;  ///< The step that it knows.
};

}  // namespace scree::python
