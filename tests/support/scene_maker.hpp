// SPDX-License-Identifier: BSD-3-Clause
// Small scenes in a few lines, and the state of their bodies step by step.
//
//     SceneMaker scene(h);
//     scene.exact().law({.friction = 0.8}).plane();
//     const std::size_t ball = scene.sphere({.position = {0, 0, r}, .radius = r, .velocity = {1, 0, 0}});
//     Experiment run(scene);
//     run.until(0.5);
//     EXPECT_NEAR(run.body(ball).velocity.x, 5.0 / 7.0, ...);
#pragma once

#include "engine/model/scene.hpp"
#include "engine/simulation/simulation.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace scree::test {

using model::cross;
using model::dot;
using model::norm;
using model::Vec3;

/// Of translation and rotation of body i, which is free [J].
[[nodiscard]] inline double kinetic_energy_of(const model::Snapshot& s, std::size_t i) {
    return 0.5 * s.mass[i] * dot(s.velocity[i], s.velocity[i]) + model::rotational_energy(s, i);
}

inline constexpr double gravity = 9.81;  ///< [m/s^2]

/// The law of all contacts of a scene; see model::MaterialPair. Frictionless and plastic unless said.
struct Law {
    double friction = 0.0, restitution = 0.0;
    double rolling = 0.0, spinning = 0.0;  ///< [m]
    double cohesion = 0.0;                 ///< [N]
    double stiffness = 0.0;                ///< [N/m]; 0: automatic
};

struct SphereSpec {
    Vec3 position{};
    double radius = 0.5;
    Vec3 velocity{};
    Vec3 angular_velocity{};
    double mass = 1.0;  ///< [kg]
    bool fixed = false;
};

struct SolidSpec {
    Vec3 position{};
    model::Quat orientation{};
    Vec3 velocity{};
    Vec3 angular_velocity{};
    double mass = 1.0;  ///< [kg]
    bool fixed = false;
};

[[nodiscard]] inline model::Quat unit(model::Quat q) {
    const double size = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {q.w / size, q.x / size, q.y / size, q.z / size};
}

/// Density at which a sphere has this mass.
[[nodiscard]] inline double density_of(double mass, double radius) {
    return mass / (4.0 / 3.0 * std::numbers::pi * radius * radius * radius);
}
[[nodiscard]] inline double mass_of(double density, double radius) {
    return density * (4.0 / 3.0 * std::numbers::pi * radius * radius * radius);
}

/// Builds a model::Scene. Bodies are numbered from 0 in the order in which they were added.
class SceneMaker {
public:
    /// Gravity along -z, step h [s]; one thread, since a few bodies do not feed more.
    explicit SceneMaker(double step) {
        scene_.name = "test";
        scene_.settings.time.step = step;
        scene_.settings.backend = model::Backend::cpu;
        scene_.settings.threads = 1;
        scene_.gravity = {0, 0, -gravity};
        scene_.materials.push_back({"wall", 1000.0});
    }

    /// Double precision and impulses solved to `tolerance` of g h: for comparisons with closed forms.
    SceneMaker& exact(double tolerance = 1e-9) {
        scene_.settings.precision = model::Precision::double_;
        return solver(tolerance, 20000);
    }
    SceneMaker& precision(model::Precision precision) {
        scene_.settings.precision = precision;
        return *this;
    }
    SceneMaker& solver(double tolerance, std::size_t max_iterations) {
        scene_.settings.solver.tolerance = tolerance;
        scene_.settings.solver.max_iterations = max_iterations;
        return *this;
    }
    SceneMaker& acceleration(Vec3 g) {
        scene_.gravity = g;
        return *this;
    }
    /// The law of all pairs, or of bodies among themselves where walls have their own.
    SceneMaker& law(const Law& law) {
        law_ = law;
        if (!has_wall_law_) wall_law_ = law;
        return *this;
    }
    SceneMaker& wall_law(const Law& law) {
        wall_law_ = law;
        has_wall_law_ = true;
        return *this;
    }
    SceneMaker& feedback(model::PositionFeedback feedback) {
        scene_.settings.contact.feedback = feedback;
        return *this;
    }
    /// Springs whose dampers give the restitution, in place of Newton's law of impacts.
    SceneMaker& spring_damper() {
        scene_.settings.contact.impact = model::ImpactLaw::spring_damper;
        return *this;
    }
    SceneMaker& friction_law(model::FrictionLaw law) {
        scene_.settings.solver.friction = law;
        return *this;
    }

