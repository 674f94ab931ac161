// SPDX-License-Identifier: BSD-3-Clause
// Simulation::save and restore: the engine's exact state as named arrays.
#include "engine/model/error.hpp"
#include "engine/simulation/simulation.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::simulation {
namespace {

template <class T>
const std::vector<T>& array_of(const io::Checkpoint& checkpoint, const std::string& name) {
    const auto found = checkpoint.arrays.find(name);
    const auto* values = found == checkpoint.arrays.end() ? nullptr : std::get_if<std::vector<T>>(&found->second);
    if (values == nullptr)
        throw model::Error(model::ErrorKind::input, "the checkpoint has no array '" + name + "' of the expected type",
                           "it was written by another version");
    return *values;
}

[[noreturn]] void misfit(const std::string& what) {
    throw model::Error(model::ErrorKind::input, "the checkpoint does not fit its scene: " + what,
                       "continue it with the scene, particle files and settings it was written with");
}

}  // namespace

io::Checkpoint Simulation::save() {
    const kernels::EngineState s = engine_->save();
    io::Checkpoint c;
    c.arrays["position"] = s.position;
    c.arrays["orientation"] = s.orientation;
    c.arrays["velocity"] = s.velocity;
    c.arrays["free_velocity"] = s.free_velocity;
    c.arrays["inverse_mass"] = s.inverse_mass;
    c.arrays["motion"] = s.motion;
    c.arrays["material"] = s.material;
    c.arrays["id"] = s.id;
    c.arrays["contact_start"] = s.a_start;
    c.arrays["contact_partner"] = s.partner;
    c.arrays["contact_impulse"] = s.g;
    c.arrays["contact_moment"] = s.m;
    c.arrays["solver_memory"] = std::vector<double>{s.solver_memory};
    c.arrays["step"] = std::vector<std::uint64_t>{std::uint64_t(step_), s.has_contacts ? 1U : 0U};
    if (!s.memory.empty()) c.arrays["engine_memory"] = s.memory;
    if (!scene_.joints.empty()) c.arrays["joints"] = s.joints;
    if (!servos_.empty()) c.arrays["servos"] = servos_.state();
    if (!steered_.empty()) c.arrays["steered"] = steered_.state();
    if (feeder_) {
        c.arrays["fed_source"] = fed_;
        c.arrays["fed_stiffness"] = std::vector<double>{resolved_.stiffness};
    }
    if (!s.pair_start.empty()) {
        c.arrays["pair_start"] = s.pair_start;
        c.arrays["pair_partner"] = s.pair_partner;
        c.arrays["pair_contacts"] = s.pair_contacts;
        c.arrays["pair_axis"] = s.pair_axis;
        c.arrays["contact_feature"] = s.feature;
    }
    std::vector<std::uint64_t> balance{balance_.inserted, balance_.removed, balance_.lost};
    balance.insert(balance.end(), balance_.removed_by_outlet.begin(), balance_.removed_by_outlet.end());
    c.arrays["balance"] = balance;
    std::vector<double> masses{free_mass_};
    masses.insert(masses.end(), balance_.removed_mass.begin(), balance_.removed_mass.end());
    c.arrays["masses"] = masses;
    return c;
}

