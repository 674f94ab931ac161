// SPDX-License-Identifier: BSD-3-Clause
// The module scree._engine: what the class Simulation of apps/python/scree/simulation.py, which documents it, is made
// of.
#include "apps/python/engine.hpp"

#include <pybind11/stl.h>

namespace scree::python {
namespace {

/// model::Error becomes the exception of the package, with the exit code of the launcher.
void translate(std::exception_ptr raised) {  // NOLINT(performance-unnecessary-value-param): pybind11's signature
    try {
        if (raised) std::rethrow_exception(raised);
    } catch (const model::Error& error) {
        const py::object type = py::module_::import("scree").attr("Error");
        PyErr_SetObject(type.ptr(), type(error.what(), int(error.kind())).ptr());
    }
}

}  // namespace
}  // namespace scree::python

PYBIND11_MODULE(_engine, module) {
    using namespace scree::python;
    py::register_exception_translator(translate);
    const py::class_<State> state(module, "State");
    py::class_<scree::app::SceneOptions>(module, "Machine")
        .def(py::init([](std::optional<std::string> backend, std::optional<std::string> precision,
                         std::optional<std::size_t> threads) {
            scree::app::SceneOptions machine;
            machine.backend = std::move(backend);
            machine.precision = std::move(precision);
            machine.threads = threads;
            return machine;
        }));
    py::class_<Engine>(module, "Engine")
        .def_static("load", &Engine::load)
        .def_static("parse", &Engine::parse)
        .def_static("resume", &Engine::resume)
        .def("step", &Engine::step)
        .def("run", &Engine::run)
        .def_property_readonly("time", &Engine::time)
        .def_property_readonly("step_size", &Engine::step_size)
        .def_property_readonly("end_time", &Engine::end_time)
        .def_property_readonly("step_index", &Engine::step_index)
        .def_property_readonly("body_count", &Engine::body_count)
        .def_property_readonly("sources", &Engine::sources)
        .def_property_readonly("materials", &Engine::materials)
        .def_property_readonly("backend", &Engine::backend)
        .def("warnings", &Engine::warnings)
        .def("bodies", &Engine::bodies)
        .def("contacts", &Engine::contacts)
        .def("walls", &Engine::walls)
        .def("joints", &Engine::joints)
        .def("balance", &Engine::balance)
        .def("cast", &Engine::cast)
        .def("apply", &Engine::apply)
        .def("set_velocity", &Engine::set_velocity)
        .def("steer", &Engine::steer)
        .def("set_motor", &Engine::set_motor)
        .def("save", &Engine::save)
        .def("restore", &Engine::restore);
}
