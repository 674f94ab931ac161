// SPDX-License-Identifier: BSD-3-Clause
// The flat part of a core that faces a direction: what meets another shape as a patch.
#pragma once

#include "kernels/collide/shapes/kinks.hpp"

namespace scree::kernels {

/// How far a face or an edge may be turned from square to the direction and still be taken: cos and sin of 18 degrees.
/// Its points are offered with their own gaps, so a larger angle only offers more points that are out of reach.
inline constexpr double facing = 0.951, crossing = 0.309;

/// One corner (a vertex, or the farthest point of a round core), two (an edge) or more (a face, counter-clockwise seen
/// from outside). Corner k and the edge from it to the next share `number`, which stays with the body: as in
/// convex_shape.hpp; of frusta even numbers 0 to 30 on the lower rim (azimuth number * pi / 16), 32 for the point of
/// that rim that is farthest, 64 more on the upper rim.
struct SupportingFace {
    static constexpr int capacity = 32;
    int count = 0;
    Vector3d corner[capacity];
    std::int16_t number[capacity];
    Vector3d normal{0, 0, 0};  ///< Of a face [unit, outward]
    double cap_radius = 0.0;   ///< Of a frustum's face: the corners are on a circle about `cap_centre`.
    Vector3d cap_centre{0, 0, 0};
    double side_radius[2] = {0.0, 0.0};  ///< Of a frustum's side: its radius at both corners; 0: the edge is sharp.

