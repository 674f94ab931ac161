// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/stepper_check.hpp"

#include "engine/scene/nearest.hpp"
#include "engine/scene/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace scree::scene {

using namespace model;

namespace {

/// Laws of contact, as bits.
enum Law : unsigned {
    restitution = 1U,
    static_friction = 2U,
    falling_friction = 4U,
    aspect = 8U,
    torsion = 16U,
    rolling = 32U,
    spinning = 64U,
    cohesion = 128U,
    stiffness = 256U,
    tangential_restitution = 512U,
    friction = 1024U
};

struct StepperLaws {
    Stepper stepper;
    const char* name;
    unsigned laws;
};

/// What each stepper implements; a law that is not here is refused, never ignored.
constexpr std::array stepper_laws{
    StepperLaws{Stepper::ccp, "ccp",
                friction | restitution | rolling | spinning | cohesion | stiffness | tangential_restitution},
    StepperLaws{Stepper::lcp, "lcp",
                friction | restitution | tangential_restitution | static_friction | falling_friction | aspect |
                    torsion | rolling},
    StepperLaws{Stepper::ncp, "ncp", friction | aspect | torsion},
    StepperLaws{Stepper::compliant, "compliant", friction | aspect},
    StepperLaws{Stepper::midpoint, "midpoint", 0U},
    StepperLaws{Stepper::newmark, "newmark", 0U},
};

const StepperLaws& laws_of(Stepper stepper) {
    return *std::find_if(stepper_laws.begin(), stepper_laws.end(),
                         [&](const StepperLaws& laws) { return laws.stepper == stepper; });
}

struct PairKey {
    const char* name;
    unsigned law;
    bool (*given)(const MaterialPair&);
};

constexpr std::array pair_keys{
    PairKey{"friction", friction, [](const MaterialPair& p) { return p.friction > 0.0; }},
    PairKey{"restitution", restitution, [](const MaterialPair& p) { return p.restitution > 0.0; }},
    PairKey{"static_friction", static_friction, [](const MaterialPair& p) { return p.static_friction > p.friction; }},
    PairKey{"fall_speed", falling_friction, [](const MaterialPair& p) { return p.fall_speed > 0.0; }},
    PairKey{"friction_aspect", aspect, [](const MaterialPair& p) { return p.friction_aspect != 1.0; }},
    PairKey{"torsion_radius", torsion, [](const MaterialPair& p) { return p.torsion_radius > 0.0; }},
    PairKey{"rolling_resistance", rolling, [](const MaterialPair& p) { return p.rolling_resistance > 0.0; }},
    PairKey{"spinning_resistance", spinning, [](const MaterialPair& p) { return p.spinning_resistance > 0.0; }},
    PairKey{"cohesion", cohesion, [](const MaterialPair& p) { return p.cohesion > 0.0; }},
    PairKey{"stiffness", stiffness, [](const MaterialPair& p) { return p.stiffness > 0.0; }},
    PairKey{"tangential_restitution", tangential_restitution,
            [](const MaterialPair& p) { return p.tangential_restitution > 0.0; }},
};

/// "lcp, compliant": the steppers that have the law.
std::string steppers_with(unsigned law) {
    std::vector<std::string> names;
    for (const StepperLaws& laws : stepper_laws)
        if ((laws.laws & law) != 0) names.emplace_back(laws.name);
    return joined(names);
}

void check_laws(const Reader& root, const Scene& scene) {
    const StepperLaws& laws = laws_of(scene.settings.stepper);
    for (std::size_t i = 0; i < scene.pairs.size(); ++i)
        for (const PairKey& key : pair_keys) {
            if ((laws.laws & key.law) != 0 || !key.given(scene.pairs[i])) continue;
            const Reader pair = root.find("pairs")->objects("pair")[i];
            // Friction has a default that a pair may leave to itself.
            const auto given = pair.find(key.name);
            const std::string what = std::string("is not a law of the stepper ") + laws.name;
            const std::string hint = "steppers that have it: " + steppers_with(key.law);
            if (given) given->fail(what, hint);
            pair.fail(": " + std::string(key.name) + " " + what, hint + "; write " + key.name + ": 0");
        }
}

void check_impacts(const Reader& root, const Scene& scene) {
    if (scene.settings.stepper != Stepper::lcp || scene.settings.lcp.impact != LcpImpact::poisson) return;
    for (std::size_t i = 0; i < scene.pairs.size(); ++i)
        if (scene.pairs[i].tangential_restitution > 0.0)
            root.find("pairs")
                ->objects("pair")[i]
                .find("tangential_restitution")
                ->fail("is not a law of Poisson's impacts", "use lcp: {impact: newton}");
}

void check_production(const Reader& root, const Scene& scene) {
    if (scene.settings.planar)
        root.find("planar")->fail("= true: the stepper ccp moves bodies in space", "use a reference stepper: lcp, ...");
}

[[noreturn]] void refuse(const Reader& at, const Scene& scene, const std::string& why) {
    at.fail(": the stepper " + std::string(name_of(scene.settings.stepper)) + " " + why, "use stepper: ccp");
}

void check_reference(const Reader& root, const Scene& scene) {
    for (std::size_t i = 0; i < scene.sources.size(); ++i) {
        const auto item = [&] { return root.find("bodies")->objects("body source")[i]; };
        const auto* body = std::get_if<BodySource>(&scene.sources[i].what);
        if (body != nullptr && only_in_production(body->shape))
            refuse(*item().find("body"), scene, "has no such shape");
        if (body != nullptr && body->center_of_mass)
            refuse(*item().find("body"), scene, "knows the centre of mass of homogeneous solids only");
        if (body != nullptr && body->inertia_axes)
            refuse(*item().find("body"), scene, "takes moments of inertia in the axes of the shape only");
        if (body != nullptr && !body->collide) refuse(*item().find("body"), scene, "has no bodies that touch nothing");
        if (!scene.sources[i].motions.empty()) refuse(*item().find("motion"), scene, "moves no bodies as prescribed");
        if (feed_of(scene.sources[i]) != nullptr) refuse(*item().find("feed"), scene, "takes no bodies during the run");
        if (scene.sources[i].shape) refuse(*item().find("shape"), scene, "has single bodies of other shapes only");
    }
    if (!scene.outlets.empty()) refuse(*root.find("outlets"), scene, "has no outlets");
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (scene.periodic[axis].active) refuse(*root.find("periodic"), scene, "has no periodic faces");
    for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
        const Boundary& boundary = scene.boundaries[b];
        const auto item = [&] { return root.find("boundaries")->objects("boundary")[b]; };
        if (std::holds_alternative<RevolutionShape>(boundary.shape) ||
            std::holds_alternative<MeshShape>(boundary.shape))
            refuse(item(), scene, "has planes and boxes only");
        if (std::isfinite(boundary.remove_at)) refuse(*item().find("remove_at"), scene, "removes no boundary");
        for (const Motion& motion : boundary.motions)
            if (motion.kind == Motion::Kind::servo)
                refuse(*item().find("motion"), scene, "has no walls that move by a force (servo)");
    }
    if (scene.settings.backend == Backend::cuda) refuse(*root.find("backend"), scene, "runs on the CPU");
}

