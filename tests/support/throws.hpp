// SPDX-License-Identifier: BSD-3-Clause
// Bodies of many shapes, thrown at a floor by drawn numbers.
#pragma once

#include "tests/support/scene_maker.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace scree::test {

/// Draws that are the same with every library.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}
    double between(double low, double high) { return low + (high - low) * double(engine_() >> 11) * 0x1p-53; }
    std::size_t below(std::size_t count) { return std::size_t(engine_() % count); }
    Vec3 vector(double most) { return {between(-most, most), between(-most, most), between(-most, most)}; }
    model::Quat turn() {
        Vec3 axis = vector(1.0);
        while (!(norm(axis) > 0.1 && norm(axis) < 1.0)) axis = vector(1.0);
        return model::from_axis_angle((1.0 / norm(axis)) * axis, between(0.0, 3.14));
    }
    /// e in [0, 1], the ends often; mu in [0, 1.5].
    Law law() {
        const std::size_t end = below(6);
        return {.friction = between(0.0, 1.5), .restitution = end == 0 ? 0.0 : end == 1 ? 1.0 : between(0.0, 1.0)};
    }

private:
    std::mt19937_64 engine_;
};

/// Shapes within a ball of radius .1.
inline model::Solid shape(std::size_t kind) {
    switch (kind) {
        case 0:
            return model::SolidSphere{0.1};
        case 1:
            return model::SolidBox{{0.055, 0.055, 0.055}};
        case 2:
            return model::SolidBox{{0.085, 0.04, 0.02}};
        case 3:
            return model::SolidCapsule{0.02, 0.07};
        case 4:
            return model::SolidCylinder{0.06, 0.03};
        case 5:
            return model::SolidEllipsoid{{0.09, 0.06, 0.04}};
        case 6:
            return model::SolidCone{0.06, 0.1};
        default:
            return model::SolidPolytope{
                {{0.05, 0.05, 0.05}, {-0.05, -0.05, 0.05}, {-0.05, 0.05, -0.05}, {0.05, -0.05, -0.05}}};
    }
}
inline constexpr std::size_t shapes = 8;
struct Setting {
    double h, g;
    model::FrictionLaw friction;
};

inline SceneMaker thrown(const Setting& s, Dice& dice, std::size_t kind, const Law& law) {
    SceneMaker scene(s.h);
    scene.exact(1e-10).acceleration({0, 0, -s.g}).friction_law(s.friction).law(law).plane();
    const double spin = std::vector{0.0, 5.0, 50.0}[dice.below(3)];
    scene.solid(shape(kind), {.position = {0, 0, 0.12},
                              .orientation = dice.turn(),
                              .velocity = dice.vector(1.0) + Vec3{0, 0, -2},
                              .angular_velocity = dice.vector(spin)});
    return scene;
}

}  // namespace scree::test
