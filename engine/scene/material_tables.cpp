// SPDX-License-Identifier: BSD-3-Clause
// Sections materials and pairs.
#include "engine/scene/tables.hpp"

namespace scree::scene {

using namespace model;

const Table<Material>& material_table() {
    static const auto table = [] {
        Table<Material> t("material", "What bodies and boundaries are made of, by name.");
        t.quantity(&Material::density,
                   {.name = "density",
                    .meaning = "Mass density of the solid. Used for the mass of free bodies; boundaries ignore it.",
                    .dimension = Dimension::density,
                    .range = positive});
        t.quantity(&Material::young,
                   {.name = "young",
                    .meaning = "Young's modulus, for the stepper compliant alone; auto: `compliant.young`. `.inf` is "
                               "rigid.",
                    .dimension = Dimension::pressure,
                    .range = {.low = 0.0, .low_open = true, .infinite = true}},
                   Word{"auto", -1.0});
        t.quantity(&Material::poisson,
                   {.name = "poisson",
                    .meaning = "Poisson's ratio, for the stepper compliant alone; auto: `compliant.poisson`.",
                    .range = {.low = 0.0, .high = 0.5}},
                   Word{"auto", -1.0});
        return t;
    }();
    return table;
}

const Table<MaterialPair>& pair_table() {
    static const auto table = [] {
        Table<MaterialPair> t(
            "pair",
            "The contact law of two materials, in any order. Every pair that can meet is listed once: "
            "bodies with bodies and bodies with boundaries.");
        t.add(
            {.name = "between",
             .meaning = "The two materials; the same one twice for contacts among its own bodies.",
             .required = true,
             .type = ValueType::texts,
             .length = 2},
            [](const Reader& in, MaterialPair& pair) {
                const auto names = in.items(2);
                pair.first = names[0].material();
                pair.second = names[1].material();
            },
            [](const MaterialPair& pair, Names names) -> std::optional<Node> {
                return sequence_node({text_node(name_of(names, pair.first)), text_node(name_of(names, pair.second))});
            });
        t.quantity(&MaterialPair::friction,
                   {.name = "friction",
                    .meaning = "Coulomb friction coefficient. Too low: flat piles; too high (above 1 or so): slower "
                               "solves, little change.",
                    .range = not_negative});
        t.quantity(&MaterialPair::restitution,
                   {.name = "restitution",
                    .meaning = "Coefficient of normal restitution: separation speed over approach speed.",
                    .range = unit_interval});
        t.quantity(&MaterialPair::tangential_restitution,
                   {.name = "tangential_restitution",
                    .meaning = "Coefficient of tangential restitution: what sticks in an impact rebounds at this times "
                               "its tangential speed; 0 is the rigid law. A spring-dashpot code with k_t = 2/7 k_n and "
                               "gamma_t = gamma_n / 2 has e^1.75. Too high: impacts keep spinning.",
                    .range = unit_interval});
        t.quantity(&MaterialPair::rolling_resistance,
                   {.name = "rolling_resistance",
                    .meaning = "The moment about tangent axes is at most this times the normal force; a length, for "
                               "spheres often 0.01 to 0.1 of the radius. Too high: bodies do not roll.",
                    .dimension = Dimension::length,
                    .range = not_negative});
        t.quantity(
            &MaterialPair::spinning_resistance,
            {.name = "spinning_resistance",
             .meaning = "The moment about the normal is at most this times the normal force. Too high: bodies do "
                        "not spin in place.",
             .dimension = Dimension::length,
             .range = not_negative});
        t.quantity(&MaterialPair::cohesion,
                   {.name = "cohesion",
                    .meaning = "The pull that a closed contact bears before it opens, per contact point: a cube on its "
                               "face has four. Friction bears up to friction (N + cohesion) under the normal force N. "
                               "A force without range: with impact: newton or poisson, impacts rebound as without. Too "
                               "high (many body weights): everything sticks.",
                    .dimension = Dimension::force,
                    .range = not_negative});
        t.quantity(
            &MaterialPair::stiffness,
            {.name = "stiffness",
             .meaning =
                 "Contact stiffness of this pair, per contact point; auto: `contact.stiffness`. Too low: visible "
                 "overlap; too high: more solver iterations, towards the rigid limit.",
             .dimension = Dimension::stiffness,
             .range = positive},
            Word{"auto", 0.0});
        t.quantity(
            &MaterialPair::static_friction,
            {.name = "static_friction",
             .meaning =
                 "Reference steppers: friction coefficient of a contact that sticks, at least `friction`; auto: the "
                 "same. Too high: stick-slip in jumps that depend on the step.",
             .range = not_negative},
            Word{"auto", -1.0});
        t.quantity(&MaterialPair::fall_speed,
                   {.name = "fall_speed",
                    .meaning = "Reference steppers: slip speed over which the coefficient falls exponentially from "
                               "`static_friction` to `friction`. 0: it jumps when the contact breaks away.",
                    .dimension = Dimension::speed,
                    .range = not_negative});
        t.quantity(&MaterialPair::friction_aspect,
                   {.name = "friction_aspect",
                    .meaning = "Reference steppers: elliptic friction; coefficient along the second tangent over that "
                               "along the first. The first is the part across the normal of the world axis least along "
                               "it (on a horizontal floor: x).",
                    .range = positive});
        t.quantity(
            &MaterialPair::torsion_radius,
            {.name = "torsion_radius",
             .meaning = "Reference steppers: the moment about the normal is at most `friction` times this times "
                        "the normal force, in one elliptic cone with the friction force. Too high: bodies do not "
                        "spin in place.",
             .dimension = Dimension::length,
             .range = not_negative});
        t.check = [](const Reader& in, MaterialPair& pair) {
            if (pair.static_friction >= 0.0 && pair.static_friction < pair.friction)
                in.fail(": static_friction (" + number_text(pair.static_friction) + ") is less than friction (" +
                        number_text(pair.friction) + ")");
            if (pair.fall_speed > 0.0 && pair.static_friction < 0.0)
                in.fail(": fall_speed says how friction falls from static_friction, which is not given");
        };
        return t;
    }();
    return table;
}

}  // namespace scree::scene
