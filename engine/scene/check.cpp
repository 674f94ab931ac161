// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/check.hpp"

#include "engine/scene/joint_check.hpp"
#include "engine/scene/nearest.hpp"
#include "engine/scene/stepper_check.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace scree::scene {

using namespace model;

namespace {

/// The item of a section, as the tables label it.
Reader item_of(const Reader& root, std::string_view section, std::string_view noun, std::size_t index) {
    return root.find(section)->objects(noun)[index];
}

template <class Item>
void check_names(const Reader& root, std::string_view section, std::string_view noun, const std::vector<Item>& items) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].name.empty() || seen.insert(items[i].name).second) continue;
        item_of(root, section, noun, i)
            .fail(": the name is taken by an earlier " + std::string(noun), "names are unique");
    }
}

using Pair = std::pair<std::size_t, std::size_t>;

Pair ordered(std::size_t a, std::size_t b) { return {std::min(a, b), std::max(a, b)}; }

bool is_fixed(const Source& source) {
    if (const auto* sphere = std::get_if<SphereSource>(&source.what)) return sphere->fixed;
    if (const auto* body = std::get_if<BodySource>(&source.what)) return body->fixed;
    if (const auto* file = std::get_if<FileSource>(&source.what)) return file->fixed;
    return false;
}

bool is_single(const Source& source) {
    return std::holds_alternative<SphereSource>(source.what) || std::holds_alternative<BodySource>(source.what);
}

std::string described(const Source& source, std::size_t index) {
    return source.name.empty() ? "bodies[" + std::to_string(index) + "]" : "body source " + in_quotes(source.name);
}

/// Sources of one material, all fixed or all free: as many as it takes to know who meets whom.
struct Group {
    std::string first, second;  ///< The first two sources, for messages.
    bool has_many = false;      ///< More than one body.
};

std::string both(const std::string& one, const std::string& other) { return one + " and " + other; }

/// Every pair that can meet, with an example of who meets. Two fixed bodies, or a fixed body and a boundary, never do.
std::map<Pair, std::string> meeting_pairs(const Scene& scene) {
    std::map<std::pair<std::size_t, bool>, Group> groups;  // by material and fixed
    for (std::size_t i = 0; i < scene.sources.size(); ++i) {
        const auto& source = scene.sources[i];
        auto& group = groups[{source.material, is_fixed(source)}];
        const FeedSource* feed = feed_of(source);
        const bool is_one = is_single(source) || (feed != nullptr && feed->count == 1);
        if (!is_one || !group.first.empty()) group.has_many = true;
        if (!group.second.empty()) continue;
        (group.first.empty() ? group.first : group.second) = described(source, i);
    }
    std::map<std::size_t, std::string> walls;  // by material, an example
    for (const auto& boundary : scene.boundaries)
        walls.try_emplace(boundary.material, "boundary " + in_quotes(boundary.name));
    std::map<Pair, std::string> out;
    for (const auto& [key, group] : groups) {
        const auto& [material, fixed] = key;
        if (fixed) continue;
        const std::string& first = group.first;
        if (group.has_many)
            out.try_emplace({material, material},
                            group.second.empty() ? "bodies of " + first : first + " and " + group.second);
        for (const auto& [other_key, other] : groups) {
            if (key != other_key) out.try_emplace(ordered(material, other_key.first), both(first, other.first));
        }
        for (const auto& [wall, who] : walls) out.try_emplace(ordered(material, wall), both(first, who));
    }
    return out;
}

void check_pairs(const Reader& root, const Scene& scene) {
    std::set<Pair> listed;
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
        if (!listed.insert(ordered(scene.pairs[i].first, scene.pairs[i].second)).second)
            item_of(root, "pairs", "pair", i)
                .fail(": this pair is listed twice", "the order of materials does not matter");
    }
    std::vector<std::string> missing;
    std::string example;
    for (const auto& [pair, who] : meeting_pairs(scene)) {
        if (listed.contains(pair)) continue;
        missing.push_back("[" + scene.materials[pair.first].name + ", " + scene.materials[pair.second].name + "]");
        if (example.empty()) example = who;
    }
    if (missing.empty()) return;
    const auto section = root.find("pairs");
    const std::string what = "lacks the pair " + joined(missing) + " (" + example + " can meet)";
    const std::string hint = "add {between: " + missing.front() + ", friction: ..., restitution: ...}";
    if (section) section->fail(what, hint);
    root.context().fail(root.node().at, "pairs " + what, hint);
}

