// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/repose.hpp"

#include "engine/measure/box_region.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

namespace scree::measure {
namespace {

using model::Vec3;

/// Least squares for height = level + slope (u, v), by the moments about the means. Points must be two or more.
struct Slope {
    double along_u = 0.0, along_v = 0.0, level = 0.0, rms = 0.0;
    bool found = false;
};

/// `points` as {u, v, height}; v all 0 fits a line over u.
Slope fitted(const std::vector<std::array<double, 3>>& points, bool is_line) {
    Slope slope;
    const auto n = double(points.size());
    double u = 0.0, v = 0.0, h = 0.0;
    for (const auto& p : points) {
        u += p[0] / n;
        v += p[1] / n;
        h += p[2] / n;
    }
    double uu = 0.0, uv = 0.0, vv = 0.0, uh = 0.0, vh = 0.0;
    for (const auto& p : points) {
        const double du = p[0] - u, dv = p[1] - v, dh = p[2] - h;
        uu += du * du;
        uv += du * dv;
        vv += dv * dv;
        uh += du * dh;
        vh += dv * dh;
    }
    if (is_line) vv = 1.0;
    const double determinant = uu * vv - uv * uv;
    // Points in a row, or all on one spot, tell no slope.
    if (!(uu > 0.0 && vv > 0.0 && determinant > 1e-9 * uu * vv)) return slope;
    slope.found = true;
    slope.along_u = (vv * uh - uv * vh) / determinant;
    slope.along_v = is_line ? 0.0 : (uu * vh - uv * uh) / determinant;
    slope.level = h - slope.along_u * u - slope.along_v * v;
    double square = 0.0;
    for (const auto& p : points) {
        const double off = p[2] - slope.level - slope.along_u * p[0] - slope.along_v * p[1];
        square += off * off / n;
    }
    slope.rms = std::sqrt(square);
    return slope;
}

double degrees(double tangent) { return std::atan(tangent) * 180.0 / std::numbers::pi; }

}  // namespace

Repose::Repose(const model::Scene& scene, const model::Probe& probe) : box_(probe.box), kind_(probe.surface) {
    const Vec3 up = normalized(-scene.gravity);
    if (norm(up) > 0.0) up_ = up;
    const double x = std::abs(up_.x), y = std::abs(up_.y), z = std::abs(up_.z);
    const Vec3 least = x <= y && x <= z ? Vec3{1, 0, 0} : (y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
    first_ = normalized(least - dot(least, up_) * up_);
    second_ = cross(up_, first_);
}

std::vector<std::string> Repose::fields() const {
    if (kind_ == model::Probe::Surface::cone) return {"angle_deg", "height", "radius", "rms", "columns"};
    return {"angle_deg", "rms", "columns"};
}

Repose::Surface Repose::surface_of(const model::Snapshot& s) const {
    Surface surface;
    std::vector<std::size_t> inside;
    double radii = 0.0, mass = 0.0;
    surface.lowest = std::numeric_limits<double>::infinity();
    surface.highest = -surface.lowest;
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        if (!std::isfinite(s.mass[i]) || !contains(box_, s.position[i])) continue;
        inside.push_back(i);
        radii += s.radius[i];
        mass += s.mass[i];
        const double height = dot(up_, s.position[i]);
        surface.first += s.mass[i] * dot(first_, s.position[i]);
        surface.second += s.mass[i] * dot(second_, s.position[i]);
        surface.lowest = std::min(surface.lowest, height - s.radius[i]);
        surface.highest = std::max(surface.highest, height + s.radius[i]);
    }
    if (inside.empty()) return surface;
    surface.first /= mass;
    surface.second /= mass;
    surface.diameter = 2.0 * radii / double(inside.size());
    const double width = 2.0 * surface.diameter;
    std::map<std::pair<std::int64_t, std::int64_t>, Top> columns;
    const auto place = [width](double x) { return std::int64_t(std::clamp(std::floor(x / width), -1e15, 1e15)); };
    for (const std::size_t i : inside) {
        const Top top{dot(first_, s.position[i]) - surface.first, dot(second_, s.position[i]) - surface.second,
                      dot(up_, s.position[i]) + s.radius[i]};
        const auto [column, is_new] = columns.try_emplace({place(top.first), place(top.second)}, top);
        if (!is_new && top.height > column->second.height) column->second = top;
    }
    for (const auto& [place_of_column, top] : columns) surface.tops.push_back(top);
    return surface;
}

void Repose::evaluate(const model::Snapshot& snapshot, std::span<double> values) {
    std::fill(values.begin(), values.end(), 0.0);
    const Surface surface = surface_of(snapshot);
    const bool is_cone = kind_ == model::Probe::Surface::cone;
    const double height = surface.tops.empty() ? 0.0 : surface.highest - surface.lowest;
    const double from = std::max(0.2 * height, 1.5 * surface.diameter), to = 0.8 * height;
    std::vector<std::array<double, 3>> points;
    for (const Top& top : surface.tops) {
        const double above = top.height - surface.lowest;
        if (!is_cone)
            points.push_back({top.first, top.second, above});
        else if (above >= from && above <= to)
            points.push_back({std::hypot(top.first, top.second), 0.0, above});
    }
    values.back() = double(points.size());
    if (is_cone) values[1] = height;
    if (points.size() < 3) return;
    const Slope slope = fitted(points, is_cone);
    if (!slope.found) return;
    values[0] = is_cone ? degrees(-slope.along_u) : degrees(std::hypot(slope.along_u, slope.along_v));
    if (is_cone && slope.along_u < 0.0) values[2] = -slope.level / slope.along_u;
    values[values.size() - 2] = slope.rms;
}

}  // namespace scree::measure
