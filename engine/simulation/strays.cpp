// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/strays.hpp"

#include "engine/geometry/boundary_extent.hpp"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

namespace scree::simulation {
namespace {

using model::Vec3;

/// Adds the corners of a box as the boundary stands: at least the boundary itself.
void add_placed(geometry::Extent& whole, const geometry::Extent& box, const model::BoundaryState& state) {
    for (unsigned corner = 0; corner < 8; ++corner) {
        const Vec3 p{(corner & 1U) != 0 ? box.upper.x : box.lower.x, (corner & 2U) != 0 ? box.upper.y : box.lower.y,
                     (corner & 4U) != 0 ? box.upper.z : box.lower.z};
        whole.add(model::rotate(state.rotation, p) + state.displacement);
    }
}

/// A plane that may still catch what falls.
struct Floor {
    Vec3 point, normal;
};

double distance(const geometry::Extent& box, Vec3 x) {
    const auto beyond = [](double at, double lower, double upper) { return std::max({lower - at, at - upper, 0.0}); };
    return model::norm({beyond(x.x, box.lower.x, box.upper.x), beyond(x.y, box.lower.y, box.upper.y),
                        beyond(x.z, box.lower.z, box.upper.z)});
}

}  // namespace

std::uint64_t count_strays(const model::Scene& scene, const geometry::Extent& start, const model::Snapshot& now) {
    geometry::Extent whole = start;
    std::vector<Floor> floors;
    bool bounded = false;
    for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
        const model::Boundary& boundary = scene.boundaries[b];
        const model::BoundaryState& state = now.boundaries.at(b);
        if (const auto* plane = std::get_if<model::PlaneShape>(&boundary.shape)) {
            const Vec3 normal = model::rotate(state.rotation, model::normalized(plane->normal));
            if (state.active && dot(normal, scene.gravity) < 0.0)
                floors.push_back({model::rotate(state.rotation, plane->point) + state.displacement, normal});
            continue;
        }
        const geometry::Extent box = geometry::boundary_extent(boundary.shape);
        if (box.empty) continue;
        bounded = true;
        whole.add(box.lower);
        whole.add(box.upper);
        add_placed(whole, box, state);
    }
    if (!bounded) return 0;
    const double far = stray_distance * geometry::largest_side(whole);
    std::uint64_t strays = 0;
    for (std::size_t i = 0; i < now.id.size(); ++i) {
        const Vec3 x = now.position[i];
        if (!std::isfinite(now.mass[i]) || distance(whole, x) <= far) continue;
        const bool caught = std::any_of(floors.begin(), floors.end(),
                                        [&](const Floor& floor) { return dot(x - floor.point, floor.normal) > 0.0; });
        if (!caught) ++strays;
    }
    return strays;
}

}  // namespace scree::simulation
