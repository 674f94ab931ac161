// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/write.hpp"
#include "tests/unit/scene/sample_scenes.hpp"

#include <random>

namespace scree::scene {
namespace {

using namespace model;
using samples::parse;

void expect_equal(const Settings& a, const Settings& b) {
    EXPECT_EQ(a.time.step, b.time.step);
    EXPECT_EQ(a.time.end, b.time.end);
    EXPECT_EQ(a.stop.after, b.stop.after);
    EXPECT_EQ(a.stop.kinetic_energy_per_mass, b.stop.kinetic_energy_per_mass);
    EXPECT_EQ(a.stop.unbalanced_force, b.stop.unbalanced_force);
    EXPECT_EQ(a.stop.rest_time, b.stop.rest_time);
    EXPECT_EQ(a.stop.rest_speed, b.stop.rest_speed);
    EXPECT_EQ(a.stop.bodies_left, b.stop.bodies_left);
    EXPECT_EQ(a.stop.use_bodies_left, b.stop.use_bodies_left);
    EXPECT_EQ(a.stop.wall_clock, b.stop.wall_clock);
    EXPECT_EQ(a.solver.kind, b.solver.kind);
    EXPECT_EQ(a.solver.friction, b.solver.friction);
    EXPECT_EQ(a.solver.tolerance, b.solver.tolerance);
    EXPECT_EQ(a.solver.max_iterations, b.solver.max_iterations);
    EXPECT_EQ(a.solver.warm_start, b.solver.warm_start);
    EXPECT_EQ(a.solver.fallback, b.solver.fallback);
    EXPECT_EQ(a.solver.fallback_contacts, b.solver.fallback_contacts);
    EXPECT_EQ(a.contact.feedback, b.contact.feedback);
    EXPECT_EQ(a.contact.impact, b.contact.impact);
    EXPECT_EQ(a.contact.stiffness, b.contact.stiffness);
    EXPECT_EQ(a.contact.damping_time, b.contact.damping_time);
    EXPECT_EQ(a.contact.recovery_speed, b.contact.recovery_speed);
    EXPECT_EQ(a.contact.restitution_threshold, b.contact.restitution_threshold);
    EXPECT_EQ(a.contact.envelope, b.contact.envelope);
    EXPECT_EQ(a.output.interval, b.output.interval);
    EXPECT_EQ(a.output.series_interval, b.output.series_interval);
    EXPECT_EQ(a.output.checkpoint_interval, b.output.checkpoint_interval);
    EXPECT_EQ(a.output.checkpoints_kept, b.output.checkpoints_kept);
    EXPECT_EQ(a.output.particles, b.output.particles);
    EXPECT_EQ(a.output.surfaces, b.output.surfaces);
    EXPECT_EQ(a.output.contacts, b.output.contacts);
    EXPECT_EQ(a.output.walls, b.output.walls);
    EXPECT_EQ(a.backend, b.backend);
    EXPECT_EQ(a.precision, b.precision);
    EXPECT_EQ(a.device, b.device);
    EXPECT_EQ(a.threads, b.threads);
}

void expect_equal(const SphereSource& a, const SphereSource& b) {
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.radius, b.radius);
    EXPECT_EQ(a.fixed, b.fixed);
}

void expect_equal(const FileSource& a, const FileSource& b) {
    EXPECT_EQ(a.path, b.path);
    EXPECT_EQ(a.columns, b.columns);
    EXPECT_EQ(a.radius, b.radius);
    EXPECT_EQ(a.scale, b.scale);
    EXPECT_EQ(a.translation, b.translation);
    EXPECT_EQ(a.radius_min, b.radius_min);
    EXPECT_EQ(a.radius_max, b.radius_max);
    EXPECT_EQ(a.fixed, b.fixed);
    EXPECT_EQ(a.max_rows, b.max_rows);
}

void expect_equal(const LatticeSource& a, const LatticeSource& b) {
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.lower, b.lower);
    EXPECT_EQ(a.upper, b.upper);
    EXPECT_EQ(a.radius, b.radius);
    EXPECT_EQ(a.spacing, b.spacing);
    EXPECT_EQ(a.jitter, b.jitter);
    EXPECT_EQ(a.seed, b.seed);
    EXPECT_EQ(a.count, b.count);
}

