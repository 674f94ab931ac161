// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/boundary_warnings.hpp"

#include "apps/scree/scene_place.hpp"
#include "engine/geometry/boundary_extent.hpp"
#include "engine/simulation/boundary_speed.hpp"
#include "engine/simulation/wall_overlaps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <variant>

namespace scree::app {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string named(const model::Scene& scene, std::size_t b) {
    return "boundary '" + scene.boundaries[b].name + "'" + place_of(scene, "boundaries", b);
}

/// Units of a file are not in the file.
void check_size(std::vector<std::string>& warnings, const simulation::Simulation& simulation, std::size_t b,
                double smallest_diameter) {
    constexpr double much = 300.0, little = 0.01;
    const model::Scene& scene = simulation.scene();
    const double size = geometry::largest_side(geometry::boundary_extent(scene.boundaries[b].shape)),
                 all = geometry::largest_side(simulation.extent_at_start());
    if (!(size > 0.0) || !(all > 0.0)) return;
    const bool mesh = std::holds_alternative<model::MeshShape>(scene.boundaries[b].shape);
    if (size > much * all)
        warnings.push_back(fmt::format(
            "{} is {:.4g} m large, {:.3g} times as large as all bodies together ({:.4g} m) [{}]", named(scene, b), size,
            size / all, all,
            mesh ? "is its file in mm? then give mesh.scale: 0.001" : "are its lengths in mm? give units: 5 mm"));
    if (size < little * smallest_diameter)
        warnings.push_back(fmt::format(
            "{} is {:.4g} m large, {:.3g} of the diameter of the smallest body ({:.4g} m) [{}]", named(scene, b), size,
            size / smallest_diameter, smallest_diameter,
            mesh ? "is the unit of its file larger than a metre, or were the bodies meant in mm? see mesh.scale"
                 : "were the bodies meant in mm? give units: 5 mm"));
}

void check_speed(std::vector<std::string>& warnings, const simulation::Simulation& simulation, std::size_t b,
                 double smallest_radius) {
    const model::Scene& scene = simulation.scene();
    const double step = scene.settings.time.step;
    const double speed =
        simulation::boundary_speed(scene.boundaries[b], scene.settings.time.end, simulation.extent_at_start()).sweep;
    if (!(speed * step > smallest_radius) || !std::isfinite(smallest_radius)) return;
    warnings.push_back(fmt::format(
        "{} moves by up to {:.3g} m in one step of {:g} s ({:.3g} m/s), {:.3g} times the radius of the smallest body "
        "({:.3g} m): it may pass bodies [use time.step <= {:.3g} s or a slower motion]",
        named(scene, b), speed * step, step, speed, speed * step / smallest_radius, smallest_radius,
        smallest_radius / speed));
}

/// Walls have no images behind periodic faces, where the room goes on for bodies.
void check_faces(std::vector<std::string>& warnings, const model::Scene& scene, std::size_t b) {
    const model::Boundary& boundary = scene.boundaries[b];
    const bool any_faces =
        std::any_of(scene.periodic.begin(), scene.periodic.end(), [](const auto& faces) { return faces.active; });
    if (!any_faces || std::holds_alternative<model::PlaneShape>(boundary.shape)) return;
    const auto reach = simulation::boundary_reach(boundary, scene.settings.time.end);
    constexpr std::array axes{&model::Vec3::x, &model::Vec3::y, &model::Vec3::z};
    for (std::size_t k = 0; k < 3; ++k) {
        const model::PeriodicFaces& faces = scene.periodic.at(k);
        if (!faces.active) continue;
        const double slack = 1e-6 * (faces.upper - faces.lower);
        const double low = reach.widest.lower.*axes.at(k), high = reach.widest.upper.*axes.at(k);
        const bool stays_between = low >= faces.lower - slack && high <= faces.upper + slack;
        const bool always_across = reach.always.lower.*axes.at(k) <= faces.lower + slack &&
                                   reach.always.upper.*axes.at(k) >= faces.upper - slack;
        if (stays_between || always_across) continue;
        warnings.push_back(fmt::format(
            "{} reaches from {} = {:.4g} to {:.4g} m in the course of the run, past the periodic faces at {:g} and "
            "{:g} m: "
            "walls have no images there, so what is beyond a face is missing at the other one [make it so long that it "
            "spans the period at all times, or keep it between the faces]",
            named(scene, b), "xyz"[k], low, high, faces.lower, faces.upper));
    }
}

void check_period(std::vector<std::string>& warnings, const std::string& who, const std::vector<model::Motion>& motions,
                  double step) {
    constexpr double enough = 20.0;
    const double period = simulation::shortest_oscillation(motions);
    if (!(period < enough * step * (1.0 - 1e-9))) return;
    warnings.push_back(
        fmt::format("{} oscillates with a period of {:.3g} s, {:.3g} steps: its motion is sampled coarsely [use "
                    "time.step <= {:.3g} "
                    "s, {:g} steps in a period]",
                    who, period, period / step, period / enough, enough));
}

}  // namespace

void warn_of_boundaries(std::vector<std::string>& warnings, const simulation::Simulation& simulation,
                        const model::Snapshot& bodies) {
    const model::Scene& scene = simulation.scene();
    double smallest_radius = infinity, smallest_diameter = infinity;
    for (std::size_t i = 0; i < bodies.id.size(); ++i) {
        smallest_diameter = std::min(smallest_diameter, 2.0 * bodies.radius[i]);
        if (std::isfinite(bodies.mass[i]))
            smallest_radius = std::min(smallest_radius, simulation::half_thickness(bodies, i));
    }
    for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
        const model::Boundary& boundary = scene.boundaries[b];
        if (boundary.remove_at <= bodies.time) continue;
        if (!bodies.id.empty()) check_size(warnings, simulation, b, smallest_diameter);
        check_faces(warnings, scene, b);
        if (boundary.motions.empty()) continue;
        check_speed(warnings, simulation, b, smallest_radius);
        check_period(warnings, named(scene, b), boundary.motions, scene.settings.time.step);
    }
    for (std::size_t s = 0; s < scene.sources.size(); ++s) {
        const model::Source& source = scene.sources[s];
        if (source.motions.empty()) continue;
        const std::string name = source.name.empty() ? fmt::format("bodies[{}]", s) : "body '" + source.name + "'";
        check_period(warnings, name + place_of(scene, "bodies", s), source.motions, scene.settings.time.step);
    }
}

}  // namespace scree::app
