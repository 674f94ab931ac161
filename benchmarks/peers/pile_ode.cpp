// SPDX-License-Identifier: BSD-3-Clause
// A settled pile continued by the Open Dynamics Engine; see pile.hpp. SOLVER: quick (dWorldQuickStep, projected
// Gauss-Seidel). Friction is a pyramid along the directions of the sliding; ERP and CFM are ODE's defaults.
#include "benchmarks/peers/pile.hpp"

#include <ode/ode.h>

using namespace scree::benchmarks;

namespace {

struct World {
    dWorldID world = nullptr;
    dSpaceID space = nullptr;
    dJointGroupID contacts = nullptr;
    dReal friction = 0;
    std::size_t count = 0;
};

void collide(void* data, dGeomID a, dGeomID b) {
    auto& world = *static_cast<World*>(data);
    dContact contact{};
    if (dCollide(a, b, 1, &contact.geom, sizeof contact) == 0) return;
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = world.friction;
    dJointAttach(dJointCreateContact(world.world, world.contacts, &contact), dGeomGetBody(a), dGeomGetBody(b));
    ++world.count;
}

}  // namespace

int main(int count, char** words) {
    const Pile pile = read_pile(count, words);
    dInitODE2(0);
    World w{dWorldCreate(), dHashSpaceCreate(nullptr), dJointGroupCreate(0), dReal(pile.friction), 0};
    dWorldSetGravity(w.world, 0, 0, dReal(-9.81));
    dWorldSetQuickStepNumIterations(w.world, pile.iterations);
    std::vector<dBodyID> bodies;
    dMass mass;
    dMassSetSphereTotal(&mass, dReal(pile.mass()), dReal(pile.radius));
    for (const PileRecord& r : pile.bodies) {
        dBodyID body = dBodyCreate(w.world);
        dBodySetMass(body, &mass);
        dGeomSetBody(dCreateSphere(w.space, dReal(pile.radius)), body);
        const dQuaternion q{dReal(r[3]), dReal(r[4]), dReal(r[5]), dReal(r[6])};
        dBodySetPosition(body, dReal(r[0]), dReal(r[1]), dReal(r[2]));
        dBodySetQuaternion(body, q);
        dBodySetLinearVel(body, dReal(r[7]), dReal(r[8]), dReal(r[9]));
        dVector3 spin;
        dBodyVectorToWorld(body, dReal(r[10]), dReal(r[11]), dReal(r[12]), spin);
        dBodySetAngularVel(body, spin[0], spin[1], spin[2]);
        bodies.push_back(body);
    }
    for (const PileWall& wall : walls_of(pile))
        dCreatePlane(w.space, dReal(wall.normal[0]), dReal(wall.normal[1]), dReal(wall.normal[2]), dReal(wall.offset));

    const auto step = [&] {
        w.count = 0;
        dSpaceCollide(w.space, &w, collide);
        dWorldQuickStep(w.world, dReal(pile.h));
        dJointGroupEmpty(w.contacts);
        return w.count;
    };
    const auto record = [&](std::size_t i) {
        const dReal *x = dBodyGetPosition(bodies[i]), *q = dBodyGetQuaternion(bodies[i]);
        const dReal *v = dBodyGetLinearVel(bodies[i]), *s = dBodyGetAngularVel(bodies[i]);
        dVector3 spin;
        dBodyVectorFromWorld(bodies[i], s[0], s[1], s[2], spin);
        return PileRecord{x[0], x[1], x[2], q[0], q[1], q[2], q[3], v[0], v[1], v[2], spin[0], spin[1], spin[2]};
    };
    const int code = run_pile(pile, dODE_VERSION, sizeof(dReal) == 8 ? "double" : "float", step, record);
    dJointGroupDestroy(w.contacts);
    dSpaceDestroy(w.space);
    dWorldDestroy(w.world);
    dCloseODE();
    return code;
}
