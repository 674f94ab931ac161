// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/body_range.hpp"

#include "engine/geometry/bodies.hpp"
#include "engine/model/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

namespace scree::geometry {
namespace {

// What the step can compute with. A coordinate must resolve a small part of the radius, squares of speeds and of
// inverse masses must be numbers of the solver's precision.
constexpr double farthest_in_radii = 1e14;
constexpr double heaviest_mixed = 1e36, heaviest_double = 1e150;

[[noreturn]] void refuse(const model::Sphere& body, const std::string& what, const std::string& hint) {
    throw model::Error(model::ErrorKind::input, fmt::format("body {}: {}", body.id, what), hint);
}

/// Masses first: where they are out of range, sizes that follow from them are too, and say less.
void check_mass(const model::Scene& scene, const SourceSolids& solids, const model::Sphere& body) {
    if (body.fixed) return;
    const bool mixed = scene.settings.precision == model::Precision::mixed;
    const double mass = solids.mass(body);
    const model::Vec3 moments = solids.facts(body).inertia;
    const double least = std::min({moments.x, moments.y, moments.z}), most = mixed ? heaviest_mixed : heaviest_double;
    if (!std::isfinite(mass) || !std::isfinite(moments.x + moments.y + moments.z))
        refuse(body, fmt::format("mass or moments of inertia overflow (allowed: {:g} to {:g})", 1.0 / most, most),
               "sizes are in metres");
    if (!(std::min(mass, least) >= 1.0 / most && std::max({mass, moments.x, moments.y, moments.z}) <= most))
        refuse(body,
               fmt::format("mass {:g} kg and moments of inertia {:g} to {:g} kg m^2 are beyond {} precision "
                           "(allowed: {:g} to {:g})",
                           mass, least, std::max({moments.x, moments.y, moments.z}), mixed ? "mixed" : "double",
                           1.0 / most, most),
               mixed && mass > 1.0 / heaviest_double && least < heaviest_double ? "use precision: double" : "");
}

}  // namespace

void check_range(const model::Scene& scene, const SourceSolids& solids, const model::Sphere& body) {
    if (!(body.radius > 0.0) || !std::isfinite(body.radius))
        refuse(body, "its size is beyond double precision",
               "sizes are in metres: volumes and moments must be numbers, too");
    check_mass(scene, solids, body);
    const model::Vec3 x = body.position;
    const double far = std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)});
    if (!(far <= farthest_in_radii * body.radius))
        refuse(body,
               fmt::format("a coordinate is {:g} m (allowed: at most {:g} radii, {:g} m)", far, farthest_in_radii,
                           farthest_in_radii * body.radius),
               "so far from the origin, coordinates are coarser than the body");
    const auto size = [](model::Vec3 v) { return std::hypot(v.x, v.y, v.z); };  // without overflow
    const double speed = size(body.velocity), rim = size(body.angular_velocity) * body.radius;
    if (!(std::max(speed, rim) <= fastest_speed))
        refuse(body,
               fmt::format("{} is {:g} m/s (allowed: at most {:g} m/s)", !(rim > speed) ? "speed" : "speed of its rim",
                           std::max(speed, rim), fastest_speed),
               {});
    const auto* alone = std::get_if<model::BodySource>(&scene.sources[body.source].what);
    if (body.fixed || alone == nullptr) return;
    const model::Vec3 moments = solids.facts(body).inertia;
    const double h = scene.settings.time.step, least = std::min({moments.x, moments.y, moments.z});
    const double pushed = size(alone->force) / solids.mass(body) * h,
                 turned = size(alone->torque) / least * h * body.radius;
    if (!(std::max(pushed, turned) <= fastest_speed))
        refuse(body,
               fmt::format("its {} makes {:g} m/s in one step (allowed: at most {:g} m/s)",
                           turned > pushed ? "torque" : "force", std::max(pushed, turned), fastest_speed),
               {});
}

}  // namespace scree::geometry
