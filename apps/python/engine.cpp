// SPDX-License-Identifier: BSD-3-Clause
#include "apps/python/engine.hpp"

#include "apps/scree/scene_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::python {
namespace {

using model::ErrorKind;
using model::Vec3;

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

}  // namespace

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
