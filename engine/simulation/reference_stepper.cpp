// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/reference_stepper.hpp"

#include "engine/reference/compliant_stepper.hpp"
#include "engine/reference/lcp_stepper.hpp"
#include "engine/reference/naive_steppers.hpp"
#include "engine/reference/ncp_stepper.hpp"

#include <array>
#include <stdexcept>

namespace scree::simulation {
namespace {

std::unique_ptr<reference::Stepper> make_lcp(const model::Scene& scene) {
    const model::LcpStepperSettings& from = scene.settings.lcp;
    reference::LcpSettings to;
    to.directions = int(from.directions);
    to.impact = from.impact == model::LcpImpact::newton ? reference::ImpactLaw::newton : reference::ImpactLaw::poisson;
    to.condition = from.condition == model::LcpCondition::position ? reference::ContactCondition::position
                                                                   : reference::ContactCondition::velocity;
    to.geometry = from.geometry == model::LcpGeometry::start         ? reference::Geometry::start
                  : from.geometry == model::LcpGeometry::mass_at_end ? reference::Geometry::mass_at_end
                                                                     : reference::Geometry::contacts_at_end;
    to.geometry_iterations = int(from.geometry_iterations);
    to.restitution_threshold = from.restitution_threshold;
    to.reach = from.reach;
    return std::make_unique<reference::LcpStepper>(to);
}

std::unique_ptr<reference::Stepper> make_ncp(const model::Scene& scene) {
    const model::NcpStepperSettings& from = scene.settings.ncp;
    reference::NcpSettings to;
    to.tolerance = from.tolerance;
    to.rows = from.rows == model::NcpRows::end ? reference::ImpulseRows::end : reference::ImpulseRows::start;
    to.rounds = from.rounds;
    to.seed = std::uint32_t(from.seed);
    return std::make_unique<reference::NcpStepper>(to);
}

std::unique_ptr<reference::Stepper> make_compliant(const model::Scene& scene) {
    const model::CompliantStepperSettings& from = scene.settings.compliant;
    reference::CompliantSettings to;
    to.lumped = from.contacts == model::CompliantContacts::springs;
    to.lump.normal_stiffness = from.normal_stiffness;
    to.lump.tangent_stiffness = from.tangent_stiffness;
    to.elastic.clear();
    for (const model::Material& material : scene.materials)
        to.elastic.push_back({material.young > 0.0 ? material.young : from.young,
                              material.poisson >= 0.0 ? material.poisson : from.poisson});
    to.elements = int(from.elements);
    to.spacing = from.spacing;
    to.damping = from.damping;
    to.directions = int(from.directions);
    to.rule =
        from.rule == model::CompliantRule::gap ? reference::SeparationRule::gap : reference::SeparationRule::speed;
    to.reach = from.reach;
    return std::make_unique<reference::CompliantStepper>(to);
}

template <class Stepper>
std::unique_ptr<reference::Stepper> make_plain(const model::Scene& /*scene*/) {
    return std::make_unique<Stepper>();
}

constexpr std::array kinds{
    ReferenceStepperKind{model::Stepper::lcp, make_lcp, true},
    ReferenceStepperKind{model::Stepper::ncp, make_ncp, true},
    ReferenceStepperKind{model::Stepper::compliant, make_compliant, true},
    ReferenceStepperKind{model::Stepper::midpoint, make_plain<reference::MidpointStepper>, false},
    ReferenceStepperKind{model::Stepper::newmark, make_plain<reference::NewmarkStepper>, false},
};

}  // namespace

const ReferenceStepperKind& reference_stepper(model::Stepper name) {
    for (const ReferenceStepperKind& kind : kinds)
        if (kind.name == name) return kind;
    throw std::invalid_argument("this stepper is not a reference stepper");
}

}  // namespace scree::simulation
