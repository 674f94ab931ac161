// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace scree::test {

/// Adds a sphere at rest with density 1000/pi, which makes the mass 4000/3 r^3.
inline void add_body(model::Snapshot& s, model::Vec3 position, double radius, std::uint32_t source = 0,
                     std::uint32_t material = 0) {
    s.id.push_back(s.id.size() + 1);
    s.position.push_back(position);
    s.orientation.push_back({});
    s.velocity.push_back({});
    s.angular_velocity.push_back({});
    s.force.push_back({});
    s.torque.push_back({});
    s.radius.push_back(radius);
    s.mass.push_back(4000.0 / 3.0 * radius * radius * radius);
    s.source.push_back(source);
    s.material.push_back(material);
}

/// A scene with one probe.
inline model::Scene scene_with(const model::Probe& probe) {
    model::Scene scene;
    scene.probes.push_back(probe);
    return scene;
}

/// Face-centred cubic lattice of touching spheres: cells x cells x cells cubes of edge sqrt(8) r from the origin.
inline model::Snapshot face_centred(int cells, double radius) {
    const double edge = 2.8284271247461903 * radius;
    model::Snapshot s;
    for (int z = 0; z < cells; ++z) {
        for (int y = 0; y < cells; ++y) {
            for (int x = 0; x < cells; ++x) {
                const model::Vec3 corner{edge * x, edge * y, edge * z};
                for (const model::Vec3 site : {model::Vec3{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}}) {
                    add_body(s, corner + edge * site, radius);
                }
            }
        }
    }
    return s;
}

}  // namespace scree::test
