// SPDX-License-Identifier: BSD-3-Clause
// The narrow phase of a convex shape and a boundary's part, both in one frame.
#pragma once

#include "kernels/collide/shapes/revolved_wall_contacts.hpp"

namespace scree::kernels {

SCREE_HD inline void add_manifold(const Manifold& found, WallContacts& contacts) {
    for (int k = 0; k < found.count && contacts.count < WallContacts::capacity; ++k) {
        contacts.normal[contacts.count] = found.normal;
        contacts.point[contacts.count++] = found.point[k];
    }
}

/// A rectangle or a box of a boundary as a convex shape.
struct WallBlock {
    ConvexShape shape;
    PlacedShape placed;
    SCREE_HD explicit WallBlock(const BoundaryPart& part) {
        shape.kind = ShapeKind::box;
        shape.a = part.a;
        shape.b = part.b;
        shape.c = part.kind == PartKind::box ? part.c : 0.0;
        shape.bounding_radius = square_root(shape.a * shape.a + shape.b * shape.b + shape.c * shape.c);
        placed.position = part.origin;
        placed.axis[0] = part.e1;
        placed.axis[1] = part.e2;
        placed.axis[2] = part.e3;
    }
};

/// All contacts with gaps up to `reach` of a shape and a plane, rectangle, box or meridian; `axis` as in
/// find_manifold(): the direction from the shape into the wall. Meshes: find_mesh_contacts (mesh_contacts.hpp).
SCREE_HD inline void find_wall_contacts(const ShapeView& view, const PlacedShape& placed, const BoundaryPart& part,
                                        double reach, Vector3d& axis, WallContacts& contacts) {
    contacts.count = 0;
    if (part.kind == PartKind::plane) {
        add_plane_contacts(view, placed, part.origin, part.e3, reach, contacts);
        axis = negative(part.e3);
        return;
    }
    if (part.kind == PartKind::meridian) {
        add_revolved_wall_contacts(view, placed, part, reach, axis, contacts);
        return;
    }
    if (part.kind == PartKind::mesh) return;
    WallBlock block(part);
    block.placed.shape = &block.shape;
    Manifold found;
    if (part.kind == PartKind::rectangle)
        find_plate_manifold(view, placed, block.placed, reach, axis, found);
    else
        find_manifold(view, placed, block.placed, reach, axis, found);
    add_manifold(found, contacts);
}

}  // namespace scree::kernels
