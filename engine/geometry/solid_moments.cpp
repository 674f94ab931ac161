// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/solid_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::geometry {
namespace {

using model::Vec3;
constexpr double pi = std::numbers::pi;

/// From the second moments of the volume along the axes, int x^2 dV and so on.
SolidMoments of_second_moments(double volume, Vec3 second) {
    SolidMoments m;
    m.volume = volume;
    m.inertia = (1.0 / volume) * Vec3{second.y + second.z, second.z + second.x, second.x + second.y};
    return m;
}

}  // namespace

SolidMoments moments_of(const model::SolidCapsule& capsule) {
    const double r = capsule.radius, c = capsule.half_length;
    const double tube = pi * r * r * 2.0 * c, ball = 4.0 / 3.0 * pi * r * r * r;
    // int z^2: of the tube, and of the halves of the ball about their centres of mass at c + 3 r / 8.
    const double across = tube * r * r / 4.0 + ball * r * r / 5.0;
    const double along = tube * c * c / 3.0 + ball * (c * c + 0.75 * c * r + r * r / 5.0);
    SolidMoments m = of_second_moments(tube + ball, {across, across, along});
    m.radius = c + r;
    m.half_extents = {r, r, c + r};
    return m;
}

SolidMoments moments_of(const model::SolidCone& cone) {
    const double a = cone.radius, h = cone.height, volume = pi * a * a * h / 3.0;
    const double across = volume * 3.0 / 20.0 * a * a, along = volume * 3.0 / 80.0 * h * h;
    SolidMoments m = of_second_moments(volume, {across, across, along});
    m.radius = std::max(0.75 * h, std::hypot(a, 0.25 * h));
    m.half_extents = {a, a, 0.75 * h};
    return m;
}

SolidMoments moments_of(const model::SolidBox& box) {
    // A core swept by a ball: the core, slabs on its faces, quarters of cylinders along its edges, eighths of the ball.
    const double r = box.rounding;
    const Vec3 core = box.half_extents - Vec3{r, r, r};
    const double a = core.x, b = core.y, c = core.z;
    const double edges = pi * r * r, ball = 4.0 / 3.0 * pi * r * r * r;
    const double volume = 8.0 * a * b * c + 8.0 * r * (a * b + b * c + c * a) + 2.0 * edges * (a + b + c) + ball;
    const auto second = [&](double x, double y, double z) {
        const double outer = x + r;
        const double sum = 8.0 * x * y * z * x * x / 3.0 +                                  // core
                           4.0 * y * z * 2.0 * (outer * outer * outer - x * x * x) / 3.0 +  // slabs along x
                           8.0 * r * (x * y + x * z) * x * x / 3.0 +                        // slabs beside
                           edges * 2.0 * x * x * x / 3.0;                                   // edges along x
        const double quarter_discs = edges * x * x + 8.0 * x * r * r * r / 3.0 + pi * r * r * r * r / 4.0;
        return sum + 2.0 * (y + z) * quarter_discs + ball * x * x + pi * r * r * r * r * x +
               4.0 / 15.0 * pi * std::pow(r, 5);
    };
    SolidMoments m = of_second_moments(volume, {second(a, b, c), second(b, c, a), second(c, a, b)});
    m.radius = model::norm(core) + r;
    m.half_extents = box.half_extents;
    return m;
}

SolidMoments moments_of(const model::SolidCylinder& cylinder) {
    // A core swept by a ball: a tube of the full radius, and caps whose radius is a + s, s^2 = r^2 - t^2, at height c +
    // t.
    const double r = cylinder.rounding, a = cylinder.radius - r, c = cylinder.half_length - r;
    const double full = a + r;
    const double r2 = r * r, r3 = r2 * r, r4 = r3 * r, r5 = r4 * r;
    // int (a + s)^2, its moments with t and t^2, and int (a + s)^4 over 0 <= t <= r.
    const double m0 = a * a * r + a * pi * r2 / 2.0 + 2.0 * r3 / 3.0;
    const double m1 = a * a * r2 / 2.0 + 2.0 * a * r3 / 3.0 + r4 / 4.0;
    const double m2 = a * a * r3 / 3.0 + a * pi * r4 / 8.0 + 2.0 * r5 / 15.0;
    const double fourth =
        a * a * a * a * r + a * a * a * pi * r2 + 4.0 * a * a * r3 + 0.75 * a * pi * r4 + 8.0 * r5 / 15.0;
    const double volume = 2.0 * pi * (full * full * c + m0);
    const double across = 2.0 * pi / 4.0 * (full * full * full * full * c + fourth);
    const double along = 2.0 * pi * (full * full * c * c * c / 3.0 + c * c * m0 + 2.0 * c * m1 + m2);
    SolidMoments m = of_second_moments(volume, {across, across, along});
    m.radius = std::hypot(a, c) + r;
    m.half_extents = {full, full, cylinder.half_length};
    return m;
}

}  // namespace scree::geometry
