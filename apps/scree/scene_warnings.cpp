// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/scene_warnings.hpp"

#include "apps/scree/boundary_warnings.hpp"
#include "apps/scree/compound_warnings.hpp"
#include "apps/scree/joint_warnings.hpp"
#include "apps/scree/material_warnings.hpp"
#include "apps/scree/words.hpp"
#include "engine/geometry/solid.hpp"
#include "engine/scene/stepper_check.hpp"
#include "engine/simulation/reference_world.hpp"
#include "engine/simulation/start_overlaps.hpp"
#include "engine/simulation/wall_overlaps.hpp"
#include "scree_version.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace scree::app {
namespace {

using model::Vec3;

/// How far a centre is behind the wall [m]; not positive where it is on the free side or the wall does not reach.
double depth(const model::PlaneShape& plane, Vec3 x) { return -dot(x - plane.point, model::normalized(plane.normal)); }

double depth(const model::BoxShape& box, Vec3 x) {
    const Vec3 local = model::rotate(model::conjugate(box.orientation), x - box.center);
    const double at[3] = {local.x, local.y, local.z};
    const double half[3] = {box.half_extents.x, box.half_extents.y, box.half_extents.z};
    if (!box.container)
        return std::min({half[0] - std::abs(at[0]), half[1] - std::abs(at[1]), half[2] - std::abs(at[2])});
    double outside = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!box.open[2 * axis]) outside = std::max(outside, -half[axis] - at[axis]);
        if (!box.open[2 * axis + 1]) outside = std::max(outside, at[axis] - half[axis]);
    }
    return outside;
}

double depth(const model::RevolutionShape& shape, Vec3 x) {
    const Vec3 axis = model::normalized(shape.axis), from_start = x - shape.start;
    const double along = dot(from_start, axis), across = norm(from_start - along * axis);
    if (shape.side == model::Side::outside) {
        if (along < 0.0 || along > shape.length) return 0.0;
        const double radius = shape.radius_start + (shape.radius_end - shape.radius_start) * along / shape.length;
        double least = radius - across;
        if (shape.cap_start) least = std::min(least, along);
        if (shape.cap_end) least = std::min(least, shape.length - along);
        return least;
    }
    if (shape.cap_start && along < 0.0) return -along;
    if (shape.cap_end && along > shape.length) return along - shape.length;
    if (along < 0.0 || along > shape.length) return 0.0;
    const double radius = shape.radius_start + (shape.radius_end - shape.radius_start) * along / shape.length;
    return across - radius;
}

/// A mesh has no inside.
double depth(const model::MeshShape&, Vec3) { return 0.0; }

struct Count {
    std::size_t bodies = 0;
    std::uint64_t first = 0;
};

Count count(const model::Snapshot& bodies, const std::function<bool(std::size_t)>& is_odd) {
    Count result;
    for (std::size_t i = 0; i < bodies.id.size(); ++i) {
        if (!is_odd(i)) continue;
        if (result.bodies++ == 0) result.first = bodies.id[i];
    }
    return result;
}

void warn(std::vector<std::string>& warnings, Count odd, const std::string& what) {
    if (odd.bodies == 0) return;
    warnings.push_back(fmt::format("{} {} {} (the first is body {})", odd.bodies,
                                   odd.bodies == 1 ? "body has its centre" : "bodies have their centre", what,
                                   odd.first));
}

/// Bodies are around it, not in it.
bool is_solid(const model::BoundaryShape& shape) {
    if (const auto* box = std::get_if<model::BoxShape>(&shape)) return !box->container;
    const auto* revolution = std::get_if<model::RevolutionShape>(&shape);
    return revolution != nullptr && revolution->side == model::Side::outside;
}

/// Whether a wall that faces inwards lies between the place and another wall at `distance`: the outer skin of a cup
/// does not concern what is in the cup.
bool is_lined(const model::Scene& scene, double time, Vec3 x, double distance) {
    return std::any_of(scene.boundaries.begin(), scene.boundaries.end(), [&](const model::Boundary& boundary) {
        const auto* lining = std::get_if<model::RevolutionShape>(&boundary.shape);
        if (lining == nullptr || lining->side != model::Side::inside || boundary.remove_at <= time) return false;
        const double inside = -depth(*lining, x);
        return inside > 0.0 && inside < distance;
    });
}

