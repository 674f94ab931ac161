// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/run_report.hpp"

#include "apps/scree/boundary_report.hpp"
#include "apps/scree/memory_estimate.hpp"
#include "apps/scree/say.hpp"
#include "apps/scree/words.hpp"
#include "engine/scene/stepper_check.hpp"
#include "engine/simulation/run_summary.hpp"
#include "kernels/collide/contact_law.hpp"
#include "scree_version.hpp"

#include <algorithm>
#include <cmath>

namespace scree::app {
namespace {

using Json = nlohmann::ordered_json;
using simulation::name_of;

double number(const Json& value) { return value.is_number() ? value.get<double>() : std::nan(""); }

/// What springs and dampers attain at the step, for two bodies of the mean mass and the liveliest pair.
std::string attained(const simulation::Simulation& simulation) {
    const model::Scene& scene = simulation.scene();
    const auto liveliest = std::max_element(scene.pairs.begin(), scene.pairs.end(),
                                            [](const auto& a, const auto& b) { return a.restitution < b.restitution; });
    if (liveliest == scene.pairs.end() || simulation.free_count() == 0) return {};
    const double stiffness = liveliest->stiffness > 0.0 ? liveliest->stiffness : simulation.resolved().stiffness;
    kernels::ContactSettings settings;
    settings.step = scene.settings.time.step;
    settings.impact = kernels::ImpactLaw::spring_damper;
    kernels::PairLaw<double> law{};
    law.stiffness = stiffness;
    law.damper = kernels::damper_of(liveliest->restitution, stiffness);
    const double inverse_mass = 2.0 * double(simulation.free_count()) / simulation.free_mass();
    return fmt::format(": single impacts of the mean body rebound with {:.2g} at this step, {:g} is asked",
                       kernels::attained_restitution(settings, law, inverse_mass), liveliest->restitution);
}

void print_sources(const simulation::Simulation& simulation) {
    const std::vector<model::Source>& sources = simulation.scene().sources;
    const std::vector<simulation::FeedReport> feeds = simulation.feeds();
    std::size_t feed = 0;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const geometry::SourceReport& source = simulation.sources()[i];
        if (feed_of(sources[i]) != nullptr) {
            const simulation::FeedReport& report = feeds.at(feed++);
            say("  {:<12} a feed: about {:.6g} bodies until time.end, {:.4g} kg", source.name, report.expected,
                report.expected_mass);
            if (report.joined > 0) say("; {} have joined", report.joined);
            say("\n");
            continue;
        }
        say("  {:<12} {} requested, {} inserted, {} rejected", source.name, source.requested, source.inserted,
            source.rejected);
        if (source.inserted > 0)
            say("; radius {:.4g} .. {:.4g} m (mean {:.4g}), {:.4g} kg", source.radius_min, source.radius_max,
                source.radius_mean, source.mass);
        say("\n");
        for (const std::string& note : source.notes) say("               {}\n", note);
    }
}

void print_phases(const io::RunSummary& summary) {
    say("\n  phase             seconds       %\n");
    for (const auto& [name, seconds] : summary.phases)
        say("  {:<16} {:>8.3f}  {:>6.1f}\n", name, seconds,
            summary.wall_seconds > 0.0 ? 100.0 * seconds / summary.wall_seconds : 0.0);
    say("  {:<16} {:>8.3f}  {:>6.1f}   ({:.3f} s of CPU time)\n", "total", summary.wall_seconds, 100.0,
        summary.cpu_seconds);
}

/// What the run says about itself beyond the last step: how the numbers of the steps went, where the energy went.
void print_confidence(const io::RunSummary& s) {
    std::string work;
    double largest = 0.0;
    for (const auto& [name, joules] : s.energy.work) largest = std::max(largest, std::abs(joules));
    for (const auto& [name, joules] : s.energy.work)
        if (std::abs(joules) > 1e-9 * largest)
            work += fmt::format("{}{} {:.3g}", work.empty() ? "" : ", ", name, joules);
    if (!work.empty()) say("  work         {} J\n", work);
    for (const auto& [name, h] : s.confidence.histories)
        if (std::isfinite(h.worst) && s.steps > 0)
            say("  {:<20} {:.2g} at the end, {:.2g} median, {:.2g} in 99 %, {:.2g} worst (step {})\n", name, h.last,
                h.median, h.p99, h.worst, h.worst_step);
    const auto& worst = s.confidence.worst_contact;
    if (worst.step > 0)
        say("  worst contact        body {} with {} in step {}: residual {:.2g} ({:.3g} m/s)\n", worst.body,
            worst.boundary.empty() ? fmt::format("body {}", worst.other_body) : "'" + worst.boundary + "'", worst.step,
            worst.residual_relative, worst.residual);
}

void print_probes(const Json& probes) {
    if (probes.empty()) return;
    say("\n  probes at the end\n");
    for (const auto& [name, probe] : probes.items()) {
        std::string line;
        for (const auto& [field, value] : probe.items())
            if (value.is_number()) line += fmt::format("  {} {:.6g}", field, number(value));
        if (probe.contains("table")) line += "  in " + probe["table"].get<std::string>();
        say("  {:<12}{}\n", name, line);
    }
}

}  // namespace

