// SPDX-License-Identifier: BSD-3-Clause
#include "engine/query/shape_queries.hpp"

#include "kernels/collide/shapes/separation.hpp"

#include <cmath>
#include <limits>

namespace scree::query {
namespace {

using kernels::Vector3d;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// The part of a line inside a ball; empty when enter > leave.
struct Chord {
    double enter = 1.0, leave = 0.0;
};

Chord chord_of(const Line& line, Vector3d center, double radius) {
    const double nearest = line.nearest_to(center);
    const Vector3d away = line.at(nearest) - center;
    const double half = radius * radius - dot(away, away);
    if (!(half >= 0.0)) return {};
    return {nearest - std::sqrt(half), nearest + std::sqrt(half)};
}

/// `gap` at the line's begin, along `normal`: inside, on the surface on the way in, or neither.
bool touches_at_once(double gap, double tolerance, Vector3d normal, const Line& line, Touch& touch) {
    if (gap > tolerance) return false;
    if (gap < -tolerance)
        touch = {true, true, 0.0, against(line.along)};
    else if (dot(normal, line.along) < 0.0)
        touch = {true, false, 0.0, normal};
    return true;
}

Touch touch_ball(Vector3d center, double radius, const Line& line, double limit) {
    Touch touch;
    const Vector3d out = line.from - center;
    const double distance = norm(out);
    const double tolerance = 4.0 * epsilon * (radius + distance);
    const Vector3d normal = distance > 0.0 ? (1.0 / distance) * out : against(line.along);
    if (touches_at_once(distance - radius, tolerance, normal, line, touch)) return touch;
    const Chord chord = chord_of(line, center, radius);
    if (chord.enter > chord.leave || chord.enter < 0.0 || chord.enter > limit) return touch;
    return {true, false, chord.enter, (1.0 / radius) * (line.at(chord.enter) - center)};
}

}  // namespace

Touch touch_shape(const kernels::ShapeView& view, const kernels::PlacedShape& shape, const Line& line, double limit) {
    if (shape.shape->kind == kernels::ShapeKind::sphere)
        return touch_ball(shape.position, shape.rounding(), line, limit);
    // From where the line enters the ball around the shape, in axes about the shape's origin.
    const double radius = (1.0 + 1e-12) * shape.bounding_radius();
    const Chord chord = chord_of(line, shape.position, radius);
    if (chord.enter > chord.leave || chord.leave < 0.0 || chord.enter > limit) return {};
    const double start = std::max(chord.enter, 0.0);
    const double tolerance = 1e-13 * radius + 4.0 * epsilon * norm(line.from - shape.position);
    kernels::ConvexShape dot_shape;  // a ball of no radius
    kernels::PlacedShape point;
    point.shape = &dot_shape;
    Vector3d guess{0, 0, 0};
    double distance = start;
    constexpr int most = 200;
    for (int step = 0;; ++step) {
        point.position = line.at(distance);
        const kernels::DifferenceBody pair(view, point, shape);
        const kernels::Direction best = kernels::best_direction(pair, guess, 1e300);
        guess = best.d;
        const double gap = best.separation - shape.rounding();
        const double approach = dot(best.d, line.along);
        Touch touch;
        if (distance == 0.0 && touches_at_once(gap, tolerance, against(best.d), line, touch)) return touch;
        if (gap <= tolerance || (step == most && approach > 0.0)) return {true, false, distance, against(best.d)};
        if (!(approach > 0.0)) return {};
        distance += gap / approach;
        if (distance > limit || distance > chord.leave) return {};
    }
}

bool reaches_into(const kernels::ShapeView& view, const kernels::PlacedShape& shape,
                  const kernels::PlacedShape& region) {
    const double distance = norm(shape.position - region.position);
    const double rounding = 4.0 * epsilon * (distance + shape.bounding_radius() + region.bounding_radius());
    if (distance > shape.bounding_radius() + region.bounding_radius() + rounding) return false;
    const kernels::DifferenceBody pair(view, region, shape);
    const double enough = shape.rounding() + region.rounding() + rounding;
    const kernels::Direction start = pair.along(pair.towards());
    return kernels::nearest_direction(pair, {0, 0, 0}, start, enough, 1e-15 * pair.size).best.separation <= enough;
}

}  // namespace scree::query
