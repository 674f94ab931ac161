// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/world_builder.hpp"

#include "engine/geometry/feed.hpp"
#include "engine/geometry/solid.hpp"
#include "engine/model/error.hpp"
#include "engine/simulation/body_shapes.hpp"
#include "engine/simulation/servos.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace scree::simulation {
namespace {

using model::Vec3;

// Static overlaps over the diameter at automatic stiffness.
constexpr double overlap_alone = 5e-5;    ///< Of the mean body under its own weight, of a single file under all of it.
constexpr double overlap_in_pile = 2e-4;  ///< Under a column of a wide pile, whose bodies share it by several contacts.
constexpr double overlap_of_heavy = 1e-3;  ///< Of the smallest body under the heaviest.
/// h sqrt(k / m) of the mean body, at most, for the sake of what servos press with: few bodies under a large force
/// would be so stiff that roundings throw them (at 100 a lid of 50 N put 3 J into a ball of 10 g, at 30 it is quiet).
constexpr double stiffest = 30.0;

kernels::PairLaw<double> law_of(const model::MaterialPair& pair, double stiffness) {
    const double k = pair.stiffness > 0.0 ? pair.stiffness : stiffness;
    return {pair.friction,
            pair.restitution,
            pair.rolling_resistance,
            pair.spinning_resistance,
            pair.cohesion,
            k,
            pair.tangential_restitution,
            kernels::damper_of(pair.restitution, k)};
}

kernels::OutletPart outlet_part(const model::Outlet& outlet) {
    kernels::OutletPart part;
    const bool box = outlet.kind == model::Outlet::Kind::box;
    const Vec3 a = box ? outlet.lower : outlet.point, b = box ? outlet.upper : outlet.normal;
    part.form = !box ? 0 : outlet.takes_inside ? 2 : 1;
    part.a[0] = a.x, part.a[1] = a.y, part.a[2] = a.z;
    part.b[0] = b.x, part.b[1] = b.y, part.b[2] = b.z;
    return part;
}

void add_bodies(const geometry::SourceSolids& solids, const std::vector<model::Sphere>& bodies,
                kernels::WorldDescription& world) {
    for (const model::Sphere& s : bodies) {
        world.position.insert(world.position.end(), {s.position.x, s.position.y, s.position.z, s.radius});
        const model::Quat q = s.orientation;
        world.orientation.insert(world.orientation.end(), {q.w, q.x, q.y, q.z});
        const Vec3 v = s.velocity, w = s.angular_velocity;
        world.velocity.insert(world.velocity.end(), {v.x, v.y, v.z, w.x, w.y, w.z});
        const geometry::SolidFacts facts = solids.facts(s);
        const double mass = facts.mass, inertia = (facts.inertia.x + facts.inertia.y + facts.inertia.z) / 3.0;
        world.inverse_mass.insert(world.inverse_mass.end(),
                                  {s.fixed ? 0.0 : 1.0 / mass, s.fixed ? 0.0 : 1.0 / inertia});
        world.material.push_back(kernels::Index(s.material));
        world.id.push_back(kernels::Index(s.id));
    }
}

/// See model::SolverSettings::kind.
model::SolverKind solver_for(const model::Scene& scene, model::Backend backend) {
    if (scene.settings.solver.kind != model::SolverKind::automatic) return scene.settings.solver.kind;
    constexpr double sweeps_contract = 1.0;  // up to this friction
    const bool sweeps = backend == model::Backend::cpu && scene.joints.empty() &&
                        std::ranges::all_of(scene.pairs, [](const model::MaterialPair& pair) {
                            return pair.friction <= sweeps_contract;
                        });
    return sweeps ? model::SolverKind::gauss_seidel : model::SolverKind::conjugate;
}

/// Calls visit(direction, largest force [N]) for every servo.
template <class Visit>
void for_each_servo(const model::Scene& scene, const Visit& visit) {
    for (const model::Boundary& boundary : scene.boundaries)
        for (const model::Motion& motion : boundary.motions)
            if (motion.kind == model::Motion::Kind::servo) visit(model::normalized(motion.axis), largest_force(motion));
}

kernels::SolverName name_for_kernels(model::SolverKind kind) {
    switch (kind) {
        case model::SolverKind::apgd:
            return kernels::SolverName::apgd;
        case model::SolverKind::projected_jacobi:
            return kernels::SolverName::projected_jacobi;
        case model::SolverKind::gauss_seidel:
            return kernels::SolverName::gauss_seidel;
        case model::SolverKind::conjugate:
        case model::SolverKind::automatic:
            break;
    }
    return kernels::SolverName::conjugate;
}

}  // namespace

