// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/scene_copy.hpp"

#include "engine/io/atomic_file.hpp"
#include "engine/scene/nearest.hpp"
#include "engine/simulation/run_checkpoint.hpp"
#include "scree_version.hpp"

#include <fstream>
#include <string>
#include <system_error>

namespace scree::simulation {
namespace {

namespace fs = std::filesystem;

constexpr const char* first_words = "# Written by scree run: ";

}  // namespace

bool is_scene_copy(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string line;
    return std::getline(in, line) && line.starts_with(first_words);
}

void write_scene_copy(const fs::path& directory, const model::Scene& scene) {
    const fs::path file = directory / "scene.yaml";
    std::error_code ignored;
    if (fs::exists(file, ignored) && !is_scene_copy(file)) return;
    const RunRecord record(scene);
    std::string text = first_words + std::string("the scene as it ran, all defaults written out (scree ") + version +
                       ").\n# From: " + scene::on_one_line(record.path()) + "\n";
    for (const std::string& override_text : scene.overrides)
        text += "# --set " + scene::on_one_line(override_text) + "\n";
    io::write_atomically(file, text + record.scene());
}

}  // namespace scree::simulation
