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
                    .meaning = "The pull that a closed contact bears before it opens. Too high "
                               "(many body weights): everything sticks.",
                    .dimension = Dimension::force,
                    .range = not_negative});
        t.quantity(
            &MaterialPair::stiffness,
            {.name = "stiffness",
             .meaning = "Contact stiffness of this pair; auto: `contact.stiffness`. Too low: visible overlap; too "
                        "high: more solver iterations, towards the rigid limit.",
             .dimension = Dimension::stiffness,
             .range = positive},
            Word{"auto", 0.0});
        return t;
    }();
    return table;
}

}  // namespace scree::scene
