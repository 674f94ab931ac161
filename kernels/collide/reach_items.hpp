// SPDX-License-Identifier: BSD-3-Clause
// How far bodies reach in a step: the extents that the grid is built from, and what hits do to those who fly along.
#pragma once

#include "kernels/collide/found_contacts.hpp"

namespace scree::kernels {

/// Extent = radius + margin. The margin lets contacts be found that may close within the step: the way of the body
/// alone in h, and `slack` of the radius for what it may be pushed.
template <class R>
struct ExtentItem {
    const double* position;
    const R* velocity;
    const R* free_velocity;
    float* extent;
    double step, slack;
    double envelope;  ///< Fixed margin [m] instead, when not negative.
    SCREE_HD void operator()(Index i) const {
        const double radius = radius_of(position, i);
        double margin = envelope;
        if (envelope < 0.0) {
            const R* v = velocity + std::int64_t(8) * i;
            const R* f = free_velocity + std::int64_t(8) * i;
            const Vector3d before{double(v[0]), double(v[1]), double(v[2])};
            const Vector3d after{double(f[0]), double(f[1]), double(f[2])};
            margin = slack * radius + step * larger(norm(before), norm(after));
        }
        extent[i] = float((radius + margin) * (1.0 + 1e-6));
    }
};

/// The velocity part of the motion rows; the agitation stays.
template <class R>
struct MotionItem {
    const R* free_velocity;
    float* motion;
    SCREE_HD void operator()(Index i) const {
        for (int k = 0; k < 3; ++k) motion[std::int64_t(4) * i + k] = float(free_velocity[std::int64_t(8) * i + k]);
    }
};

/// hit[i] = the largest speed at which body i meets another surface within the step, as free motion has it. What others
/// stop in this step is new to the bodies that fly along with it: without this they would run into it unseen.
/// Left out are speeds at which nothing reaches past the slack that all pairs have.
template <class R>
struct HitItem {
    CollisionView view;
    const R* free_velocity;
    float* hit;       ///< 0 before.
    double harmless;  ///< Relative speed [m/s] with which no body, the smallest included, gets past its slack.
    SCREE_HD void operator()(Index i) const {
        const Vector3d center = center_of(view.position, i), own = velocity_of(i);
        const double radius = radius_of(view.position, i);
        const Index* neighbours = view.neighbours.of(i);
        for (Index k = 0; k < view.neighbours.count[i]; ++k) {
            const Index j = neighbours[k];
            if (j < 0) {
                for_each_boundary_point(view.boundaries, -1 - j, center, radius,
                                        larger(double(view.extent[i]) - radius, 0.0), view.step,
                                        [&](const BoundaryPoint& p) {
                                            meets(i, -1, dot(own - p.velocity, p.normal), p.distance - radius);
                                        });
                continue;
            }
            const Vector3d u = own - velocity_of(j);
            if (dot(u, u) < harmless * harmless) continue;
            const Vector3d d = view.periodic.nearest_image(center_of(view.position, j) - center);
            const double closing = dot(u, d);
            if (!(closing > 0.0)) continue;
            const double distance = square_root(dot(d, d));
            meets(i, j, closing / distance, distance - radius - radius_of(view.position, j));
        }
    }
    SCREE_HD void meets(Index i, Index j, double approach, double gap) const {
        if (!(approach > 0.0) || !(approach * view.step > gap)) return;
        raise_to(hit + i, float(approach));
        if (j >= 0) raise_to(hit + j, float(approach));
    }
    SCREE_HD Vector3d velocity_of(Index body) const {
        const R* v = free_velocity + std::int64_t(8) * body;
        return {double(v[0]), double(v[1]), double(v[2])};
    }
};

/// maxima: [0] speed of free motion [m/s], [1] 1 / radius [1/m].
template <class R>
struct FlightItem {
    const double* position;
    const R* free_velocity;
    SCREE_HD void operator()(Index i, Accumulator<double, 0, 2>& acc) const {
        const R* v = free_velocity + std::int64_t(8) * i;
        acc.max[0] = larger(acc.max[0], norm(Vector3d{double(v[0]), double(v[1]), double(v[2])}));
        acc.max[1] = larger(acc.max[1], 1.0 / radius_of(position, i));
    }
};

/// Agitation: what contacts did to the body in the last step, or may do in this one; rebounds take up to twice a hit.
struct AgitateItem {
    const float* hit;
    float* motion;
    SCREE_HD void operator()(Index i) const {
        float& agitation = motion[std::int64_t(4) * i + 3];
        agitation = larger(agitation, 2.0F * hit[i]);
    }
};

}  // namespace scree::kernels
