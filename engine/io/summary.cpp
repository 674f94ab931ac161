// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/summary.hpp"

#include "engine/io/atomic_file.hpp"

namespace scree::io {
namespace {

using Json = nlohmann::ordered_json;

std::string sixteen_digits(std::uint64_t value) {
    std::string digits(16, '0');
    for (std::size_t i = 0; i < 16; ++i) digits[15 - i] = "0123456789abcdef"[(value >> (4 * i)) & 15U];
    return digits;
}

Json to_json(const RunSummary::Bodies& b) {
    return {{"inserted", b.inserted},   {"removed", b.removed},   {"lost", b.lost},
            {"final", b.final},         {"sleeping", b.sleeping}, {"sleeping_max", b.sleeping_max},
            {"held_back", b.held_back}, {"outside", b.outside}};
}

Json to_json(const std::vector<RunSummary::Feed>& feeds) {
    Json list = Json::array();
    for (const RunSummary::Feed& f : feeds)
        list.push_back({{"name", f.name},
                        {"due", f.due},
                        {"joined", f.joined},
                        {"mass", f.mass},
                        {"radius_min", f.radius_min},
                        {"radius_mean", f.radius_mean},
                        {"radius_max", f.radius_max}});
    return list;
}

Json to_json(const RunSummary::Contacts& c) { return {{"final", c.final}, {"mean", c.mean}, {"max", c.max}}; }

Json to_json(const RunSummary::Solver& s) {
    return {{"name", s.name},
            {"friction", s.friction},
            {"iterations_mean", s.iterations_mean},
            {"residual_rms_max", s.residual_rms_max},
            {"residual_rms_final", s.residual_rms_final},
            {"converged_fraction", s.converged_fraction},
            {"contact_iterations_per_second", s.contact_iterations_per_second},
            {"fallback_tried", s.fallback_tried},
            {"fallback_used", s.fallback_used},
            {"relaxed", s.relaxed},
            {"handed_over", s.handed_over},
            {"limited_clusters", s.limited_clusters},
            {"joints_linearised", s.joints_linearised},
            {"joint_gap_max", s.joint_gap_max}};
}

/// The two sides of a contact: a body, and another (without a boundary's name) or a boundary.
void tell_sides(Json& json, std::uint64_t body, std::uint64_t other_body, const std::string& boundary) {
    const bool with_body = boundary.empty();
    json["body"] = body;
    json["other_body"] = with_body ? Json(other_body) : Json(nullptr);
    json["boundary"] = with_body ? Json(nullptr) : Json(boundary);
}

Json to_json(const RunSummary::Penetration& p) {
    Json deepest;
    if (p.deepest.step > 0) {
        deepest = {{"step", p.deepest.step}, {"time", p.deepest.time}};
        tell_sides(deepest, p.deepest.body, p.deepest.other_body, p.deepest.boundary);
    }
    return {
        {"max", p.max}, {"max_relative", p.max_relative}, {"final_relative", p.final_relative}, {"deepest", deepest}};
}

Json to_json(const RunSummary::Energy& e) {
    Json work = Json::object();
    for (const auto& [name, joules] : e.work) work[name] = joules;
    return {{"kinetic_final", e.kinetic_final},
            {"kinetic_max", e.kinetic_max},
            {"balance_relative", e.balance_relative},
            {"work", work}};
}

Json to_json(const RunSummary::Confidence& c) {
    Json confidence = Json::object();
    for (const auto& [name, h] : c.histories)
        confidence[name] = {
            {"last", h.last}, {"worst", h.worst}, {"worst_step", h.worst_step}, {"median", h.median}, {"p99", h.p99}};
    const RunSummary::Confidence::Contact& worst = c.worst_contact;
    if (worst.step == 0) {
        confidence["worst_contact"] = nullptr;
        return confidence;
    }
    Json contact = {{"step", worst.step}};
    tell_sides(contact, worst.body, worst.other_body, worst.boundary);
    contact["residual"] = worst.residual;
    contact["residual_relative"] = worst.residual_relative;
    confidence["worst_contact"] = contact;
    return confidence;
}

}  // namespace

Json to_json(const RunSummary& s) {
    Json phases = Json::object();
    for (const auto& [name, seconds] : s.phases) phases[name] = seconds;
    return {{"version", s.version},
            {"commit", s.commit},
            {"build", s.build},
            {"scene", s.scene},
            {"backend", s.backend},
            {"device", s.device},
            {"threads", s.threads},
            {"precision", s.precision},
            {"status", s.status},
            {"reason", s.reason},
            {"steps", s.steps},
            {"time", s.time},
            {"wall_seconds", s.wall_seconds},
            {"cpu_seconds", s.cpu_seconds},
            {"real_time_factor", s.real_time_factor},
            {"bodies", to_json(s.bodies)},
            {"feeds", to_json(s.feeds)},
            {"contacts", to_json(s.contacts)},
            {"solver", to_json(s.solver)},
            {"penetration", to_json(s.penetration)},
            {"energy", to_json(s.energy)},
            {"confidence", to_json(s.confidence)},
            {"memory", {{"peak_bytes", s.memory.peak_bytes}, {"bytes_per_body", s.memory.bytes_per_body}}},
            {"phases", phases},
            {"state_hash", sixteen_digits(s.state_hash)},
            {"probes", s.probes},
            {"settings", s.settings},
            {"provenance", s.provenance},
            {"warnings", s.warnings}};
}

void write_summary(const std::filesystem::path& path, const Json& summary) {
    write_atomically(path, summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void write_summary(const std::filesystem::path& path, const RunSummary& summary) {
    write_summary(path, to_json(summary));
}

}  // namespace scree::io
