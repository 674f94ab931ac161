// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/lattice.hpp"

#include "engine/geometry/random_stream.hpp"
#include "engine/model/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace scree::geometry {
namespace {

using Kind = model::LatticeSource::Kind;
using model::Vec3;

[[noreturn]] void fail(const std::string& what, const std::string& hint = {}) {
    throw model::Error(model::ErrorKind::input, "lattice: " + what, hint);
}

/// Largest sum of the absolute components of a unit vector to a nearest neighbour.
double widest_direction(Kind kind) {
    if (kind == Kind::sc) return 1.0;
    if (kind == Kind::fcc) return std::numbers::sqrt2;
    return 0.5 + std::sqrt(3.0) / 6.0 + std::sqrt(2.0 / 3.0);
}

/// Distances between rows and layers, and how much every row and layer is shifted.
struct Stacking {
    Vec3 step;               ///< Along a row, between rows of a layer, between layers [m].
    double row_shift = 0.0;  ///< Along x of odd rows [m].
    Vec3 layer_shift;        ///< Of odd layers in x and y [m].
};

Stacking stacking_of(Kind kind, double spacing) {
    const double half = 0.5 * spacing, edge = std::numbers::sqrt2 * spacing;
    if (kind == Kind::sc) return {{spacing, spacing, spacing}, 0.0, {}};
    // A cube face is a layer: rows half an edge apart, each shifted by half an edge; the next layer likewise.
    if (kind == Kind::fcc) return {{edge, 0.5 * edge, 0.5 * edge}, 0.5 * edge, {0.5 * edge, 0.0, 0.0}};
    const double row = std::sqrt(3.0) * half;
    return {{spacing, row, std::sqrt(2.0 / 3.0) * spacing}, half, {half, row / 3.0, 0.0}};
}

/// Points 0, step, 2 step ... that fit in a room, one that just fits by rounding included.
double points_in(double room, double step) { return room < -1e-9 * step ? 0.0 : std::floor(room / step + 1e-9) + 1.0; }

void check(const model::LatticeSource& source, double spacing, double volume) {
    for (const double v :
         {source.lower.x, source.lower.y, source.lower.z, source.upper.x, source.upper.y, source.upper.z}) {
        if (!std::isfinite(v)) fail("a bound of the box is not finite");
    }
    if (!(source.radius > 0.0) || !std::isfinite(source.radius)) {
        fail(fmt::format("radius is {}, allowed: > 0", source.radius));
    }
    // A point has spacing^3 for itself in a cubic lattice, spacing^3 / sqrt(2) in a close-packed one.
    const double share = source.kind == Kind::sc ? 1.0 : std::numbers::sqrt2;
    const double least = volume > 0.0 ? std::cbrt(share * volume) : 2.0 * source.radius;
    if (!(spacing >= least * (1.0 - 1e-9)) || !std::isfinite(spacing)) {
        if (volume > 0.0)
            fail(fmt::format("spacing is {} m, allowed: at least {:.6g} m, at which the copies fill the space", spacing,
                             least));
        fail(fmt::format("spacing is {} m, allowed: at least the diameter {} m", spacing, least),
             "copies of a 'shape' may be closer");
    }
    const double gap = std::max(0.0, spacing - 2.0 * source.radius);
    const double allowed = 0.5 * gap / widest_direction(source.kind);
    if (!(source.jitter >= 0.0) || source.jitter > allowed) {
        fail(fmt::format("jitter is {} m, allowed: 0 to {:.6g} m for the free gap of {:.6g} m", source.jitter, allowed,
                         gap),
             "widen 'spacing'");
    }
}

}  // namespace

std::vector<Vec3> make_lattice(const model::LatticeSource& source, std::size_t limit, double volume) {
    const double spacing = source.spacing == 0.0 ? 2.0 * source.radius : source.spacing;
    check(source, spacing, volume);
    const Stacking stacking = stacking_of(source.kind, spacing);
    const double inset = source.radius + source.jitter;
    const Vec3 first = source.lower + Vec3{inset, inset, inset};
    const Vec3 room = source.upper - source.lower - 2.0 * Vec3{inset, inset, inset};
    const double layers = points_in(room.z, stacking.step.z);
    const double about = layers * points_in(room.y, stacking.step.y) * points_in(room.x, stacking.step.x);
    if (about == 0.0) fail(fmt::format("the box holds no sphere of radius {} m", source.radius));
    const bool unlimited = source.count == 0;
    if (unlimited ? about > 1.01 * static_cast<double>(limit) : source.count > limit) {
        fail(fmt::format("{:.3g} spheres are wanted, allowed: {}",
                         unlimited ? about : static_cast<double>(source.count), limit));
    }
    const std::size_t wanted = unlimited ? limit + 1 : source.count;
    RandomStream random(source.seed, 2);
    std::vector<Vec3> centers;
    for (double layer = 0; layer < layers; ++layer) {
        const Vec3 shift = std::fmod(layer, 2.0) == 1.0 ? stacking.layer_shift : Vec3{};
        const double rows = points_in(room.y - shift.y, stacking.step.y);
        for (double row = 0; row < rows; ++row) {
            double start = shift.x + (std::fmod(row, 2.0) == 1.0 ? stacking.row_shift : 0.0);
            if (start > 0.75 * stacking.step.x) start -= stacking.step.x;  // two half shifts make none
            const double points = points_in(room.x - start, stacking.step.x);
            for (double point = 0; point < points; ++point) {
                Vec3 center = first + Vec3{start + point * stacking.step.x, shift.y + row * stacking.step.y,
                                           layer * stacking.step.z};
                if (source.jitter > 0.0) {
                    const double x = random.between(-source.jitter, source.jitter);
                    const double y = random.between(-source.jitter, source.jitter);
                    const double z = random.between(-source.jitter, source.jitter);
                    center = center + Vec3{x, y, z};
                }
                centers.push_back(center);
                if (centers.size() >= wanted) break;
            }
            if (centers.size() >= wanted) break;
        }
        if (centers.size() >= wanted) break;
    }
    if (centers.size() > limit) fail(fmt::format("the box holds more than the allowed {} spheres", limit));
    return centers;
}

}  // namespace scree::geometry
