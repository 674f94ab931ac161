// SPDX-License-Identifier: BSD-3-Clause
// Pictures of a run for ParaView and OVITO: particles, contacts (force chains) and walls as .vtp files.
#pragma once

#include "engine/model/boundary.hpp"
#include "engine/model/snapshot.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace scree::io {

/// The file name "<stem>_00001200.vtp" of a step.
[[nodiscard]] std::string frame_name(const std::string& stem, std::size_t step);

/// One vertex per body. Point data: id, radius [m], velocity [m/s], omega [rad/s], force [N], torque [N m], mass [kg]
/// (0 for fixed bodies), quaternion (w, x, y, z; body axes to world axes), material and source (indices into the
/// scene). Coordinates are Float64, other reals Float32, id Int64, indices Int32.
void write_particles(const std::filesystem::path& path, const model::Snapshot& snapshot);

/// A body of write_surfaces(): its surface in body axes.
struct BodySurface {
    std::size_t body = 0;                 ///< Index in the snapshot.
    std::span<const model::Vec3> points;  ///< [m]; not owned.
    std::span<const std::array<std::uint32_t, 3>> triangles;
    double scale = 1.0;  ///< On the points.
};

/// The surfaces of bodies as triangles in one file. Point data, so that a viewer may colour by any of them: id,
/// velocity [m/s] of the body's centre, omega [rad/s], material, source. Coordinates are Float32.
void write_surfaces(const std::filesystem::path& path, std::span<const BodySurface> surfaces,
                    const model::Snapshot& snapshot);

/// One line per contact, from the centre of body A along the normal to the centre of body B, or to the contact point
/// for a wall. (Not to B's stored position: across a periodic face that would draw a line through the whole box.) Cell
/// data: point of contact [m], force on B [N], normal_force [N], gap [m], id_a, id_b (0 for a wall), boundary (-1 for a
/// body).
void write_contacts(const std::filesystem::path& path, const model::Snapshot& snapshot);

/// One wall of write_walls().
struct WallPicture {
    const model::MeshShape* mesh = nullptr;   ///< In world axes at t = 0; not owned.
    model::BoundaryState state;               ///< Its pose moves the vertices.
    model::Vec3 torque_point;                 ///< As Boundary::torque_point; BoundaryState::velocity belongs to it.
    std::int32_t boundary = 0;                ///< Index into Scene::boundaries.
    std::vector<model::Vec3> triangle_force;  ///< By contacts, per triangle [N]; empty: none.
};

/// All walls as triangles in one file; walls that are no longer active are left out. Cell data: boundary, force [N] and
/// torque [N m] of the whole wall (the same on each of its triangles), triangle_force [N] on the triangle alone and
/// traction [Pa], that over its area. Point data: velocity [m/s].
void write_walls(const std::filesystem::path& path, std::span<const WallPicture> walls, double time);

/// write_walls() for one mesh.
void write_mesh(const std::filesystem::path& path, const model::MeshShape& mesh, const model::BoundaryState& state,
                double time = 0.0);

}  // namespace scree::io
