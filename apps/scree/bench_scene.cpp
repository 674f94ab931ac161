// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/bench_scene.hpp"

#include <cmath>
#include <numbers>

namespace scree::app {

model::Scene bench_bed(std::size_t spheres) {
    constexpr double radius = 5e-3;
    // FCC: four spheres in a cube whose face diagonal is two diameters.
    constexpr double cube = 2.0 * std::numbers::sqrt2 * radius;
    const double cells = std::ceil(std::cbrt(double(spheres) / 4.0));
    const double side = cells * cube + 2.0 * radius;

    model::Scene scene;
    scene.name = "bench_bed";
    scene.materials = {{"grain", 2500.0}};
    model::MaterialPair pair;
    pair.friction = 0.5;
    scene.pairs = {pair};

    model::LatticeSource lattice;
    lattice.kind = model::LatticeSource::Kind::fcc;
    lattice.upper = {side, side, 2.0 * side};
    lattice.radius = radius;
    lattice.count = spheres;
    model::Source source;
    source.name = "grains";
    source.what = lattice;
    scene.sources = {source};

    model::BoxShape box;
    box.half_extents = {0.5 * side, 0.5 * side, side};
    box.center = box.half_extents;
    box.open[5] = true;
    model::Boundary boundary;
    boundary.name = "box";
    boundary.shape = box;
    scene.boundaries = {boundary};
    scene.settings.time.step = 1e-3;
    return scene;
}

}  // namespace scree::app