    std::size_t sphere(const SphereSpec& spec) {
        model::Source source;
        source.material = material(density_of(spec.mass, spec.radius));
        source.velocity = spec.velocity;
        source.angular_velocity = spec.angular_velocity;
        source.what = model::SphereSource{spec.position, spec.radius, spec.fixed};
        scene_.sources.push_back(source);
        return scene_.sources.size() - 1;
    }
    /// A homogeneous solid of this mass.
    std::size_t solid(model::Solid shape, const SolidSpec& spec) {
        model::BodySource body;
        body.shape = std::move(shape);
        body.position = spec.position;
        body.orientation = spec.orientation;
        body.mass = spec.mass;
        body.fixed = spec.fixed;
        model::Source source;
        source.material = material(1000.0);
        source.velocity = spec.velocity;
        source.angular_velocity = spec.angular_velocity;
        source.what = std::move(body);
        scene_.sources.push_back(std::move(source));
        return scene_.sources.size() - 1;
    }
    static constexpr std::size_t ground = std::size_t(-1);
    /// A joint of two bodies (or the ground), for more to be set.
    model::Joint& joint(model::JointKind kind, std::size_t a, std::size_t b) {
        const auto name = [this](std::size_t body) {
            if (body == ground) return std::string("ground");
            std::string& known = scene_.sources.at(body).name;
            if (known.empty()) known = "body " + std::to_string(body);
            return known;
        };
        model::Joint joint;
        joint.name = "joint " + std::to_string(scene_.joints.size());
        joint.bodies = {name(a), name(b)};
        joint.kind = std::move(kind);
        scene_.joints.push_back(std::move(joint));
        return scene_.joints.back();
    }
    std::size_t boundary(model::BoundaryShape shape, std::vector<model::Motion> motions = {}) {
        model::Boundary boundary;
        boundary.name = "wall " + std::to_string(scene_.boundaries.size());
        boundary.shape = std::move(shape);
        boundary.motions = std::move(motions);
        scene_.boundaries.push_back(std::move(boundary));
        return scene_.boundaries.size() - 1;
    }
    std::size_t plane(Vec3 point = {}, Vec3 normal = {0, 0, 1}) {
        return boundary(model::PlaneShape{point, model::normalized(normal)});
    }
    std::size_t outlet(Vec3 point, Vec3 normal) {
        model::Outlet outlet;
        outlet.name = "outlet " + std::to_string(scene_.outlets.size());
        outlet.point = point;
        outlet.normal = normal;
        scene_.outlets.push_back(outlet);
        return scene_.outlets.size() - 1;
    }
    SceneMaker& periodic(std::size_t axis, double lower, double upper) {
        scene_.periodic.at(axis) = {true, lower, upper};
        return *this;
    }

    /// The scene so far, for settings that have no word here. Material 0 is that of boundaries.
    [[nodiscard]] model::Scene& edit() { return scene_; }
    /// The material of bodies with this density, made when new.
    std::size_t material(double density) {
        for (std::size_t m = 1; m < scene_.materials.size(); ++m)
            if (scene_.materials[m].density == density) return m;
        scene_.materials.push_back({"grain " + std::to_string(scene_.materials.size()), density});
        return scene_.materials.size() - 1;
    }
    /// The scene with its table of pairs filled in.
    [[nodiscard]] model::Scene scene() const {
        model::Scene scene = scene_;
        for (std::size_t a = 0; a < scene.materials.size(); ++a)
            for (std::size_t b = a; b < scene.materials.size(); ++b) {
                const Law& l = a == 0 ? wall_law_ : law_;
                model::MaterialPair pair;
                pair.first = a;
                pair.second = b;
                pair.friction = l.friction;
                pair.restitution = l.restitution;
                pair.rolling_resistance = l.rolling;
                pair.spinning_resistance = l.spinning;
                pair.cohesion = l.cohesion;
                pair.stiffness = l.stiffness;
                scene.pairs.push_back(pair);
            }
        return scene;
    }

private:
    model::Scene scene_;
    Law law_, wall_law_;
    bool has_wall_law_ = false;
};

