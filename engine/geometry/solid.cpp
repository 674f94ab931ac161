// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/solid.hpp"

#include "engine/reference/solid.hpp"

namespace scree::geometry {

SolidFacts solid_facts(const model::BodySource& source, double density, bool planar) {
    const reference::Solid solid = reference::make_solid(source.shape, planar);
    SolidFacts facts;
    facts.mass = source.mass > 0.0 ? source.mass : density * solid.volume;
    const Eigen::Vector3d inertia = facts.mass * solid.inertia;
    facts.inertia =
        source.inertia == model::Vec3{} ? model::Vec3{inertia.x(), inertia.y(), inertia.z()} : source.inertia;
    const Eigen::Quaterniond& axes = solid.axes;
    facts.orientation = source.orientation * model::Quat{axes.w(), axes.x(), axes.y(), axes.z()};
    facts.radius = solid.radius;
    facts.half_extents = {solid.half_extents.x(), solid.half_extents.y(), solid.half_extents.z()};
    return facts;
}

}  // namespace scree::geometry
