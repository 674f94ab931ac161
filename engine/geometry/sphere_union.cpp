// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/sphere_union.hpp"

#include "engine/geometry/disc_union.hpp"
#include "engine/geometry/extent.hpp"
#include "engine/geometry/outside_caps.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace scree::geometry {
namespace {

using model::Vec3;

/// Of balls that lie in others, without surface of their own, none is kept; of equal ones, the first.
std::vector<Ball> without_inner(std::span<const Ball> balls) {
    std::vector<Ball> kept;
    for (std::size_t i = 0; i < balls.size(); ++i) {
        bool inner = false;
        for (std::size_t j = 0; j < balls.size() && !inner; ++j) {
            if (i == j || norm(balls[i].position - balls[j].position) > balls[j].radius - balls[i].radius) continue;
            const bool equal = balls[i].position == balls[j].position && balls[i].radius == balls[j].radius;
            inner = !equal || j < i;
        }
        if (!inner) kept.push_back(balls[i]);
    }
    return kept;
}

/// The caps of ball i, as a unit sphere about its centre, that the others cover.
std::vector<Cap> caps_on(const std::vector<Ball>& balls, std::size_t i) {
    std::vector<Cap> caps;
    const Ball& ball = balls[i];
    for (std::size_t j = 0; j < balls.size(); ++j) {
        if (j == i) continue;
        const Vec3 way = balls[j].position - ball.position;
        const double distance = norm(way);
        if (distance >= ball.radius + balls[j].radius) continue;
        // The difference of the squares of the radii as a product: of balls that nearly coincide, the two caps fit
        // together to rounding only so.
        const double squares = (ball.radius - balls[j].radius) * (ball.radius + balls[j].radius);
        caps.push_back({(1.0 / distance) * way, (distance + squares / distance) / (2.0 * ball.radius)});
    }
    return caps;
}

Extent around(const std::vector<Ball>& balls) {
    Extent extent;
    for (const Ball& ball : balls) extent.add(ball.position, ball.radius);
    return extent;
}

/// The share of a ball's free surface in 3 V; `c`: its centre about the point.
double support(const SphericalMoments& free, const std::array<double, 3>& c, double r) {
    double sum = r * free.area;  // Of x . n = c . n + r.
    for (std::size_t m = 0; m < 3; ++m) sum += c[m] * free.first[m];
    return sum;
}

/// Integrals of 1, x_k and x_k x_l over the volume, about a point.
struct Integrals {
    double zeroth = 0.0;
    std::array<double, 3> first{};
    std::array<std::array<double, 3>, 3> second{};
};

/// Adds the share of a ball's free surface; `c`: its centre about the point.
void add(const SphericalMoments& free, const std::array<double, 3>& c, double r, Integrals& sum) {
    const double area = r * r;
    const double with_none = support(free, c, r);
    sum.zeroth += area / 3.0 * with_none;
    std::array<double, 3> with_one{};  // Of n_k x . n.
    for (std::size_t k = 0; k < 3; ++k) {
        with_one[k] = r * free.first[k];
        for (std::size_t m = 0; m < 3; ++m) with_one[k] += c[m] * free.second[k][m];
        sum.first[k] += area / 4.0 * (c[k] * with_none + r * with_one[k]);
    }
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l) {
            double with_two = r * free.second[k][l];
            for (std::size_t m = 0; m < 3; ++m) with_two += c[m] * free.third[k][l][m];
            sum.second[k][l] +=
                area / 5.0 *
                (c[k] * c[l] * with_none + r * (c[k] * with_one[l] + c[l] * with_one[k]) + r * r * with_two);
        }
}

}  // namespace

UnionMoments union_moments(std::span<const Ball> balls) {
    const std::vector<Ball> outer = without_inner(balls);
    UnionMoments moments;
    if (outer.empty()) return moments;
    // About a point among them, so that places far from the origin cost no digits.
    double weight = 0.0;
    Vec3 offset;
    for (const Ball& ball : outer) {
        const double cube = ball.radius * ball.radius * ball.radius;
        weight += cube;
        offset = offset + cube * (ball.position - outer.front().position);
    }
    const Vec3 origin = outer.front().position + (1.0 / weight) * offset;
    Integrals sum;
    for (std::size_t i = 0; i < outer.size(); ++i) {
        const Vec3 c = outer[i].position - origin;
        add(moments_outside_caps(caps_on(outer, i)), {c.x, c.y, c.z}, outer[i].radius, sum);
    }
    moments.volume = sum.zeroth;
    const std::array<double, 3> mean{sum.first[0] / sum.zeroth, sum.first[1] / sum.zeroth, sum.first[2] / sum.zeroth};
    moments.center = origin + Vec3{mean[0], mean[1], mean[2]};
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l) moments.second[k][l] = sum.second[k][l] - sum.zeroth * mean[k] * mean[l];
    return moments;
}

double union_volume_in_box(std::span<const Ball> balls, Vec3 lower, Vec3 upper) {
    const std::vector<Ball> outer = without_inner(balls);
    const Extent whole = around(outer);
    lower = {std::max(lower.x, whole.lower.x), std::max(lower.y, whole.lower.y), std::max(lower.z, whole.lower.z)};
    upper = {std::min(upper.x, whole.upper.x), std::min(upper.y, whole.upper.y), std::min(upper.z, whole.upper.z)};
    if (outer.empty() || !(lower.x < upper.x && lower.y < upper.y && lower.z < upper.z)) return 0.0;
    double thrice = 0.0;
    for (std::size_t i = 0; i < outer.size(); ++i) {
        const Vec3 c = outer[i].position - lower, rest = upper - outer[i].position;
        const double r = outer[i].radius;
        std::vector<Cap> caps = caps_on(outer, i);
        for (const Cap& cut : {Cap{{-1, 0, 0}, c.x / r}, Cap{{0, -1, 0}, c.y / r}, Cap{{0, 0, -1}, c.z / r},
                               Cap{{1, 0, 0}, rest.x / r}, Cap{{0, 1, 0}, rest.y / r}, Cap{{0, 0, 1}, rest.z / r}})
            caps.push_back(cut);
        thrice += r * r * support(moments_outside_caps(caps), {c.x, c.y, c.z}, r);
    }
    // The upper faces; axes in turn, the face's first.
    const auto turned = [](Vec3 v, int axis) {
        return axis == 0 ? v : axis == 1 ? Vec3{v.y, v.z, v.x} : Vec3{v.z, v.x, v.y};
    };
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3 low = turned(lower, axis), high = turned(upper, axis);
        std::vector<Disc> discs;
        for (const Ball& ball : outer) {
            const Vec3 c = turned(ball.position, axis);
            const double off = high.x - c.x;
            discs.push_back({c.y, c.z, (ball.radius - off) * (ball.radius + off)});
        }
        thrice += (high.x - low.x) * disc_union_area(discs, {low.y, low.z, high.y, high.z});
    }
    return std::max(0.0, thrice / 3.0);
}

}  // namespace scree::geometry
