// SPDX-License-Identifier: BSD-3-Clause
// Scenes that several tests share, and the comparison of two scenes field by field.
#pragma once

#include "engine/model/error.hpp"
#include "engine/scene/load.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace scree::scene::samples {

/// The least that a scene needs.
inline const std::string minimal = R"(materials: {glass: {density: 2500}}
bodies: [{sphere: {name: ball, position: [0, 0, 1], radius: 1 cm}, material: glass}]
)";

/// Every key of every section, away from its default.
inline const std::string complete = R"(# all keys
name: everything
gravity: [0.1, 0, -1 g]
time: {step: 0.5 ms, end: 2 min}
stop: {after: 0.1 s, kinetic_energy_per_mass: 1e-9, unbalanced_force: 0.1 %, rest_time: 50 ms, rest_speed: 2 mm/s, bodies_left: 10, wall_clock: 10 min}
solver: {kind: projected_jacobi, friction: associated, tolerance: 1e-3, max_iterations: 50, warm_start: false, fallback: lemke, fallback_contacts: 50}
contact: {feedback: rigid, impact: newton, stiffness: 1e7, damping_time: 2 ms, recovery_speed: 5 cm/s, restitution_threshold: 0.02, envelope: 0.1 mm}
output: {interval: 10 ms, series_interval: 1 ms, checkpoint_interval: 1 s, checkpoints_kept: 3, particles: false, contacts: true, walls: false}
backend: cpu
precision: double
threads: 2
device: 1
materials:
  glass: {density: 2.5 g/cm^3}
  steel: {density: 7200}
  "odd name: #1": {density: 1}
pairs:
  - {between: [glass, glass], friction: 0.4}
  - {between: [glass, steel], friction: 0.2, restitution: 0.4, tangential_restitution: 0.2, rolling_resistance: 0.1 mm, spinning_resistance: 2 um, cohesion: 1 mN, stiffness: 100 kN/m}
  - {between: [steel, steel], friction: 0.7, restitution: 1}
  - {between: ["odd name: #1", glass]}
  - {between: [steel, "odd name: #1"]}
bodies:
  - {sphere: {name: ball, position: [0, 0, 0.06], radius: 1 cm, velocity: [0, 0, -5 m/s], angular_velocity: [10 rpm, 0, 0]}, material: steel}
  - {sphere: {position: [1, 1, 1], radius: 1 in, fixed: true}, material: steel, name: anchor, velocity: [1 mm/s, 0, 0]}
  - {file: {path: particles.csv, columns: [radius, x, skip, y, z, skip], scale: 0.001, translation: [0, 1 mm, 0], radius_between: [1.5 mm, 2.5 mm], max_rows: 12}, material: glass, name: large}
  - {file: {path: "other file.txt", columns: [x, y, z], radius: 1 mm, fixed: true}, material: glass}
  - {lattice: {kind: hcp, lower: [0, 0, 0], upper: [1, 1, 1], radius: 2 cm, spacing: 5 cm, jitter: 1 mm, seed: 18446744073709551615, count: 100}, material: glass, velocity: [0, 0, 1]}
  - {random: {box: {lower: [0, 0, 0], upper: [1, 1, 1]}, count: 1e3, sizes: {constant: 5 mm}, gap: 0.1 mm, seed: 3, attempts: 200}, material: glass}
  - {random: {cylinder: {start: [0, 0, 0], axis: [0, 3, 4], length: 1, radius: 0.5}, fraction: 0.3, sizes: {uniform: [1 mm, 2 mm]}}, material: glass}
  - {random: {sphere: {center: [0, 0, 1], radius: 0.3}, count: 10, sizes: {normal: {mean: 3 mm, deviation: 0.5 mm, between: [2 mm, 4 mm]}}}, material: glass}
  - {random: {sphere: {center: [0, 0, 2], radius: 0.3}, count: 10, sizes: {lognormal: {median: 3 mm, deviation: 0.2, between: [2 mm, 5 mm]}}}, material: glass}
  - {random: {sphere: {center: [0, 0, 3], radius: 0.3}, count: 10, sizes: {sieve: [[1 mm, 0], [2 mm, 40 %], [3 mm, 1]]}}, material: glass}
  - {feed: {box: {lower: [0, 0, 4], upper: [1, 1, 5]}, rate: 100 1/s, sizes: {constant: 4 mm}, start: 0.5 s, end: 2 s, count: 120, interval: 20 ms, gap: 0.2 mm, seed: 9}, material: glass, velocity: [0, 0, -2], name: spout}
  - {feed: {cylinder: {start: [0, 0, 6], axis: [0, 0, 1], length: 1, radius: 0.5}, mass_rate: 3.6 t/h, sizes: {uniform: [1 mm, 2 mm]}}, material: glass}
