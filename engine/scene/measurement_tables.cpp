// SPDX-License-Identifier: BSD-3-Clause
// Sections outlets, periodic and probes.
#include "engine/scene/nearest.hpp"
#include "engine/scene/tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace scree::scene {

using namespace model;

namespace {

const Table<Outlet>& outlet_plane_table() {
    static const auto table = [] {
        Table<Outlet> t("plane", "Takes bodies whose centre is past a plane.");
        t.vector(
            &Outlet::point,
            {.name = "point", .meaning = "A point of the plane.", .dimension = Dimension::length, .required = true});
        t.direction(&Outlet::normal, {.name = "normal", .meaning = "Points to the side where bodies are removed."});
        return t;
    }();
    return table;
}

const Table<Outlet>& outlet_box_table() {
    static const auto table = [] {
        Table<Outlet> t(
            "box", "Takes bodies whose centre is outside a box, or inside it. It stands still, whatever walls do.");
        t.vector(&Outlet::lower,
                 {.name = "lower", .meaning = "Lower corner.", .dimension = Dimension::length, .required = true});
        t.vector(&Outlet::upper,
                 {.name = "upper", .meaning = "Upper corner.", .dimension = Dimension::length, .required = true});
        t.choice(&Outlet::takes_inside, std::vector<std::pair<std::string, bool>>{{"outside", false}, {"inside", true}},
                 {.name = "takes",
                  .meaning = "outside: a box around the scene, what leaves it is gone; inside: a drain, what gets into "
                             "it is gone. Too thin for a drain: what crosses it within a step is not seen.",
                  .omit_default = true});
        t.check = [](const Reader& in, Outlet& box) {
            if (!(box.lower.x < box.upper.x && box.lower.y < box.upper.y && box.lower.z < box.upper.z))
                in.fail(": each component of 'upper' must be greater than that of 'lower'");
        };
        return t;
    }();
    return table;
}

const Table<ProbeBox>& probe_box_table() {
    static const auto table = [] {
        constexpr Range open{.infinite = true};
        Table<ProbeBox> t("box", "A box along the world axes, at rest; entries may be .inf or -.inf.");
        t.vector(&ProbeBox::lower,
                 {.name = "lower", .meaning = "Lower corner.", .dimension = Dimension::length, .range = open});
        t.vector(&ProbeBox::upper,
                 {.name = "upper", .meaning = "Upper corner.", .dimension = Dimension::length, .range = open});
        t.check = [](const Reader& in, ProbeBox& box) {
            if (!(box.lower.x < box.upper.x && box.lower.y < box.upper.y && box.lower.z < box.upper.z))
                in.fail(": each component of 'upper' must be greater than that of 'lower'");
        };
        return t;
    }();
    return table;
}

using Kind = Probe::Kind;

/// Rows of a table that are still handled with ease.
constexpr double most_cells = 1e6;

void read_cells(const Reader& in, Probe& probe) {
    const auto parts = in.items(3);
    double all = 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
        probe.cells[k] = std::size_t(parts[k].count({.low = 1.0, .high = most_cells}));
        all *= double(probe.cells[k]);
    }
    if (all > most_cells) in.fail("= " + print_inline(in.node()) + " are more than 1e6 cells");
}

/// Its name is that of a file.
void check_field(const Reader& in, const Probe& probe) {
    constexpr auto allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    if (probe.name.find_first_not_of(allowed) == std::string::npos && probe.name.size() <= 100) return;
    in.find("name")->fail("= " + in_quotes(probe.name) + " cannot be part of a file's name, as that of a field must",
                          "up to 100 letters, digits, '_', '-' and '.'");
}

