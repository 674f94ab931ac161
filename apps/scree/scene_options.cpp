// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/scene_options.hpp"

#include "engine/model/error.hpp"
#include "engine/scene/load.hpp"
#include "engine/scene/nearest.hpp"
#include "engine/scene/units.hpp"

namespace scree::app {

void SceneOptions::add_set(CLI::App& parser) {
    parser.add_option("--set", set, "Override a value of the scene: time.step=0.5ms (repeatable)")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
}

void SceneOptions::add_machine(CLI::App& parser) {
    parser.add_option("--backend", backend, "Where the step runs (default: as the scene says)")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    parser.add_option("--device", device, "Number of the CUDA device")->check(CLI::Range(0, 1023));
    parser.add_option("--threads", threads, "CPU threads, 0: all cores; results do not depend on it")
        ->check(CLI::Range(0, 4096));
}

void SceneOptions::add_precision(CLI::App& parser) {
    parser.add_option("--precision", precision, "Arithmetic of the solver")->check(CLI::IsMember({"mixed", "double"}));
}

model::Scene SceneOptions::load(const std::filesystem::path& file) const {
    model::Scene scene = scene::load_scene(file, set);
    apply(scene);
    return scene;
}

void SceneOptions::apply(model::Scene& scene) const {
    if (backend) scene.settings.backend = backend_named(*backend);
    if (device) scene.settings.device = *device;
    if (threads) scene.settings.threads = *threads;
    if (precision)
        scene.settings.precision = *precision == "double" ? model::Precision::double_ : model::Precision::mixed;
}

model::Backend backend_named(const std::string& name) {
    return name == "cuda" ? model::Backend::cuda : name == "cpu" ? model::Backend::cpu : model::Backend::automatic;
}

double time_argument(const std::string& flag, const std::string& text) {
    const scene::Quantity quantity = scene::read_quantity(text, scene::Dimension::time);
    if (!quantity.problem.empty())
        throw model::Error(model::ErrorKind::usage, flag + " = " + scene::in_quotes(text) + " " + quantity.problem,
                           quantity.hint);
    if (!(quantity.value > 0.0))
        throw model::Error(model::ErrorKind::usage, flag + " = " + scene::in_quotes(text) + " is out of range",
                           "a time > 0 s is wanted");
    return quantity.value;
}

}  // namespace scree::app