double automatic_stiffness(const model::Scene& scene, const std::vector<model::Sphere>& bodies,
                           const geometry::ExpectedBodies& later) {
    const double g = model::norm(scene.gravity);
    const Vec3 down = model::normalized(scene.gravity);
    const double h = scene.settings.time.step;
    double total = 0.0, smallest = std::numeric_limits<double>::infinity(), area = 0.0, fastest = 0.0;
    double heaviest = 0.0, mean_slope = 0.0;  // kg, kg/m
    const geometry::SourceSolids solids(scene);
    double count = 0.0;
    Vec3 lower{1e300, 1e300, 1e300}, upper{-1e300, -1e300, -1e300};
    const auto add = [&](const model::Sphere& s, double copies) {
        if (s.fixed) return;
        const double mass = solids.mass(s);
        count += copies;
        total += copies * mass;
        heaviest = std::max(heaviest, mass);
        mean_slope += copies * mass / (overlap_alone * 2.0 * s.radius);
        smallest = std::min(smallest, 2.0 * s.radius);
        area += copies * 4.0 * s.radius * s.radius;
        fastest = std::max(fastest, mass * model::dot(s.velocity, s.velocity));
        lower = {std::min(lower.x, s.position.x - s.radius), std::min(lower.y, s.position.y - s.radius),
                 std::min(lower.z, s.position.z - s.radius)};
        upper = {std::max(upper.x, s.position.x + s.radius), std::max(upper.y, s.position.y + s.radius),
                 std::max(upper.z, s.position.z + s.radius)};
    };
    for (const model::Sphere& s : bodies) add(s, 1.0);
    for (std::size_t i = 0; i < later.bodies.size(); ++i) add(later.bodies[i], later.copies[i]);
    if (count == 0.0) return 1e6;
    const Vec3 size = upper - lower;
    // Of bodies side by side, as seen along a direction, each bears its share of a load.
    const auto column = [&](Vec3 along, double load) {
        const double footprint = size.x * size.y * std::abs(along.z) + size.y * size.z * std::abs(along.x) +
                                 size.z * size.x * std::abs(along.y);
        const double across = std::max(1.0, footprint / (area / count));
        const double overlap = std::clamp(overlap_alone * across / 4.0, overlap_alone, overlap_in_pile);
        return load / across / (overlap * smallest);
    };
    double stiffness = 0.0;
    for_each_servo(scene, [&](Vec3 along, double force) {
        stiffness = std::max(stiffness, column(along, force + g * total * std::abs(dot(along, down))));
    });
    stiffness = std::min(stiffness, total / count * (stiffest / h) * (stiffest / h));
    // Without weight: the stiffness at which the fastest body's energy would be stored in a hundredth of a diameter.
    if (g == 0.0) stiffness = std::max(stiffness, fastest / (1e-4 * smallest * smallest));
    if (g == 0.0) return stiffness > 0.0 ? stiffness : total / count * 1e9;
    return std::max(stiffness,
                    g * std::max({column(down, total), heaviest / (overlap_of_heavy * smallest), mean_slope / count}));
}

ResolvedSettings resolve(const model::Scene& scene, const std::vector<model::Sphere>& bodies,
                         const geometry::ExpectedBodies& later, model::Backend backend) {
    const model::ContactSettings& contact = scene.settings.contact;
    const double h = scene.settings.time.step;
    ResolvedSettings r;
    r.stiffness = contact.stiffness > 0.0 ? contact.stiffness : automatic_stiffness(scene, bodies, later);
    // Steps shorter than the contact's own period resolve it: the damper must then be critical by itself.
    const geometry::SourceSolids solids(scene);
    r.solver = solver_for(scene, backend);
    double mass = 0.0, smallest = std::numeric_limits<double>::infinity();
    double count = 0.0;
    const auto add = [&](const model::Sphere& s, double copies) {
        if (s.fixed) return;
        const double body = solids.mass(s);
        mass += copies * body;
        smallest = std::min(smallest, body);
        count += copies;
    };
    for (const model::Sphere& s : bodies) add(s, 1.0);
    for (std::size_t i = 0; i < later.bodies.size(); ++i) add(later.bodies[i], later.copies[i]);
    // Springs and dampers: as stiff as the step resolves, h = 2 sqrt(m / k) for two bodies of the smallest mass; but
    // static overlaps stay within ten times those of the other law.
    if (contact.impact == model::ImpactLaw::spring_damper && contact.stiffness <= 0.0 && count > 0.0)
        r.stiffness = std::max(0.1 * r.stiffness, 2.0 * smallest / (h * h));
    const double critical = count > 0.0 ? 2.0 * std::sqrt(mass / count / r.stiffness) : 0.0;
    r.damping_time = contact.damping_time >= 0.0 ? contact.damping_time : std::max(h, critical) + 0.5 * h;
    r.restitution_threshold =
        contact.restitution_threshold >= 0.0 ? contact.restitution_threshold : 2.0 * model::norm(scene.gravity) * h;
    return r;
}

