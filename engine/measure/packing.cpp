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

/// A body or an image of one, as the probe sees it.
struct Seen {
    SolidVolumes::Placed placed;  ///< Of spheres: empty.
    geometry::Extent extent;
};

/// The box with its infinite sides replaced; see Packing. Empty (upper < lower) without bodies.
model::ProbeBox finite_box(model::ProbeBox box, const std::array<model::PeriodicFaces, 3>& periodic,
                           const std::vector<Seen>& bodies) {
    for (std::size_t k = 0; k < axes.size(); ++k) {
        double lower = std::numeric_limits<double>::max(), upper = std::numeric_limits<double>::lowest();
        for (const Seen& body : bodies) {
            lower = std::min(lower, body.extent.lower.*axes[k]);
            upper = std::max(upper, body.extent.upper.*axes[k]);
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

double ratio(double sum, double count) { return count > 0.0 ? sum / count : 0.0; }

}  // namespace

Packing::Packing(const model::Scene& scene, const model::Probe& probe)
    : box_(probe.box), tolerance_(probe.contact_gap), periodic_(scene.periodic) {
    if (!scene.settings.planar && geometry::SourceSolids(scene).any()) solids_ = std::make_unique<SolidVolumes>(scene);
}

void Packing::evaluate(const model::Snapshot& snapshot, std::span<double> values) {
    const auto spheres = spheres_near(snapshot, periodic_, box_, tolerance_);
    std::vector<Seen> bodies(spheres.size());
    std::vector<bool> counted(spheres.size());
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        counted[i] = spheres[i].original && contains(box_, spheres[i].center);
        if (solids_ == nullptr) {
            bodies[i].extent.add(spheres[i].center, spheres[i].radius);
            continue;
        }
        bodies[i].placed = solids_->placed(snapshot, spheres[i].body, spheres[i].center);
        bodies[i].extent = solids_->extent(bodies[i].placed);
    }
    const auto touch = [&](std::size_t i, std::size_t j) {
        if (!counted[i] && !counted[j]) return false;
        const auto touches_nothing = [&](std::size_t k) {
            return !solids_->collides(snapshot.source[spheres[k].body]);
        };
        if (touches_nothing(i) || touches_nothing(j)) return false;
        const double reach = (spheres[i].radius + spheres[j].radius) * tolerance_;
        return solids_->are_within(bodies[i].placed, bodies[j].placed, reach);
    };
    const auto counts =
        solids_ != nullptr ? contact_counts(spheres, tolerance_, touch) : contact_counts(spheres, tolerance_);
    double count = 0.0, contacts = 0.0, held_bodies = 0.0, held_contacts = 0.0;
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        if (!counted[i]) continue;
        count += 1.0;
        contacts += counts[i];
        if (counts[i] >= 2) {
            held_bodies += 1.0;
            held_contacts += counts[i];
        }
    }
    const model::ProbeBox box = finite_box(box_, periodic_, bodies);
    const Vec3 size = box.upper - box.lower;
    double solid = 0.0;
    const bool is_empty = !(size.x > 0.0 && size.y > 0.0 && size.z > 0.0);
    for (std::size_t i = 0; i < spheres.size() && !is_empty; ++i)
        solid += solids_ != nullptr
                     ? solids_->volume_in_box(bodies[i].placed, snapshot.source[spheres[i].body], box.lower, box.upper)
                     : sphere_box_overlap(spheres[i].center, spheres[i].radius, box.lower, box.upper);
    values[0] = is_empty ? 0.0 : solid / (size.x * size.y * size.z);
    values[1] = ratio(contacts, count);
    values[2] = ratio(held_contacts, held_bodies);
    values[3] = ratio(count - held_bodies, count);
    values[4] = count;
}

}  // namespace scree::measure
