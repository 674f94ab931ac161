// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/backend_choice.hpp"

#include "engine/model/error.hpp"
#include "kernels/parallel/devices.hpp"
#include "kernels/parallel/error.hpp"
#include "kernels/step/cpu_engine.hpp"

#include <fstream>

namespace scree::simulation {

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.rfind("model name", 0) == 0) {
            const auto colon = line.find(": ");
            if (colon != std::string::npos) return line.substr(colon + 2);
        }
    return "unknown processor";
}

std::string instruction_set_name() {
    try {
        return kernels::instruction_set().name;
    } catch (const kernels::DeviceError& error) {
        throw model::Error(
            model::ErrorKind::environment, error.what(),
            "unset the variable for the widest set that runs here; `scree info` lists the sets of this build");
    }
}

BackendChoice choose_backend(const model::Settings& settings) {
    const auto cpu = [](std::string reason) {
        return BackendChoice{model::Backend::cpu, processor_name() + " (" + instruction_set_name() + ")",
                             std::move(reason)};
    };
    if (settings.backend == model::Backend::cpu) return cpu("cpu: asked for");
    const kernels::DeviceProbe probe = kernels::probe_devices();
    const auto wanted = std::size_t(settings.device < 0 ? 0 : settings.device);
    if (wanted < probe.devices.size()) {
        const kernels::DeviceInfo& device = probe.devices[wanted];
        return {model::Backend::cuda, device.name,
                "cuda: device " + std::to_string(wanted) + ", " + device.name +
                    (settings.backend == model::Backend::cuda ? ", asked for" : ", the first device found")};
    }
    std::string why = probe.devices.empty() ? probe.reason
                                            : "device " + std::to_string(wanted) + " was asked for, devices 0 to " +
                                                  std::to_string(probe.devices.size() - 1) + " exist";
    if (settings.backend == model::Backend::cuda || (!probe.devices.empty() && settings.device != 0))
        throw model::Error(model::ErrorKind::environment, "backend cuda: no usable device: " + why,
                           "use --backend cpu, or auto to fall back by itself");
    return cpu("cpu: no CUDA device: " + why);
}

}  // namespace scree::simulation
