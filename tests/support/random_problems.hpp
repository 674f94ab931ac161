// SPDX-License-Identifier: BSD-3-Clause
// Cone problems for tests: from sphere worlds by brute force, from nothing at random, and small modifications.
#pragma once

#include "tests/support/reference_problem.hpp"
#include "tests/support/sphere_world.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace scree::test {

/// All touching pairs (gap <= 0) of a world and its planes, with implicit compliance (numerics section 3), as a cone
/// problem with v* = v + h g.
inline ReferenceProblem problem_of(const WorldDescription& world, bool coulomb) {
    ReferenceProblem p;
    const PairLaw<double>& law = world.laws.front();
    const double h = world.contact.step, denominator = h + world.contact.damping_time;
    p.inverse_mass = world.inverse_mass;
    p.free_velocity = world.velocity;
    p.coulomb = coulomb;
    p.rolling = law.rolling > 0.0 || law.spinning > 0.0;
    const auto center = [&](std::size_t i) {
        return Eigen::Vector3d(world.position[4 * i], world.position[4 * i + 1], world.position[4 * i + 2]);
    };
    const std::size_t n = world.id.size();
    for (std::size_t i = 0; i < n; ++i) {
        if (world.inverse_mass[2 * i] > 0.0)
            for (std::size_t k = 0; k < 3; ++k) p.free_velocity[6 * i + k] += h * world.gravity[k];
        const double radius = world.position[4 * i + 3];
        const auto add = [&](int b, const Eigen::Vector3d& normal, double gap, double lever_a, double lever_b) {
            if (gap > 0.0) return;
            ReferenceContact c;
            c.a = int(i);
            c.b = b;
            c.n = normal;
            c.lever_a = lever_a;
            c.lever_b = lever_b;
            c.friction = law.friction;
            c.rolling = law.rolling;
            c.spinning = law.spinning;
            c.bias = gap / denominator;
            c.compliance = 1.0 / (law.stiffness * h * denominator);
            p.contacts.push_back(c);
        };
        for (const BoundaryPart& part : world.parts) {
            const Eigen::Vector3d normal(part.e3.x, part.e3.y, part.e3.z);
            const double height =
                (center(i) - Eigen::Vector3d(part.origin.x, part.origin.y, part.origin.z)).dot(normal);
            add(-1, -normal, height - radius, height, 0.0);
        }
        for (std::size_t j = i + 1; j < n; ++j) {
            const Eigen::Vector3d d = center(j) - center(i);
            const double other = world.position[4 * j + 3], gap = d.norm() - radius - other;
            add(int(j), d.normalized(), gap, radius + gap / 2, other + gap / 2);
        }
    }
    return p;
}

/// Bodies and contacts without geometry: any graph, arms, masses over `mass_decades` decades, some bodies fixed, some
/// contacts with (moving) walls.
inline ReferenceProblem random_problem(int bodies, int contacts, unsigned seed, double mass_decades, bool rolling,
                                       bool coulomb) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0.0, 1.0), both(-1.0, 1.0);
    const auto vector = [&] { return Eigen::Vector3d(both(random), both(random), both(random)); };
    ReferenceProblem p;
    p.rolling = rolling;
    p.coulomb = coulomb;
    for (int i = 0; i < bodies; ++i) {
        const double mass = std::pow(10.0, mass_decades * (unit(random) - 0.5));
        const bool fixed = i > 0 && i % 7 == 0;
        p.inverse_mass.insert(p.inverse_mass.end(), {fixed ? 0.0 : 1.0 / mass, fixed ? 0.0 : 2.5 / mass});
        for (int k = 0; k < 6; ++k) p.free_velocity.push_back(fixed ? 0.0 : both(random));
    }
    for (int c = 0; c < contacts; ++c) {
        ReferenceContact k;
        do k.a = int(random() % unsigned(bodies));
        while (p.inverse_mass[std::size_t(2 * k.a)] <= 0.0);
        if (bodies > 1 && c % 4 != 0) {
            do k.b = int(random() % unsigned(bodies));
            while (k.b == k.a);
        } else if (c % 8 == 0) {
            k.wall_velocity = vector();
            if (rolling) k.wall_spin = vector();
        }
        k.n = vector().normalized();
        k.lever_a = 0.5 + unit(random);
        k.lever_b = k.b < 0 ? 0.0 : 0.5 + unit(random);
        k.bias = 0.2 * both(random);
        k.friction = unit(random);
        k.compliance = 0.1 * unit(random);
        k.rolling = rolling ? 0.2 * unit(random) : 0.0;
        k.spinning = rolling ? 0.2 * unit(random) : 0.0;
        p.contacts.push_back(k);
    }
    std::stable_sort(p.contacts.begin(), p.contacts.end(),
                     [](const ReferenceContact& x, const ReferenceContact& y) { return x.a < y.a; });
    return p;
}

/// The same with arms of any direction about the ends of the levers and inertia tensors of ratios up to 10.
inline ReferenceProblem random_problem_with_arms(int bodies, int contacts, unsigned seed, double mass_decades,
                                                 bool rolling, bool coulomb) {
    ReferenceProblem p = random_problem(bodies, contacts, seed, mass_decades, rolling, coulomb);
    std::mt19937 random(seed + 1000);
    std::uniform_real_distribution<double> unit(0.0, 1.0), both(-1.0, 1.0);
    const auto vector = [&] { return Eigen::Vector3d(both(random), both(random), both(random)); };
    p.arms = true;
    for (int i = 0; i < bodies; ++i) {
        const double inverse = p.inverse_mass[std::size_t(2 * i + 1)];
        const Eigen::Matrix3d turn =
            Eigen::Quaterniond(both(random), both(random), both(random), 1.1).normalized().toRotationMatrix();
        const Eigen::Vector3d moments(1.0, 1.0 + 9.0 * unit(random), 2.0 + 7.0 * unit(random));
        p.inertia.push_back(inverse > 0.0 ? Eigen::Matrix3d(turn * (moments / inverse).asDiagonal() * turn.transpose())
                                          : Eigen::Matrix3d::Zero());
    }
    for (ReferenceContact& k : p.contacts) {
        k.arm_a = k.lever_a * (k.n + 0.5 * vector());
        k.arm_b =
            k.b < 0 ? Eigen::Vector3d(Eigen::Vector3d::Zero()) : Eigen::Vector3d(k.lever_b * (0.5 * vector() - k.n));
        k.lever_a = k.arm_a.norm();
        k.lever_b = k.arm_b.norm();
    }
    return p;
}

/// `copies` independent copies side by side.
inline ReferenceProblem tiled_copies(const ReferenceProblem& one, int copies) {
    ReferenceProblem p = one;
    p.inverse_mass.clear();
    p.free_velocity.clear();
    p.contacts.clear();
    for (int k = 0; k < copies; ++k) {
        p.inverse_mass.insert(p.inverse_mass.end(), one.inverse_mass.begin(), one.inverse_mass.end());
        p.free_velocity.insert(p.free_velocity.end(), one.free_velocity.begin(), one.free_velocity.end());
        for (ReferenceContact c : one.contacts) {
            c.a += k * one.bodies();
            if (c.b >= 0) c.b += k * one.bodies();
            p.contacts.push_back(c);
        }
    }
    return p;
}

}  // namespace scree::test
