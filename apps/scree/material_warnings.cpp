// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/material_warnings.hpp"

#include "apps/scree/scene_place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

namespace scree::app {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The free bodies of one material.
struct Group {
    bool by_density = false;  ///< Some have their mass from the density.
    double smallest_radius = infinity, lightest = infinity, heaviest = 0.0;

    void add(const Group& other) {
        smallest_radius = std::min(smallest_radius, other.smallest_radius);
        lightest = std::min(lightest, other.lightest);
        heaviest = std::max(heaviest, other.heaviest);
    }
};

std::vector<Group> groups_of(const model::Scene& scene, const model::Snapshot& bodies) {
    std::vector<Group> groups(scene.materials.size());
    for (std::size_t i = 0; i < bodies.id.size(); ++i) {
        if (!std::isfinite(bodies.mass[i])) continue;
        Group& group = groups[bodies.material[i]];
        group.add({false, bodies.radius[i], bodies.mass[i], bodies.mass[i]});
        const auto* body = std::get_if<model::BodySource>(&scene.sources[bodies.source[i]].what);
        if (body == nullptr || body->mass == 0.0) group.by_density = true;
    }
    return groups;
}

void check_density(std::vector<std::string>& warnings, const model::Scene& scene, std::size_t m) {
    constexpr double least = 50.0, most = 30000.0;
    const double density = scene.materials[m].density;
    if (density >= least && density <= most) return;
    const std::string hint = density < least ? fmt::format("in g/cm^3? write density: {:g} g/cm^3", density)
                                             : std::string("a number alone is in kg/m^3: glass is 2500, or 2.5 g/cm^3");
    warnings.push_back(fmt::format("material '{}'{}: density = {:g} kg/m^3 is {} {:g} kg/m^3 [{}]",
                                   scene.materials[m].name, place_of(scene, "materials", m), density,
                                   density < least ? "below" : "above", density < least ? least : most, hint));
}

void check_pair(std::vector<std::string>& warnings, const model::Scene& scene, std::size_t p, const Group& bodies) {
    constexpr double sticks = 1000.0, captures = 10.0;
    const model::MaterialPair& pair = scene.pairs[p];
    const std::string name = fmt::format("pair [{}, {}]{}", scene.materials[pair.first].name,
                                         scene.materials[pair.second].name, place_of(scene, "pairs", p));
    for (const auto& [key, length] :
         {std::pair{"rolling_resistance", pair.rolling_resistance}, {"spinning_resistance", pair.spinning_resistance}})
        if (length > bodies.smallest_radius)
            warnings.push_back(fmt::format(
                "{}: {} = {:g} m is a length, {:.3g} times the smallest radius of its bodies ({:.3g} m) [a coefficient "
                "mu_r goes in as mu_r times the radius: {:.3g} m for 0.1]",
                name, key, length, length / bodies.smallest_radius, bodies.smallest_radius,
                0.1 * bodies.smallest_radius));
    const double g = norm(scene.gravity);
    if (!(g > 0.0) || pair.cohesion <= 0.0) return;
    if (pair.cohesion > sticks * bodies.heaviest * g)
        warnings.push_back(fmt::format(
            "{}: cohesion = {:g} N is {:.3g} times the weight of its heaviest body ({:.3g} N): what touches stays "
            "together [cohesion is a force per contact point in N]",
            name, pair.cohesion, pair.cohesion / (bodies.heaviest * g), bodies.heaviest * g));
    if (pair.cohesion > captures * bodies.lightest * g && pair.restitution > 0.0 &&
        scene.settings.stepper == model::Stepper::ccp && scene.settings.contact.impact == model::ImpactLaw::newton)
        warnings.push_back(fmt::format(
            "{}: cohesion = {:g} N is {:.3g} times the weight of its lightest body ({:.3g} N), but with "
            "contact.impact: "
            "newton impacts rebound by restitution = {:g} whatever the cohesion [use contact.impact: spring_damper, or "
            "restitution: 0, if it is to capture bodies]",
            name, pair.cohesion, pair.cohesion / (bodies.lightest * g), bodies.lightest * g, pair.restitution));
}

}  // namespace

void warn_of_materials(std::vector<std::string>& warnings, const model::Scene& scene, const model::Snapshot& bodies) {
    const std::vector<Group> groups = groups_of(scene, bodies);
    for (std::size_t m = 0; m < groups.size(); ++m)
        if (groups[m].by_density) check_density(warnings, scene, m);
    for (std::size_t p = 0; p < scene.pairs.size(); ++p) {
        Group both = groups[scene.pairs[p].first];
        both.add(groups[scene.pairs[p].second]);
        if (both.heaviest > 0.0) check_pair(warnings, scene, p, both);
    }
}

}  // namespace scree::app
