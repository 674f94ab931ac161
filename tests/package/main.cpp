// SPDX-License-Identifier: BSD-3-Clause
// A ball falls on a floor and comes to rest: its place, the force that carries it, and what a ray sees of it.
#include "engine/query/contact_index.hpp"
#include "engine/query/rest.hpp"
#include "engine/query/scene_query.hpp"
#include "engine/simulation/simulation.hpp"

#include <cmath>
#include <cstdio>

using namespace scree;

int main() {
    model::Scene scene;
    scene.materials.push_back({"glass", 2500.0});
    model::MaterialPair pair;  // glass on glass
    pair.friction = 0.4;
    scene.pairs.push_back(pair);
    model::Source ball;
    ball.what = model::SphereSource{.position = {0, 0, 0.1}, .radius = 0.01};
    scene.sources.push_back(ball);
    model::Boundary floor;
    floor.name = "floor";
    floor.shape = model::PlaneShape{};
    scene.boundaries.push_back(floor);

    simulation::Simulation simulation(scene);
    query::RestWatch rest({.speed = 1e-3, .window = 0.05});
    while (!rest.all_at_rest() && simulation.time() < 2.0) {
        simulation.step();
        rest.update(simulation.snapshot(false));
    }

    const model::Snapshot now = simulation.snapshot();
    const query::ContactIndex contacts(simulation.scene(), now);
    const double height = now.position.at(0).z, weight = now.mass.at(0) * 9.81;
    const double force = contacts.on_body_by_boundary(1, query::boundary_named(scene, "floor")).force.z;
    const query::SceneQuery query(simulation.scene(), now);
    const auto hit = query.cast({.origin = {0, 0, 1}, .direction = {0, 0, -1}});
    std::printf("t = %.3f s, height %.6f m, force %.6f N (weight %.6f N), a ray from above flies %.6f m\n",
                simulation.time(), height, force, weight, hit ? hit->distance : -1.0);

    // Free fall takes 0.136 s and the window 0.05 s; the contact gives way by less than 1e-3 of the radius.
    const bool right = rest.all_at_rest() && simulation.time() > 0.18 && simulation.time() < 0.5 &&
                       std::abs(height - 0.01) < 1e-5 && std::abs(force - weight) < 0.02 * weight && hit &&
                       hit->body == 1 && std::abs(hit->distance - (1.0 - height - 0.01)) < 1e-12;
    return right ? 0 : 1;
}