Json plan_json(const simulation::Simulation& simulation, const RunPlan& plan) {
    const model::Scene& scene = simulation.scene();
    Json sources = Json::array();
    for (const auto& s : simulation.sources())
        sources.push_back({{"name", s.name},
                           {"requested", s.requested},
                           {"inserted", s.inserted},
                           {"rejected", s.rejected},
                           {"mass", s.mass},
                           {"radius_min", s.radius_min},
                           {"radius_mean", s.radius_mean},
                           {"radius_max", s.radius_max},
                           {"notes", s.notes}});
    Json feeds = Json::array();
    for (const simulation::FeedReport& f : simulation.feeds())
        feeds.push_back(
            {{"name", f.name}, {"expected", f.expected}, {"expected_mass", f.expected_mass}, {"joined", f.joined}});
    return {{"name", scene.name},
            {"scene", scene.path},
            {"bodies", simulation.body_count()},
            {"mass", simulation.free_mass()},
            {"sources", sources},
            {"feeds", feeds},
            {"boundaries", scene.boundaries.size()},
            {"boundary_list", boundaries_json(simulation)},
            {"outlets", scene.outlets.size()},
            {"probes", scene.probes.size()},
            {"backend", name_of(simulation.backend().backend)},
            {"device", simulation.backend().device},
            {"reason", simulation.backend().reason},
            {"threads", simulation.threads()},
            {"precision", name_of(scene.settings.precision)},
            {"begin_step", plan.begin_step},
            {"end_step", plan.end_step},
            {"memory_estimate_bytes", memory_estimate(simulation)},
            {"settings", simulation::resolved_settings(simulation)},
            {"build", build_type},
            {"warnings", plan.warnings}};
}

namespace {

const char* friction_of(model::Stepper stepper) {
    if (stepper == model::Stepper::midpoint || stepper == model::Stepper::newmark) return "no";
    return stepper == model::Stepper::ncp ? "elliptic" : "polyhedral";
}

/// Solver and contact model of the production step.
void print_production(const simulation::Simulation& simulation) {
    const model::Settings& settings = simulation.scene().settings;
    const auto& resolved = simulation.resolved();
    say("solver      {}{}, {} friction, tolerance {:g}, at most {} iterations\n", name_of(resolved.solver),
        settings.solver.kind == model::SolverKind::automatic ? " (auto)" : "", name_of(settings.solver.friction),
        settings.solver.tolerance, settings.solver.max_iterations);
    if (settings.contact.impact == model::ImpactLaw::spring_damper)
        say("contact     stiffness {:.4g} N/m{}, springs and dampers{}\n", resolved.stiffness,
            settings.contact.stiffness > 0.0 ? "" : " (auto)", attained(simulation));
    else if (settings.contact.feedback == model::PositionFeedback::compliant)
        say("contact     stiffness {:.4g} N/m{}, damping time {:.3g} s, restitution above {:.3g} m/s\n",
            resolved.stiffness, settings.contact.stiffness > 0.0 ? "" : " (auto)", resolved.damping_time,
            resolved.restitution_threshold);
    else
        say("contact     rigid, recovery at most {:.3g} m/s, restitution above {:.3g} m/s\n",
            settings.contact.recovery_speed, resolved.restitution_threshold);
}

}  // namespace