    SCREE_HD void add(Vector3d at, std::int32_t its_number) {
        corner[count] = at;
        number[count++] = std::int16_t(its_number);
    }
};

/// Cosine and sine of 2 pi k / 16.
SCREE_HD inline void sixteenth(int k, double& cosine, double& sine) {
    constexpr double c1 = 0.92387953251128675613, s1 = 0.38268343236508977173, half = 0.70710678118654752440;
    const int quarter = k >> 2, rest = k & 3;
    const double c = rest == 0 ? 1.0 : (rest == 1 ? c1 : (rest == 2 ? half : s1));
    const double s = rest == 0 ? 0.0 : (rest == 1 ? s1 : (rest == 2 ? half : c1));
    cosine = quarter == 0 ? c : (quarter == 1 ? -s : (quarter == 2 ? -c : s));
    sine = quarter == 0 ? s : (quarter == 1 ? c : (quarter == 2 ? -s : -c));
}

SCREE_HD inline void box_face(const ConvexShape& s, Vector3d d, SupportingFace& face) {
    const int farthest = (d.x < 0.0 ? 0 : 1) | (d.y < 0.0 ? 0 : 2) | (d.z < 0.0 ? 0 : 4);
    const AxesByComponent axes = axes_of(d);
    if (size_of(component(d, axes.most)) >= facing) {
        const int fixed = farthest & (1 << axes.most);
        const int p = 1 << (axes.most + 1) % 3, q = 1 << (axes.most + 2) % 3;
        const int loop[4] = {fixed, fixed | (fixed != 0 ? p : q), fixed | p | q, fixed | (fixed != 0 ? q : p)};
        for (int k = 0; k < 4; ++k) face.add(box_corner(s, loop[k]), loop[k]);
        face.normal = unit_along(axes.most, fixed != 0 ? 1.0 : -1.0);
    } else if (size_of(component(d, axes.least)) <= crossing) {
        const int bit = 1 << axes.least;
        face.add(box_corner(s, farthest & ~bit), farthest & ~bit);
        face.add(box_corner(s, farthest | bit), farthest | bit);
    } else {
        face.add(box_corner(s, farthest), farthest);
    }
}

/// The rim in order of azimuth, with its lowest point in its place among the fixed ones.
SCREE_HD inline void add_cap(double radius, double z, int first_number, Vector3d d, SupportingFace& face) {
    const double rho = square_root(d.x * d.x + d.y * d.y);
    const bool upper = first_number != 0;
    const Vector3d lowest = rho > 1e-9 ? Vector3d{radius / rho * d.x, radius / rho * d.y, z} : Vector3d{0, 0, z};
    const auto turned = [](Vector3d u, Vector3d v) { return u.x * v.y - u.y * v.x; };
    // Not where it is as good as on a fixed one: 1e-6 r beside it is 1e-12 r lower at most.
    const double beside = 1e-6 * radius * radius;
    for (int step = 0; step < 16; ++step) {
        const int k = upper ? step : 15 - step;  // counter-clockwise seen from outside
        const auto rim = [&](int place) {
            double cosine, sine;
            sixteenth(place & 15, cosine, sine);
            return Vector3d{radius * cosine, radius * sine, z};
        };
        const Vector3d here = rim(k), after = rim(k + 1);
        const bool between = rho > 1e-9 && turned(here, lowest) > beside && turned(lowest, after) > beside;
        if (between && !upper) face.add(lowest, first_number + 32);
        face.add(here, first_number + 2 * k);
        if (between && upper) face.add(lowest, first_number + 32);
    }
    face.normal = {0, 0, upper ? 1.0 : -1.0};
    face.cap_radius = radius;
    face.cap_centre = {0, 0, z};
}

SCREE_HD inline void frustum_face(const Frustum& f, Vector3d d, SupportingFace& face) {
    const double rho = square_root(d.x * d.x + d.y * d.y);
    const double radius = d.z < 0.0 ? f.r0 : f.r1;
    if (size_of(d.z) >= facing && radius > 0.0) {
        add_cap(radius, d.z < 0.0 ? f.z0 : f.z1, d.z < 0.0 ? 0 : 64, d, face);
        return;
    }
    const double k = rho > 0.0 ? 1.0 / rho : 0.0;
    const Vector3d below{k * f.r0 * d.x, k * f.r0 * d.y, f.z0}, above{k * f.r1 * d.x, k * f.r1 * d.y, f.z1};
    const double rise = f.z1 - f.z0, widening = f.r1 - f.r0, length = square_root(rise * rise + widening * widening);
    const double along = widening * rho + rise * d.z;
    const bool generator = length > 0.0 && size_of(along) <= crossing * length;
    if (generator || along < 0.0) face.add(below, 32);
    if (generator || along >= 0.0) face.add(above, 96);
    if (generator) {
        face.side_radius[0] = f.r0;
        face.side_radius[1] = f.r1;
    }
}

/// Of a face of more corners than fit, some are left out, evenly.
SCREE_HD inline void polyhedron_face(const ShapeView& view, const ConvexShape& s, Vector3d d, std::int32_t farthest,
                                     SupportingFace& face) {
    double along;
    const std::int32_t f = facing_face(view, s, d, along);
    if (along >= facing) {
        const std::int32_t first = view.first_corner[s.first_face + f];
        const std::int32_t count = view.first_corner[s.first_face + f + 1] - first;
        const std::int32_t kept = count < SupportingFace::capacity ? count : SupportingFace::capacity;
        for (std::int32_t k = 0; k < kept; ++k) {
            const std::int32_t v = view.corners[first + std::int32_t(std::int64_t(k) * count / kept)];
            face.add(vertex_of(view, s, v), v);
        }
        face.normal = plane_normal(view, s, f);
        return;
    }
    double turned;
    const std::int32_t other = other_end(view, s, farthest, d, turned);
    if (turned > crossing || other > farthest) face.add(vertex_of(view, s, farthest), farthest);
    if (turned <= crossing) {
        face.add(vertex_of(view, s, other), other);
        if (other < farthest) face.add(vertex_of(view, s, farthest), farthest);
    }
}

SCREE_HD inline void triangle_face(const ConvexShape& s, Vector3d d, std::int32_t farthest, SupportingFace& face) {
    if (size_of(d.z) >= facing) {
        for (int k = 0; k < 3; ++k) {
            const int corner = d.z < 0.0 && k > 0 ? 3 - k : k;
            face.add(triangle_corner(s, corner), corner);
        }
        face.normal = {0, 0, d.z < 0.0 ? -1.0 : 1.0};
        return;
    }
    const Vector3d at = triangle_corner(s, farthest);
    int best = -1;
    double least = crossing;
    for (int k = 0; k < 3; ++k) {
        if (k == farthest) continue;
        const double turned = size_of(dot(unit(triangle_corner(s, k) - at), d));
        if (turned <= least) {
            least = turned;
            best = k;
        }
    }
    if (best >= 0 && best < farthest) face.add(triangle_corner(s, best), best);
    face.add(at, farthest);
    if (best > farthest) face.add(triangle_corner(s, best), best);
}

/// The face of the core within 18 degrees of d [unit, body axes], else the edge within 18 degrees of square to it, else
/// the farthest point `at` with the number `farthest`. Body axes, unit scale. A box without height (a thin wall) has
/// both faces.
SCREE_HD_CALL inline void supporting_face(const ShapeView& view, const ConvexShape& s, Vector3d d,
                                          std::int32_t farthest, Vector3d at, SupportingFace& face) {
    face.count = 0;
    switch (s.kind) {
        case ShapeKind::sphere:
        case ShapeKind::ellipsoid:
        case ShapeKind::superquadric:
            face.add(at, 0);
            break;
        case ShapeKind::capsule:
            if (size_of(d.z) <= crossing) face.add({0, 0, -s.c}, 0);
            if (size_of(d.z) <= crossing) face.add({0, 0, s.c}, 1);
            if (face.count == 0) face.add(at, farthest);
            break;
        case ShapeKind::box:
            box_face(s, d, face);
            break;
        case ShapeKind::cylinder:
        case ShapeKind::cone:
        case ShapeKind::frustum:
            frustum_face(frustum_of(s), d, face);
            break;
        case ShapeKind::triangle:
            triangle_face(s, d, farthest, face);
            break;
        case ShapeKind::polyhedron:
            polyhedron_face(view, s, d, farthest, face);
            break;
    }
}

}  // namespace scree::kernels
