// SPDX-License-Identifier: BSD-3-Clause
// A rattleback: an ellipsoid whose principal axes of inertia are turned against its own. Spun one way it begins to rock
// and turns back, spun the other way it goes on. Reference: the equations of an ellipsoid that rolls without slip (Kane
// and Levinson, "Realistic mathematical modeling of the rattleback", 1982), integrated here by a Runge-Kutta method.
#include "engine/geometry/solid.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace scree::test {
namespace {

using model::Quat;
using model::rotate;

const Vec3 axes{0.2, 0.03, 0.02};
constexpr double density = 1000.0;

/// The ellipsoid and a bar on it, at an angle: both count for the mass, the bar never touches the plane.
model::SolidCompound toy() {
    return {{{model::SolidEllipsoid{axes}, {}, {}},
             {model::SolidBox{{0.15, 0.015, 0.01}}, {0, 0, 0.012}, model::from_axis_angle({0, 0, 1}, 0.3)}}};
}

/// No-slip rolling on z = 0; vectors in principal axes of the body.
class RollingEllipsoid {
public:
    RollingEllipsoid() {
        model::BodySource source;
        source.shape = toy();
        const geometry::SolidFacts facts = geometry::solid_facts(source, density, false);
        mass_ = facts.mass;
        inertia_ = facts.inertia;
        to_principal_ = conjugate(facts.orientation);
        const double bar = density * 8.0 * 0.15 * 0.015 * 0.01;
        centre_ = rotate(to_principal_, {0, 0, -0.012 * bar / mass_});
    }
    /// From the centre of mass to the lowest point, `down` [unit, principal axes].
    [[nodiscard]] Vec3 contact(Vec3 down) const {
        const Vec3 d = rotate(conjugate(to_principal_), down);
        const Vec3 squared{axes.x * axes.x * d.x, axes.y * axes.y * d.y, axes.z * axes.z * d.z};
        return centre_ + (1.0 / std::sqrt(dot(squared, d))) * rotate(to_principal_, squared);
    }
    struct State {
        Vec3 down, spin;
    };
    [[nodiscard]] Vec3 to_principal(Vec3 of_shape) const { return rotate(to_principal_, of_shape); }
    [[nodiscard]] Vec3 to_shape(Vec3 of_body) const { return rotate(conjugate(to_principal_), of_body); }
    [[nodiscard]] State step(State s, double h) const {
        const auto moved = [](State a, double t, State b) { return State{a.down + t * b.down, a.spin + t * b.spin}; };
        const State k1 = rate(s), k2 = rate(moved(s, h / 2, k1)), k3 = rate(moved(s, h / 2, k2)),
                    k4 = rate(moved(s, h, k3));
        State next = moved(moved(s, h / 6, k1), h / 3, k2);
        next = moved(moved(next, h / 3, k3), h / 6, k4);
        next.down = model::normalized(next.down);
        return next;
    }

private:
    [[nodiscard]] State rate(State s) const {
        const Vec3 w = s.spin, u = s.down, r = contact(u);
        const Vec3 turning = cross(u, w);
        // The contact wanders by dr/du turning; a central difference is exact to 1e-9.
        const double e = 1e-5;
        const Vec3 wandering =
            (0.5 / e) * (contact(model::normalized(u + e * turning)) - contact(model::normalized(u - e * turning)));
        const Vec3 spin_momentum{inertia_.x * w.x, inertia_.y * w.y, inertia_.z * w.z};
        const Vec3 known = -cross(w, wandering) - cross(w, cross(w, r)) - gravity * u;
        const Vec3 torque = mass_ * cross(r, known) - cross(w, spin_momentum);
        // (I + m (r.r 1 - r r')) w' = torque
        const double rr = dot(r, r);
        const double xx = inertia_.x + mass_ * (rr - r.x * r.x), yy = inertia_.y + mass_ * (rr - r.y * r.y),
                     zz = inertia_.z + mass_ * (rr - r.z * r.z);
        const double xy = -mass_ * r.x * r.y, xz = -mass_ * r.x * r.z, yz = -mass_ * r.y * r.z;
        const Vec3 c1{xx, xy, xz}, c2{xy, yy, yz}, c3{xz, yz, zz};
        const double det = dot(c1, cross(c2, c3));
        return {turning,
                (1.0 / det) * Vec3{dot(torque, cross(c2, c3)), dot(c1, cross(torque, c3)), dot(c1, cross(c2, torque))}};
    }

