// SPDX-License-Identifier: BSD-3-Clause
// Sections of the reference steppers.
#include "engine/scene/tables.hpp"

namespace scree::scene {

using namespace model;

namespace {

template <class Settings>
void add_reach(Table<Settings>& t) {
    t.quantity(
        &Settings::reach,
        {.name = "reach",
         .meaning = "Distance at which contacts are looked for; auto: from speeds. Too low: bodies overlap before "
                    "they meet; too high: large problems.",
         .dimension = Dimension::length,
         .range = not_negative},
        Word{"auto", -1.0});
}

template <class Settings>
void add_directions(Table<Settings>& t, std::string meaning) {
    t.count(&Settings::directions,
            {.name = "directions", .meaning = std::move(meaning), .range = {.low = 4.0, .high = 32.0}});
    t.check = [](const Reader& in, Settings& settings) {
        if (settings.directions % 2 != 0)
            in.find("directions")->fail("= " + std::to_string(settings.directions) + " is odd (allowed: even)");
    };
}

}  // namespace

const Table<LcpStepperSettings>& lcp_table() {
    static const auto table = [] {
        using Settings = LcpStepperSettings;
        Table<Settings> t("lcp", "Settings of the stepper lcp; the others do not read them.");
        add_directions(t,
                       "Directions of the polyhedral friction cone in space, even. Too low: friction is lost between "
                       "them (1 - cos(pi / directions)); too high: large problems.");
        t.choice(
            &Settings::impact,
            std::vector<std::pair<std::string, LcpImpact>>{{"newton", LcpImpact::newton},
                                                           {"poisson", LcpImpact::poisson}},
            {.name = "impact",
             .meaning = "newton: `restitution` is separation speed over approach speed. poisson: it is the impulse of "
                        "restitution over that of compression, which also returns shocks without an approach."});
        t.choice(
            &Settings::condition,
            std::vector<std::pair<std::string, LcpCondition>>{{"position", LcpCondition::position},
                                                              {"velocity", LcpCondition::velocity}},
            {.name = "condition",
             .meaning = "position: no linearised gap ends below zero. velocity: contacts that closed may not approach "
                        "(the form of 1996); overlaps that rounding and curvature leave stay."});
        t.choice(
            &Settings::geometry,
            std::vector<std::pair<std::string, LcpGeometry>>{{"start", LcpGeometry::start},
                                                             {"mass_at_end", LcpGeometry::mass_at_end},
                                                             {"contacts_at_end", LcpGeometry::contacts_at_end}},
            {.name = "geometry",
             .meaning =
                 "Where the step takes mass matrix and contacts from: the start, the mass matrix at the end, or both "
                 "at the end (by fixed point)."});
        t.count(&Settings::geometry_iterations,
                {.name = "geometry_iterations",
                 .meaning = "Problems per step with the geometry at the end. Too low: steps do not settle, and the run "
                            "records it; too high: a hard step costs time.",
                 .range = {.low = 1.0, .high = 1e4}});
        t.quantity(
            &Settings::restitution_threshold,
            {.name = "restitution_threshold",
             .meaning = "Approach speeds below this do not rebound; auto: twice what forces add in a step. Too low: "
                        "bodies at rest hop; too high: slow impacts do not rebound.",
             .dimension = Dimension::speed,
             .range = not_negative},
            Word{"auto", -1.0});
        add_reach(t);
        return t;
    }();
    return table;
}

const Table<NcpStepperSettings>& ncp_table() {
    static const auto table = [] {
        using Settings = NcpStepperSettings;
        Table<Settings> t("ncp", "Settings of the stepper ncp; the others do not read them.");
        t.quantity(
            &Settings::tolerance,
            {.name = "tolerance",
             .meaning = "Natural residual at which a step is solved, in units of the step. Too low: rounding passes "
                        "for failure; too high: overlaps and slip of its size.",
             .range = positive});
        t.choice(&Settings::rows,
                 std::vector<std::pair<std::string, NcpRows>>{{"end", NcpRows::end}, {"start", NcpRows::start}},
                 {.name = "rows",
                  .meaning =
                      "Where impulses get their directions and arms. end: the published form, which takes energy from "
                      "curved paths, first order in the step. start: no drift of energy."});
        t.count(
            &Settings::rounds,
            {.name = "rounds",
             .meaning = "Guesses of a step before it counts as failed. Too low: hard impacts end the run; too high: a "
                        "failure takes long.",
             .range = {.low = 1.0, .high = 1e4}});
        t.count(&Settings::seed,
                {.name = "seed", .meaning = "Seed of the last, perturbed guesses.", .range = {.high = 4294967295.0}});
        return t;
    }();
    return table;
}

const Table<CompliantStepperSettings>& compliant_table() {
    static const auto table = [] {
        using Settings = CompliantStepperSettings;
        Table<Settings> t("compliant", "Settings of the stepper compliant; the others do not read them.");
        t.choice(
            &Settings::contacts,
            std::vector<std::pair<std::string, CompliantContacts>>{{"patch", CompliantContacts::patch},
                                                                   {"springs", CompliantContacts::springs}},
            {.name = "contacts",
             .meaning = "patch: elements of an elastic half-space about each point, which bear moments. springs: one "
                        "spring and dashpot per direction at each point."});
        t.quantity(
            &Settings::young,
            {.name = "young",
             .meaning = "patch: Young's modulus of materials without their own; `.inf` is rigid. Too low: bodies "
                        "sink in; too high: contacts ring faster than the step sees.",
             .dimension = Dimension::pressure,
             .range = {.low = 0.0, .low_open = true, .infinite = true}});
        t.quantity(&Settings::poisson, {.name = "poisson",
                                        .meaning = "patch: Poisson's ratio of materials without their own.",
                                        .range = {.low = 0.0, .high = 0.5}});
        t.count(
            &Settings::elements,
            {.name = "elements",
             .meaning = "patch: elements per side (in planar scenes a row of them). Too low: a coarse pressure; too "
                        "high: the problem grows with the square, its time with the sixth power.",
             .range = {.low = 1.0, .high = 25.0}});
        t.quantity(
            &Settings::spacing,
            {.name = "spacing",
             .meaning = "patch: side of an element; elements times this should be wider than the contact. Too low: "
                        "pressure is cut off at the rim; too high: few elements bear all.",
             .dimension = Dimension::length,
             .range = positive});
        t.quantity(&Settings::normal_stiffness,
                   {.name = "normal_stiffness",
                    .meaning = "springs: along the normal. Too low: deep overlaps; too high: as rigid.",
                    .dimension = Dimension::stiffness,
                    .range = positive});
        t.quantity(&Settings::tangent_stiffness,
                   {.name = "tangent_stiffness",
                    .meaning = "springs: along the tangents. Too low: friction builds up slowly; too high: as rigid.",
                    .dimension = Dimension::stiffness,
                    .range = positive});
        t.quantity(
            &Settings::damping,
            {.name = "damping",
             .meaning = "Damping matrix C = 2 damping sqrt(K), in sqrt(kg): critical for a mass of its square. Too "
                        "low: contacts ring and rebound; too high: bodies stick together while they part.",
             .range = not_negative});
        add_directions(t,
                       "Sides of the friction polygon in space, even. Too low: too much friction at its corners (1 / "
                       "cos(pi / directions)); too high: large problems.");
        t.choice(
            &Settings::rule,
            std::vector<std::pair<std::string, CompliantRule>>{{"gap", CompliantRule::gap},
                                                               {"speed", CompliantRule::speed}},
            {.name = "rule",
             .meaning =
                 "gap: deformed surfaces end the step apart or in touch. speed: they do not approach (the published "
                 "form, whose errors of linearisation stay)."});
        add_reach(t);
        return t;
    }();
    return table;
}

}  // namespace scree::scene
