// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/difference.hpp"
#include "engine/reference/separation.hpp"
#include "engine/reference/supporting_face.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

Vector3d direction_at(double angle) { return {std::cos(angle), 0.0, std::sin(angle)}; }

/// Outward normals [world] at which the section's support function has a kink or turns fastest.
std::vector<Vector3d> key_normals(const Placed& placed) {
    std::vector<Vector3d> list;
    if (const auto* p = std::get_if<Polytope>(&placed.shape)) {
        list = p->normals;
    } else {
        for (const double sign : {-1.0, 1.0}) {
            list.emplace_back(sign * Vector3d::UnitX());
            list.emplace_back(sign * Vector3d::UnitZ());
        }
        if (const auto* s = std::get_if<Superquadric>(&placed.shape))
            for (const double x : {-1.0, 1.0})
                for (const double z : {-1.0, 1.0})
                    list.push_back(Vector3d(x / s->semi_axes.x(), 0.0, z / s->semi_axes.z()).normalized());
    }
    for (Vector3d& n : list) n = placed.pose.orientation * n;
    return list;
}

struct Candidate {
    double angle;
    Direction direction;
};

std::vector<Candidate> candidates(const Difference& difference, double start) {
    std::vector<Candidate> list;
    for (const Vector3d& n : key_normals(difference.a))
        list.push_back({std::atan2(n.z(), n.x()), along(difference, n)});
    for (const Vector3d& n : key_normals(difference.b))
        list.push_back({std::atan2(-n.z(), -n.x()), along(difference, -n)});
    // Between the kinks s is smooth; as many more directions tell its hills apart.
    constexpr int more = 128;
    for (int k = 0; k < more; ++k) {
        const double angle = std::remainder(start + 2.0 * std::numbers::pi * k / more, 2.0 * std::numbers::pi);
        list.push_back({angle, along(difference, direction_at(angle))});
    }
    std::sort(list.begin(), list.end(), [](const Candidate& l, const Candidate& r) { return l.angle < r.angle; });
    return list;
}

/// The angles of the candidates on both sides; not of those that are the same but for rounding.
std::pair<double, double> bracket(const std::vector<Candidate>& list, std::size_t k) {
    const double here = list[k].angle, apart = 1e-9, turn = 2.0 * std::numbers::pi;
    double low = -turn, high = turn;
    for (const Candidate& c : list) {
        const double beside = std::remainder(c.angle - here, turn);
        if (beside < -apart) low = std::max(low, beside);
        if (beside > apart) high = std::min(high, beside);
    }
    return {here + low, here + high};
}

/// The top of a hill, with a pair of points opposite each other.
struct Top {
    Direction best;
    Vector3d on_a, on_b;
};

/// The top of a hill between two angles: where the slope of s changes sign. Across it the farthest points may jump,
/// over a flat edge, or all but jump, where curvature is below what doubles resolve: the pair is then between both.
Top bisected(const Difference& difference, double low, double high) {
    const auto slope = [](const Direction& at) { return at.lowest.offset.dot(Vector3d(-at.d.z(), 0.0, at.d.x())); };
    Direction before = along(difference, direction_at(low)), after = along(difference, direction_at(high));
    Direction best = before.separation > after.separation ? before : after;
    for (int iteration = 0; iteration < 70; ++iteration) {
        const double middle = 0.5 * (low + high);
        const Direction at = along(difference, direction_at(middle));
        if (at.separation >= best.separation) best = at;
        const bool rises = slope(at) > 0.0;
        (rises ? low : high) = middle;
        (rises ? before : after) = at;
    }
    // Near a round top s is level to rounding over 1e-8 rad: its slope tells the top, not s.
    const Direction top = along(difference, direction_at(0.5 * (low + high)));
    if (top.separation >= best.separation - 1e-15 * difference.scale) best = top;
    const double up = std::max(0.0, slope(before)), down = std::max(0.0, -slope(after));
    const double part = up + down > 0.0 ? up / (up + down) : 0.0;
    return {best, before.lowest.on_a + part * (after.lowest.on_a - before.lowest.on_a),
            before.lowest.on_b + part * (after.lowest.on_b - before.lowest.on_b)};
}

}  // namespace

Separation planar_separation(const Placed& a, const Placed& b) {
    const Difference difference(a, b);
    const Vector3d apart = b.pose.position - a.pose.position;
    const auto list = candidates(difference, std::atan2(apart.z(), apart.x()));
    const std::size_t n = list.size();
    std::vector<std::size_t> tops;
    for (std::size_t k = 0; k < n; ++k) {
        const double here = list[k].direction.separation;
        if (here >= list[(k + 1) % n].direction.separation && here >= list[(k + n - 1) % n].direction.separation)
            tops.push_back(k);
    }
    std::stable_sort(tops.begin(), tops.end(), [&](std::size_t l, std::size_t r) {
        return list[l].direction.separation > list[r].direction.separation;
    });
    if (tops.size() > 6) tops.resize(6);
    Top best{list[tops.front()].direction, Vector3d::Zero(), Vector3d::Zero()};
    best.best.separation = -std::numeric_limits<double>::infinity();
    for (const std::size_t k : tops) {
        const auto [low, high] = bracket(list, k);
        const double here = list[k].angle, rounding = 1e-15 * difference.scale;
        Top top = bisected(difference, low, high);
        // Bisection may end on a lower hill between the same two angles: closer to this one there is only its own.
        for (double part = 0.1; part > 1e-8 && top.best.separation < list[k].direction.separation - rounding;
             part *= 0.1)
            top = bisected(difference, here + part * (low - here), here + part * (high - here));
        // Exact normals win ties.
        if (list[k].direction.separation >= top.best.separation - rounding) top.best = list[k].direction;
        const auto amiss = [&](const Vector3d& offset) { return (offset - top.best.separation * top.best.d).norm(); };
        if (amiss(top.best.lowest.offset) < amiss(top.on_b - top.on_a)) {
            top.on_a = top.best.lowest.on_a;
            top.on_b = top.best.lowest.on_b;
        }
        if (top.best.separation > best.best.separation + rounding) best = top;
    }
    const Vector3d& d = best.best.d;
    return {d, best.best.separation - difference.margin, best.on_a + core_margin(a.shape) * d,
            best.on_b - core_margin(b.shape) * d};
}

}  // namespace scree::reference