    double mass_ = 0.0;
    Vec3 inertia_, centre_;
    Quat to_principal_;
};

constexpr double tilt = 0.5 * std::numbers::pi / 180.0;

/// Spin about the vertical at multiples of 50 ms.
std::vector<double> rolled(double spin, double end) {
    const RollingEllipsoid toy;
    const Quat start = model::from_axis_angle({1, 0, 0}, tilt);
    const Vec3 up = toy.to_principal(rotate(conjugate(start), {0, 0, 1}));
    RollingEllipsoid::State s{-up, spin * up};
    std::vector<double> spins;
    for (double t = 0.0; t < end - 1e-9; t += 0.05) {
        for (int k = 0; k < 500; ++k) s = toy.step(s, 1e-4);
        spins.push_back(-dot(s.spin, s.down));
    }
    return spins;
}

std::vector<double> simulated(double spin, double end, double h) {
    const RollingEllipsoid equations;
    const Quat start = model::from_axis_angle({1, 0, 0}, tilt);
    const Vec3 up = equations.to_principal(rotate(conjugate(start), {0, 0, 1}));
    const Vec3 r = equations.contact(-up);
    SceneMaker scene(h);
    // Friction enough to roll without slip; stiff, as softer contacts take energy out of the rocking.
    scene.exact(1e-8).law({.friction = 3.0, .stiffness = 1e7});
    scene.plane();
    scene.solid(toy(), {.position = {0, 0, -dot(r, up)}, .orientation = start, .angular_velocity = {0, 0, spin}});
    model::Source& source = scene.edit().sources[0];
    std::get<model::BodySource>(source.what).mass = 0.0;  // of the density
    // Rolls from the start: v = -w x r, in the axes of the shape first.
    source.velocity = -cross(Vec3{0, 0, spin}, rotate(start, equations.to_shape(r)));
    Experiment run(scene);
    std::vector<double> spins;
    for (double t = 0.05; t < end + 1e-9; t += 0.05) {
        run.until(t);
        spins.push_back(run.body(0).angular_velocity.z);
    }
    return spins;
}

constexpr double end = 3.6;

TEST(Rattleback, TurnsBackWhenSpunTheOneWay) {
    const std::vector<double> reference = rolled(-2.0, end);
    ASSERT_NEAR(reference.back(), 2.0, 1e-3);  // It gives all of its spin back.
    double coarse = 1e300;
    for (const double h : {1e-3, 5e-4}) {
        const std::vector<double> spins = simulated(-2.0, end, h);
        double worst = 0.0;
        for (std::size_t k = 0; k < spins.size(); ++k) worst = std::max(worst, std::abs(spins[k] - reference[k]));
        // First order in the step: .042 and .020 rad/s, where it has turned back.
        EXPECT_LT(worst, 50.0 * h);
        EXPECT_GT(spins.back(), 1.9);
        EXPECT_LT(worst, 0.6 * coarse);
        coarse = worst;
    }
}

TEST(Rattleback, GoesOnWhenSpunTheOtherWay) {
    const std::vector<double> reference = rolled(2.0, end);
    for (const double h : {1e-3, 5e-4}) {
        const std::vector<double> spins = simulated(2.0, end, h);
        for (std::size_t k = 0; k < spins.size(); ++k) EXPECT_NEAR(spins[k], reference[k], 2e-3) << h;
    }
}

}  // namespace
}  // namespace scree::test
