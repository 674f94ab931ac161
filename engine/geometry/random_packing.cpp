// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/random_packing.hpp"

#include "engine/geometry/free_places.hpp"
#include "engine/geometry/mass.hpp"
#include "engine/geometry/size_distribution.hpp"
#include "engine/model/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace scree::geometry {
namespace {

using model::Vec3;

constexpr std::size_t failures_to_give_up = 30;

[[noreturn]] void fail(const std::string& what, const std::string& hint = {}) {
    throw model::Error(model::ErrorKind::input, "random: " + what, hint);
}

std::size_t count_wanted(const model::RandomSource& source, const RegionSpace& region, const RadiusSampler& sampler,
                         std::size_t limit) {
    if (source.count > 0 && source.fraction != 0.0) fail("both 'count' and 'fraction' are given", "remove one");
    if (source.count == 0 && !(source.fraction > 0.0 && source.fraction <= 0.6)) {
        fail(fmt::format("fraction is {}, allowed: above 0, up to 0.6", source.fraction), "or give 'count'");
    }
    const double wanted = source.count > 0
                              ? static_cast<double>(source.count)
                              : std::max(1.0, std::round(source.fraction * region.volume() / sampler.mean_volume()));
    if (!(wanted <= static_cast<double>(limit))) {
        fail(fmt::format("{:.6g} spheres are needed, allowed: {}", wanted, limit));
    }
    return static_cast<std::size_t>(wanted);
}

/// Radii below which 10, 50 and 90 % of the mass lies; the balls are in falling order of radius.
std::vector<double> mass_quantiles(const std::vector<Ball>& balls, double solid) {
    std::vector<double> result;
    double sum = 0.0;
    for (std::size_t i = balls.size(); i-- > 0 && result.size() < 3;) {
        sum += sphere_volume(balls[i].radius);
        constexpr std::array<double, 3> shares{0.1, 0.5, 0.9};
        while (result.size() < 3 && sum >= shares[result.size()] * solid) result.push_back(balls[i].radius);
    }
    return result;
}

}  // namespace

Packing pack_randomly(const model::RandomSource& source, std::span<const model::Sphere> obstacles,
                      const std::array<model::PeriodicFaces, 3>& periodic, std::size_t limit) {
    if (!(source.gap >= 0.0) || !std::isfinite(source.gap)) fail(fmt::format("gap is {}, allowed: >= 0", source.gap));
    const RegionSpace region(source.region);
    const RadiusSampler sampler(source.sizes);
    std::vector<double> radii = sample_radii(sampler, count_wanted(source, region, sampler, limit), source.seed);
    std::sort(radii.begin(), radii.end(), std::greater<>());

    Packing packing;
    packing.balls.reserve(radii.size());
    std::vector<Ball> there;
    there.reserve(obstacles.size());
    for (const model::Sphere& body : obstacles) there.push_back({body.position, body.radius});
    FreePlaces places(region, source.gap, source.attempts, RandomStream(source.seed, 3), periodic, there);
    std::size_t failures = 0;                                   // in a row
    double given_up = std::numeric_limits<double>::infinity();  // spheres from this radius on are not tried
    double solid = 0.0;
    for (const double radius : radii) {
        const bool too_large = radius > region.largest_radius();
        const bool hopeless = radius >= given_up;
        const std::optional<Vec3> center = too_large || hopeless ? std::nullopt : places.take(radius);
        if (center) {
            packing.balls.push_back({*center, radius});
            solid += sphere_volume(radius);
            failures = 0;
            continue;
        }
        packing.rejected.push_back(radius);
        packing.too_large += too_large ? 1U : 0U;
        packing.not_tried += hopeless && !too_large ? 1U : 0U;
        if (!too_large && !hopeless && ++failures >= failures_to_give_up) {
            given_up = 0.97 * radius;
            failures = 0;
        }
    }
    packing.solid_fraction = solid / region.volume();
    packing.quantiles = mass_quantiles(packing.balls, solid);
    return packing;
}

}  // namespace scree::geometry