/// Region and sizes.
template <class T>
void expect_equal_makings(const T& a, const T& b) {
    EXPECT_EQ(a.region.kind, b.region.kind);
    EXPECT_EQ(a.region.lower, b.region.lower);
    EXPECT_EQ(a.region.upper, b.region.upper);
    EXPECT_EQ(a.region.start, b.region.start);
    EXPECT_EQ(a.region.axis, b.region.axis);
    EXPECT_EQ(a.region.length, b.region.length);
    EXPECT_EQ(a.region.radius, b.region.radius);
    EXPECT_EQ(a.region.center, b.region.center);
    EXPECT_EQ(a.sizes.kind, b.sizes.kind);
    EXPECT_EQ(a.sizes.radius, b.sizes.radius);
    EXPECT_EQ(a.sizes.lower, b.sizes.lower);
    EXPECT_EQ(a.sizes.upper, b.sizes.upper);
    EXPECT_EQ(a.sizes.mean, b.sizes.mean);
    EXPECT_EQ(a.sizes.deviation, b.sizes.deviation);
    EXPECT_EQ(a.sizes.passing, b.sizes.passing);
}

void expect_equal(const FeedSource& a, const FeedSource& b) {
    expect_equal_makings(a, b);
    EXPECT_EQ(a.rate, b.rate);
    EXPECT_EQ(a.mass_rate, b.mass_rate);
    EXPECT_EQ(a.start, b.start);
    EXPECT_EQ(a.end, b.end);
    EXPECT_EQ(a.count, b.count);
    EXPECT_EQ(a.interval, b.interval);
    EXPECT_EQ(a.gap, b.gap);
    EXPECT_EQ(a.seed, b.seed);
}

void expect_equal(const RandomSource& a, const RandomSource& b) {
    expect_equal_makings(a, b);
    EXPECT_EQ(a.count, b.count);
    EXPECT_EQ(a.fraction, b.fraction);
    EXPECT_EQ(a.gap, b.gap);
    EXPECT_EQ(a.seed, b.seed);
    EXPECT_EQ(a.attempts, b.attempts);
}

void expect_equal(const SolidSphere& a, const SolidSphere& b) { EXPECT_EQ(a.radius, b.radius); }
void expect_equal(const SolidBox& a, const SolidBox& b) {
    EXPECT_EQ(a.half_extents, b.half_extents);
    EXPECT_EQ(a.rounding, b.rounding);
}
void expect_equal(const SolidCapsule& a, const SolidCapsule& b) {
    EXPECT_EQ(a.radius, b.radius);
    EXPECT_EQ(a.half_length, b.half_length);
}
void expect_equal(const SolidCone& a, const SolidCone& b) {
    EXPECT_EQ(a.radius, b.radius);
    EXPECT_EQ(a.height, b.height);
}
void expect_equal(const SolidEllipsoid& a, const SolidEllipsoid& b) { EXPECT_EQ(a.semi_axes, b.semi_axes); }
void expect_equal(const SolidSuperquadric& a, const SolidSuperquadric& b) {
    EXPECT_EQ(a.semi_axes, b.semi_axes);
    EXPECT_EQ(a.e1, b.e1);
    EXPECT_EQ(a.e2, b.e2);
}
void expect_equal(const SolidCylinder& a, const SolidCylinder& b) {
    EXPECT_EQ(a.radius, b.radius);
    EXPECT_EQ(a.half_length, b.half_length);
    EXPECT_EQ(a.rounding, b.rounding);
}
void expect_equal(const SolidPolytope& a, const SolidPolytope& b) { EXPECT_EQ(a.vertices, b.vertices); }

template <class Variant>
void expect_equal_variants(const Variant& a, const Variant& b);

void expect_equal(const SolidCompound& a, const SolidCompound& b) {
    ASSERT_EQ(a.parts.size(), b.parts.size());
    for (std::size_t k = 0; k < a.parts.size(); ++k) {
        EXPECT_EQ(a.parts[k].shape.index(), b.parts[k].shape.index());
        EXPECT_EQ(a.parts[k].position, b.parts[k].position);
        EXPECT_EQ(a.parts[k].orientation, b.parts[k].orientation);
    }
}

