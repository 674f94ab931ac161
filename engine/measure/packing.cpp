// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/packing.hpp"

#include "engine/measure/box_region.hpp"
#include "engine/measure/sphere_box_overlap.hpp"
#include "engine/measure/sphere_images.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace scree::measure {
namespace {

using model::Vec3;

constexpr std::array<double Vec3::*, 3> axes{&Vec3::x, &Vec3::y, &Vec3::z};

/// The box with its infinite sides replaced; see Packing. Empty (upper < lower) without bodies.
model::ProbeBox finite_box(model::ProbeBox box, const std::array<model::PeriodicFaces, 3>& periodic,
                           const std::vector<SphereImage>& spheres) {
    for (std::size_t k = 0; k < axes.size(); ++k) {
        double lower = std::numeric_limits<double>::max(), upper = std::numeric_limits<double>::lowest();
        for (const SphereImage& sphere : spheres) {
            lower = std::min(lower, sphere.center.*axes[k] - sphere.radius);
            upper = std::max(upper, sphere.center.*axes[k] + sphere.radius);
        }
        if (periodic[k].active) {
            lower = periodic[k].lower;
            upper = periodic[k].upper;
        }
        if (std::isinf(box.lower.*axes[k])) box.lower.*axes[k] = lower;
        if (std::isinf(box.upper.*axes[k])) box.upper.*axes[k] = upper;
    }
    return box;
}

double solid_fraction(const model::ProbeBox& box, const std::vector<SphereImage>& spheres) {
    const Vec3 size = box.upper - box.lower;
    if (!(size.x > 0.0 && size.y > 0.0 && size.z > 0.0)) return 0.0;
    double solid = 0.0;
    for (const SphereImage& sphere : spheres) {
        solid += sphere_box_overlap(sphere.center, sphere.radius, box.lower, box.upper);
    }
    return solid / (size.x * size.y * size.z);
}

double ratio(double sum, double count) { return count > 0.0 ? sum / count : 0.0; }

}  // namespace

void Packing::evaluate(const model::Snapshot& snapshot, std::span<double> values) {
    const auto spheres = spheres_near(snapshot, periodic_, box_, tolerance_);
    const auto counts = contact_counts(spheres, tolerance_);
    double bodies = 0.0, contacts = 0.0, held_bodies = 0.0, held_contacts = 0.0;
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        if (!spheres[i].original || !contains(box_, spheres[i].center)) continue;
        bodies += 1.0;
        contacts += counts[i];
        if (counts[i] >= 2) {
            held_bodies += 1.0;
            held_contacts += counts[i];
        }
    }
    values[0] = solid_fraction(finite_box(box_, periodic_, spheres), spheres);
    values[1] = ratio(contacts, bodies);
    values[2] = ratio(held_contacts, held_bodies);
    values[3] = ratio(bodies - held_bodies, bodies);
    values[4] = bodies;
}

}  // namespace scree::measure