/// The step ncp needs surfaces with second derivatives. A superquadric's exponent near 2 gives edges whose radius falls
/// below what Newton's method sees; the smoothing that would help moves the surface.
void check_smoothness(const Reader& root, const Scene& scene) {
    constexpr double lowest = 0.05, highest = 1.5;
    if (scene.settings.stepper != Stepper::ncp) return;
    for (std::size_t i = 0; i < scene.sources.size(); ++i) {
        const auto* body = std::get_if<BodySource>(&scene.sources[i].what);
        const auto* shape = body != nullptr ? std::get_if<SolidSuperquadric>(&body->shape) : nullptr;
        if (shape == nullptr) continue;
        const auto within = [&](const char* key, double exponent) {
            if (exponent >= lowest && exponent <= highest) return;
            const Reader solid = *root.find("bodies")->objects("body source")[i].find("body")->find("superquadric");
            const std::string what = fmt::format(
                "= {:g} is out of the range of the stepper ncp (allowed: {:g} to {:g})", exponent, lowest, highest);
            const std::string hint = "a 'polytope' for an octahedron, or stepper: lcp";
            if (const auto given = solid.find(key)) given->fail(what, hint);
            solid.fail(fmt::format(": {} {}", key, what), hint);
        };
        within("e1", shape->e1);
        within("e2", shape->e2);
    }
}

