// SPDX-License-Identifier: BSD-3-Clause
// The data file of LAMMPS and LIGGGHTS; see body_export.hpp.
#pragma once

#include "engine/io/atomic_file.hpp"
#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"

#include <string>

namespace scree::io {

/// Appends the data file. The box holds all spheres and the walls that are named, with one largest diameter to spare on
/// each side; along a periodic axis it is the period.
void write_lammps(AtomicFile& file, const model::Scene& scene, const model::Snapshot& bodies);

/// Throws model::Error (input) naming the first body that is no sphere. `holder`: what holds spheres alone.
void require_spheres(const model::Snapshot& bodies, const std::string& holder);

}  // namespace scree::io
