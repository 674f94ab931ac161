// SPDX-License-Identifier: BSD-3-Clause
// Section boundaries: planes, boxes, cylinders and cones. Meshes and motions have files of their own.
#include "engine/geometry/belts.hpp"
#include "engine/scene/mesh_table.hpp"
#include "engine/scene/nearest.hpp"
#include "engine/scene/tables.hpp"

namespace scree::scene {

using namespace model;

namespace {

const std::vector<std::string>& face_words() {
    static const std::vector<std::string> words{"-x", "+x", "-y", "+y", "-z", "+z"};
    return words;
}

const Table<PlaneShape>& plane_table() {
    static const auto table = [] {
        Table<PlaneShape> t("plane", "An infinite plane; the half-space behind it is solid.");
        t.vector(&PlaneShape::point,
                 {.name = "point", .meaning = "A point of the plane.", .dimension = Dimension::length});
        t.direction(&PlaneShape::normal,
                    {.name = "normal", .meaning = "Points into the free side; any length but zero."});
        return t;
    }();
    return table;
}

/// Both forms of a box, before they become centre and half extents.
struct BoxInput {
    BoxShape shape;
    Vec3 lower, upper;
};

void finish_box(const Reader& in, BoxInput& box) {
    const auto given = [&](const char* key) { return in.node().find(key) != nullptr; };
    const bool by_center = given("center") || given("half_extents"), by_corners = given("lower") || given("upper");
    if (by_center == by_corners || given("center") != given("half_extents") || given("lower") != given("upper"))
        in.fail("needs either 'center' and 'half_extents' or 'lower' and 'upper'");
    if (by_corners) {
        box.shape.center = 0.5 * (box.lower + box.upper);
        box.shape.half_extents = 0.5 * (box.upper - box.lower);
        const Vec3 half = box.shape.half_extents;
        if (!(half.x > 0.0 && half.y > 0.0 && half.z > 0.0))
            in.fail(": each component of 'upper' must be greater than that of 'lower'");
    }
    if (!box.shape.container && box.shape.open != std::array<bool, 6>{})
        in.fail(": a solid box has no open faces", "write 'container: true' or remove 'open'");
}

const Table<BoxInput>& box_table() {
    static const auto table = [] {
        const auto shape = [](auto& box) -> auto& { return box.shape; };
        const auto never = [](const BoxInput&, Names) -> std::optional<Node> { return std::nullopt; };
        Table<BoxInput> t("box", "A box, given by center and half_extents or by lower and upper.");
        t.vector([shape](auto& b) -> auto& { return shape(b).center; },
                 {.name = "center",
                  .meaning = "Centre.",
                  .dimension = Dimension::length,
                  .fallback = "from lower, upper"});
        t.vector([shape](auto& b) -> auto& { return shape(b).half_extents; },
                 {.name = "half_extents",
                  .meaning = "Half the edge lengths, along the axes of the box.",
                  .dimension = Dimension::length,
                  .range = positive,
                  .fallback = "from lower, upper"});
        t.vector(&BoxInput::lower, {.name = "lower",
                                    .meaning = "Lower corner (before `orientation` turns the box about its centre).",
                                    .dimension = Dimension::length,
                                    .fallback = "from center, half_extents"});
        t.bindings.back().write = never;
        t.vector(&BoxInput::upper, {.name = "upper",
                                    .meaning = "Upper corner.",
                                    .dimension = Dimension::length,
                                    .fallback = "from center, half_extents"});
        t.bindings.back().write = never;
        t.add(
            {.name = "orientation",
             .meaning = "Turns the box about its centre: [w, x, y, z] or {axis, angle}.",
             .type = ValueType::orientation},
            [](const Reader& in, BoxInput& box) { box.shape.orientation = in.orientation(); },
            [](const BoxInput& box, Names) -> std::optional<Node> { return quaternion_node(box.shape.orientation); });
        t.flag([shape](auto& b) -> auto& { return shape(b).container; },
               {.name = "container", .meaning = "true: bodies stay inside, and each face is a wall. false: solid."});
        t.add(
            {.name = "open",
             .meaning = "Faces left out of a container, in axes of the box.",
             .type = ValueType::texts,
             .words = face_words()},
            [](const Reader& in, BoxInput& box) {
                for (const auto& face : in.items()) box.shape.open[face.choice(face_words())] = true;
            },
            [](const BoxInput& box, Names) -> std::optional<Node> {
                Node out = sequence_node();
                for (std::size_t i = 0; i < face_words().size(); ++i) {
                    if (box.shape.open[i]) out.items.push_back(text_node(face_words()[i]));
                }
                return out;
            });
        t.check = finish_box;
        return t;
    }();
    return table;
}

using Revolution = RevolutionShape;

/// Keys that cylinders and cones share; `add_radii` adds theirs in between.
template <class AddRadii>
Table<Revolution> revolution_table(std::string noun, std::string meaning, AddRadii add_radii) {
    Table<Revolution> t(std::move(noun), std::move(meaning));
    t.vector(
        &Revolution::start,
        {.name = "start", .meaning = "Centre of the first circle.", .dimension = Dimension::length, .required = true});
    t.direction(&Revolution::axis,
                {.name = "axis", .meaning = "Direction from the first to the second circle; any length but zero."});
    t.quantity(&Revolution::length, {.name = "length",
                                     .meaning = "Distance of the two circles.",
                                     .dimension = Dimension::length,
                                     .range = positive,
                                     .required = true});
    add_radii(t);
    t.choice(&Revolution::side,
             std::vector<std::pair<std::string, Side>>{{"inside", Side::inside}, {"outside", Side::outside}},
             {.name = "side", .meaning = "The free side, where bodies are."});
    t.add(
        {.name = "caps",
         .meaning = "Circles that are closed with a disc.",
         .type = ValueType::choice,
         .words = {"none", "start", "end", "both"}},
        [](const Reader& in, Revolution& shape) {
            const std::vector<std::string> words{"none", "start", "end", "both"};
            const auto chosen = in.choice(words);
            shape.cap_start = chosen == 1 || chosen == 3;
            shape.cap_end = chosen == 2 || chosen == 3;
        },
        [](const Revolution& shape, Names) -> std::optional<Node> {
            if (shape.cap_start && shape.cap_end) return scalar_node("both");
            return scalar_node(shape.cap_start ? "start" : shape.cap_end ? "end" : "none");
        });
    return t;
}

KeyInfo radius_key(std::string name, std::string meaning, Range range) {
    return {.name = std::move(name),
            .meaning = std::move(meaning),
            .dimension = Dimension::length,
            .range = range,
            .required = true};
}

const Table<Revolution>& cylinder_table() {
    static const auto table = [] {
        auto t = revolution_table(
            "cylinder", "A finite circular cylinder: a thin wall that faces one side.", [](Table<Revolution>& radii) {
                radii.quantity(&Revolution::radius_start, radius_key("radius", "Radius.", positive));
            });
        t.check = [](const Reader&, Revolution& shape) { shape.radius_end = shape.radius_start; };
        return t;
    }();
    return table;
}

const Table<Revolution>& cone_table() {
    static const auto table = [] {
        auto t = revolution_table(
            "cone", "A finite cone or funnel: a thin wall that faces one side.", [](Table<Revolution>& radii) {
                radii.quantity(&Revolution::radius_start,
                               radius_key("radius_start", "Radius of the first circle.", not_negative));
                radii.quantity(&Revolution::radius_end,
                               radius_key("radius_end", "Radius of the second circle.", not_negative));
            });
        t.check = [](const Reader& in, Revolution& shape) {
            if (shape.radius_start == 0.0 && shape.radius_end == 0.0) in.fail(": both radii are 0");
        };
        return t;
    }();
    return table;
}

void add_revolution(Table<Boundary>& t, const Table<Revolution>& table, bool is_cylinder) {
    t.add(
        {.name = table.about.noun,
         .meaning = table.about.meaning,
         .group = "shape",
         .type = ValueType::object,
         .object = &table.about},
        [&table](const Reader& in, Boundary& boundary) {
            Revolution shape;
            read_object(in, table, shape);
            boundary.shape = shape;
        },
        [&table, is_cylinder](const Boundary& boundary, Names names) -> std::optional<Node> {
            const auto* shape = std::get_if<Revolution>(&boundary.shape);
            if (shape == nullptr || (shape->radius_start == shape->radius_end) != is_cylinder) return std::nullopt;
            return write_object(table, *shape, names);
        });
}

void add_box(Table<Boundary>& t) {
    t.add(
        {.name = "box",
         .meaning = box_table().about.meaning,
         .group = "shape",
         .type = ValueType::object,
         .object = &box_table().about},
        [](const Reader& in, Boundary& boundary) {
            BoxInput box;
            read_object(in, box_table(), box);
            boundary.shape = box.shape;
        },
        [](const Boundary& boundary, Names names) -> std::optional<Node> {
            const auto* shape = std::get_if<BoxShape>(&boundary.shape);
            if (shape == nullptr) return std::nullopt;
            return write_object(box_table(), BoxInput{*shape, {}, {}}, names);
        });
}

}  // namespace

const Table<Boundary>& boundary_table() {
    static const auto table = [] {
        Table<Boundary> t("boundary", "Walls of infinite mass; force and torque on each are recorded.");
        t.text(&Boundary::name,
               {.name = "name", .meaning = "Name, for probes, messages and overrides.", .required = true});
        t.material(&Boundary::material, {.name = "material", .meaning = "A name from `materials`."});
        t.alternative<PlaneShape>(&Boundary::shape, plane_table(),
                                  {.name = "plane", .meaning = plane_table().about.meaning, .group = "shape"});
        add_box(t);
        add_revolution(t, cylinder_table(), true);
        add_revolution(t, cone_table(), false);
        add_mesh(t);
        add_height_field(t);
        add_motions(t);
        t.vector(&Boundary::torque_point,
                 {.name = "torque_point",
                  .meaning = "Point about which the torque is reported; moves with the boundary.",
                  .dimension = Dimension::length});
        t.quantity(&Boundary::remove_at, {.name = "remove_at",
                                          .meaning = "The boundary ceases to exist at this time: a gate.",
                                          .dimension = Dimension::time,
                                          .range = {.low = 0.0, .infinite = true},
                                          .fallback = ".inf (never)"});
        t.check = [](const Reader& in, Boundary& boundary) {
            if (!geometry::belts_run_along(boundary))
                in.find("motion")->fail("holds a belt whose velocity points out of the surface",
                                        "a belt is a plane, a flat mesh, or a cylinder along its axis without caps");
        };
        return t;
    }();
    return table;
}

}  // namespace scree::scene
