// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/region_space.hpp"

#include "engine/model/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace scree::geometry {
namespace {

using Kind = model::Region::Kind;
using model::Vec3;

[[noreturn]] void fail(const std::string& what) { throw model::Error(model::ErrorKind::input, "region: " + what); }

void check_positive(const char* what, double value) {
    if (!(value > 0.0) || !std::isfinite(value)) fail(fmt::format("{} is {}, allowed: > 0", what, value));
}

void check_finite(const char* what, Vec3 v) {
    if (std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z)) return;
    fail(fmt::format("{} is not finite", what));
}

}  // namespace

RegionSpace::RegionSpace(const model::Region& region) : region_(region) {
    switch (region_.kind) {
        case Kind::box: {
            const Vec3 a = region_.lower, b = region_.upper;
            check_finite("lower", a);
            check_finite("upper", b);
            if (!(a.x < b.x && a.y < b.y && a.z < b.z)) {
                fail(fmt::format("the box from ({}, {}, {}) to ({}, {}, {}) is empty", a.x, a.y, a.z, b.x, b.y, b.z));
            }
            lower_ = a;
            upper_ = b;
            break;
        }
        case Kind::cylinder: {
            check_positive("length", region_.length);
            check_positive("radius", region_.radius);
            check_finite("start", region_.start);
            check_finite("axis", region_.axis);
            region_.axis = normalized(region_.axis);
            const Vec3 u = region_.axis;
            if (!(norm(u) > 0.5)) fail("axis has no direction");
            across_ = normalized(cross(u, std::abs(u.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
            beside_ = cross(u, across_);
            const auto side = [&](double c) { return region_.radius * std::sqrt(std::max(0.0, 1.0 - c * c)); };
            const Vec3 reach{side(u.x), side(u.y), side(u.z)};
            const Vec3 a = region_.start, b = a + region_.length * u;
            lower_ = Vec3{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)} - reach;
            upper_ = Vec3{std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)} + reach;
            break;
        }
        case Kind::sphere: {
            check_positive("radius", region_.radius);
            check_finite("center", region_.center);
            const double r = region_.radius;
            lower_ = region_.center - Vec3{r, r, r};
            upper_ = region_.center + Vec3{r, r, r};
            break;
        }
    }
}

double RegionSpace::volume() const {
    const double r = region_.radius;
    if (region_.kind == Kind::cylinder) return std::numbers::pi * r * r * region_.length;
    if (region_.kind == Kind::sphere) return 4.0 / 3.0 * std::numbers::pi * r * r * r;
    const Vec3 d = upper_ - lower_;
    return d.x * d.y * d.z;
}

double RegionSpace::largest_radius() const {
    if (region_.kind == Kind::cylinder) return std::min(region_.radius, 0.5 * region_.length);
    if (region_.kind == Kind::sphere) return region_.radius;
    const Vec3 d = upper_ - lower_;
    return 0.5 * std::min({d.x, d.y, d.z});
}

Vec3 RegionSpace::sample(double radius, RandomStream& random) const {
    if (region_.kind == Kind::box) {
        const double x = random.between(lower_.x + radius, upper_.x - radius);
        const double y = random.between(lower_.y + radius, upper_.y - radius);
        const double z = random.between(lower_.z + radius, upper_.z - radius);
        return {x, y, z};
    }
    const double angle = random.between(0.0, 2.0 * std::numbers::pi);
    const double room = region_.radius - radius;
    if (region_.kind == Kind::cylinder) {
        const double distance = room * std::sqrt(random.unit());
        const double along = random.between(radius, region_.length - radius);
        return region_.start + along * region_.axis + distance * std::cos(angle) * across_ +
               distance * std::sin(angle) * beside_;
    }
    const double height = random.between(-1.0, 1.0);
    const double distance = room * std::cbrt(random.unit()), around = std::sqrt(1.0 - height * height);
    return region_.center + distance * Vec3{around * std::cos(angle), around * std::sin(angle), height};
}

Vec3 RegionSpace::pull_inside(double radius, Vec3 center) const {
    if (region_.kind == Kind::box) {
        // Not std::clamp: the bounds may cross by rounding for a sphere that just fits.
        const auto clamp = [&](double v, double a, double b) { return std::max(a + radius, std::min(v, b - radius)); };
        return {clamp(center.x, lower_.x, upper_.x), clamp(center.y, lower_.y, upper_.y),
                clamp(center.z, lower_.z, upper_.z)};
    }
    const double room = region_.radius - radius;
    if (region_.kind == Kind::sphere) {
        const Vec3 d = center - region_.center;
        const double distance = norm(d);
        return distance <= room ? center : region_.center + (room / distance) * d;
    }
    const Vec3 d = center - region_.start;
    const double along = dot(d, region_.axis);
    const Vec3 off = d - along * region_.axis;
    const double distance = norm(off);
    const double height = std::max(radius, std::min(along, region_.length - radius));
    return region_.start + height * region_.axis + (distance <= room ? off : (room / distance) * off);
}

}  // namespace scree::geometry
