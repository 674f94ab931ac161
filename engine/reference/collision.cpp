// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/collision.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/patch.hpp"
#include "engine/reference/separation.hpp"

#include <cmath>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

[[noreturn]] void refuse(const char* what) { throw model::Error(model::ErrorKind::input, what); }

void check(const Pose& pose) {
    if (!pose.position.allFinite() || !pose.orientation.coeffs().allFinite()) refuse("a pose is not finite");
    if (std::abs(pose.orientation.squaredNorm() - 1.0) > 1e-6) refuse("an orientation is not a unit quaternion");
}

void check_faces(const Shape& shape) {
    const auto* polytope = std::get_if<Polytope>(&shape);
    if (polytope != nullptr && (polytope->faces.empty() || polytope->faces.size() != polytope->normals.size()))
        refuse("a polytope that meets other shapes needs its faces: make it with make_polytope or make_polygon");
}

std::vector<NearPoint> flipped(std::vector<NearPoint> points) {
    for (NearPoint& p : points) {
        std::swap(p.on_a, p.on_b);
        p.normal = -p.normal;
    }
    return points;
}

/// A ball in a bowl; normal from the ball outward.
std::vector<NearPoint> in_bowl(const Shape& shape, const Pose& at, const Hollow& bowl, const Pose& bowl_at,
                               double reach) {
    const auto* sphere = std::get_if<Sphere>(&shape);
    if (sphere == nullptr) refuse("only spheres meet bowls here");
    const Vector3d d = at.position - bowl_at.position;
    const double distance = d.norm(), gap = bowl.radius - sphere->radius - distance;
    if (!(gap < reach)) return {};
    const Vector3d n = distance > 0.0 ? Vector3d(d / distance) : Vector3d(-Vector3d::UnitZ());
    return {{at.position + sphere->radius * n, bowl_at.position + bowl.radius * n, n, gap, 0}};
}

}  // namespace

std::vector<NearPoint> near_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double reach,
                                   bool planar) {
    for (const Shape* shape : {&a, &b}) check(*shape);
    for (const Pose* pose : {&pose_a, &pose_b}) check(*pose);
    if (const auto* bowl = std::get_if<Hollow>(&b)) return in_bowl(a, pose_a, *bowl, pose_b, reach);
    if (const auto* bowl = std::get_if<Hollow>(&a)) return flipped(in_bowl(b, pose_b, *bowl, pose_a, reach));
    const bool half_a = std::holds_alternative<HalfSpace>(a), half_b = std::holds_alternative<HalfSpace>(b);
    if (half_a && half_b) refuse("two half-spaces cannot be in contact");
    const Placed first{a, pose_a, planar}, second{b, pose_b, planar};
    if (half_b) return on_half_space(first, pose_b, reach);
    if (half_a) return flipped(on_half_space(second, pose_a, reach));
    for (const Shape* shape : {&a, &b}) check_faces(*shape);

    const Separation nearest = planar ? planar_separation(first, second) : separation(first, second);
    if (!(nearest.gap < reach)) return {};
    if (is_flat(a) && is_flat(b)) return patch(first, second, nearest, reach);
    return {{nearest.on_a, nearest.on_b, nearest.direction, nearest.gap, 0}};
}

}  // namespace scree::reference
