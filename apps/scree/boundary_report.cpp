// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/boundary_report.hpp"

#include "apps/scree/say.hpp"
#include "engine/geometry/boundary_extent.hpp"
#include "engine/simulation/boundary_speed.hpp"

#include <cmath>
#include <string>
#include <variant>
#include <vector>

namespace scree::app {
namespace {

using Json = nlohmann::ordered_json;

struct Kind {
    const char* operator()(const model::PlaneShape&) const { return "plane"; }
    const char* operator()(const model::BoxShape&) const { return "box"; }
    const char* operator()(const model::RevolutionShape& s) const {
        return s.radius_start == s.radius_end ? "cylinder" : "cone";
    }
    const char* operator()(const model::MeshShape&) const { return "mesh"; }
};

const char* kind_of(const model::Motion& motion) {
    switch (motion.kind) {
        case model::Motion::Kind::translation:
            return "translation";
        case model::Motion::Kind::rotation:
            return "rotation";
        case model::Motion::Kind::oscillation:
            return "oscillation";
        case model::Motion::Kind::path:
            return "path";
        case model::Motion::Kind::turning:
            return "turning";
        case model::Motion::Kind::belt:
            return "belt";
        case model::Motion::Kind::servo:
            return "servo";
    }
    return "";
}

std::vector<std::string> kinds_of(const std::vector<model::Motion>& motions) {
    std::vector<std::string> kinds;
    kinds.reserve(motions.size());
    for (const model::Motion& motion : motions) kinds.emplace_back(kind_of(motion));
    return kinds;
}

/// "an infinite plane through (0, 0, 0)" or "x -1 .. 1, y 0 .. 2, z 0 .. 5 m".
std::string extent_text(const model::Boundary& boundary) {
    if (const auto* plane = std::get_if<model::PlaneShape>(&boundary.shape))
        return fmt::format("infinite, through ({:.4g}, {:.4g}, {:.4g}) m, normal ({:.3g}, {:.3g}, {:.3g})",
                           plane->point.x, plane->point.y, plane->point.z, plane->normal.x, plane->normal.y,
                           plane->normal.z);
    const geometry::Extent box = geometry::boundary_extent(boundary.shape);
    return fmt::format("x {:.4g} .. {:.4g}, y {:.4g} .. {:.4g}, z {:.4g} .. {:.4g} m", box.lower.x, box.upper.x,
                       box.lower.y, box.upper.y, box.lower.z, box.upper.z);
}

double largest_speed(const simulation::Simulation& simulation, const model::Boundary& boundary) {
    return simulation::boundary_speed(boundary, simulation.scene().settings.time.end, simulation.extent_at_start())
        .largest;
}

}  // namespace

void print_boundaries(const simulation::Simulation& simulation) {
    constexpr std::size_t most = 20;
    const auto& boundaries = simulation.scene().boundaries;
    if (boundaries.empty()) return;
    say("boundaries\n");
    for (std::size_t b = 0; b < boundaries.size(); ++b) {
        if (b == most) {
            say("  ... and {} more\n", boundaries.size() - most);
            return;
        }
        const model::Boundary& boundary = boundaries[b];
        std::string line =
            fmt::format("  {:<12} {}, {}", boundary.name, std::visit(Kind{}, boundary.shape), extent_text(boundary));
        if (const auto* mesh = std::get_if<model::MeshShape>(&boundary.shape)) {
            const std::size_t open = geometry::open_edges(*mesh);
            line += fmt::format("; {} triangle{}, {} open edge{}", mesh->triangles.size(),
                                mesh->triangles.size() == 1 ? "" : "s", open, open == 1 ? "" : "s");
        }
        if (!boundary.motions.empty()) {
            std::string kinds;
            for (const std::string& kind : kinds_of(boundary.motions)) kinds += (kinds.empty() ? "" : " + ") + kind;
            line += fmt::format("; {}, at most {:.3g} m/s", kinds, largest_speed(simulation, boundary));
        }
        if (std::isfinite(boundary.remove_at)) line += fmt::format("; removed at {:g} s", boundary.remove_at);
        say("{}\n", line);
    }
}

Json boundaries_json(const simulation::Simulation& simulation) {
    Json list = Json::array();
    for (const model::Boundary& boundary : simulation.scene().boundaries) {
        Json item{{"name", boundary.name}, {"kind", std::visit(Kind{}, boundary.shape)}};
        const geometry::Extent box = geometry::boundary_extent(boundary.shape);
        item["lower"] = box.empty ? Json(nullptr) : Json{box.lower.x, box.lower.y, box.lower.z};
        item["upper"] = box.empty ? Json(nullptr) : Json{box.upper.x, box.upper.y, box.upper.z};
        if (const auto* mesh = std::get_if<model::MeshShape>(&boundary.shape)) {
            item["triangles"] = mesh->triangles.size();
            item["open_edges"] = geometry::open_edges(*mesh);
        }
        item["motion"] = kinds_of(boundary.motions);
        item["largest_speed"] = largest_speed(simulation, boundary);
        if (std::isfinite(boundary.remove_at)) item["remove_at"] = boundary.remove_at;
        list.push_back(std::move(item));
    }
    return list;
}

}  // namespace scree::app
