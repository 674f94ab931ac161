// SPDX-License-Identifier: BSD-3-Clause
// Measurements declared in a scene. engine/measure evaluates them.
#pragma once

#include "engine/model/math.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace scree::model {

/// An axis-aligned box, open (infinite) where not given.
struct ProbeBox {
    Vec3 lower{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
               -std::numeric_limits<double>::infinity()};
    Vec3 upper{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
               std::numeric_limits<double>::infinity()};
};

struct Probe {
    /// count: bodies with centre in the box (optionally of one material or source).
    /// packing: solid fraction of the box and coordination numbers of bodies with centre in it.
    /// heights: mean, 99th percentile and maximum of the centres along -gravity.
    /// body: position and velocity of one named single sphere.
    /// force: force and torque of contacts on one boundary or single body.
    /// flow: bodies and mass removed by one outlet, and the rate since the last row.
    /// energy: kinetic (translational, rotational) and potential energy.
    /// stress: mean stress in the box.
    /// field: density, velocity, temperature and stress in the cells of the box, as a table of its own.
    /// mixing: Lacey's index of one material or source among all bodies, by the box's cells.
    /// repose: slope of the free surface of the bodies with centre in the box.
    enum class Kind : std::uint8_t {
        count,
        packing,
        heights,
        body,
        force,
        flow,
        energy,
        stress,
        field,
        mixing,
        repose
    };
    enum class Surface : std::uint8_t { cone, plane };
    std::string name;
    Kind kind = Kind::count;
    ProbeBox box;
    std::optional<std::size_t> material;  ///< count, mixing
    std::string target;         ///< body, count, mixing: source name; force: boundary or source name; flow: outlet name
    double contact_gap = 1e-4;  ///< packing: a contact has gap < this times the diameter
    std::array<std::size_t, 3> cells{1, 1, 1};  ///< field, mixing: along x, y, z
    bool average = false;                       ///< force on a boundary: mean since the last row, not of the last step
    Surface surface = Surface::cone;            ///< repose: a heap's, or an even one
};

/// Whether a kind measures in a box that must end somewhere, and within the periodic faces.
[[nodiscard]] inline bool needs_finite_box(Probe::Kind kind) {
    using enum Probe::Kind;
    return kind == packing || kind == stress || kind == field || kind == mixing;
}

}  // namespace scree::model
