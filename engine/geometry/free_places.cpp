// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/free_places.hpp"

#include "engine/geometry/periodic_images.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace scree::geometry {

using model::Vec3;

namespace {

constexpr std::size_t default_attempts = 500, plain_attempts = 3;
constexpr int pushes_per_attempt = 20;

}  // namespace

FreePlaces::FreePlaces(const RegionSpace& region, double gap, std::size_t attempts, RandomStream random,
                       const std::array<model::PeriodicFaces, 3>& periodic, std::span<const Ball> obstacles,
                       Blocked blocked)
    : region_(region),
      periodic_(periodic),
      gap_(gap),
      attempts_(attempts == 0 ? default_attempts : attempts),
      random_(random),
      blocked_(std::move(blocked)),
      tree_(region.lower(), region.upper()) {
    std::vector<Ball> near;
    Vec3 lower = region.lower(), upper = region.upper();
    for (const Ball& ball : obstacles) {
        for_each_image(ball.position, periodic_, [&](Vec3 position, bool) {
            if (!reaches_region(position, ball.radius)) return;
            near.push_back({position, ball.radius});
            lower = {std::min(lower.x, position.x), std::min(lower.y, position.y), std::min(lower.z, position.z)};
            upper = {std::max(upper.x, position.x), std::max(upper.y, position.y), std::max(upper.z, position.z)};
        });
    }
    tree_ = SphereTree(lower, upper);
    for (const Ball& ball : near) tree_.insert(ball.position, ball.radius, 0);
}

std::optional<Vec3> FreePlaces::take(double radius) {
    for (std::size_t attempt = 0; attempt < attempts_; ++attempt) {
        const Vec3 start = region_.sample(radius, random_);
        const std::optional<Vec3> found = attempt < plain_attempts ? as_it_is(start, radius) : pushed(start, radius);
        if (!found || (blocked_ && blocked_(*found, radius))) continue;
        for_each_image(*found, periodic_, [&](Vec3 position, bool is_image) {
            if (!is_image || reaches_region(position, radius)) tree_.insert(position, radius, 0);
        });
        return found;
    }
    return std::nullopt;
}

bool FreePlaces::reaches_region(Vec3 position, double radius) const {
    const double reach = radius + gap_;
    const Vec3 a = region_.lower(), b = region_.upper();
    return position.x + reach > a.x && position.x - reach < b.x && position.y + reach > a.y &&
           position.y - reach < b.y && position.z + reach > a.z && position.z - reach < b.z;
}

std::optional<Vec3> FreePlaces::as_it_is(Vec3 center, double radius) const {
    if (tree_.any_near(center, radius + gap_)) return std::nullopt;
    return center;
}

/// Moves the centre away from all spheres that it overlaps, as far as it overlaps each, until it is free.
std::optional<Vec3> FreePlaces::pushed(Vec3 center, double radius) const {
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

}  // namespace scree::geometry
