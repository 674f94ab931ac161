// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/run_summary.hpp"

#include "engine/io/number.hpp"
#include "engine/scene/document.hpp"
#include "engine/scene/stepper_check.hpp"
#include "engine/scene/write.hpp"
#include "engine/simulation/strays.hpp"
#include "scree_version.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <numeric>
#include <string_view>

namespace scree::simulation {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const scene::Node& node) {
    switch (node.kind) {
        case scene::Node::Kind::null:
            return nullptr;
        case scene::Node::Kind::sequence: {
            Json list = Json::array();
            for (const auto& item : node.items) list.push_back(json_of(item));
            return list;
        }
        case scene::Node::Kind::map: {
            Json map = Json::object();
            for (std::size_t i = 0; i < node.items.size(); ++i) map[node.keys[i].text] = json_of(node.items[i]);
            return map;
        }
        case scene::Node::Kind::scalar:
            break;
    }
    if (node.is_quoted) return node.text;
    if (node.text == "true" || node.text == "false") return node.text == "true";
    if (const auto number = io::to_number(node.text)) {
        if (node.text.find_first_not_of("0123456789") == std::string::npos && *number < 9e15)
            return std::uint64_t(*number);
        return *number;
    }
    return node.text;
}

std::vector<std::pair<std::string, double>> work_of(const EnergyBalance& energy) {
    if (!energy.knows_laws()) return {};
    const kernels::ContactWork& work = energy.work();
    return {{"normal", work.normal},
            {"impact", work.impact},
            {"friction", work.friction},
            {"rolling", work.rolling},
            {"spinning", work.spinning},
            {"cohesion", work.cohesion},
            {"driven", work.driven},
            {"other", work.other},
            {"turning", energy.turning_work()},
            {"position", energy.position_work()}};
}

io::RunSummary::History history_of(const ValueHistory& h) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (h.steps() == 0) return {none, none, 0, none, none};
    return {h.last(), h.worst(), h.worst_step(), h.quantile(0.5), h.quantile(0.99)};
}

std::string name_of_boundary(const model::Scene& scene, std::size_t boundary) {
    const std::string& name = scene.boundaries.at(boundary).name;
    return name.empty() ? "boundary " + std::to_string(boundary) : name;
}

io::RunSummary::Penetration::Deepest deepest_of(const model::Scene& scene, const RunStatistics& statistics) {
    const std::optional<DeepestOverlap>& deepest = statistics.deepest_overlap();
    if (!deepest) return {};
    return {deepest->step, deepest->time, deepest->id_a, deepest->id_b,
            deepest->boundary < 0 ? "" : name_of_boundary(scene, std::size_t(deepest->boundary))};
}

io::RunSummary::Confidence confidence_of(const model::Scene& scene, const RunStatistics& statistics) {
    io::RunSummary::Confidence confidence;
    const RunStatistics::Histories& histories = statistics.histories();
    confidence.histories = {{"residual_rms", history_of(histories.residual_rms)},
                            {"residual_max", history_of(histories.residual_max)},
                            {"complementarity_gap", history_of(histories.complementarity)},
                            {"energy_defect", history_of(histories.energy_defect)}};
    const RunStatistics::WorstOfRun& worst = statistics.worst_contact();
    if (worst.step == 0) return confidence;
    auto& contact = confidence.worst_contact;
    contact.step = worst.step;
    contact.body = std::uint64_t(worst.contact.body);
    if (worst.contact.partner >= 0) {
        contact.other_body = std::uint64_t(worst.contact.partner);
    } else {
        contact.boundary = name_of_boundary(scene, std::size_t(-1 - worst.contact.partner));
    }
    contact.residual = worst.contact.residual;
    contact.residual_relative = worst.residual;
    return confidence;
}

}  // namespace

const char* name_of(model::Backend backend) {
    return backend == model::Backend::cuda ? "cuda" : backend == model::Backend::cpu ? "cpu" : "auto";
}
const char* name_of(model::Precision precision) { return precision == model::Precision::double_ ? "double" : "mixed"; }
const char* name_of(model::SolverKind kind) {
    switch (kind) {
        case model::SolverKind::automatic:
            return "auto";
        case model::SolverKind::conjugate:
            return "conjugate";
        case model::SolverKind::apgd:
            return "apgd";
        case model::SolverKind::projected_jacobi:
            return "projected_jacobi";
        case model::SolverKind::gauss_seidel:
            break;
    }
    return "gauss_seidel";
}
const char* solver_name(const Simulation& simulation) {
    const model::Stepper stepper = simulation.scene().settings.stepper;
    return stepper == model::Stepper::ccp ? name_of(simulation.resolved().solver) : scene::name_of(stepper);
}
const char* name_of(model::FrictionLaw law) { return law == model::FrictionLaw::coulomb ? "coulomb" : "associated"; }

