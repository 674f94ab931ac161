// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/bvh.hpp"
#include "engine/simulation/world_builder.hpp"

#include <cmath>

namespace scree::simulation {
namespace {

using kernels::BoundaryPart;
using kernels::PartKind;
using model::Vec3;

kernels::Vector3d convert(Vec3 v) { return {v.x, v.y, v.z}; }

/// A part with an orthonormal frame whose third axis is `axis`.
BoundaryPart framed(PartKind kind, std::size_t boundary, Vec3 origin, Vec3 axis) {
    const Vec3 e3 = model::normalized(axis);
    const Vec3 helper = std::abs(e3.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 e1 = model::normalized(model::cross(helper, e3));
    BoundaryPart part;
    part.kind = kind;
    part.boundary = std::int32_t(boundary);
    part.origin = convert(origin);
    part.e1 = convert(e1);
    part.e2 = convert(model::cross(e3, e1));
    part.e3 = convert(e3);
    return part;
}

std::vector<BoundaryPart> parts_of(const model::PlaneShape& plane, std::size_t boundary,
                                   std::vector<kernels::MeshData>&) {
    return {framed(PartKind::plane, boundary, plane.point, plane.normal)};
}

std::vector<BoundaryPart> parts_of(const model::BoxShape& box, std::size_t boundary, std::vector<kernels::MeshData>&) {
    const Vec3 axes[3] = {model::rotate(box.orientation, {1, 0, 0}), model::rotate(box.orientation, {0, 1, 0}),
                          model::rotate(box.orientation, {0, 0, 1})};
    const double half[3] = {box.half_extents.x, box.half_extents.y, box.half_extents.z};
    std::vector<BoundaryPart> parts;
    if (!box.container) {
        BoundaryPart part = framed(PartKind::box, boundary, box.center, axes[2]);
        part.e1 = convert(axes[0]);
        part.e2 = convert(axes[1]);
        part.a = half[0];
        part.b = half[1];
        part.c = half[2];
        return {part};
    }
    for (std::size_t face = 0; face < 6; ++face) {
        if (box.open[face]) continue;
        const double outward = face % 2 == 0 ? -1.0 : 1.0;
        // In the order that makes a right-handed frame with the normal inwards.
        const std::size_t axis = face / 2, next = (axis + 1) % 3, last = (axis + 2) % 3;
        const std::size_t u = outward < 0.0 ? next : last, v = outward < 0.0 ? last : next;
        BoundaryPart part = framed(PartKind::rectangle, boundary, box.center + (outward * half[axis]) * axes[axis],
                                   -outward * axes[axis]);
        part.e1 = convert(axes[u]);
        part.e2 = convert(axes[v]);
        part.a = half[u];
        part.b = half[v];
        parts.push_back(part);
    }
    return parts;
}

std::vector<BoundaryPart> parts_of(const model::RevolutionShape& shape, std::size_t boundary,
                                   std::vector<kernels::MeshData>&) {
    const auto segment = [&](double r0, double z0, double r1, double z1, double side) {
        BoundaryPart part = framed(PartKind::meridian, boundary, shape.start, shape.axis);
        part.a = r0;
        part.b = z0;
        part.c = r1;
        part.d = z1;
        part.side = side;
        return part;
    };
    const double r0 = shape.radius_start, r1 = shape.radius_end, l = shape.length;
    // The free normal of a segment that runs along +axis points towards the axis for side = +1.
    const double inside = shape.side == model::Side::inside ? 1.0 : -1.0;
    std::vector<BoundaryPart> parts{segment(r0, 0.0, r1, l, inside)};
    // Discs face the inside of a vessel and the outside of a solid.
    if (shape.cap_start && r0 > 0.0) parts.push_back(segment(0.0, 0.0, r0, 0.0, inside));
    if (shape.cap_end && r1 > 0.0) parts.push_back(segment(0.0, l, r1, l, -inside));
    return parts;
}

std::vector<BoundaryPart> parts_of(const model::MeshShape& mesh, std::size_t boundary,
                                   std::vector<kernels::MeshData>& meshes) {
    const geometry::Bvh bvh = geometry::build_bvh(mesh);
    kernels::MeshData data;
    for (const geometry::BvhNode& node : bvh.nodes)
        data.nodes.push_back({{node.lower[0], node.lower[1], node.lower[2]},
                              {node.upper[0], node.upper[1], node.upper[2]},
                              node.left_or_first,
                              node.count});
    data.triangles.reserve(9 * bvh.order.size());
    for (const std::uint32_t t : bvh.order)
        for (const std::uint32_t corner : mesh.triangles[t]) {
            const Vec3 v = mesh.vertices[corner];
            data.triangles.insert(data.triangles.end(), {v.x, v.y, v.z});
        }
    BoundaryPart part = framed(PartKind::mesh, boundary, {}, {0, 0, 1});
    part.mesh = std::int32_t(meshes.size());
    meshes.push_back(std::move(data));
    return {part};
}

}  // namespace

std::vector<BoundaryPart> boundary_parts(const model::BoundaryShape& shape, std::size_t index,
                                         std::vector<kernels::MeshData>& meshes) {
    return std::visit([&](const auto& s) { return parts_of(s, index, meshes); }, shape);
}

}  // namespace scree::simulation
