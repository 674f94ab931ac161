// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/random_packing.hpp"

#include "engine/geometry/mass.hpp"
#include "engine/geometry/periodic_images.hpp"
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

constexpr std::size_t default_attempts = 500, plain_attempts = 3;
constexpr int pushes_per_attempt = 20;
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

class Packer {
public:
    Packer(const model::RandomSource& source, const RegionSpace& region,
           const std::array<model::PeriodicFaces, 3>& periodic, std::span<const model::Sphere> obstacles)
        : region_(region),
          periodic_(periodic),
          gap_(source.gap),
          attempts_(source.attempts == 0 ? default_attempts : source.attempts),
          random_(source.seed, 3),
          tree_(region.lower(), region.upper()) {
        std::vector<Ball> near;
        Vec3 lower = region.lower(), upper = region.upper();
        for (const model::Sphere& body : obstacles) {
            for_each_image(body.position, periodic_, [&](Vec3 position, bool) {
                if (!reaches_region(position, body.radius)) return;
                near.push_back({position, body.radius});
                lower = {std::min(lower.x, position.x), std::min(lower.y, position.y), std::min(lower.z, position.z)};
                upper = {std::max(upper.x, position.x), std::max(upper.y, position.y), std::max(upper.z, position.z)};
            });
        }
        tree_ = SphereTree(lower, upper);
        for (const Ball& ball : near) tree_.insert(ball.position, ball.radius, 0);
    }

    /// A free place for a sphere, which is then taken.
    std::optional<Vec3> place(double radius) {
        for (std::size_t attempt = 0; attempt < attempts_; ++attempt) {
            const Vec3 start = region_.sample(radius, random_);
            const std::optional<Vec3> found =
                attempt < plain_attempts ? as_it_is(start, radius) : pushed(start, radius);
            if (!found) continue;
            for_each_image(*found, periodic_, [&](Vec3 position, bool is_image) {
                if (!is_image || reaches_region(position, radius)) tree_.insert(position, radius, 0);
            });
            return found;
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] bool reaches_region(Vec3 position, double radius) const {
        const double reach = radius + gap_;
        const Vec3 a = region_.lower(), b = region_.upper();
        return position.x + reach > a.x && position.x - reach < b.x && position.y + reach > a.y &&
               position.y - reach < b.y && position.z + reach > a.z && position.z - reach < b.z;
    }

    [[nodiscard]] std::optional<Vec3> as_it_is(Vec3 center, double radius) const {
        if (tree_.any_near(center, radius + gap_)) return std::nullopt;
        return center;
    }

    /// Moves the centre away from all spheres that it overlaps, as far as it overlaps each, until it is free.
    [[nodiscard]] std::optional<Vec3> pushed(Vec3 center, double radius) const {
        const double reach = radius + gap_;
        for (int push = 0; push < pushes_per_attempt; ++push) {
            Vec3 move;
            bool free = true, hopeless = false;
            tree_.visit_near(center, reach, [&](const SphereTree::Entry& other, double distance) {
                free = false;
                // Deep inside another sphere there is no way out worth following.
                hopeless = distance < 0.5 * other.radius && other.radius >= radius;
                if (hopeless || distance == 0.0) return true;
                const double overlap = (reach + other.radius) * (1.0 + 1e-6) - distance;
                move = move + (overlap / distance) * (center - other.position);
                return false;
            });
            if (free) return center;
            if (hopeless) return std::nullopt;
            center = region_.pull_inside(radius, center + move);
        }
        return std::nullopt;
    }

    const RegionSpace& region_;
    const std::array<model::PeriodicFaces, 3>& periodic_;
    double gap_;
    std::size_t attempts_;
    RandomStream random_;
    SphereTree tree_;
};

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
    Packer packer(source, region, periodic, obstacles);
    std::size_t failures = 0;                                   // in a row
    double given_up = std::numeric_limits<double>::infinity();  // spheres from this radius on are not tried
    double solid = 0.0;
    for (const double radius : radii) {
        const bool too_large = radius > region.largest_radius();
        const bool hopeless = radius >= given_up;
        const std::optional<Vec3> center = too_large || hopeless ? std::nullopt : packer.place(radius);
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
