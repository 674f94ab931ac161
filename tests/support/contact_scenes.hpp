// SPDX-License-Identifier: BSD-3-Clause
// Stewart-Trinkle problems of known kinds, made of contact rows alone: what Lemke's algorithm is tested and timed on.
#pragma once

#include "engine/reference/contact_lcp.hpp"
#include "engine/reference/world.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string_view>
#include <vector>

namespace scree::reference {

enum class SceneKind { stack, tower, pile, random };

inline std::string_view name_of(SceneKind kind) {
    constexpr std::string_view names[] = {"stack", "tower", "pile", "random"};
    return names[std::size_t(kind)];
}

/// Bodies with a mass, and contacts between them (body 0 is the ground).
struct ContactScene {
    World world;
    std::vector<Contact> contacts;
    Eigen::VectorXd velocity;  ///< Free velocity v* of a step.
};

namespace scenes {

inline ContactScene empty(std::mt19937& random) {
    ContactScene scene;
    scene.world.laws = {{.friction = {.sliding = std::uniform_real_distribution<double>(0.1, 1.0)(random)}}};
    scene.world.bodies.resize(1);
    scene.world.bodies[0].shape = HalfSpace{};
    scene.world.bodies[0].fixed = true;
    return scene;
}

inline void touch(ContactScene& scene, const Eigen::VectorXd& q, std::size_t a, std::size_t b,
                  const Eigen::Vector3d& point, const Eigen::Vector3d& normal, double gap) {
    scene.contacts.push_back(scene.world.contact_at(a, b, point, normal, gap, 0.0, q));
}

/// Cubes of edge 1 on one another, four corner contacts each: five ninths of the rows are redundant. Masses by `ratio`
/// from one cube to the next; pushed sideways.
inline ContactScene stack(std::size_t contacts, double ratio, std::mt19937& random) {
    ContactScene scene = empty(random);
    std::normal_distribution<double> normal;
    double mass = 1.0;
    for (std::size_t k = 0; k < (contacts + 3) / 4; ++k) {
        Body body;
        body.shape = Box{};
        body.mass = mass;
        body.inertia.setConstant(mass / 6.0);
        body.pose.position = {0.05 * normal(random), 0.05 * normal(random), 0.5 + double(k)};
        scene.world.bodies.push_back(body);
        mass *= ratio;
    }
    const State start = scene.world.start();
    scene.velocity = start.v;
    for (std::size_t k = 1; k < scene.world.bodies.size(); ++k) {
        scene.velocity.segment<3>(6 * Index(k - 1)) << 0.1 * normal(random), 0.1 * normal(random), -0.0981;
        for (int corner = 0; corner < 4 && scene.contacts.size() < contacts; ++corner) {
            const Eigen::Vector3d at((corner & 1) != 0 ? .5 : -.5, (corner & 2) != 0 ? .5 : -.5, -.5);
            touch(scene, start.q, k - 1, k, scene.world.bodies[k].pose.position + at, Eigen::Vector3d::UnitZ(), 0.0);
        }
    }
    return scene;
}

/// Spheres of radius ratio three that touch: each lands on the ground, or on up to three before it.
inline ContactScene pile(std::size_t contacts, std::mt19937& random) {
    ContactScene scene = empty(random);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    struct Touch {
        std::size_t a, b;
        double gap;
    };
    std::vector<Touch> touches;
    while (touches.size() < contacts) {
        Body body;
        const double radius = 0.2 + 0.2 * (1.0 + uniform(random));
        body.shape = Sphere{radius};
        body.mass = 4188.8 * radius * radius * radius;
        body.inertia.setConstant(0.4 * body.mass * radius * radius);
        // The lowest free place of a few drops.
        const double room = std::sqrt(double(contacts)) * 0.25;
        Eigen::Vector3d best(0, 0, 1e9);
        for (int drop = 0; drop < 30; ++drop) {
            Eigen::Vector3d p(room * uniform(random), room * uniform(random), radius);
            for (std::size_t other = 1; other < scene.world.bodies.size(); ++other) {
                const Eigen::Vector3d c = scene.world.bodies[other].pose.position;
                const double reach = radius + std::get<Sphere>(scene.world.bodies[other].shape).radius;
                const double across = (p - c).head<2>().norm();
                if (across < reach) p.z() = std::max(p.z(), c.z() + std::sqrt(reach * reach - across * across));
            }
            if (p.z() < best.z()) best = p;
        }
        body.pose.position = best;
        scene.world.bodies.push_back(body);
        const std::size_t b = scene.world.bodies.size() - 1;
        // Near ones count as touching, as in a packing that has settled.
        if (best.z() < radius + 0.05) touches.push_back({0, b, best.z() - radius});
        for (std::size_t a = 1; a < b; ++a) {
            const double gap = (scene.world.bodies[a].pose.position - best).norm() - radius -
                               std::get<Sphere>(scene.world.bodies[a].shape).radius;
            if (gap < 0.05) touches.push_back({a, b, gap});
        }
    }
    touches.resize(contacts);
    const State start = scene.world.start();
    scene.velocity = start.v;
    for (Index k = 0; k < scene.velocity.size(); ++k)
        scene.velocity[k] = 0.05 * uniform(random) - (k % 6 == 2 ? 0.0981 : 0.0);
    for (const Touch& t : touches) {
        const Eigen::Vector3d b = scene.world.bodies[t.b].pose.position;
        const Eigen::Vector3d n = t.a == 0 ? Eigen::Vector3d(Eigen::Vector3d::UnitZ())
                                           : (b - scene.world.bodies[t.a].pose.position).normalized();
        touch(scene, start.q, t.a, t.b, b - std::get<Sphere>(scene.world.bodies[t.b].shape).radius * n, n, 0.0);
    }
    return scene;
}

/// Random masses (over six decades), points, normals and velocities: no geometry could have them.
inline ContactScene random(std::size_t contacts, std::mt19937& generator) {
    ContactScene scene = empty(generator);
    std::normal_distribution<double> normal;
    const auto direction = [&] {
        return Eigen::Vector3d(normal(generator), normal(generator), normal(generator)).normalized();
    };
    for (std::size_t k = 0; k < std::max<std::size_t>(1, contacts / 3); ++k) {
        Body body;
        body.mass = std::pow(10.0, std::uniform_real_distribution<double>(-3.0, 3.0)(generator));
        body.inertia = body.mass * Eigen::Vector3d(0.1, 0.15, 0.2);
        body.pose.position = {normal(generator), normal(generator), normal(generator)};
        scene.world.bodies.push_back(body);
    }
    const State start = scene.world.start();
    scene.velocity = start.v;
    for (double& v : scene.velocity) v = normal(generator);
    std::uniform_int_distribution<std::size_t> pick(0, scene.world.bodies.size() - 1);
    while (scene.contacts.size() < contacts) {
        const std::size_t a = pick(generator), b = pick(generator);
        if (a >= b) continue;
        touch(scene, start.q, a, b, scene.world.bodies[b].pose.position + 0.5 * direction(), direction(), 0.0);
    }
    return scene;
}

}  // namespace scenes

inline ContactScene contact_scene(SceneKind kind, std::size_t contacts, unsigned seed) {
    std::mt19937 random(seed);
    switch (kind) {
        case SceneKind::stack:
            return scenes::stack(contacts, 1.0, random);
        case SceneKind::tower:
            return scenes::stack(contacts, 1.5, random);  // 15 cubes: heaviest over lightest 292, heaviest on top
        case SceneKind::pile:
            return scenes::pile(contacts, random);
        case SceneKind::random:
            break;
    }
    return scenes::random(contacts, random);
}

/// The LCP of one step of a scene, with m friction directions.
inline complementarity::LinearProblem stewart_trinkle_problem(const ContactScene& scene, int directions) {
    const ContactLcp lcp(scene.world.mass(scene.world.start().q), scene.contacts, directions);
    std::vector<ContactTerms> terms(scene.contacts.size());
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i].sliding = scene.contacts[i].law.friction.sliding;
    return lcp.problem(scene.velocity, terms);
}

}  // namespace scree::reference