/// One body at one time.
struct BodyNow {
    Vec3 position, velocity, angular_velocity, force, torque;
    double radius = 0.0, mass = 0.0;
};

/// A simulation that is asked about single bodies.
class Experiment {
public:
    explicit Experiment(const SceneMaker& maker) : simulation_(maker.scene()) {}
    explicit Experiment(model::Scene scene) : simulation_(std::move(scene)) {}

    const kernels::StepReport& step() {
        report_ = simulation_.step();
        fresh_ = false;
        return report_;
    }
    void steps(std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) step();
    }
    /// Steps until `time` [s], to the nearest step; calls `each` after every step.
    template <class Each>
    void until(double time, const Each& each) {
        const auto last = std::int64_t(std::llround(time / h()));
        while (simulation_.step_index() < last) {
            step();
            each();
        }
    }
    void until(double time) {
        until(time, [] {});
    }

    [[nodiscard]] double time() const { return simulation_.time(); }
    [[nodiscard]] double h() const { return simulation_.scene().settings.time.step; }
    [[nodiscard]] simulation::Simulation& simulation() { return simulation_; }
    [[nodiscard]] const kernels::StepReport& report() const { return report_; }
    [[nodiscard]] const model::Snapshot& now() {
        if (!fresh_) snapshot_ = simulation_.snapshot();
        fresh_ = true;
        return snapshot_;
    }
    /// Body `index` in the order of insertion; it must still be there.
    [[nodiscard]] BodyNow body(std::size_t index) {
        const model::Snapshot& s = now();
        for (std::size_t i = 0; i < s.id.size(); ++i)
            if (s.id[i] == index + 1)
                return {s.position[i], s.velocity[i], s.angular_velocity[i], s.force[i], s.torque[i],
                        s.radius[i],   s.mass[i]};
        throw std::out_of_range("body " + std::to_string(index) + " is gone");
    }
    /// Force [N] and torque [N m] on a boundary over the last step, and its pose.
    [[nodiscard]] model::BoundaryState wall(std::size_t index) { return now().boundaries.at(index); }

    /// Sums over free bodies: kinetic energy of translation and rotation [J], momentum, angular momentum about the
    /// origin.
    [[nodiscard]] double kinetic_energy() {
        const model::Snapshot& s = now();
        double sum = 0.0;
        for (std::size_t i = 0; i < s.id.size(); ++i)
            if (std::isfinite(s.mass[i])) sum += kinetic_energy_of(s, i);
        return sum;
    }
    [[nodiscard]] Vec3 momentum() {
        Vec3 sum;
        for_free_bodies([&](const BodyNow& b) { sum = sum + b.mass * b.velocity; });
        return sum;
    }
    [[nodiscard]] Vec3 angular_momentum() {
        Vec3 sum;
        for_free_bodies([&](const BodyNow& b) {
            sum = sum + b.mass * cross(b.position, b.velocity) +
                  (0.4 * b.mass * b.radius * b.radius) * b.angular_velocity;
        });
        return sum;
    }

private:
    template <class Each>
    void for_free_bodies(const Each& each) {
        const model::Snapshot& s = now();
        for (std::size_t i = 0; i < s.id.size(); ++i)
            if (std::isfinite(s.mass[i]))
                each(BodyNow{s.position[i], s.velocity[i], s.angular_velocity[i], s.force[i], s.torque[i], s.radius[i],
                             s.mass[i]});
    }

    simulation::Simulation simulation_;
    kernels::StepReport report_;
    model::Snapshot snapshot_;
    bool fresh_ = false;
};

}  // namespace scree::test
