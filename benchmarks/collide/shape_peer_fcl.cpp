// SPDX-License-Identifier: BSD-3-Clause
// Distributions build FCL for the baseline's registers: its types have that alignment, whatever we compile for.
#define EIGEN_MAX_ALIGN_BYTES 16
#include "benchmarks/collide/shape_peers.hpp"

#include <fcl/fcl.h>

namespace scree::benchmarks {
namespace {

using kernels::ShapeKind;

std::shared_ptr<fcl::CollisionGeometryd> shape_of(const kernels::ConvexShape& s) {
    switch (s.kind) {
        case ShapeKind::sphere:
            return std::make_shared<fcl::Sphered>(s.rounding);
        case ShapeKind::capsule:
            return std::make_shared<fcl::Capsuled>(s.rounding, 2.0 * s.c);
        case ShapeKind::box:
            return std::make_shared<fcl::Boxd>(2.0 * s.a, 2.0 * s.b, 2.0 * s.c);
        case ShapeKind::cylinder:
            return std::make_shared<fcl::Cylinderd>(s.a, 2.0 * s.c);
        case ShapeKind::ellipsoid:
            return std::make_shared<fcl::Ellipsoidd>(s.a, s.b, s.c);
        case ShapeKind::polyhedron: {
            auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
            for (const kernels::Vector3d& v : vertices_of(s)) vertices->emplace_back(v.x, v.y, v.z);
            const kernels::ShapeView view = sample_shapes().list.view();
            auto faces = std::make_shared<std::vector<int>>();
            for (int f = s.first_face; f < s.first_face + s.face_count; ++f) {
                faces->push_back(view.first_corner[f + 1] - view.first_corner[f]);
                for (int c = view.first_corner[f]; c < view.first_corner[f + 1]; ++c) faces->push_back(view.corners[c]);
            }
            return std::make_shared<fcl::Convexd>(vertices, s.face_count, faces, false);
        }
        default:
            return nullptr;
    }
}

fcl::Transform3d transform_of(const kernels::PlacedShape& p) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    for (int k = 0; k < 3; ++k) t.linear().col(k) = fcl::Vector3d(p.axis[k].x, p.axis[k].y, p.axis[k].z);
    t.translation() = fcl::Vector3d(p.position.x, p.position.y, p.position.z);
    return t;
}

class Fcl final : public PeerNarrowPhase {
public:
    explicit Fcl(const std::vector<ShapePair>& pairs) {
        for (const ShapePair& pair : pairs)
            items_.push_back({fcl::CollisionObjectd(shape_of(*pair.a.shape), transform_of(pair.a)),
                              fcl::CollisionObjectd(shape_of(*pair.b.shape), transform_of(pair.b))});
    }
    std::size_t look_at_all() override {
        std::size_t points = 0;
        const fcl::CollisionRequestd request(8, true);
        for (Item& item : items_) {
            fcl::CollisionResultd result;
            fcl::collide(&item.a, &item.b, request, result);
            points += result.numContacts();
        }
        return points;
    }

private:
    struct Item {
        fcl::CollisionObjectd a, b;
    };
    std::vector<Item> items_;
};

}  // namespace

Peer fcl_peer() {
    return {"fcl", [](ShapeKind kind) { return kind != ShapeKind::cone && kind != ShapeKind::superquadric; },
            [](const std::vector<ShapePair>& pairs) -> std::unique_ptr<PeerNarrowPhase> {
                return std::make_unique<Fcl>(pairs);
            }};
}

}  // namespace scree::benchmarks