void check_places(std::vector<std::string>& warnings, const model::Scene& scene, const model::Snapshot& bodies) {
    for (const model::Boundary& boundary : scene.boundaries) {
        if (boundary.remove_at <= bodies.time) continue;
        const bool solid = is_solid(boundary.shape),
                   shell = solid && std::holds_alternative<model::RevolutionShape>(boundary.shape);
        const auto behind = count(bodies, [&](std::size_t i) {
            const Vec3 x = bodies.position[i];
            const double d = std::visit([&](const auto& shape) { return depth(shape, x); }, boundary.shape);
            return std::isfinite(bodies.mass[i]) && d > 0.0 && !(shell && is_lined(scene, bodies.time, x, d));
        });
        warn(warnings, behind,
             solid ? "inside the boundary '" + boundary.name + "', whose free side is outside"
                   : "outside the boundary '" + boundary.name + "'");
    }
    for (const model::Outlet& outlet : scene.outlets) {
        const auto past = count(bodies, [&](std::size_t i) {
            const Vec3 x = bodies.position[i];
            if (outlet.kind == model::Outlet::Kind::plane) return dot(x - outlet.point, outlet.normal) > 0.0;
            const bool outside = x.x < outlet.lower.x || x.y < outlet.lower.y || x.z < outlet.lower.z ||
                                 x.x > outlet.upper.x || x.y > outlet.upper.y || x.z > outlet.upper.z;
            return outside != outlet.takes_inside;
        });
        warn(warnings, past, "past the outlet '" + outlet.name + "', which takes it in the first step");
    }
}

void check_sources(std::vector<std::string>& warnings, const std::vector<geometry::SourceReport>& sources,
                   bool production) {
    const auto warn_of = [&](std::size_t geometry::SourceReport::*count, const char* one, const char* many) {
        std::size_t total = 0, first = sources.size();
        for (std::size_t s = sources.size(); s-- > 0;) {
            if (sources[s].*count == 0) continue;
            total += sources[s].*count;
            first = s;
        }
        if (total == 0) return;
        const std::string& name = sources[first].name;
        warnings.push_back(fmt::format("{} {} (the first of {})", total, total == 1 ? one : many,
                                       name.empty() ? fmt::format("bodies[{}]", first) : "source '" + name + "'"));
    };
    using Report = geometry::SourceReport;
    warn_of(&Report::too_large, "body is larger than the region of its source and is left out [a unit?]",
            "bodies are larger than the region of their source and are left out [a unit?]");
    warn_of(&Report::rejected, "body found no place and is left out", "bodies found no place and are left out");
    if (production)
        warn_of(&Report::overlaps, "pair of bodies overlaps by more than 10 % of the smaller radius and will fly apart",
                "pairs of bodies overlap by more than 10 % of the smaller radius and will fly apart");
    warn_of(&Report::wrapped, "body lies outside the periodic faces and begins at its image between them",
            "bodies lie outside the periodic faces and begin at their images between them");
}

/// Bodies of any shape, and walls where they are at t = 0.
void check_overlaps(std::vector<std::string>& warnings, model::Scene scene) {
    for (model::Boundary& boundary : scene.boundaries) boundary.motions.clear();
    const simulation::StartOverlaps found =
        simulation::start_overlaps(simulation::reference_world(scene, geometry::make_bodies(scene).bodies));
    if (found.count == 0) return;
    const auto& stepper = scene.settings.stepper;
    const char* what_then = stepper == model::Stepper::compliant ? "will rest in each other"
                            : stepper == model::Stepper::lcp     ? "will be pushed apart"
                            : stepper == model::Stepper::ncp     ? "will part slowly"
                                                                 : "may fly apart";
    warnings.push_back(fmt::format(
        "'{}' and '{}' overlap by {:.3g} m at the start, {:.3g} % of the half thickness of the smaller{}, and {} [move "
        "them apart]",
        found.first, found.second, found.depth, 100.0 * found.share,
        found.count == 1 ? "" : fmt::format(" (the deepest of {} such pairs)", found.count), what_then));
}

