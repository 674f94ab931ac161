// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/analysis_report.hpp"

#include <string>
#include <vector>

namespace scree::app {
namespace {

using Json = nlohmann::ordered_json;
using namespace reference;

template <class Vector>
Json list_of(const Vector& v) {
    Json list = Json::array();
    for (Eigen::Index i = 0; i < v.size(); ++i) list.push_back(v[i]);
    return list;
}

const std::string& body_name(const World& world, Eigen::Index index) { return world.bodies[std::size_t(index)].name; }

Json contact_json(const World& world, const ContactReport& report) {
    const Contact& c = report.contact;
    const Eigen::Vector3d slip = world_tangents(world, c) * report.slip;
    return {{"bodies", {body_name(world, c.body_a), body_name(world, c.body_b)}},
            {"state", name_of(report.state)},
            {"point", list_of(c.point)},
            {"normal", list_of(c.direction)},
            {"gap", c.gap},
            {"normal_speed", report.normal_speed},
            {"slip", list_of(slip)},
            {"friction", report.friction}};
}

Json solution_json(const World& world, const Analysis& analysis, const AccelerationSolution& s) {
    Json contacts = Json::array(), bodies = Json::array();
    for (std::size_t k = 0; k < analysis.active.size(); ++k) {
        const auto i = Eigen::Index(k);
        const Contact& c = analysis.contacts[analysis.active[k]].contact;
        const Eigen::Matrix3Xd tangents = world_tangents(world, c);
        const Eigen::Vector3d force = s.normal_force[i] * c.direction + tangents * s.tangent_force.col(i);
        const Eigen::Vector3d slip = tangents * s.tangent_acceleration.col(i);
        contacts.push_back({{"contact", analysis.active[k]},
                            {"transition", name_of(s.transitions[k])},
                            {"normal_force", s.normal_force[i]},
                            {"force", list_of(force)},
                            {"normal_acceleration", s.normal_acceleration[i]},
                            {"slip_acceleration", list_of(slip)}});
    }
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
        if (world.bodies[b].fixed) continue;
        const auto all = world_acceleration(world, b, s.acceleration);
        bodies.push_back({{"body", world.bodies[b].name},
                          {"acceleration", list_of(Eigen::Vector3d(all.head<3>()))},
                          {"angular_acceleration", list_of(Eigen::Vector3d(all.tail<3>()))}});
    }
    return {{"residual", s.residual},
            {"loose_forces", s.loose_forces},
            {"loose_motions", s.loose_motions},
            {"contacts", contacts},
            {"bodies", bodies}};
}

Json law_json(const World& world, const Analysis& analysis, const LawReport& law) {
    Json solutions = Json::array();
    for (const AccelerationSolution& s : law.solutions) solutions.push_back(solution_json(world, analysis, s));
    return {{"existence", name_of(law.existence)},
            {"searched", law.searched},
            {"boxes", law.boxes},
            {"refuted", law.refuted},
            {"undecided", law.undecided},
            {"weakest_refutation", law.weakest_refutation},
            {"solutions", solutions}};
}

}  // namespace

Json analysis_json(const World& world, const Analysis& analysis) {
    Json contacts = Json::array();
    for (const ContactReport& c : analysis.contacts) contacts.push_back(contact_json(world, c));
    Json json{{"contacts", contacts},
              {"impact", analysis.impact},
              {"fixture", name_of(analysis.fixture)},
              {"acceleration_scale", analysis.acceleration_scale},
              {"cone", law_json(world, analysis, analysis.cone)},
              {"pyramid", law_json(world, analysis, analysis.pyramid)},
              {"lemke", analysis.lemke},
              {"condition",
               {{"status", name_of(analysis.condition.status)},
                {"all_rolling", analysis.condition.all_rolling},
                {"sides", analysis.condition.sides},
                {"margin", analysis.condition.margin},
                {"witness", list_of(analysis.condition.witness)}}},
              {"notes", analysis.notes}};
    if (analysis.relaxed.solved)
        json["relaxed"] = {{"objective", analysis.relaxed.objective},
                           {"complete", analysis.relaxed.complete},
                           {"solution", solution_json(world, analysis, analysis.relaxed.solution)}};
    return json;
}

}  // namespace scree::app
