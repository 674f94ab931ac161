// SPDX-License-Identifier: BSD-3-Clause
// Narrow phase for spheres: which neighbours touch within the step, and where.
#pragma once

#include "kernels/collide/neighbours.hpp"

namespace scree::kernels {

/// A contact as geometry finds it; A is the finder.
struct FoundContact {
    Index partner;    ///< Slot of B; -1 for a boundary.
    Index boundary;   ///< Boundary index; -1 for a body.
    Vector3d normal;  ///< From A to B.
    double gap;
    double lever_a, lever_b;
    Vector3d wall_velocity;  ///< At the contact point, for boundaries.
    bool moving;
};

struct CollisionView {
    NeighbourView neighbours;
    BoundaryView boundaries;
    Periodic periodic;
    const double* position;
    const float* extent;
    double step;
    /// Rows of four: free velocity, agitation [m/s]; null: extents alone decide which gaps are contacts.
    const float* motion = nullptr;
};

/// Calls emit(FoundContact&) for each contact that body i finds, in the order of its neighbours.
template <class Emit>
SCREE_HD void find_contacts(const CollisionView& view, Index i, const Emit& emit) {
    const Vector3d center = center_of(view.position, i);
    const double radius = radius_of(view.position, i);
    const Index* neighbours = view.neighbours.of(i);
    for (Index k = 0; k < view.neighbours.count[i]; ++k) {
        const Index j = neighbours[k];
        if (j < 0) {
            const Index part = -1 - j;
            const Index boundary = Index(view.boundaries.parts[part].boundary);
            const bool moving = view.boundaries.poses[boundary].moving != 0;
            const double margin = larger(double(view.extent[i]) - radius, 0.0);
            for_each_boundary_point(view.boundaries, part, center, radius, margin, view.step,
                                    [&](const BoundaryPoint& p) {
                                        FoundContact found{-1,         boundary, p.normal,   p.distance - radius,
                                                           p.distance, 0.0,      p.velocity, moving};
                                        emit(found);
                                    });
            continue;
        }
        const Vector3d d = view.periodic.nearest_image(center_of(view.position, j) - center);
        const double other = radius_of(view.position, j);
        const double distance = square_root(dot(d, d));
        const double gap = distance - radius - other;
        if (view.motion != nullptr &&
            !pair_may_close(view.motion, view.step, i, j, gap, margin_slack * (radius + other)))
            continue;
        // Coincident centres have no direction: any will do, the same for both.
        const Vector3d normal = distance > 0.0 ? (1.0 / distance) * d : Vector3d{0, 0, 1};
        FoundContact found{j, -1, normal, gap, radius + 0.5 * gap, other + 0.5 * gap, {0, 0, 0}, false};
        emit(found);
    }
}

}  // namespace scree::kernels
