// SPDX-License-Identifier: BSD-3-Clause
// Sections time, stop, solver, contact and output.
#include "engine/scene/tables.hpp"

namespace scree::scene {

using namespace model;

const Table<TimeSettings>& time_table() {
    static const auto table = [] {
        Table<TimeSettings> t("time", "Step and end of the run.");
        t.quantity(
            &TimeSettings::step,
            {.name = "step",
             .meaning = "Step h. Too high: impacts are resolved late and packings loosen; too low: more steps than "
                        "needed.",
             .dimension = Dimension::time,
             .range = positive});
        t.quantity(&TimeSettings::end, {.name = "end",
                                        .meaning = "Simulated time at which the run is done. Too high: only wall time.",
                                        .dimension = Dimension::time,
                                        .range = positive});
        t.check = [](const Reader& in, TimeSettings& time) {
            if (time.step >= time.end)
                in.fail(": the step (" + number_text(time.step) + " s) must be less than the end (" +
                        number_text(time.end) + " s)");
        };
        return t;
    }();
    return table;
}

const Table<StopSettings>& stop_table() {
    static const auto table = [] {
        Table<StopSettings> t("stop", "Rules that end a run before `time.end`; a rule that is not given never acts.");
        t.quantity(&StopSettings::after,
                   {.name = "after",
                    .meaning = "The rules are tested from this time on. Too low: a bed that has not "
                               "begun to move counts as at rest.",
                    .dimension = Dimension::time,
                    .range = not_negative});
        t.quantity(
            &StopSettings::kinetic_energy_per_mass,
            {.name = "kinetic_energy_per_mass",
             .meaning =
                 "Stop when the kinetic energy of all free bodies over their mass is below this. Too high: "
                 "stops in motion; too low (below the noise of the solver): never stops, nor does it where spheres "
                 "spin in place without `spinning_resistance`.",
             .dimension = Dimension::specific_energy,
             .range = not_negative,
             .fallback = "0 (off)"});
        t.quantity(&StopSettings::unbalanced_force,
                   {.name = "unbalanced_force",
                    .meaning = "Stop when the mean net force on a body over the mean contact force is below this. Too "
                               "high: stops in motion; too low: never stops.",
                    .range = not_negative,
                    .fallback = "0 (off)"});
        t.quantity(
            &StopSettings::rest_time,
            {.name = "rest_time",
             .meaning = "Stop when no point of the surface of any free body (of other shapes than spheres: of the "
                        "sphere around it) has been faster than `rest_speed` in all steps of this time; it counts "
                        "from `after` on. Too low: bodies at turning points count as at rest; too high: only wall "
                        "time.",
             .dimension = Dimension::time,
             .range = not_negative,
             .fallback = "0 (off)"});
        t.quantity(&StopSettings::rest_speed,
                   {.name = "rest_speed",
                    .meaning = "With `rest_time`: the speed below which a body rests; auto: ten times solver.tolerance "
                               "g h, which the solver's residual stays below, at least 1 mm/s. Too high: stops in "
                               "motion; too low: the residual keeps bodies awake, and the run never stops, nor does it "
                               "where spheres roll or spin in place without resistance.",
                    .dimension = Dimension::speed,
                    .range = positive,
                    .omit_default = true},
                   Word{"auto", 0.0});
        t.add(
            {.name = "bodies_left",
             .meaning = "Stop when at most this many free bodies are left (others went through outlets). Too high: "
                        "stops at once.",
             .range = {.low = 0.0, .high = 1e12},
             .fallback = "off",
             .type = ValueType::count},
            [](const Reader& in, StopSettings& stop) {
                stop.bodies_left = in.count({.low = 0.0, .high = 1e12});
                stop.use_bodies_left = true;
            },
            [](const StopSettings& stop, Names) -> std::optional<Node> {
                if (!stop.use_bodies_left) return std::nullopt;
                return scalar_node(std::to_string(stop.bodies_left));
            });
        t.quantity(&StopSettings::wall_clock,
                   {.name = "wall_clock",
                    .meaning = "Stop after this much time on the clock; the run can be continued from its checkpoint.",
                    .dimension = Dimension::time,
                    .range = {.low = 0.0, .low_open = true, .infinite = true},
                    .fallback = ".inf (off)"});
        t.check = [](const Reader& in, StopSettings& stop) {
            if (const auto speed = in.find("rest_speed"); speed && stop.rest_time == 0.0)
                speed->fail("is given without 'rest_time'", "say how long: rest_time: 50 ms");
        };
        return t;
    }();
    return table;
}

const Table<SolverSettings>& solver_table() {
    static const auto table = [] {
        Table<SolverSettings> t("solver", "The cone solver that finds all contact impulses of a step.");
        t.choice(
            &SolverSettings::kind,
            std::vector<std::pair<std::string, SolverKind>>{{"auto", SolverKind::automatic},
                                                            {"conjugate", SolverKind::conjugate},
                                                            {"apgd", SolverKind::apgd},
                                                            {"projected_jacobi", SolverKind::projected_jacobi},
                                                            {"gauss_seidel", SolverKind::gauss_seidel}},
            {.name = "kind",
             .meaning = "auto: gauss_seidel on the CPU where no pair's friction is above 1 and there are no joints, "
                        "otherwise conjugate. conjugate: accelerated projected gradient descent with the momentum of "
                        "conjugate gradients. apgd: the same with Nesterov's. projected_jacobi: simple and slow, for "
                        "comparison. gauss_seidel: contacts in turn, colour by colour, with the same momentum: a third "
                        "to two thirds of the iterations of conjugate up to friction of 1, less time on the CPU; where "
                        "joints hold bodies, and where it stalls, conjugate takes over."});
        t.choice(
            &SolverSettings::friction,
            std::vector<std::pair<std::string, FrictionLaw>>{{"coulomb", FrictionLaw::coulomb},
                                                             {"associated", FrictionLaw::associated}},
            {.name = "friction",
             .meaning = "coulomb: sliding contacts do not dilate. associated: the convex relaxation, in which they "
                        "open at friction times the sliding speed."});
        t.quantity(
            &SolverSettings::tolerance,
            {.name = "tolerance",
             .meaning = "Relative RMS residual at which the solve stops: residual [m/s] over g h; without gravity "
                        "over the RMS speed at which surfaces approach. Too high: piles creep and overlaps grow, an "
                        "impact among many is missed; too low: iterations without visible effect.",
             .range = {.low = 0.0, .high = 1e3, .low_open = true}});
        t.count(&SolverSettings::max_iterations,
                {.name = "max_iterations",
                 .meaning = "Upper limit of iterations of a solve; a step of impacts may solve twice. Too low: impacts "
                            "stay unresolved, and the run records "
                            "it; too high: a hard step costs time.",
                 .range = {.low = 1.0, .high = 1e9}});
        t.flag(&SolverSettings::warm_start,
               {.name = "warm_start",
                .meaning = "Start from the matched impulses of the last step when they are better than zero."});
        t.choice(
            &SolverSettings::fallback,
            std::vector<std::pair<std::string, Fallback>>{{"none", Fallback::none}, {"lemke", Fallback::lemke}},
            {.name = "fallback",
             .meaning = "lemke: a step whose solve missed the tolerance and that has at most `fallback_contacts` "
                        "contacts is solved anew by the reference solvers of docs/solve.md, on the CPU and in double; "
                        "the better result is kept, and summary.json counts such steps. Not for pairs with rolling or "
                        "spinning resistance."});
        t.count(&SolverSettings::fallback_contacts,
                {.name = "fallback_contacts",
                 .meaning = "Most contacts of a step that the fall-back solves. Too low: hard steps stay unresolved; "
                            "too high: such a step may take seconds.",
                 .range = {.low = 1.0, .high = 2000.0}});
        return t;
    }();
    return table;
}

const Table<ContactSettings>& contact_table() {
    static const auto table = [] {
        Table<ContactSettings> t("contact", "How contacts are found and how overlap is treated.");
        t.choice(&ContactSettings::feedback,
                 std::vector<std::pair<std::string, PositionFeedback>>{{"compliant", PositionFeedback::compliant},
                                                                       {"rigid", PositionFeedback::rigid}},
                 {.name = "feedback",
                  .meaning = "compliant: contacts are stiff implicit springs. rigid: overlap is pushed out at "
                             "`recovery_speed` at most."});
        t.choice(&ContactSettings::impact,
                 std::vector<std::pair<std::string, ImpactLaw>>{{"newton", ImpactLaw::newton},
                                                                {"poisson", ImpactLaw::poisson},
                                                                {"spring_damper", ImpactLaw::spring_damper}},
                 {.name = "impact",
                  .meaning =
                      "newton: surfaces that meet part at `restitution` times their approach within the step, at "
                      "any step. poisson: the impulse of restitution is `restitution` times that of compression, "
                      "which also returns shocks without an approach; two to ten solves in steps with impacts, not "
                      "with tangential_restitution. spring_damper: contacts are springs whose dampers give the "
                      "pair's restitution, "
                      "for dense flows, where impacts are waves through many contacts. Steps of h sqrt(k / m) = "
                      "0.1, 0.3, 1, 2 (m: reduced mass) attain single rebounds of at most 0.92, 0.78, 0.44, 0.3; "
                      "piles and flows are well at 2. Springs let the pairs' cohesion capture slow impacts; the other "
                      "two rebound from it. Not with feedback: rigid, damping_time, restitution_threshold or "
                      "tangential_restitution."});
        t.quantity(
            &ContactSettings::stiffness,
            {.name = "stiffness",
             .meaning =
                 "compliant: contact stiffness k for pairs without their own; auto: static overlaps "
                 "under the scene's own weight, and the forces of servos, of about 1e-4 of the diameter, with "
                 "spring_damper "
                 "h = 2 sqrt(m / k) of the smallest bodies, or a tenth of the other if that is more. Too low: visible "
                 "overlap; too high: more solver iterations, towards the rigid limit.",
             .dimension = Dimension::stiffness,
             .range = positive},
            Word{"auto", 0.0});
        t.quantity(
            &ContactSettings::damping_time,
            {.name = "damping_time",
             .meaning = "compliant: damper / spring of contacts, the integrator's own half step included; auto: one "
                        "and a half steps, at least half a step + 2 sqrt(m / k) of the mean body. Too low: deep beds "
                        "and heavy bodies ring; too high: slow recovery from overlap, inelastic flows, more "
                        "iterations.",
             .dimension = Dimension::time,
             .range = not_negative},
            Word{"auto", -1.0});
        t.quantity(
            &ContactSettings::recovery_speed,
            {.name = "recovery_speed",
             .meaning = "rigid: largest recovery speed of overlap. Too high: energy is injected; too low: overlap "
                        "stays.",
             .dimension = Dimension::speed,
             .range = not_negative});
        t.quantity(&ContactSettings::restitution_threshold,
                   {.name = "restitution_threshold",
                    .meaning = "Approach speeds below this rebound without restitution; auto: 2 g h. Too low: resting "
                               "bodies jitter; too high: slow impacts do not rebound.",
                    .dimension = Dimension::speed,
                    .range = not_negative},
                   Word{"auto", -1.0});
        t.quantity(
            &ContactSettings::envelope,
            {.name = "envelope",
             .meaning = "Extra distance at which contacts are kept; auto: from speed and radius. Too low: contacts "
                        "are seen late; too high: many contacts without force.",
             .dimension = Dimension::length,
             .range = not_negative},
            Word{"auto", -1.0});
        return t;
    }();
    return table;
}

const Table<SleepSettings>& sleep_table() {
    static const auto table = [] {
        Table<SleepSettings> t("sleep", "Islands of bodies at rest are left alone until something touches them.");
        t.quantity(&SleepSettings::speed,
                   {.name = "speed",
                    .meaning = "Bodies no point of which is faster may fall asleep, an island at a time. Too high: "
                               "slow motion is frozen; too low: the solver's residual keeps all awake.",
                    .dimension = Dimension::speed,
                    .range = not_negative,
                    .fallback = "0 (off)"});
        t.quantity(&SleepSettings::time,
                   {.name = "time",
                    .meaning = "For how long they must have been so slow. Too low: bodies sleep at the top of their "
                               "way.",
                    .dimension = Dimension::time,
                    .range = positive});
        return t;
    }();
    return table;
}

const Table<OutputSettings>& output_table() {
    static const auto table = [] {
        Table<OutputSettings> t("output", "What a run writes, and how often (simulated time).");
        t.quantity(&OutputSettings::interval,
                   {.name = "interval",
                    .meaning = "Time between particle files; 0: only the last. Too low: disk space and time.",
                    .dimension = Dimension::time,
                    .range = not_negative});
        t.quantity(&OutputSettings::series_interval, {.name = "series_interval",
                                                      .meaning = "Time between rows of series.csv; 0: every step.",
                                                      .dimension = Dimension::time,
                                                      .range = not_negative});
        t.quantity(
            &OutputSettings::checkpoint_interval,
            {.name = "checkpoint_interval",
             .meaning = "Time between checkpoints; 0: only at the end. Too low: disk time; too high: more is lost "
                        "when a run is killed.",
             .dimension = Dimension::time,
             .range = not_negative});
        t.count(&OutputSettings::checkpoints_kept, {.name = "checkpoints_kept",
                                                    .meaning = "Older checkpoints are deleted; 0 keeps all.",
                                                    .range = {.high = 1e9}});
        t.flag(&OutputSettings::particles, {.name = "particles", .meaning = "Write particles_*.vtp."});
        t.flag(&OutputSettings::surfaces,
               {.name = "surfaces",
                .meaning = "Write surfaces_*.vtp: bodies that are no spheres as triangles, for viewers. A box takes "
                           "one kilobyte a frame, a round body up to thirty."});
        t.flag(&OutputSettings::contacts, {.name = "contacts", .meaning = "Write contacts_*.vtp (force chains)."});
        t.flag(&OutputSettings::walls, {.name = "walls", .meaning = "Write the boundaries for viewers."});
        return t;
    }();
    return table;
}

}  // namespace scree::scene