/// Keys that a kind of probe would ignore are errors; the target is checked with the whole scene (check.cpp).
void check_probe(const Reader& in, Probe& probe) {
    const auto only = [&](const char* key, std::initializer_list<Kind> kinds, const std::string& where) {
        if (const auto value = in.find(key); value && std::find(kinds.begin(), kinds.end(), probe.kind) == kinds.end())
            value->fail("has no meaning for this kind of probe", "it belongs to: " + where);
    };
    only("box", {Kind::count, Kind::packing, Kind::heights, Kind::stress, Kind::field, Kind::mixing, Kind::repose},
         "count, packing, heights, stress, field, mixing, repose");
    only("material", {Kind::count, Kind::mixing}, "count, mixing");
    only("target", {Kind::count, Kind::body, Kind::force, Kind::flow, Kind::mixing},
         "count, body, force, flow, mixing");
    only("contact_gap", {Kind::packing}, "packing");
    only("cells", {Kind::field, Kind::mixing}, "field, mixing");
    only("surface", {Kind::repose}, "repose");
    only("average", {Kind::force}, "force");
    if (needs_finite_box(probe.kind)) {
        const Vec3 size = probe.box.upper - probe.box.lower;
        if (!std::isfinite(size.x) || !std::isfinite(size.y) || !std::isfinite(size.z))
            in.fail(": a probe of kind '" + in.find("kind")->text() + "' needs a finite box",
                    "give box: {lower: [...], upper: [...]}");
        const double cells = double(probe.cells[0]) * double(probe.cells[1]) * double(probe.cells[2]);
        const double volume = size.x * size.y * size.z / cells;
        if (!(volume > std::numeric_limits<double>::min()) || !std::isfinite(volume))
            in.fail(": the volume of the box" + std::string(cells > 1.0 ? ", or of a cell of it," : "") +
                    " is beyond the range of double precision");
    }
    if (probe.kind == Kind::field) check_field(in, probe);
    if (probe.kind == Kind::mixing && probe.material.has_value() == !probe.target.empty())
        in.fail(probe.material ? ": has both 'material' and 'target'" : "lacks 'material' or 'target'",
                "give the material or the source whose bodies are to be told from the others");
    if (probe.kind == Kind::mixing && probe.cells == std::array<std::size_t, 3>{1, 1, 1})
        in.fail(in.find("cells") ? "has one cell, in which all is mixed" : "lacks the required key 'cells'",
                "cells: [NX, NY, NZ], of some ten bodies each");
    const bool needs_target = probe.kind == Kind::body || probe.kind == Kind::force || probe.kind == Kind::flow;
    if (needs_target && probe.target.empty())
        in.fail("lacks the required key 'target'",
                "the name of a body (body), boundary or body (force) or outlet (flow)");
}

}  // namespace

const Table<Outlet>& outlet_table() {
    static const auto table = [] {
        const auto self = [](auto& outlet) -> auto& { return outlet; };
        Table<Outlet> t("outlet",
                        "Where bodies leave the scene: they are removed and counted, fixed and driven ones too.");
        t.text(&Outlet::name, {.name = "name", .meaning = "Name, for probes and messages.", .required = true});
        t.kind(self, Outlet::Kind::plane, outlet_plane_table(),
               {.name = "plane", .meaning = outlet_plane_table().about.meaning, .group = "shape"});
        t.kind(self, Outlet::Kind::box, outlet_box_table(),
               {.name = "box", .meaning = outlet_box_table().about.meaning, .group = "shape"});
        return t;
    }();
    return table;
}

const Table<PeriodicAxes>& periodic_table() {
    static const auto table = [] {
        Table<PeriodicAxes> t(
            "periodic",
            "Pairs of periodic faces: a body that leaves at one enters at the other. Walls have no images: "
            "one that moves past a face is missing at the other.");
        for (std::size_t axis = 0; axis < 3; ++axis) {
            t.interval(
                [axis](auto& axes) -> auto& { return axes[axis].lower; },
                [axis](auto& axes) -> auto& { return axes[axis].upper; },
                {.name = std::string(1, "xyz"[axis]),
                 .meaning = "[lower, upper] face along this axis.",
                 .dimension = Dimension::length,
                 .fallback = "not periodic"});
            auto& binding = t.bindings.back();
            binding.read = [axis, full = binding.read](const Reader& in, PeriodicAxes& axes) {
                full(in, axes);
                axes[axis].active = true;
            };
            binding.write = [axis, full = binding.write](const PeriodicAxes& axes, Names names) {
                return axes[axis].active ? full(axes, names) : std::nullopt;
            };
        }
        return t;
    }();
    return table;
}