void print_plan(const simulation::Simulation& simulation, const RunPlan& plan) {
    const model::Scene& scene = simulation.scene();
    const model::Settings& settings = scene.settings;
    const double h = settings.time.step;
    say("scree {} ({}, {})\n", version, commit, build_type);
    say("scene       {}: {} ({} boundaries, {} outlets, {} probes)\n", scene.path, scene.name, scene.boundaries.size(),
        scene.outlets.size(), scene.probes.size());
    say("bodies      {} present, {:.5g} kg\n", simulation.body_count(), simulation.free_mass());
    print_sources(simulation);
    print_boundaries(simulation);
    say("backend     {}; {}, {} thread{}; {} precision\n", simulation.backend().reason, simulation.backend().device,
        simulation.threads(), simulation.threads() == 1 ? "" : "s", name_of(settings.precision));
    if (settings.stepper == model::Stepper::ccp)
        print_production(simulation);
    else
        say("stepper     {}{}; {} friction\n", scene::name_of(settings.stepper), settings.planar ? ", planar" : "",
            friction_of(settings.stepper));
    say("time        step {:g} s, {:.6g} s to {:.6g} s: {} steps\n", h, double(plan.begin_step) * h,
        double(plan.end_step) * h, plan.end_step - plan.begin_step);
    say("memory      about {} for bodies and contacts\n", bytes_text(double(memory_estimate(simulation))));
    for (const std::string& warning : plan.warnings) say("warning: {}\n", warning);
    std::fflush(stdout);
}

void print_summary(const io::RunSummary& s, const std::filesystem::path& directory, double body_steps) {
    say("\n{}: {} steps to t = {:.6g} s in {}{}\n", s.status, s.steps, s.time, duration_text(s.wall_seconds),
        s.reason.empty() ? "" : "; " + s.reason);
    print_phases(s);
    double step_seconds = 0.0;
    for (const auto& [name, seconds] : s.phases)
        if (name != "setup" && name != "output" && name != "other") step_seconds += seconds;
    say("\n  speed        {:.3g} M body-steps/s, {:.3g} M contact-iterations/s in the solver; real-time factor "
        "{:.3g}\n",
        step_seconds > 0.0 ? 1e-6 * body_steps / step_seconds : 0.0, 1e-6 * s.solver.contact_iterations_per_second,
        s.real_time_factor);
    say("  bodies       {} inserted = {} removed + {} lost + {} present\n", s.bodies.inserted, s.bodies.removed,
        s.bodies.lost, s.bodies.final);
    for (const io::RunSummary::Feed& feed : s.feeds) {
        say("  feed         {}: {} bodies of {} that were due, {:.5g} kg", feed.name, feed.joined, feed.due, feed.mass);
        if (feed.joined > 0)
            say("; radius {:.4g} .. {:.4g} m (mean {:.4g})", feed.radius_min, feed.radius_max, feed.radius_mean);
        say("\n");
    }
    say("  contacts     {} now, {:.5g} mean, {} at most\n", s.contacts.final, s.contacts.mean, s.contacts.max);
    say("  solver       {:.3g} iterations a step; RMS residual {:.2g} (largest {:.2g}); {:.1f} % of the steps "
        "converged\n",
        s.solver.iterations_mean, s.solver.residual_rms_final, s.solver.residual_rms_max,
        100.0 * s.solver.converged_fraction);
    if (s.solver.fallback_tried > 0)
        say("  fall-back    {} steps missed the tolerance and were solved anew; {} are better for it\n",
            s.solver.fallback_tried, s.solver.fallback_used);
    if (s.solver.handed_over > 0)
        say("  handed over  {} steps to conjugate by {}\n", s.solver.handed_over, s.solver.name);
    if (s.solver.relaxed > 0)
        say("  friction     {} steps were solved by the convex relaxation, in which sliding contacts open: true "
            "friction "
            "was not found\n",
            s.solver.relaxed);
    if (s.solver.joints_linearised > 0)
        say("  joints       {} steps were too long for exact joints and lost energy: a shorter time.step keeps it\n",
            s.solver.joints_linearised);
    say("  penetration  {} of the diameter at the end, {} at most ({:.3g} m)\n",
        percent_text(s.penetration.final_relative), percent_text(s.penetration.max_relative), s.penetration.max);
    say("  energy       {:.4g} J kinetic", s.energy.kinetic_final);
    if (std::isfinite(s.energy.balance_relative))
        say("; {:.1e} of the largest energy is missing in the balance", s.energy.balance_relative);
    say("\n");
    print_confidence(s);
    say("  memory       {} of the process at most; {:.0f} bytes per body in the engine\n",
        bytes_text(double(s.memory.peak_bytes)), s.memory.bytes_per_body);
    say("  state        {:016x}\n", s.state_hash);
    print_probes(s.probes);
    for (const std::string& warning : simulation::result_warnings(s)) say("\n  warning: {}\n", warning);
    say("\n  output in {}\n", directory.string());
    std::fflush(stdout);
}

}  // namespace scree::app