void expect_equal(const BodySource& a, const BodySource& b) {
    expect_equal_variants(a.shape, b.shape);
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.orientation, b.orientation);
    EXPECT_EQ(a.mass, b.mass);
    EXPECT_EQ(a.inertia, b.inertia);
    EXPECT_EQ(a.fixed, b.fixed);
    EXPECT_EQ(a.force, b.force);
    EXPECT_EQ(a.torque, b.torque);
}

void expect_equal(const PlaneShape& a, const PlaneShape& b) {
    EXPECT_EQ(a.point, b.point);
    EXPECT_EQ(a.normal, b.normal);
}

void expect_equal(const BoxShape& a, const BoxShape& b) {
    EXPECT_EQ(a.center, b.center);
    EXPECT_EQ(a.half_extents, b.half_extents);
    EXPECT_EQ(a.orientation, b.orientation);
    EXPECT_EQ(a.container, b.container);
    EXPECT_EQ(a.open, b.open);
}

void expect_equal(const RevolutionShape& a, const RevolutionShape& b) {
    EXPECT_EQ(a.start, b.start);
    EXPECT_EQ(a.axis, b.axis);
    EXPECT_EQ(a.length, b.length);
    EXPECT_EQ(a.radius_start, b.radius_start);
    EXPECT_EQ(a.radius_end, b.radius_end);
    EXPECT_EQ(a.side, b.side);
    EXPECT_EQ(a.cap_start, b.cap_start);
    EXPECT_EQ(a.cap_end, b.cap_end);
}

void expect_equal(const MeshShape& a, const MeshShape& b) {
    EXPECT_EQ(a.path, b.path);
    EXPECT_EQ(a.vertices, b.vertices);
    EXPECT_EQ(a.triangles, b.triangles);
    EXPECT_EQ(a.degenerate_dropped, b.degenerate_dropped);
}

template <class Variant>
void expect_equal_variants(const Variant& a, const Variant& b) {
    ASSERT_EQ(a.index(), b.index());
    std::visit([&](const auto& value) { expect_equal(value, std::get<std::decay_t<decltype(value)>>(b)); }, a);
}

void expect_equal(const Motion& a, const Motion& b) {
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.axis, b.axis);
    EXPECT_EQ(a.point, b.point);
    EXPECT_EQ(a.angular_speed, b.angular_speed);
    EXPECT_EQ(a.amplitude, b.amplitude);
    EXPECT_EQ(a.frequency, b.frequency);
    EXPECT_EQ(a.phase, b.phase);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.force, b.force);
    EXPECT_EQ(a.largest_speed, b.largest_speed);
    EXPECT_EQ(a.start, b.start);
    EXPECT_EQ(a.stop, b.stop);
}

void expect_equal(const Boundary& a, const Boundary& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.material, b.material);
    EXPECT_EQ(a.torque_point, b.torque_point);
    EXPECT_EQ(a.remove_at, b.remove_at);
    expect_equal_variants(a.shape, b.shape);
    ASSERT_EQ(a.motions.size(), b.motions.size());
    for (std::size_t i = 0; i < a.motions.size(); ++i) expect_equal(a.motions[i], b.motions[i]);
}

void expect_equal(const Source& a, const Source& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.material, b.material);
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.angular_velocity, b.angular_velocity);
    expect_equal_variants(a.what, b.what);
    ASSERT_EQ(a.shape.has_value(), b.shape.has_value());
    if (a.shape) expect_equal_variants(*a.shape, *b.shape);
    EXPECT_EQ(a.turned_at_random, b.turned_at_random);
    EXPECT_EQ(a.turning_seed, b.turning_seed);
}

void expect_equal(const Outlet& a, const Outlet& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.point, b.point);
    EXPECT_EQ(a.normal, b.normal);
    EXPECT_EQ(a.lower, b.lower);
    EXPECT_EQ(a.upper, b.upper);
}

void expect_equal(const Probe& a, const Probe& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.box.lower, b.box.lower);
    EXPECT_EQ(a.box.upper, b.box.upper);
    EXPECT_EQ(a.material, b.material);
    EXPECT_EQ(a.target, b.target);
    EXPECT_EQ(a.contact_gap, b.contact_gap);
    EXPECT_EQ(a.cells, b.cells);
}