/// Whatever moves or stands across the plane has no meaning in it.
void check_planar(const Reader& root, const Scene& scene) {
    if (scene.gravity.y != 0.0) root.find("gravity")->fail("has a part along y in a planar scene");
    for (std::size_t i = 0; i < scene.sources.size(); ++i) {
        const Source& source = scene.sources[i];
        const auto item = [&] { return root.find("bodies")->objects("body source")[i]; };
        if (source.velocity.y != 0.0 || source.angular_velocity.x != 0.0 || source.angular_velocity.z != 0.0)
            item().fail(": moves out of the plane of a planar scene", "velocity [x, 0, z], angular_velocity [0, y, 0]");
        const auto* body = std::get_if<BodySource>(&source.what);
        const auto* sphere = std::get_if<SphereSource>(&source.what);
        if (body == nullptr && sphere == nullptr)
            item().fail(": planar scenes have single bodies only", "use 'body' or 'sphere'");
        const Vec3 place = body != nullptr ? body->position : sphere->position;
        if (place.y != 0.0) item().fail(": lies outside the plane y = 0 of a planar scene");
        if (body == nullptr) continue;
        if (body->orientation.x != 0.0 || body->orientation.z != 0.0)
            item().fail(": is turned out of the plane of a planar scene", "turn it about [0, 1, 0]");
        if (body->force.y != 0.0 || body->torque.x != 0.0 || body->torque.z != 0.0)
            item().fail(": is pushed out of the plane of a planar scene");
    }
    for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
        const auto* plane = std::get_if<PlaneShape>(&scene.boundaries[b].shape);
        if (plane != nullptr && std::abs(plane->normal.y) > 0.0)
            root.find("boundaries")->objects("boundary")[b].fail(": its normal leaves the plane of a planar scene");
    }
}

}  // namespace

std::vector<UnusedKey> unused_keys(const Scene& scene) {
    std::vector<UnusedKey> unused;
    const auto of_another = [&](Stepper reader) {
        return std::string("is of stepper: ") + name_of(reader) +
               ", and the scene has stepper: " + name_of(scene.settings.stepper);
    };
    const auto compare = [&]<class T>(Stepper reader, const char* section, const Table<T>& table, const T& given) {
        if (scene.settings.stepper == reader) return;
        const Node now = write_object(table, given, {}), standard = write_object(table, T{}, {});
        for (const KeyInfo& key : table.about.keys) {
            const Node *value = now.find(key.name), *usual = standard.find(key.name);
            if (value != nullptr && (usual == nullptr || print_inline(*value) != print_inline(*usual)))
                unused.push_back({std::string(section) + "." + key.name, of_another(reader)});
        }
    };
    compare(Stepper::ccp, "solver", solver_table(), scene.settings.solver);
    compare(Stepper::ccp, "contact", contact_table(), scene.settings.contact);
    compare(Stepper::ccp, "sleep", sleep_table(), scene.settings.sleep);
    compare(Stepper::lcp, "lcp", lcp_table(), scene.settings.lcp);
    compare(Stepper::ncp, "ncp", ncp_table(), scene.settings.ncp);
    compare(Stepper::compliant, "compliant", compliant_table(), scene.settings.compliant);
    if (scene.settings.stepper != Stepper::compliant)
        for (const Material& material : scene.materials)
            for (const auto& [key, value] : {std::pair{"young", material.young}, {"poisson", material.poisson}})
                if (value >= 0.0)
                    unused.push_back({"materials." + material.name + "." + key, of_another(Stepper::compliant)});
    const ContactSettings& contact = scene.settings.contact;
    if (scene.settings.stepper == Stepper::ccp && contact.feedback == PositionFeedback::compliant &&
        contact.recovery_speed != ContactSettings{}.recovery_speed)
        unused.push_back({"contact.recovery_speed", "is of contact.feedback: rigid, and the scene has compliant"});
    return unused;
}

const char* name_of(Stepper stepper) { return laws_of(stepper).name; }

void check_stepper(const Reader& root, const Scene& scene) {
    check_laws(root, scene);
    check_impacts(root, scene);
    if (scene.settings.stepper == Stepper::ccp) {
        check_production(root, scene);
    } else {
        check_reference(root, scene);
        check_smoothness(root, scene);
    }
    if (scene.settings.planar) check_planar(root, scene);
}

}  // namespace scree::scene