boundaries:
  - {name: floor, material: steel, plane: {point: [0, 0, -1], normal: [0, 0, 2]}}
  - {name: bin, material: steel, box: {lower: [-1, -1, -1], upper: [1, 2, 3], orientation: {axis: [0, 0, 1], angle: 30 deg}, container: true, open: [+z, -x]}}
  - {name: block, material: steel, box: {center: [5, 5, 5], half_extents: [1, 2, 3], orientation: [0.5, 0.5, 0.5, 0.5], container: false}}
  - {name: drum, material: steel, cylinder: {start: [0, 0, 0], axis: [0, 2, 0], length: 0.1, radius: 0.3, side: outside, caps: both}, motion: {rotation: {axis: [0, 1, 0], point: [0, 0, 1], angular_speed: 20 rpm, start: 1, stop: 2}}}
  - {name: funnel, material: steel, cone: {start: [0, 0, 0], axis: [0, 0, 1], length: 0.2, radius_start: 1 cm, radius_end: 10 cm, side: inside, caps: start}, remove_at: 1 s, torque_point: [0, 0, 1]}
  - name: shaker
    material: "odd name: #1"
    mesh: {path: shaker.stl, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0.1]], triangles: [[0, 1, 2]]}
    motion: [{translation: {velocity: [0, 0, 1 mm/s]}}, {oscillation: {amplitude: [1 mm, 0, 0], frequency: 50 Hz, phase: 90 deg, start: 0.5}}]
  - {name: ram, material: steel, plane: {}, motion: [{path: {rows: [[0, 0, 0, 0], [1 s, 0, 0, -5 mm], [2 s, 1 mm, 0, -5 mm]]}}, {turning: {axis: [0, 1, 0], point: [0, 0, 1], rows: [[0.5, 0], [1, 30 deg]]}}, {servo: {axis: [0, 0, -2], force: 5 N, speed: 2 cm/s, stop: 3}}, {servo: {axis: [1, 0, 0], rows: [[0, 0], [1, 0.03 N]], speed: 0.5}}]}
outlets:
  - {name: exit, plane: {point: [0, 0, -2], normal: [0, 0, -3]}}
  - {name: world, box: {lower: [-9, -9, -9], upper: [9, 9, 9]}}
  - {name: drain, box: {lower: [-1, -1, -1], upper: [0, 0, 0], takes: inside}}
periodic: {x: [0, 1], z: [-1 m, 100 cm]}
probes:
  - {name: upper_left, kind: count, box: {lower: [-.inf, 0, 0], upper: [0, .inf, .inf]}, material: glass}
  - {name: larges, kind: count, target: large}
  - {name: solid, kind: packing, box: {lower: [0, 0, 0], upper: [1, 1, 1]}, contact_gap: 1e-3}
  - {name: top, kind: heights}
  - {name: depth, kind: body, target: ball}
  - {name: load, kind: force, target: drum}
  - {name: rate, kind: flow, target: exit}
  - {name: work, kind: energy}
  - {name: squeeze, kind: stress, box: {lower: [0, 0, 0], upper: [1, 1, 1]}}
  - {name: map, kind: field, box: {lower: [0, 0, 0], upper: [1, 1, 1]}, cells: [4, 1, 20]}
  - {name: heap, kind: repose, surface: plane, box: {upper: [.inf, .inf, 2]}}
  - {name: blend, kind: mixing, target: large, box: {lower: [0, 0, 0], upper: [1, 1, 1]}, cells: [3, 2, 1]}
)";

inline model::Scene parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return parse_scene(text, "scene.yaml", overrides);
}

/// The error that reading `text` gives; the test fails when there is none.
inline model::Error error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
    try {
        (void)parse(text, overrides);
    } catch (const model::Error& error) {
        EXPECT_EQ(error.kind(), model::ErrorKind::input);
        return error;
    }
    ADD_FAILURE() << "no error for:\n" << text;
    return {model::ErrorKind::usage, "no error"};
}

/// `text` with the first `from` replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace scree::scene::samples
