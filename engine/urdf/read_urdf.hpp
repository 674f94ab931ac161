// SPDX-License-Identifier: BSD-3-Clause
// A robot in the Unified Robot Description Format as a scene: docs/urdf.md says what becomes of what.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/urdf/coordinates.hpp"
#include "engine/urdf/file_uri.hpp"
#include "engine/urdf/robot.hpp"

#include <filesystem>
#include <optional>

namespace scree::urdf {

struct ImportOptions {
    Packages packages;
    Pose pose;                    ///< Where joints start.
    bool floating = false;        ///< The root link is free; else it is fixed to the ground, at the origin.
    std::optional<double> floor;  ///< Height of a horizontal plane [m].
};

struct Import {
    model::Scene scene;
    Notes notes;  ///< In the order of the file's lines.
    std::size_t links = 0, joints = 0;
};

/// Throws model::Error: environment for files that cannot be read, usage for poses, input for all else, with the line.
[[nodiscard]] Import read_urdf(const std::filesystem::path& file, const ImportOptions& options = {});

}  // namespace scree::urdf
