// SPDX-License-Identifier: BSD-3-Clause
// scree info: this build and this machine.
#include "apps/scree/command.hpp"
#include "apps/scree/say.hpp"
#include "apps/scree/words.hpp"
#include "engine/model/error.hpp"
#include "engine/simulation/backend_choice.hpp"
#include "kernels/parallel/devices.hpp"
#include "kernels/step/cpu_engine.hpp"
#include "scree_version.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <thread>

namespace scree::app {
namespace {

using Json = nlohmann::ordered_json;

std::string compiler_name() {
#if defined(__clang__)
    return std::string("Clang ") + __clang_version__;
#else
    return std::string("GCC ") + __VERSION__;
#endif
}

std::string cuda_version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

Json collect() {
    const kernels::DeviceProbe probe = kernels::probe_devices(true);
    Json devices = Json::array();
    for (const auto& d : probe.devices)
        devices.push_back({{"number", d.number},
                           {"name", d.name},
                           {"compute_capability", fmt::format("{}.{}", d.compute_major, d.compute_minor)},
                           {"memory_bytes", d.memory_total},
                           {"memory_free_bytes", d.memory_free},
                           {"multiprocessors", d.multiprocessors},
                           {"bandwidth_bytes_per_second", d.bandwidth}});
    // An environment variable may ask for what is not to be had: that too is for this command to show.
    std::string set_name, set_reason;
    simulation::BackendChoice choice;
    try {
        set_name = simulation::instruction_set_name();
    } catch (const model::Error& error) {
        set_reason = error.message();
    }
    try {
        choice = simulation::choose_backend(model::Settings{});
    } catch (const model::Error& error) {
        choice.reason = "none: " + error.message();
    }
    const bool cuda = choice.backend == model::Backend::cuda;
    Json sets = Json::array();
    for (const kernels::InstructionSet& set : kernels::instruction_sets())
        sets.push_back({{"name", set.name}, {"runs_here", set.runs_here}});
    const Json cpu_backend{{"name", "cpu"},
                           {"available", set_reason.empty()},
                           {"reason", set_reason},
                           {"device", simulation::processor_name()},
                           {"instruction_set", set_reason.empty() ? Json(set_name) : Json(nullptr)},
                           {"instruction_sets", sets}};
    Json cuda_backend{{"name", "cuda"},
                      {"available", !probe.devices.empty()},
                      {"built", probe.built_with_cuda},
                      {"reason", probe.reason}};
    if (probe.runtime_version > 0) cuda_backend["runtime_version"] = cuda_version(probe.runtime_version);
    if (probe.driver_version > 0) cuda_backend["driver_version"] = cuda_version(probe.driver_version);
    Json info{{"version", version},
              {"commit", commit},
              {"build", build_type},
              {"compiler", compiler_name()},
              {"processor", simulation::processor_name()},
              {"threads", std::thread::hardware_concurrency()},
              {"backends", Json::array({cpu_backend, cuda_backend})},
              {"devices", devices},
              {"auto",
               {{"backend", choice.device.empty() ? Json(nullptr) : Json(cuda ? "cuda" : "cpu")},
                {"device", choice.device},
                {"reason", choice.reason}}},
              {"warnings", Json::array()}};
    if (info["build"] == "debug")
        info["warnings"].push_back("this is a debug build, many times slower than a release build");
    return info;
}

void print(const Json& info) {
    const auto text = [&](const char* key) { return info.at(key).get<std::string>(); };
    say("scree {} (commit {}, {} build)\n", text("version"), text("commit"), text("build"));
    say("compiler    {}\n", text("compiler"));
    say("processor   {}, {} threads\n", text("processor"), info.at("threads").get<unsigned>());
    std::string sets;
    const Json& cpu = info.at("backends").at(0);
    for (const Json& set : cpu.at("instruction_sets"))
        sets += (sets.empty() ? "" : ", ") + set.at("name").get<std::string>();
    if (cpu.at("available").get<bool>())
        say("cpu         available, uses {} (built for {})\n", cpu.at("instruction_set").get<std::string>(), sets);
    else
        say("cpu         not available: {}\n", cpu.at("reason").get<std::string>());
    const Json& cuda = info.at("backends").at(1);
    say("cuda        {}\n",
        cuda.at("available").get<bool>() ? "available" : "not available: " + cuda.at("reason").get<std::string>());
    for (const Json& d : info.at("devices"))
        say("  device {}: {}, compute capability {}, {} ({} free), {} multiprocessors\n", d["number"].get<int>(),
            d["name"].get<std::string>(), d["compute_capability"].get<std::string>(),
            bytes_text(d["memory_bytes"].get<double>()), bytes_text(d["memory_free_bytes"].get<double>()),
            d["multiprocessors"].get<int>());
    const std::string device = info.at("auto").at("device").get<std::string>();
    say("auto        {}{}\n", info.at("auto").at("reason").get<std::string>(),
        device.empty() ? "" : " (" + device + ")");
    for (const Json& warning : info.at("warnings")) say("warning: {}\n", warning.get<std::string>());
}

}  // namespace

Command add_info(CLI::App& launcher) {
    auto json = std::make_shared<bool>(false);
    CLI::App* parser = launcher.add_subcommand("info", "Build, backends, devices, and what `backend: auto` would use");
    parser->add_flag("--json", *json, "The answer as JSON");
    return {parser, [json] {
                const Json info = collect();
                if (*json)
                    say("{}\n", info.dump(2, ' ', false, Json::error_handler_t::replace));
                else
                    print(info);
                return 0;
            }};
}

}  // namespace scree::app
