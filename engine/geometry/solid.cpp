// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/solid.hpp"

#include "engine/geometry/compound.hpp"
#include "engine/geometry/mass.hpp"
#include "engine/geometry/solid_moments.hpp"
#include "engine/reference/solid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::geometry {

namespace {

/// What closed forms know, with axes that are the scene's.
struct ClosedForm {
    std::optional<SolidMoments> operator()(const model::SolidBox& s) const { return moments_of(s); }
    std::optional<SolidMoments> operator()(const model::SolidCylinder& s) const { return moments_of(s); }
    std::optional<SolidMoments> operator()(const model::SolidCapsule& s) const { return moments_of(s); }
    std::optional<SolidMoments> operator()(const model::SolidCone& s) const { return moments_of(s); }
    std::optional<SolidMoments> operator()(const auto&) const { return std::nullopt; }
};

SolidFacts with_mass(const model::BodySource& source, double density, double volume, model::Vec3 inertia) {
    SolidFacts facts;
    facts.mass = source.mass > 0.0 ? source.mass : density * volume;
    facts.inertia = source.inertia == model::Vec3{} ? facts.mass * inertia : source.inertia;
    return facts;
}

/// A shape with its mass as the source gives it, and its homogeneous centre of mass, in the axes it is given in.
struct Given {
    SolidFacts facts;
    model::Vec3 centre;
};

Given given_shape(const model::BodySource& source, double density, bool planar) {
    const auto closed = model::only_in_production(source.shape) ? std::visit(ClosedForm{}, source.shape) : std::nullopt;
    if (closed) {
        SolidFacts facts = with_mass(source, density, closed->volume, closed->inertia);
        facts.radius = closed->radius;
        facts.half_extents = closed->half_extents;
        return {facts, {}};
    }
    if (const auto* compound = std::get_if<model::SolidCompound>(&source.shape)) {
        const Compound made = make_compound(*compound, density);
        SolidFacts facts = made.facts;
        const double own = facts.mass;
        if (source.mass > 0.0) facts.mass = source.mass;
        facts.inertia = source.inertia == model::Vec3{} ? (facts.mass / own) * facts.inertia : source.inertia;
        return {facts, made.center_of_mass};
    }
    const reference::Solid solid = reference::make_solid(source.shape, planar);
    const Eigen::Vector3d& i = solid.inertia;
    SolidFacts facts = with_mass(source, density, solid.volume, {i.x(), i.y(), i.z()});
    const Eigen::Quaterniond& axes = solid.axes;
    facts.orientation = {axes.w(), axes.x(), axes.y(), axes.z()};
    facts.radius = solid.radius;
    facts.half_extents = {solid.half_extents.x(), solid.half_extents.y(), solid.half_extents.z()};
    return {facts, {solid.centre.x(), solid.centre.y(), solid.centre.z()}};
}

/// Half the extents, along axes into which `turn` turns its own, of a box about the point `shift` from theirs.
model::Vec3 reach(model::Vec3 shift, model::Quat turn, model::Vec3 half) {
    model::Vec3 sum{std::abs(shift.x), std::abs(shift.y), std::abs(shift.z)};
    for (const model::Vec3 edge : {model::Vec3{half.x, 0, 0}, {0, half.y, 0}, {0, 0, half.z}}) {
        const model::Vec3 turned = model::rotate(turn, edge);
        sum = sum + model::Vec3{std::abs(turned.x), std::abs(turned.y), std::abs(turned.z)};
    }
    return sum;
}

}  // namespace

SolidFacts solid_facts(const model::BodySource& source, double density, bool planar) {
    auto [facts, centre] = given_shape(source, density, planar);
    if (source.center_of_mass || source.inertia_axes) {
        const model::Quat axes = source.inertia_axes.value_or(facts.orientation), back = model::conjugate(axes);
        facts.shift = model::rotate(back, centre - source.center_of_mass.value_or(centre));
        facts.turn = back * facts.orientation;
        facts.orientation = axes;
        facts.radius += model::norm(facts.shift);
        facts.half_extents = reach(facts.shift, facts.turn, facts.half_extents);
    }
    facts.orientation = source.orientation * facts.orientation;
    return facts;
}

model::Error error_of_source(const model::Scene& scene, std::size_t source, const model::Error& error) {
    const std::string& name = scene.sources[source].name;
    const std::string what = name.empty() ? fmt::format("bodies[{}]", source) : "source '" + name + "'";
    return {error.kind(), what + ": " + error.message(), error.hint(), scene.path, scene.sources[source].line};
}

SourceSolids::SourceSolids(const model::Scene& scene) : scene_(scene) {
    facts_.resize(scene.sources.size());
    for (std::size_t s = 0; s < scene.sources.size(); ++s) {
        const model::Source& source = scene.sources[s];
        if (solid(s) == nullptr || source.material >= scene.materials.size()) continue;
        model::BodySource copied;
        const auto* body = std::get_if<model::BodySource>(&source.what);
        if (body == nullptr) copied.shape = *source.shape;
        try {
            facts_[s] = solid_facts(body != nullptr ? *body : copied, scene.materials[source.material].density,
                                    scene.settings.planar);
        } catch (const model::Error& error) {
            throw error_of_source(scene, s, error);
        }
    }
}

bool SourceSolids::any() const {
    // Joints hold bodies by frames that turn with them: then spheres have parts, too.
    if (!scene_.joints.empty() && scene_.settings.stepper == model::Stepper::ccp) return true;
    return std::any_of(facts_.begin(), facts_.end(), [](const auto& facts) { return facts.has_value(); });
}

const model::Solid* SourceSolids::solid(std::size_t source) const {
    if (const auto* body = std::get_if<model::BodySource>(&scene_.sources[source].what)) return &body->shape;
    const std::optional<model::Solid>& copied = scene_.sources[source].shape;
    return copied ? &*copied : nullptr;
}

double SourceSolids::scale(const model::Sphere& body) const {
    return facts_[body.source] ? body.radius / facts_[body.source]->radius : body.radius;
}

SolidFacts SourceSolids::facts(const model::Sphere& body) const {
    const double r = body.radius;
    if (const auto& given = facts_[body.source]) {
        const double s = scale(body);
        SolidFacts facts = *given;
        if (s == 1.0) return facts;
        facts.mass *= s * s * s;
        facts.inertia = s * s * s * s * s * facts.inertia;
        facts.radius = r;
        facts.half_extents = s * facts.half_extents;
        facts.shift = s * facts.shift;
        return facts;
    }
    SolidFacts sphere;
    sphere.mass = mass(body);
    const double inertia = sphere_inertia(sphere.mass, r);
    sphere.inertia = {inertia, inertia, inertia};
    sphere.radius = r;
    sphere.half_extents = {r, r, r};
    return sphere;
}

double SourceSolids::mass(const model::Sphere& body) const {
    if (facts_[body.source]) return facts(body).mass;
    return sphere_mass(scene_.materials[body.material].density, body.radius);
}

}  // namespace scree::geometry
