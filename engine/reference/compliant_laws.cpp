// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/compliant_laws.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/step_input.hpp"

#include <cmath>
#include <string>

namespace scree::reference {
namespace {

using Eigen::VectorXd;

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
    throw model::Error(model::ErrorKind::input, what, hint);
}

}  // namespace

void check(const CompliantSettings& s) {
    if (s.directions < 4 || s.directions > 32 || s.directions % 2 != 0)
        refuse("friction directions: " + std::to_string(s.directions), "an even number from 4 to 32");
    if (!(s.compliance_scale > 0.0) || !std::isfinite(s.compliance_scale))
        refuse("compliance scale " + in_digits(s.compliance_scale), "positive and finite");
    if (std::isnan(s.reach)) refuse("reach must be a number", "negative for the automatic choice");
    if (s.elastic.empty()) refuse("no elastic constants are given", "one for all materials, or one for each");
    if (s.elements < 1) refuse("elements per side: " + std::to_string(s.elements), "at least 1");
}

void check(const Contact& contact) {
    const FrictionLaw& friction = contact.law.friction;
    const std::string who = "contact of bodies " + std::to_string(contact.body_a) + " and " +
                            std::to_string(contact.body_b) + ": compliant contacts have no ";
    if (!(friction.sliding >= 0.0) || !std::isfinite(friction.sliding) || !(friction.aspect > 0.0))
        refuse("coefficient of friction " + in_digits(friction.sliding), "zero or more, with a positive aspect");
    if (contact.law.restitution != 0.0 || contact.law.tangential_restitution != 0.0)
        refuse(who + "restitution coefficient", "damping returns the energy");
    if (friction.sticking >= 0.0 && friction.sticking != friction.sliding)
        refuse(who + "sticking coefficient of its own", "leave it out");
    if (friction.torsion_radius != 0.0 || friction.rolling != 0.0)
        refuse(who + "torsion radius or rolling coefficient", "a patch of several elements resists by itself");
}

Viscoelastic distributed(const World& world, const Contact& contact, const PatchGrid& grid,
                         const CompliantSettings& settings) {
    const auto of = [&](Index body) {
        const std::size_t material = world.bodies[std::size_t(body)].material;
        if (settings.elastic.size() > 1 && material >= settings.elastic.size())
            refuse("material " + std::to_string(material) + " has no elastic constants", "one for each material");
        return settings.elastic[settings.elastic.size() > 1 ? material : 0];
    };
    const Eigen::MatrixXd xi = influence_matrix(grid, of(contact.body_a), of(contact.body_b), world.planar);
    return {settings.compliance_scale * xi, settings.damping};
}

Viscoelastic lumped(const Contact& contact, const CompliantSettings& settings) {
    VectorXd stiffness = VectorXd::Constant(1 + contact.tangent.rows(), settings.lump.tangent_stiffness);
    stiffness[0] = settings.lump.normal_stiffness;
    stiffness /= settings.compliance_scale;
    VectorXd damping(stiffness.size());
    for (Index k = 0; k < damping.size(); ++k) {
        const double given = k == 0 ? settings.lump.normal_damping : settings.lump.tangent_damping;
        damping[k] = given < 0.0 ? 2.0 * settings.damping * std::sqrt(stiffness[k]) : given;
    }
    return {stiffness, damping};
}

PatchGrid grid_of(const World& world, const CompliantSettings& settings) {
    return {settings.elements, world.planar ? 1 : settings.elements, settings.spacing};
}

}  // namespace scree::reference