const Table<Probe>& probe_table() {
    static const auto table = [] {
        Table<Probe> t("probe", "Measurements, written with series.csv and the summary.");
        t.text(&Probe::name, {.name = "name", .meaning = "Name of its columns.", .required = true});
        t.choice(
            &Probe::kind,
            std::vector<std::pair<std::string, Kind>>{{"count", Kind::count},
                                                      {"packing", Kind::packing},
                                                      {"heights", Kind::heights},
                                                      {"body", Kind::body},
                                                      {"force", Kind::force},
                                                      {"flow", Kind::flow},
                                                      {"energy", Kind::energy},
                                                      {"stress", Kind::stress},
                                                      {"field", Kind::field},
                                                      {"mixing", Kind::mixing},
                                                      {"repose", Kind::repose}},
            {.name = "kind",
             .meaning =
                 "count: bodies with centre in the box. packing: solid fraction of the box and coordination "
                 "numbers. heights: mean, 99th percentile and maximum of the centres along -gravity. body: "
                 "position and velocity of one body. force: force and torque of contacts on one boundary or "
                 "body. flow: bodies "
                 "and mass removed by one outlet. energy: kinetic and potential energy. stress: mean stress in the "
                 "box. field: density, velocity, temperature and stress in each of the box's cells, in a table "
                 "field_NAME.csv. mixing: Lacey's index of the bodies of a material or source among all (0 apart, 1 "
                 "mixed at random), "
                 "by the box's cells, of some ten bodies each. repose: angle of the free surface.",
             .required = true});
        t.object(&Probe::box, probe_box_table(),
                 {.name = "box",
                  .meaning = "count, packing, heights, stress, field, mixing, repose: the region; open where not "
                             "given, which packing, stress, field and mixing do not take.",
                  .fallback = "everywhere"});
        t.add(
            {.name = "material",
             .meaning = "count: only bodies of this material; mixing: the bodies that are mixed with all others.",
             .fallback = "all",
             .type = ValueType::text},
            [](const Reader& in, Probe& probe) { probe.material = in.material(); },
            [](const Probe& probe, Names names) -> std::optional<Node> {
                return probe.material ? std::optional(text_node(name_of(names, *probe.material))) : std::nullopt;
            });
        t.text(&Probe::target,
               {.name = "target",
                .meaning = "body: name of a body; force: of a boundary or body; flow: of an outlet; count, "
                           "mixing: of a source, in place of a material.",
                .fallback = "needed by body, force, flow"});
        t.quantity(&Probe::contact_gap, {.name = "contact_gap",
                                         .meaning = "packing: a contact has a gap below this times the diameter. Too "
                                                    "high: neighbours count as contacts.",
                                         .range = not_negative});
        t.add({.name = "cells",
               .meaning = "field, mixing: number of cells along x, y and z, at most 1e6 in all. Too many: few "
                          "bodies in each. Mixing needs more than one.",
               .range = {.low = 1.0, .high = most_cells},
               .fallback = "`[1, 1, 1]`",
               .type = ValueType::quantities,
               .length = 3},
              read_cells, [](const Probe& probe, Names) -> std::optional<Node> {
                  if (probe.kind != Kind::field && probe.kind != Kind::mixing) return std::nullopt;
                  std::vector<Node> counts;
                  for (const std::size_t n : probe.cells) counts.push_back(scalar_node(std::to_string(n)));
                  return sequence_node(std::move(counts));
              });
        t.flag(
            &Probe::average,
            {.name = "average",
             .meaning = "force on a boundary: true: the mean over all steps since the last row; false: over the last "
                        "step.",
             .omit_default = true});
        t.choice(
            &Probe::surface,
            std::vector<std::pair<std::string, Probe::Surface>>{{"cone", Probe::Surface::cone},
                                                                {"plane", Probe::Surface::plane}},
            {.name = "surface",
             .meaning = "repose: cone: a heap about the bodies' common centre of mass; plane: an even slope, as in "
                        "a drum."});
        auto& surface = t.bindings.back();
        surface.write = [full = surface.write](const Probe& probe, Names names) {
            return probe.kind == Kind::repose ? full(probe, names) : std::nullopt;
        };
        // Written only where it is read.
        auto& gap = t.bindings[5];
        gap.write = [full = gap.write](const Probe& probe, Names names) {
            return probe.kind == Kind::packing ? full(probe, names) : std::nullopt;
        };
        auto& box = t.bindings[2];
        box.write = [full = box.write](const Probe& probe, Names names) {
            constexpr std::array with_box{Kind::count, Kind::packing, Kind::heights, Kind::stress,
                                          Kind::field, Kind::mixing,  Kind::repose};
            return std::find(with_box.begin(), with_box.end(), probe.kind) != with_box.end() ? full(probe, names)
                                                                                             : std::nullopt;
        };
        t.check = check_probe;
        return t;
    }();
    return table;
}

}  // namespace scree::scene
