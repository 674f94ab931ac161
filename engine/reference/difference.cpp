// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/difference.hpp"

#include "engine/reference/collision.hpp"

namespace scree::reference {
namespace {

Eigen::Vector3d core_support(const Placed& placed, const Eigen::Vector3d& d) {
    return std::holds_alternative<Sphere>(placed.shape) ? placed.pose.position : placed.support(d);
}

}  // namespace

double core_margin(const Shape& shape) {
    const auto* sphere = std::get_if<Sphere>(&shape);
    return sphere != nullptr ? sphere->radius : 0.0;
}

Difference::Difference(const Placed& first, const Placed& second)
    : a(first),
      b(second),
      margin(core_margin(first.shape) + core_margin(second.shape)),
      scale(bounding_radius(first.shape) + bounding_radius(second.shape)) {}

DifferencePoint Difference::lowest(const Eigen::Vector3d& d) const {
    DifferencePoint p;
    p.on_a = core_support(a, d);
    p.on_b = core_support(b, -d) + shift;
    p.offset = p.on_b - p.on_a;
    return p;
}

}  // namespace scree::reference
