// SPDX-License-Identifier: BSD-3-Clause
// Flags that change what a scene says: --set, --backend, --device, --threads, --precision.
#pragma once

#include "engine/model/scene.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace scree::app {

struct SceneOptions {
    std::vector<std::string> set;
    std::optional<std::string> backend, precision;
    std::optional<int> device;
    std::optional<std::size_t> threads;

    void add_set(CLI::App& parser);
    void add_machine(CLI::App& parser);  ///< --backend --device --threads
    void add_precision(CLI::App& parser);

    [[nodiscard]] model::Scene load(const std::filesystem::path& file) const;
    /// The flags, which win over the scene.
    void apply(model::Scene& scene) const;
};

[[nodiscard]] model::Backend backend_named(const std::string& name);

/// A time such as "0.5" or "50 ms", for flags. Throws model::Error (usage) naming the flag.
[[nodiscard]] double time_argument(const std::string& flag, const std::string& text);

}  // namespace scree::app