/// Bodies of the production step in boundaries, where these are at t = 0.
void check_walls(std::vector<std::string>& warnings, const model::Scene& scene, const model::Snapshot& bodies) {
    const std::vector<simulation::WallOverlaps> overlaps = simulation::wall_overlaps(scene, bodies);
    const bool springs = scene.settings.contact.feedback == model::PositionFeedback::compliant;
    for (std::size_t b = 0; b < overlaps.size(); ++b) {
        const simulation::WallOverlaps& found = overlaps[b];
        if (found.count == 0) continue;
        warnings.push_back(
            fmt::format("body {} overlaps the boundary '{}' by {:.3g} m at the start, {:.3g} % of half its "
                        "thickness{}, and {} [move "
                        "it out]",
                        found.body, scene.boundaries[b].name, found.depth, 100.0 * found.share,
                        found.count == 1 ? "" : fmt::format(" (the deepest of {} such bodies)", found.count),
                        springs ? "will be thrown out" : "will be pushed out"));
    }
}

/// In planar scenes a solid stands for its section, which no volume measures.
void check_probes(std::vector<std::string>& warnings, const model::Scene& scene) {
    if (!scene.settings.planar) return;
    const bool any_solid = geometry::SourceSolids(scene).any();
    for (const model::Probe& probe : scene.probes) {
        if (probe.kind == model::Probe::Kind::packing && any_solid)
            warnings.push_back("probe '" + probe.name +
                               "' (packing) takes bodies of planar scenes for the spheres around them: its fraction "
                               "and coordination are not theirs");
        if (probe.kind == model::Probe::Kind::field || probe.kind == model::Probe::Kind::stress)
            warnings.push_back(
                "probe '" + probe.name +
                "' takes bodies of planar scenes for the spheres around them, and its box for as deep as "
                "it says: fraction, density and stress are not those of the plane");
    }
}

/// Spheres count by their radius, other bodies by half their thickness.
void check_speed(std::vector<std::string>& warnings, const model::Scene& scene, const model::Snapshot& bodies) {
    double share = 0.0;
    std::uint64_t id = 0;
    for (std::size_t i = 0; i < bodies.id.size(); ++i) {
        const double s = norm(bodies.velocity[i]) * scene.settings.time.step / simulation::half_thickness(bodies, i);
        if (s <= share) continue;
        share = s;
        id = bodies.id[i];
    }
    const char* unit = bodies.semi_axes.empty() ? "radii" : "times half its thickness";
    if (share > 1.0)
        warnings.push_back(fmt::format(
            "body {} moves {:.3g} {} in one step{}", id, share, unit,
            std::isfinite(share) ? fmt::format("; use time.step <= {:.3g} s", scene.settings.time.step / share)
                                 : std::string()));
    const double g = norm(scene.gravity), h = scene.settings.time.step;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < bodies.id.size(); ++i)
        if (std::isfinite(bodies.mass[i])) smallest = std::min(smallest, simulation::half_thickness(bodies, i));
    if (g * h * h > smallest)
        warnings.push_back(
            fmt::format("gravity alone moves the smallest body by {:.3g} {} in one step; use "
                        "time.step <= {:.3g} s",
                        g * h * h / smallest, unit, std::sqrt(smallest / g)));
}

/// Springs and dampers rebound as they should only where the step sees the contact pass.
void check_impact(std::vector<std::string>& warnings, const simulation::Simulation& simulation,
                  const model::Snapshot& bodies) {
    constexpr double advised = 4.0;
    const model::Scene& scene = simulation.scene();
    if (scene.settings.contact.impact != model::ImpactLaw::spring_damper) return;
    double mass = std::numeric_limits<double>::infinity(), stiffness = 0.0;
    for (const double m : bodies.mass) mass = std::min(mass, m);
    for (const model::MaterialPair& pair : scene.pairs)
        stiffness = std::max(stiffness, pair.stiffness > 0.0 ? pair.stiffness : simulation.resolved().stiffness);
    if (!std::isfinite(mass) || stiffness <= 0.0) return;
    const double time = std::sqrt(0.5 * mass / stiffness);  // of two bodies of the smallest mass
    if (scene.settings.time.step > advised * time)
        warnings.push_back(
            fmt::format("impact: spring_damper, but the step is {:.3g} sqrt(m / k) of the lightest "
                        "contact: rebounds will be lost; use time.step <= {:.3g} s or impact: newton",
                        scene.settings.time.step / time, advised * time));
}