void Simulation::restore(const io::Checkpoint& c) {
    kernels::EngineState s;
    const auto& counts = array_of<std::uint64_t>(c, "step");
    if (counts.size() != 2) misfit("step has " + std::to_string(counts.size()) + " entries");
    s.step = std::int64_t(counts[0]);
    s.has_contacts = counts[1] != 0;
    s.position = array_of<double>(c, "position");
    s.orientation = array_of<double>(c, "orientation");
    s.velocity = array_of<double>(c, "velocity");
    s.free_velocity = array_of<double>(c, "free_velocity");
    s.inverse_mass = array_of<double>(c, "inverse_mass");
    s.motion = array_of<float>(c, "motion");
    s.material = array_of<std::int32_t>(c, "material");
    s.id = array_of<std::int32_t>(c, "id");
    s.a_start = array_of<std::int32_t>(c, "contact_start");
    s.partner = array_of<std::int32_t>(c, "contact_partner");
    s.g = array_of<double>(c, "contact_impulse");
    s.m = array_of<double>(c, "contact_moment");
    const auto& memory = array_of<double>(c, "solver_memory");
    if (c.arrays.contains("engine_memory")) s.memory = array_of<double>(c, "engine_memory");
    if (!scene_.joints.empty()) s.joints = array_of<double>(c, "joints");
    if (c.arrays.contains("pair_start")) {
        s.pair_start = array_of<std::int32_t>(c, "pair_start");
        s.pair_partner = array_of<std::int32_t>(c, "pair_partner");
        s.pair_contacts = array_of<std::int32_t>(c, "pair_contacts");
        s.pair_axis = array_of<float>(c, "pair_axis");
        s.feature = array_of<std::int32_t>(c, "contact_feature");
        const std::size_t pairs = s.pair_partner.size();
        if (std::size_t(s.pair_start.back()) != pairs || s.pair_contacts.size() != pairs + 1 ||
            s.pair_axis.size() != 3 * pairs || std::size_t(s.pair_contacts.back()) != s.feature.size() ||
            s.feature.size() != s.partner.size())
            misfit("arrays of pairs have other lengths");
    }
    if (feeder_) {
        const auto& fed = array_of<std::uint32_t>(c, "fed_source");
        for (const std::uint32_t source : fed)
            if (source >= scene_.sources.size() || feed_of(scene_.sources[source]) == nullptr)
                misfit("bodies came from source number " + std::to_string(source) + ", which is no feed of the scene");
        restore_feeds(fed);
    }
    const std::size_t n = s.id.size();
    if (s.position.size() != 4 * n || s.orientation.size() != 4 * n || s.velocity.size() != 8 * n ||
        s.inverse_mass.size() != 2 * n || s.motion.size() != 4 * n || s.material.size() != n || memory.size() != 1)
        misfit("arrays of " + std::to_string(n) + " bodies have other lengths");
    if (s.has_contacts && (s.a_start.size() != n + 1 || std::size_t(s.a_start.back()) != s.partner.size() ||
                           s.g.size() != 3 * s.partner.size()))
        misfit("contact arrays have other lengths");
    for (std::size_t i = 0; i < n; ++i) {
        if (s.id[i] < 1 || std::size_t(s.id[i]) > facts_.size())
            misfit("body id " + std::to_string(s.id[i]) + " is not in the scene");
        const BodyFacts& facts = facts_[std::size_t(s.id[i] - 1)];
        // Inverse masses may have been rounded to float.
        const double expected = facts.fixed ? 0.0 : 1.0 / facts.mass;
        if (!(std::abs(s.inverse_mass[2 * i] - expected) <= 1e-6 * expected))
            misfit(fmt::format("body {} had 1 / mass = {:g} / kg, in the scene it has {:g} / kg", s.id[i],
                               s.inverse_mass[2 * i], expected));
    }
    for (const std::int32_t material : s.material)
        if (material < 0 || std::size_t(material) >= scene_.materials.size())
            misfit("material index " + std::to_string(material) + " is not in the scene");
    const std::size_t outlets = scene_.outlets.size();
    const auto& balance = array_of<std::uint64_t>(c, "balance");
    const auto& masses = array_of<double>(c, "masses");
    if (balance.size() != 3 + outlets || masses.size() != 1 + outlets) misfit("the number of outlets differs");
    if (balance[0] != facts_.size())
        misfit(fmt::format("the run began with {} bodies, the scene has {}", balance[0], facts_.size()));
    s.solver_memory = memory[0];
    if (!servos_.empty() && !servos_.restore(array_of<double>(c, "servos"))) misfit("the number of servos differs");
    steered_ = {};
    if (c.arrays.contains("steered") && !steered_.restore(array_of<double>(c, "steered"), scene_.boundaries.size()))
        misfit("it moved other boundaries");
    const bool with_pairs =
        n > 0 && s.has_contacts && !shapes_.empty() && scene_.settings.stepper == model::Stepper::ccp;
    if (with_pairs == s.pair_start.empty()) misfit("one has bodies of other shapes than spheres, one has not");
    try {
        engine_->restore(s);
    } catch (const std::exception& error) {
        fail(error);
    }
    step_ = s.step;
    balance_.inserted = balance[0];
    balance_.removed = balance[1];
    balance_.lost = balance[2];
    balance_.removed_by_outlet.assign(balance.begin() + 3, balance.end());
    free_mass_ = masses[0];
    free_count_ = 0;
    for (const std::int32_t id : s.id) free_count_ += facts_[std::size_t(id - 1)].fixed ? 0 : 1;
    balance_.removed_mass.assign(masses.begin() + 1, masses.end());
}

}  // namespace scree::simulation