kernels::WorldDescription describe(const geometry::Feeder& feeder, const std::vector<model::Sphere>& bodies) {
    kernels::WorldDescription world;
    add_bodies(feeder.solids(), bodies, world);
    if (feeder.shapes() != nullptr) add_parts(feeder.scene(), feeder.solids(), *feeder.shapes(), bodies, world);
    return world;
}

kernels::WorldDescription build_world(const model::Scene& scene, const std::vector<model::Sphere>& bodies,
                                      double largest_fed, const ResolvedSettings& resolved) {
    const model::Settings& settings = scene.settings;
    kernels::WorldDescription world;
    const geometry::SourceSolids solids(scene);
    add_bodies(solids, bodies, world);
    add_shapes(scene, solids, bodies, world);
    world.gravity = {scene.gravity.x, scene.gravity.y, scene.gravity.z};

    const std::size_t n = scene.materials.size();
    world.materials = kernels::Index(n);
    world.laws.assign(n * n, kernels::PairLaw<double>{0, 0, 0, 0, 0, resolved.stiffness});
    for (const model::MaterialPair& pair : scene.pairs) {
        world.laws[pair.first * n + pair.second] = law_of(pair, resolved.stiffness);
        world.laws[pair.second * n + pair.first] = law_of(pair, resolved.stiffness);
    }
    world.boundaries = scene.boundaries.size();
    for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
        const auto parts = boundary_parts(scene.boundaries[b].shape, b, world.meshes);
        world.parts.insert(world.parts.end(), parts.begin(), parts.end());
    }
    for (const model::Outlet& outlet : scene.outlets) world.outlets.push_back(outlet_part(outlet));

    double largest = largest_fed;
    for (const model::Sphere& s : bodies) largest = std::max(largest, s.radius);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const model::PeriodicFaces& faces = scene.periodic[axis];
        if (!faces.active) continue;
        const double length = faces.upper - faces.lower;
        if (length < 4.0 * largest)
            throw model::Error(model::ErrorKind::input,
                               fmt::format("periodic.{}: the faces are {:g} m apart (allowed: at least 4 radii of the "
                                           "largest body, {:g} m)",
                                           "xyz"[axis], length, 4.0 * largest),
                               "a body must not meet its own image", scene.path);
        world.periodic.lower[axis] = faces.lower;
        world.periodic.length[axis] = length;
    }

    world.contact.step = settings.time.step;
    // A spring that is implicit in the end of the step damps like half a step by itself.
    world.contact.damping_time = resolved.damping_time - 0.5 * settings.time.step;
    world.contact.threshold = resolved.restitution_threshold;
    world.contact.recovery_speed = settings.contact.recovery_speed;
    world.contact.feedback = settings.contact.feedback == model::PositionFeedback::rigid ? kernels::Feedback::rigid
                                                                                         : kernels::Feedback::compliant;
    switch (settings.contact.impact) {
        case model::ImpactLaw::newton:
            world.contact.impact = kernels::ImpactLaw::newton;
            break;
        case model::ImpactLaw::poisson:
            world.contact.impact = kernels::ImpactLaw::poisson;
            break;
        case model::ImpactLaw::spring_damper:
            world.contact.impact = kernels::ImpactLaw::spring_damper;
            break;
    }
    world.envelope = settings.contact.envelope;
    world.sleep_speed = settings.sleep.speed;
    world.sleep_time = settings.sleep.time;
    world.solver = name_for_kernels(resolved.solver);
    world.coulomb = settings.solver.friction == model::FrictionLaw::coulomb;
    world.tolerance = settings.solver.tolerance;
    world.max_iterations = int(std::min<std::size_t>(settings.solver.max_iterations, 1000000000));
    world.warm_start = settings.solver.warm_start;
    world.threads = settings.threads;
    world.device = settings.device;
    return world;
}

}  // namespace scree::simulation
