// SPDX-License-Identifier: BSD-3-Clause
// Boundaries in a backend's memory. Parts and meshes are constant; poses arrive from the host every step.
#pragma once

#include "kernels/items/triangle_mesh.hpp"
#include "kernels/parallel/array.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace scree::kernels {

/// Pose and velocity of a boundary during one step; the pose is that at the step's start.
struct BoundaryPose {
    double rotation[4] = {1, 0, 0, 0};       ///< w x y z, boundary frame to world.
    double displacement[3] = {0, 0, 0};      ///< World position of p is rotate(rotation, p) + displacement.
    double velocity[3] = {0, 0, 0};          ///< Of the world point `reference` [m/s].
    double angular_velocity[3] = {0, 0, 0};  ///< [rad/s]
    double reference[3] = {0, 0, 0};         ///< [m]; torques are about it too.
    std::int32_t material = 0;
    std::int32_t active = 1;
    std::int32_t moving = 0;  ///< Any velocity at all.
    std::int32_t unused = 0;

    bool operator==(const BoundaryPose&) const = default;
};

/// A mesh as the host hands it over.
struct MeshData {
    std::vector<MeshNode> nodes;
    std::vector<double> triangles;  ///< Nine doubles each, in the order of the nodes' leaves.
};

SCREE_HD inline Vector3d vector_of(const double (&v)[3]) { return {v[0], v[1], v[2]}; }
SCREE_HD inline Vector3d rotated(const double (&q)[4], Vector3d v, double sign) {
    const Vector3d u{sign * q[1], sign * q[2], sign * q[3]};
    const Vector3d t = 2.0 * cross(u, v);
    return v + q[0] * t + cross(u, t);
}
SCREE_HD inline Vector3d to_boundary_frame(const BoundaryPose& pose, Vector3d world) {
    return rotated(pose.rotation, world - vector_of(pose.displacement), -1.0);
}
SCREE_HD inline Vector3d to_world_axes(const BoundaryPose& pose, Vector3d direction) {
    return rotated(pose.rotation, direction, 1.0);
}
/// Velocity of the boundary's material at a world point.
SCREE_HD inline Vector3d velocity_at(const BoundaryPose& pose, Vector3d world) {
    return vector_of(pose.velocity) + cross(vector_of(pose.angular_velocity), world - vector_of(pose.reference));
}

/// A part as it stands at a pose, in world axes; meshes stay in their boundary's frame.
inline BoundaryPart placed(BoundaryPart part, const BoundaryPose& pose) {
    if (part.kind == PartKind::mesh) return part;
    part.origin = to_world_axes(pose, part.origin) + vector_of(pose.displacement);
    part.e1 = to_world_axes(pose, part.e1);
    part.e2 = to_world_axes(pose, part.e2);
    part.e3 = to_world_axes(pose, part.e3);
    return part;
}

struct BoundaryView {
    const BoundaryPart* parts = nullptr;  ///< At their poses, see placed().
    Index part_count = 0;
    const BoundaryPose* poses = nullptr;
    const MeshView* meshes = nullptr;
    bool any_moving = true;  ///< Some boundary moves in this step.
};

template <class Backend>
class BoundarySet {
public:
    void assign(std::span<const BoundaryPart> parts, std::span<const MeshData> meshes) {
        is_placed_ = false;
        parts_.assign(parts.begin(), parts.end());
        nodes_.resize(meshes.size());
        triangles_.resize(meshes.size());
        std::vector<MeshView> views;
        for (std::size_t m = 0; m < meshes.size(); ++m) {
            nodes_[m].assign(meshes[m].nodes);
            triangles_[m].assign(meshes[m].triangles);
            views.push_back({nodes_[m].data(), triangles_[m].data(), Index(meshes[m].triangles.size() / 9)});
        }
        meshes_.assign(views);
    }
    void set_poses(std::span<const BoundaryPose> poses) {
        if (is_placed_ && std::equal(poses.begin(), poses.end(), last_.begin(), last_.end())) return;
        is_placed_ = true;
        last_.assign(poses.begin(), poses.end());
        poses_.assign(poses);
        std::vector<BoundaryPart> at_pose;
        at_pose.reserve(parts_.size());
        for (const BoundaryPart& part : parts_) at_pose.push_back(placed(part, poses[std::size_t(part.boundary)]));
        placed_.assign(at_pose);
        any_moving_ = false;
        for (const BoundaryPose& pose : poses) any_moving_ = any_moving_ || pose.moving != 0;
    }
    [[nodiscard]] BoundaryView view() const {
        return {placed_.data(), Index(placed_.size()), poses_.data(), meshes_.data(), any_moving_};
    }
    [[nodiscard]] std::size_t bytes() const {
        std::size_t total = placed_.bytes() + poses_.bytes() + meshes_.bytes();
        for (const auto& n : nodes_) total += n.bytes();
        for (const auto& t : triangles_) total += t.bytes();
        return total;
    }

private:
    bool any_moving_ = false;
    bool is_placed_ = false;
    std::vector<BoundaryPose> last_;
    std::vector<BoundaryPart> parts_;  ///< In their boundaries' frames.
    Array<BoundaryPart, Backend> placed_;
    Array<BoundaryPose, Backend> poses_;
    Array<MeshView, Backend> meshes_;
    std::vector<Array<MeshNode, Backend>> nodes_;
    std::vector<Array<double, Backend>> triangles_;
};

}  // namespace scree::kernels
