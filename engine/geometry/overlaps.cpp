// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/overlaps.hpp"

#include "engine/geometry/periodic_images.hpp"
#include "engine/geometry/sphere_tree.hpp"

#include <algorithm>
#include <cstdint>

namespace scree::geometry {
namespace {

using model::Vec3;

Vec3 lower_of(Vec3 a, Vec3 b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
Vec3 upper_of(Vec3 a, Vec3 b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

}  // namespace

std::vector<Overlaps> find_overlaps(std::span<const model::Sphere> bodies, std::size_t source_count,
                                    const std::array<model::PeriodicFaces, 3>& periodic,
                                    const std::function<bool(std::size_t)>& clean,
                                    const std::function<double(std::size_t, std::size_t, Vec3)>& depth) {
    std::vector<Overlaps> result(source_count);
    if (bodies.empty()) return result;
    Vec3 lower = bodies.front().position, upper = lower;
    double largest = 0.0;
    for (const model::Sphere& body : bodies) {
        lower = lower_of(lower, body.position);
        upper = upper_of(upper, body.position);
        largest = std::max(largest, body.radius);
    }
    // Images further out than this touch no body.
    const Vec3 margin{2.0 * largest, 2.0 * largest, 2.0 * largest};
    const Vec3 a = lower - margin, b = upper + margin;
    SphereTree tree(a, b);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto label = static_cast<std::uint32_t>(i);
        for_each_image(bodies[i].position, periodic, [&](Vec3 p, bool is_image) {
            if (is_image && !(lower_of(p, a) == a && upper_of(p, b) == b)) return;
            tree.insert(p, bodies[i].radius, label);
        });
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (clean(i)) continue;
        const model::Sphere& body = bodies[i];
        Overlaps& found = result[body.source];
        tree.visit_near(body.position, body.radius, [&](const SphereTree::Entry& other, double distance) {
            if (other.label >= i || (body.fixed && bodies[other.label].fixed)) return false;
            const double smaller = std::min(body.radius, other.radius);
            double relative = (body.radius + other.radius - distance) / smaller;
            if (relative <= deep_overlap) return false;
            if (depth) relative = depth(i, other.label, other.position) / smaller;
            if (relative <= deep_overlap) return false;
            ++found.count;
            if (relative > found.worst) found = {found.count, other.label, i, relative};
            return false;
        });
    }
    return result;
}

}  // namespace scree::geometry