/// Springs that a body's own weight presses in deeply bear no pile.
void check_stiffness(std::vector<std::string>& warnings, const simulation::Simulation& simulation,
                     const model::Snapshot& bodies) {
    constexpr double deep = 0.01;
    const model::Scene& scene = simulation.scene();
    if (scene.settings.contact.feedback != model::PositionFeedback::compliant) return;
    double softest = scene.settings.contact.stiffness > 0.0 ? scene.settings.contact.stiffness
                                                            : std::numeric_limits<double>::infinity();
    for (const model::MaterialPair& pair : scene.pairs)
        if (pair.stiffness > 0.0) softest = std::min(softest, pair.stiffness);
    double share = 0.0;
    std::uint64_t id = 0;
    for (std::size_t i = 0; i < bodies.id.size(); ++i) {
        if (!std::isfinite(bodies.mass[i])) continue;
        const double overlap = bodies.mass[i] * norm(scene.gravity) / softest;
        if (overlap <= share * 2.0 * bodies.radius[i]) continue;
        share = overlap / (2.0 * bodies.radius[i]);
        id = bodies.id[i];
    }
    if (share > deep)
        warnings.push_back(
            fmt::format("contact stiffness {:g} N/m: the weight of body {} alone presses it in by {:.3g} % of its "
                        "diameter, a pile by more [contact.stiffness: auto, or at least {:.2g} N/m]",
                        softest, id, 100.0 * share, softest * share / 1e-4));
}

/// The same checks of bodies that will join.
void check_fed(std::vector<std::string>& warnings, const simulation::Simulation& simulation,
               const model::Snapshot& sample) {
    const model::Scene& scene = simulation.scene();
    std::vector<std::string> found;
    check_walls(found, scene, sample);
    check_places(found, scene, sample);
    warn_of_materials(found, scene, sample);
    check_speed(found, scene, sample);
    check_impact(found, simulation, sample);
    check_stiffness(found, simulation, sample);
    for (const std::string& text : found)
        if (std::find(warnings.begin(), warnings.end(), text) == warnings.end())
            warnings.push_back(fmt::format("of {} bodies as the feeds will make them: {}", sample.id.size(), text));
}

}  // namespace

std::vector<std::string> scene_warnings(simulation::Simulation& simulation) {
    const model::Scene& scene = simulation.scene();
    const model::Snapshot bodies = simulation.snapshot(false);
    std::vector<std::string> warnings;
    if (std::string(build_type) == "debug")
        warnings.emplace_back("this is a debug build, many times slower than a release build");
    for (const scene::UnusedKey& unused : scene::unused_keys(scene))
        warnings.push_back(unused.key + " has no effect: it " + unused.why);
    const model::Snapshot fed = simulation.fed_sample();
    if (bodies.id.empty() && fed.id.empty()) warnings.emplace_back("the scene has no bodies");
    const model::OutputSettings& output = scene.settings.output;
    for (const auto& [name, interval] : {std::pair{"interval", output.interval},
                                         {"series_interval", output.series_interval},
                                         {"checkpoint_interval", output.checkpoint_interval}})
        if (interval > 0.0 && interval < scene.settings.time.step)
            warnings.push_back(
                fmt::format("output.{} = {:g} s is shorter than time.step: it acts once a step", name, interval));
    const bool production = scene.settings.stepper == model::Stepper::ccp;
    if (simulation.step_index() == 0) check_sources(warnings, simulation.sources(), production);
    if (simulation.step_index() == 0 && !production) check_overlaps(warnings, scene);
    if (simulation.step_index() == 0 && production) check_walls(warnings, scene, bodies);
    check_places(warnings, scene, bodies);
    if (production) warn_of_parts(warnings, scene);
    warn_of_motors(warnings, scene);
    check_probes(warnings, scene);
    warn_of_boundaries(warnings, simulation, bodies);
    warn_of_materials(warnings, scene, bodies);
    check_speed(warnings, scene, bodies);
    check_impact(warnings, simulation, bodies);
    if (production) check_stiffness(warnings, simulation, bodies);
    for (const simulation::FeedReport& feed : simulation.feeds())
        if (feed.expected < 1.0)
            warnings.push_back(fmt::format("feed '{}' brings no body before time.end [its start]", feed.name));
    if (!fed.id.empty()) check_fed(warnings, simulation, fed);
    return warnings;
}

}  // namespace scree::app
