// SPDX-License-Identifier: BSD-3-Clause
// The box is an inclusion-exclusion sum over its corners of K(a, b, c), the volume of the unit ball in the octant
// {x > a, y > b, z > c}. For a, b, c >= 0 and the corner inside the ball, the divergence theorem gives
//   3 K = S - a F_a - b F_b - c F_c,
// with the flat faces F and the spherical face S, whose area follows from the theorem of Gauss and Bonnet.
#include "engine/measure/sphere_box_overlap.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::measure {
namespace {

double arc_sine(double x) { return std::asin(std::clamp(x, -1.0, 1.0)); }
double arc_cosine(double x) { return std::acos(std::clamp(x, -1.0, 1.0)); }

/// What the plane x = a cuts off the octant's piece of the ball: a face in the circle of radius `rho` about the axis,
/// where y > b and z > c.
struct Face {
    double angle;  ///< Of its circular edge [rad].
    double area;
};

Face face(double rho, double b, double c) {
    const double angle = std::max(0.0, arc_cosine(c / rho) - arc_sine(b / rho));
    const double y = std::sqrt(std::max(0.0, rho * rho - c * c)), z = std::sqrt(std::max(0.0, rho * rho - b * b));
    return {angle, 0.5 * (rho * rho * angle - c * y - b * z) + b * c};
}

/// K for a, b, c >= 0.
double positive_octant(double a, double b, double c) {
    if (a * a + b * b + c * c >= 1.0) return 0.0;
    const double rho_a = std::sqrt(1.0 - a * a), rho_b = std::sqrt(1.0 - b * b), rho_c = std::sqrt(1.0 - c * c);
    const Face face_a = face(rho_a, b, c), face_b = face(rho_b, c, a), face_c = face(rho_c, a, b);
    // Exterior angles at the three corners of the spherical face.
    const double corners = arc_cosine(-a * b / (rho_a * rho_b)) + arc_cosine(-b * c / (rho_b * rho_c)) +
                           arc_cosine(-c * a / (rho_c * rho_a));
    const double edges = a * face_a.angle + b * face_b.angle + c * face_c.angle;  // Geodesic curvature times length.
    const double sphere = 2.0 * std::numbers::pi - edges - corners;
    return std::max(0.0, (sphere - a * face_a.area - b * face_b.area - c * face_c.area) / 3.0);
}

/// K for any a, b, c: what a mirror plane through the centre leaves.
double octant(double a, double b, double c) {
    if (a < 0.0) return 2.0 * octant(0.0, b, c) - octant(-a, b, c);
    if (b < 0.0) return 2.0 * octant(a, 0.0, c) - octant(a, -b, c);
    if (c < 0.0) return 2.0 * octant(a, b, 0.0) - octant(a, b, -c);
    return positive_octant(a, b, c);
}

}  // namespace

double sphere_box_overlap(model::Vec3 center, double radius, model::Vec3 lower, model::Vec3 upper) {
    const auto scaled = [radius](double bound, double middle) {
        return std::clamp((bound - middle) / radius, -1.0, 1.0);
    };
    const double x[2] = {scaled(lower.x, center.x), scaled(upper.x, center.x)};
    const double y[2] = {scaled(lower.y, center.y), scaled(upper.y, center.y)};
    const double z[2] = {scaled(lower.z, center.z), scaled(upper.z, center.z)};
    if (x[0] >= x[1] || y[0] >= y[1] || z[0] >= z[1]) return 0.0;
    const double volume = radius * radius * radius;
    const bool inside = x[0] == -1.0 && x[1] == 1.0 && y[0] == -1.0 && y[1] == 1.0 && z[0] == -1.0 && z[1] == 1.0;
    if (inside) return 4.0 / 3.0 * std::numbers::pi * volume;
    double sum = 0.0;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            for (int k = 0; k < 2; ++k) sum += ((i + j + k) % 2 == 0 ? 1.0 : -1.0) * octant(x[i], y[j], z[k]);
        }
    }
    return std::max(0.0, sum) * volume;
}

}  // namespace scree::measure