Json resolved_settings(const Simulation& simulation) {
    model::Scene only_settings;
    only_settings.settings = simulation.scene().settings;
    only_settings.gravity = simulation.scene().gravity;
    const scene::Node root = scene::parse_document(scene::to_yaml(only_settings), "settings");
    Json settings = Json::object();
    for (const char* key : {"stepper", "planar", "gravity", "time", "stop", "solver", "contact", "output", "backend",
                            "precision", "threads", "device"})
        if (const scene::Node* node = root.find(key)) settings[key] = json_of(*node);
    const model::Stepper stepper = simulation.scene().settings.stepper;
    if (stepper != model::Stepper::ccp) {
        // These are of the production step; a reference stepper has a section of its own.
        settings.erase("solver");
        settings.erase("contact");
        const char* section = scene::name_of(stepper);
        if (const scene::Node* node = root.find(section)) settings[section] = json_of(*node);
    }
    settings["backend"] = name_of(simulation.backend().backend);
    settings["threads"] = simulation.threads();
    if (stepper != model::Stepper::ccp) return settings;
    settings["solver"]["kind"] = name_of(simulation.resolved().solver);
    settings["contact"]["stiffness"] = simulation.resolved().stiffness;
    if (simulation.scene().settings.contact.impact == model::ImpactLaw::newton) {
        settings["contact"]["damping_time"] = simulation.resolved().damping_time;
        settings["contact"]["restitution_threshold"] = simulation.resolved().restitution_threshold;
    }
    return settings;
}

Json provenance(const model::Scene& scene) {
    model::Scene laws;
    laws.materials = scene.materials;
    laws.pairs = scene.pairs;
    const scene::Node root = scene::parse_document(scene::to_yaml(laws), "laws");
    Json made{{"file", std::filesystem::path(scene.path).filename().string()}, {"overrides", scene.overrides}};
    for (const char* key : {"materials", "pairs"})
        if (const scene::Node* node = root.find(key)) made[key] = json_of(*node);
    return made;
}

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::uint64_t peak_resident_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::uint64_t(usage.ru_maxrss) * 1024;
}

io::RunSummary summarise(const Simulation& simulation, const RunStatistics& statistics, const model::Snapshot* last) {
    const model::Scene& scene = simulation.scene();
    const auto& totals = statistics.totals();
    const auto& process = statistics.process();
    const double solve_seconds = process.seconds[std::size_t(kernels::Phase::solve)];
    const bool on_device = simulation.backend().backend == model::Backend::cuda;

    io::RunSummary s;
    s.version = version;
    s.commit = commit;
    s.build = build_type;
    s.scene = scene.path;
    s.backend = name_of(simulation.backend().backend);
    s.device = simulation.backend().device;
    s.threads = simulation.threads();
    s.precision = name_of(scene.settings.precision);
    s.steps = std::size_t(simulation.step_index());
    s.time = simulation.time();
    s.cpu_seconds = cpu_seconds();
    const Balance& balance = simulation.balance();
    s.bodies = {balance.inserted, balance.removed,
                balance.lost,     balance.inserted - balance.removed - balance.lost,
                totals.sleeping,  totals.sleeping_max,
                totals.held_back, last != nullptr ? count_strays(scene, simulation.extent_at_start(), *last) : 0};
    for (const FeedReport& f : simulation.feeds())
        s.feeds.push_back({f.name, f.due, f.joined, f.mass, f.radius_min, f.radius_mean, f.radius_max});
    s.contacts = {statistics.last().contacts, statistics.per_step(totals.contacts), totals.contacts_max};
    const bool production = scene.settings.stepper == model::Stepper::ccp;
    s.solver = {solver_name(simulation),
                production ? name_of(scene.settings.solver.friction) : "coulomb",
                statistics.per_step(totals.iterations),
                totals.residual_max,
                statistics.last().residual,
                totals.steps > 0 ? double(totals.converged) / double(totals.steps) : 1.0,
                solve_seconds > 0.0 ? process.contact_iterations / solve_seconds : 0.0,
                totals.fallback_tried,
                totals.fallback_used,
                totals.relaxed,
                totals.handed_over,
                totals.limited_clusters,
                totals.linearised,
                totals.joint_gap_max};
    s.penetration = {totals.overlap_max, totals.overlap_relative_max, statistics.last().overlap_relative,
                     deepest_of(scene, statistics)};
    s.energy.kinetic_final = statistics.last().kinetic_translation + statistics.last().kinetic_rotation;
    s.energy.kinetic_max = statistics.energy().largest_kinetic();
    const auto defect = last != nullptr ? statistics.energy().relative_defect(*last) : std::nullopt;
    s.energy.balance_relative = defect.value_or(std::numeric_limits<double>::quiet_NaN());
    s.energy.work = work_of(statistics.energy());
    s.confidence = confidence_of(scene, statistics);
    s.memory.peak_bytes = on_device ? simulation.bytes() : peak_resident_bytes();
    const auto most = std::max<std::uint64_t>(process.bodies_max, 1);
    s.memory.bytes_per_body = double(simulation.bytes()) / double(most);
    for (std::size_t p = 0; p < process.seconds.size(); ++p)
        s.phases.emplace_back(kernels::phase_names[p], process.seconds[p]);
    s.settings = resolved_settings(simulation);
    s.provenance = provenance(scene);
    return s;
}