void expect_equal(const Material& a, const Material& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.density, b.density);
}

void expect_equal(const MaterialPair& a, const MaterialPair& b) {
    EXPECT_EQ(a.first, b.first);
    EXPECT_EQ(a.second, b.second);
    EXPECT_EQ(a.friction, b.friction);
    EXPECT_EQ(a.restitution, b.restitution);
    EXPECT_EQ(a.tangential_restitution, b.tangential_restitution);
    EXPECT_EQ(a.rolling_resistance, b.rolling_resistance);
    EXPECT_EQ(a.spinning_resistance, b.spinning_resistance);
    EXPECT_EQ(a.cohesion, b.cohesion);
    EXPECT_EQ(a.stiffness, b.stiffness);
}

template <class T>
void expect_equal(const std::vector<T>& a, const std::vector<T>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) expect_equal(a[i], b[i]);
}

void expect_equal(const Scene& a, const Scene& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.path, b.path);
    EXPECT_EQ(a.gravity, b.gravity);
    expect_equal(a.materials, b.materials);
    expect_equal(a.pairs, b.pairs);
    expect_equal(a.sources, b.sources);
    expect_equal(a.boundaries, b.boundaries);
    expect_equal(a.outlets, b.outlets);
    expect_equal(a.probes, b.probes);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(a.periodic[i].active, b.periodic[i].active);
        EXPECT_EQ(a.periodic[i].lower, b.periodic[i].lower);
        EXPECT_EQ(a.periodic[i].upper, b.periodic[i].upper);
    }
    expect_equal(a.settings, b.settings);
}

TEST(SceneRoundTrip, EveryFieldOfACompleteSceneComesBack) {
    const auto scene = parse(samples::complete);
    const std::string text = to_yaml(scene);
    SCOPED_TRACE(text);
    const auto again = parse(text);
    expect_equal(scene, again);
    EXPECT_EQ(to_yaml(again), text);
}

TEST(SceneRoundTrip, DefaultsComeBack) {
    const auto scene = parse(samples::minimal);
    expect_equal(scene, parse(to_yaml(scene)));
}

TEST(SceneRoundTrip, AwkwardNamesComeBack) {
    for (const std::string name :
         {"true",  "null",        "~",   "1",  "1e5",   " padded ", "a: b",  "#x",   "- x",
          "\"q\"", "back\\slash", "[x]", "{",  "*star", "&amp",     "!bang", "%pct", "\xC3\xBC",
          "--- ",  "a'b",         "?",   "@x", ".inf",  "=",        "<<"}) {
        auto scene = parse(samples::minimal);
        scene.name = scene.materials[0].name = scene.sources[0].name = name;
        SCOPED_TRACE(to_yaml(scene));
        expect_equal(scene, parse(to_yaml(scene)));
    }
}

TEST(SceneRoundTrip, NumbersAndDirectionsKeepEveryBit) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const auto vector = [&] { return Vec3{uniform(random), uniform(random), uniform(random)}; };
    for (int i = 0; i < 200; ++i) {
        auto scene = parse(samples::complete, {"boundaries.floor.normal=[" + std::to_string(uniform(random)) + ", 1, " +
                                               std::to_string(uniform(random)) + "]"});
        scene.gravity = vector();
        auto& bin = std::get<BoxShape>(scene.boundaries[1].shape);
        bin.orientation = from_axis_angle(vector(), 3.0 * uniform(random));
        std::get<RevolutionShape>(scene.boundaries[3].shape).axis = normalized(vector());
        std::get<MeshShape>(scene.boundaries[5].shape).vertices[0] = vector();
        scene.settings.time.step = 1e-3 * (1.5 + uniform(random));
        expect_equal(scene, parse(to_yaml(scene)));
    }
}

TEST(SceneRoundTrip, TheTutorialsComeBack) {
    for (const auto* name : {"tutorial.yaml", "tutorial_drum.yaml"}) {
        auto scene = load_scene(std::string(SCREE_SOURCE_DIR) + "/scenes/" + name);
        scene.path = "scene.yaml";
        expect_equal(scene, parse(to_yaml(scene)));
    }
}

}  // namespace
}  // namespace scree::scene
