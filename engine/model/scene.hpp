// SPDX-License-Identifier: BSD-3-Clause
// A scene: everything that a run needs, as plain data in SI units.
#pragma once

#include "engine/model/boundary.hpp"
#include "engine/model/joint.hpp"
#include "engine/model/material.hpp"
#include "engine/model/probe.hpp"
#include "engine/model/settings.hpp"
#include "engine/model/source.hpp"

#include <array>
#include <string>
#include <vector>

namespace scree::model {

struct Scene {
    std::string name;
    std::string path;                    ///< File it was read from; relative paths inside are relative to it.
    std::vector<std::string> overrides;  ///< "time.step=0.5ms": what replaced values of the file, for the record.
    Vec3 gravity{0, 0, -9.81};           ///< [m/s^2]
    std::vector<Material> materials;
    std::vector<MaterialPair> pairs;
    std::vector<Source> sources;
    std::vector<Boundary> boundaries;
    std::vector<Joint> joints;  ///< Stepper ccp only.
    std::vector<Outlet> outlets;
    std::array<PeriodicFaces, 3> periodic{};  ///< Per world axis.
    std::vector<Probe> probes;
    Settings settings;
};

}  // namespace scree::model
