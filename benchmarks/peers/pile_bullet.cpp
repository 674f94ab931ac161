// SPDX-License-Identifier: BSD-3-Clause
// A settled pile continued by Bullet; see pile.hpp. SOLVER: sequential (sequential impulses, as shipped) or nncg
// (nonsmooth nonlinear conjugate gradients). Nothing sleeps; all else is Bullet's default.
#include "benchmarks/peers/pile.hpp"

#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>

using namespace scree::benchmarks;

int main(int count, char** words) {
    const Pile pile = read_pile(count, words);
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    std::unique_ptr<btConstraintSolver> solver;
    if (pile.solver == "nncg")
        solver = std::make_unique<btNNCGConstraintSolver>();
    else
        solver = std::make_unique<btSequentialImpulseConstraintSolver>();
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, solver.get(), &configuration);
    world.setGravity({0, 0, btScalar(-9.81)});
    world.getSolverInfo().m_numIterations = pile.iterations;

    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    // Bullet multiplies the frictions of two bodies.
    const auto friction = btScalar(std::sqrt(pile.friction));
    const auto add = [&](btScalar mass, btCollisionShape* shape, btScalar inertia) -> btRigidBody& {
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, {inertia, inertia, inertia});
        info.m_friction = friction;
        bodies.push_back(std::make_unique<btRigidBody>(info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        return *bodies.back();
    };
    shapes.push_back(std::make_unique<btSphereShape>(btScalar(pile.radius)));
    for (const PileRecord& r : pile.bodies) {
        btRigidBody& body = add(btScalar(pile.mass()), shapes[0].get(), btScalar(pile.inertia()));
        const btQuaternion turn{btScalar(r[4]), btScalar(r[5]), btScalar(r[6]), btScalar(r[3])};
        const btVector3 spin{btScalar(r[10]), btScalar(r[11]), btScalar(r[12])};
        body.setWorldTransform(btTransform(turn, {btScalar(r[0]), btScalar(r[1]), btScalar(r[2])}));
        body.setLinearVelocity({btScalar(r[7]), btScalar(r[8]), btScalar(r[9])});
        body.setAngularVelocity(quatRotate(turn, spin));
        world.addRigidBody(&body);
    }
    for (const PileWall& wall : walls_of(pile)) {
        const auto [x, y, z] = wall.normal;
        shapes.push_back(std::make_unique<btStaticPlaneShape>(btVector3(btScalar(x), btScalar(y), btScalar(z)),
                                                              btScalar(wall.offset)));
        world.addRigidBody(&add(0, shapes.back().get(), 0));
    }

    const auto step = [&] {
        world.stepSimulation(btScalar(pile.h), 0);
        std::size_t contacts = 0;
        for (int k = 0; k < dispatcher.getNumManifolds(); ++k)
            contacts += std::size_t(dispatcher.getManifoldByIndexInternal(k)->getNumContacts());
        return contacts;
    };
    const auto record = [&](std::size_t i) {
        const btRigidBody& body = *bodies[i];
        const btVector3 x = body.getWorldTransform().getOrigin(), v = body.getLinearVelocity();
        const btQuaternion q = body.getWorldTransform().getRotation();
        const btVector3 w = quatRotate(q.inverse(), body.getAngularVelocity());
        return PileRecord{x.x(), x.y(), x.z(), q.w(), q.x(), q.y(), q.z(), v.x(), v.y(), v.z(), w.x(), w.y(), w.z()};
    };
    const std::string version = std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100);
    const int code = run_pile(pile, version.c_str(), sizeof(btScalar) == 8 ? "double" : "float", step, record);
    for (const auto& body : bodies) world.removeRigidBody(body.get());
    return code;
}