namespace {

/// What the laws of contact put into the bodies since t = 0 [J], with the heights at which impacts inside steps leave
/// them: at most what springs held then.
double contact_gain(const io::RunSummary::Energy& energy) {
    double sum = 0.0;
    for (const auto& [name, work] : energy.work)
        for (const std::string_view law :
             {"normal", "impact", "friction", "rolling", "spinning", "cohesion", "position"})
            if (name == law) sum += work;
    return sum;
}

/// ", in step 5 (t = 0.005 s) body 17 and 'floor'", or nothing.
std::string words_for(const io::RunSummary::Penetration::Deepest& deepest) {
    if (deepest.step == 0) return {};
    return fmt::format(
        ", in step {} (t = {:.6g} s) body {} and {}", deepest.step, deepest.time, deepest.body,
        deepest.boundary.empty() ? fmt::format("body {}", deepest.other_body) : "'" + deepest.boundary + "'");
}

}  // namespace

std::vector<std::string> result_warnings(const io::RunSummary& summary) {
    constexpr double enough_converged = 0.9, many_waiting = 0.02, much_gained = 0.01;
    // A reference stepper has neither key (resolved_settings).
    const bool production = summary.settings.contains("solver");
    std::vector<std::string> warnings;
    if (summary.solver.converged_fraction < enough_converged && production)
        warnings.push_back(
            fmt::format("only {:.1f} % of the steps reached solver.tolerance with no contact off by a quarter of a "
                        "radius: forces and overlaps are less accurate than asked "
                        "[raise solver.max_iterations or lower time.step]",
                        100.0 * summary.solver.converged_fraction));
    else if (summary.solver.converged_fraction < enough_converged)
        warnings.push_back(
            fmt::format("only {:.1f} % of the steps settled: their forces lag by an iterate [lower "
                        "time.step or raise the stepper's iterations]",
                        100.0 * summary.solver.converged_fraction));
    if (const double gained = contact_gain(summary.energy); gained > much_gained * summary.energy.kinetic_max)
        warnings.push_back(fmt::format(
            "contacts added {:.3g} J to the bodies, {:.2g} % of the largest kinetic energy: the step is too long, or "
            "solved too loosely, for what stands or hits here, or overlaps at the start came apart "
            "[lower time.step or solver.tolerance]",
            gained, 100.0 * gained / summary.energy.kinetic_max));
    if (summary.penetration.max_relative > much_overlap)
        warnings.push_back(fmt::format(
            "bodies overlapped by up to {:.2g} % of the smaller diameter{}, and by up to {:.3g} m [{}]",
            100.0 * summary.penetration.max_relative, words_for(summary.penetration.deepest), summary.penetration.max,
            production ? "lower time.step or solver.tolerance; at a time.step that resolves it, raise "
                         "contact.stiffness"
                       : "lower time.step, or move apart what overlaps at the start"));
    for (const io::RunSummary::Feed& feed : summary.feeds)
        if (double(feed.due - feed.joined) > many_waiting * double(feed.due) + 1.0)
            warnings.push_back(
                fmt::format("{} of the {} bodies that feed '{}' had due found no place [a larger region, a larger "
                            "velocity of the source, or a lower rate]",
                            feed.due - feed.joined, feed.due, feed.name));
    if (summary.bodies.outside > 0)
        warnings.push_back(fmt::format(
            "{} of {} bodies are outside of all boundaries, farther than {:g} times the size of the scene: a "
            "hole in a mesh, or no floor? [scree check lists the open edges of meshes; outlets take bodies "
            "that may leave]",
            summary.bodies.outside, summary.bodies.final, stray_distance));
    // Steps close joints to rounding, 1e-10 m or so.
    if (summary.solver.joint_gap_max > 1e-7)
        warnings.push_back(fmt::format(
            "joints opened by up to {:.3g} (m or rad): their bodies cannot be where all of them ask, or the "
            "step is too long for so light links [lower time.step, or look for joints that contradict]",
            summary.solver.joint_gap_max));
    return warnings;
}

}  // namespace scree::simulation
