// SPDX-License-Identifier: BSD-3-Clause
// The bodies of one instant in the files of other codes.
#pragma once

#include "engine/io/atomic_file.hpp"
#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"

#include <filesystem>
#include <span>
#include <string_view>

namespace scree::io {

/// One form of file. Its writer appends everything to the file and does not commit it. It throws model::Error (input)
/// that names the first body that the form cannot hold.
struct BodyFormat {
    std::string_view name;       ///< The word of `scree export --format`.
    std::string_view extension;  ///< With its dot.
    void (*write)(AtomicFile& file, const model::Scene& scene, const model::Snapshot& bodies);
};

/// All forms:
///   lammps   what read_data of LAMMPS (units si, atom_style sphere) and LIGGGHTS (atom_style granular) take: spheres
///            with diameter, density and velocities; a type is a material, and fixed bodies have types of their own
///            behind those of the materials; walls that are planes across the axes stand as comments in the words of
///            fix wall/gran;
///   csv      a particle file of ours (geometry/particle_file.hpp): spheres with velocities;
///   records  13 little-endian doubles a body of any shape: position, quaternion (w x y z), velocity, angular velocity
///            in body axes.
/// Bodies are in id order, numbers read back to the same double.
[[nodiscard]] std::span<const BodyFormat> body_formats();

/// The form with this name or, where `name` is empty, with the extension of the path. Throws model::Error (usage).
[[nodiscard]] const BodyFormat& body_format(std::string_view name, const std::filesystem::path& path);

/// Writes the file atomically. `bodies` must be those of the scene, with `shape` filled where it has other bodies than
/// spheres, as Simulation::snapshot() does. Throws model::Error: input as above and where there is no body;
/// environment.
void write_bodies(const std::filesystem::path& path, const BodyFormat& format, const model::Scene& scene,
                  const model::Snapshot& bodies);

}  // namespace scree::io