void check_target(const Reader& item, const Probe& probe, const Scene& scene) {
    std::vector<std::string> known;
    std::string noun;
    switch (probe.kind) {
        case Probe::Kind::body:
            noun = "sphere or body";
            for (const auto& source : scene.sources) {
                if (is_single(source) && !source.name.empty()) known.push_back(source.name);
            }
            break;
        case Probe::Kind::count:
        case Probe::Kind::mixing:
            noun = "body source";
            for (const auto& source : scene.sources) {
                if (!source.name.empty()) known.push_back(source.name);
            }
            break;
        case Probe::Kind::force:
            noun = "boundary, sphere or body";
            for (const auto& boundary : scene.boundaries) known.push_back(boundary.name);
            for (const auto& source : scene.sources) {
                if (is_single(source) && !source.name.empty()) known.push_back(source.name);
            }
            break;
        case Probe::Kind::flow:
            noun = "outlet";
            for (const auto& outlet : scene.outlets) known.push_back(outlet.name);
            break;
        default:
            return;
    }
    const auto is_target = [&](const auto& named) { return named.name == probe.target; };
    if (probe.average && std::none_of(scene.boundaries.begin(), scene.boundaries.end(), is_target))
        item.find("average")->fail("= true needs a boundary as the target",
                                   "of bodies the force of a step is known alone");
    if (probe.target.empty() || std::find(known.begin(), known.end(), probe.target) != known.end()) return;
    if (std::any_of(scene.sources.begin(), scene.sources.end(), is_target))
        item.find("target")->fail(
            "= " + in_quotes(probe.target) + " is a source of many bodies: no " + noun,
            "what the sources 'sphere' and 'body' make; " + suggestion(probe.target, known, "names"));
    item.find("target")->fail("= " + in_quotes(probe.target) + " is the name of no " + noun,
                              suggestion(probe.target, known, "names"));
}

/// Each body is seen with its images one period away: a box that reaches farther would be partly empty.
void check_box(const Reader& item, const Probe& probe, const Scene& scene) {
    if (!needs_finite_box(probe.kind)) return;
    constexpr std::array<double Vec3::*, 3> axes{&Vec3::x, &Vec3::y, &Vec3::z};
    for (std::size_t k = 0; k < 3; ++k) {
        const PeriodicFaces& faces = scene.periodic[k];
        if (!faces.active) continue;
        const double slack = 1e-9 * (faces.upper - faces.lower);
        if (probe.box.lower.*axes[k] >= faces.lower - slack && probe.box.upper.*axes[k] <= faces.upper + slack)
            continue;
        item.find("box")->fail(std::string("reaches beyond the periodic faces along ") + "xyz"[k] + " (" +
                                   number_text(faces.lower) + " and " + number_text(faces.upper) + " m)",
                               "end it there: what lies beyond is the same again");
    }
}

/// Springs and dampers that take their rebound from `restitution` leave nothing to these, and Poisson's law is that of
/// normal impulses.
void check_impact(const Reader& root, const Scene& scene) {
    const ContactSettings& contact = scene.settings.contact;
    if (contact.impact == ImpactLaw::newton) return;
    if (contact.impact == ImpactLaw::spring_damper) {
        const auto section = root.find("contact");
        if (contact.feedback == PositionFeedback::rigid)
            section->find("feedback")
                ->fail("= rigid: there is no spring for impact: spring_damper", "use feedback: compliant");
        if (contact.damping_time >= 0.0)
            section->find("damping_time")
                ->fail("is given: with impact: spring_damper it follows from the pairs' restitution", "leave it auto");
        if (contact.restitution_threshold >= 0.0)
            section->find("restitution_threshold")
                ->fail("is given: with impact: spring_damper approaches of any speed rebound alike", "leave it auto");
    }
    for (std::size_t i = 0; i < scene.pairs.size(); ++i)
        if (scene.pairs[i].tangential_restitution > 0.0)
            item_of(root, "pairs", "pair", i)
                .fail(contact.impact == ImpactLaw::poisson
                          ? ": tangential_restitution has no meaning by Poisson's law (contact: {impact: poisson})"
                          : ": tangential_restitution is a law of impacts at one instant",
                      "use contact: {impact: newton}");
}

}  // namespace

void check_scene(const Reader& root, const Scene& scene) {
    check_names(root, "bodies", "body source", scene.sources);
    check_names(root, "boundaries", "boundary", scene.boundaries);
    check_names(root, "outlets", "outlet", scene.outlets);
    check_names(root, "probes", "probe", scene.probes);
    check_pairs(root, scene);
    check_impact(root, scene);
    check_joints(root, scene);
    check_stepper(root, scene);
    if (scene.probes.empty()) return;
    const auto items = root.find("probes")->objects("probe");
    for (std::size_t i = 0; i < scene.probes.size(); ++i) {
        check_target(items[i], scene.probes[i], scene);
        check_box(items[i], scene.probes[i], scene);
    }
}

}  // namespace scree::scene
