// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/collide/shape_peers.hpp"

#include <btBulletCollisionCommon.h>

namespace scree::benchmarks {
namespace {

using kernels::ShapeKind;

btVector3 vector_of(kernels::Vector3d v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }

btTransform transform_of(const kernels::PlacedShape& p) {
    const kernels::Vector3d* e = p.axis;
    btMatrix3x3 axes;
    for (int row = 0; row < 3; ++row)
        axes[row].setValue(btScalar(kernels::component(e[0], row)), btScalar(kernels::component(e[1], row)),
                           btScalar(kernels::component(e[2], row)));
    return btTransform(axes, vector_of(p.position));
}

std::unique_ptr<btCollisionShape> shape_of(const kernels::ConvexShape& s) {
    switch (s.kind) {
        case ShapeKind::sphere:
            return std::make_unique<btSphereShape>(btScalar(s.rounding));
        case ShapeKind::capsule:
            return std::make_unique<btCapsuleShapeZ>(btScalar(s.rounding), btScalar(2.0 * s.c));
        case ShapeKind::box:
            return std::make_unique<btBoxShape>(vector_of({s.a, s.b, s.c}));
        case ShapeKind::cylinder:
            return std::make_unique<btCylinderShapeZ>(vector_of({s.a, s.a, s.c}));
        case ShapeKind::polyhedron: {
            auto hull = std::make_unique<btConvexHullShape>();
            for (const kernels::Vector3d& v : vertices_of(s)) hull->addPoint(vector_of(v), false);
            hull->setMargin(btScalar(1e-3));  // of its usual 0.04 m the hull would be that much larger
            hull->recalcLocalAabb();
            return hull;
        }
        default:
            return nullptr;
    }
}

class Bullet final : public PeerNarrowPhase {
public:
    explicit Bullet(const std::vector<ShapePair>& pairs) : dispatcher_(&configuration_) {
        for (const ShapePair& pair : pairs) {
            Item item;
            for (const kernels::PlacedShape* p : {&pair.a, &pair.b}) {
                const int k = p == &pair.a ? 0 : 1;
                item.shape[k] = shape_of(*p->shape);
                item.object[k] = std::make_unique<btCollisionObject>();
                item.object[k]->setCollisionShape(item.shape[k].get());
                item.object[k]->setWorldTransform(transform_of(*p));
            }
            const btCollisionObjectWrapper a = wrapped(item, 0), b = wrapped(item, 1);
            item.algorithm = dispatcher_.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
            items_.push_back(std::move(item));
        }
    }
    ~Bullet() override {
        for (Item& item : items_) {
            item.algorithm->~btCollisionAlgorithm();
            dispatcher_.freeCollisionAlgorithm(item.algorithm);
        }
    }
    std::size_t look_at_all() override {
        std::size_t points = 0;
        for (Item& item : items_) {
            const btCollisionObjectWrapper a = wrapped(item, 0), b = wrapped(item, 1);
            btManifoldResult result(&a, &b);
            if (item.manifold != nullptr) item.manifold->clearManifold();
            item.algorithm->processCollision(&a, &b, info_, &result);
            if (item.manifold == nullptr) {  // the algorithm makes its own at its first look
                btManifoldArray manifolds;
                item.algorithm->getAllContactManifolds(manifolds);
                if (manifolds.size() != 1) continue;
                item.manifold = manifolds[0];
                item.manifold->setContactBreakingThreshold(btScalar(contact_reach));
            }
            points += std::size_t(item.manifold->getNumContacts());
        }
        return points;
    }

private:
    struct Item {
        std::unique_ptr<btCollisionShape> shape[2];
        std::unique_ptr<btCollisionObject> object[2];
        btPersistentManifold* manifold = nullptr;
        btCollisionAlgorithm* algorithm = nullptr;
    };
    static btCollisionObjectWrapper wrapped(const Item& item, int k) {
        return {nullptr, item.shape[k].get(), item.object[k].get(), item.object[k]->getWorldTransform(), -1, -1};
    }
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDispatcherInfo info_;
    std::vector<Item> items_;
};

}  // namespace

Peer bullet_peer() {
    return {"bullet",
            [](ShapeKind kind) {
                return kind == ShapeKind::sphere || kind == ShapeKind::capsule || kind == ShapeKind::box ||
                       kind == ShapeKind::cylinder || kind == ShapeKind::polyhedron;
            },
            [](const std::vector<ShapePair>& pairs) -> std::unique_ptr<PeerNarrowPhase> {
                return std::make_unique<Bullet>(pairs);
            }};
}

}  // namespace scree::benchmarks
