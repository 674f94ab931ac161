// SPDX-License-Identifier: BSD-3-Clause
// Section bodies: single spheres, spheres from files, lattices. Bodies of other shapes and random ones have files of
// their own.
#include "engine/scene/mesh_table.hpp"
#include "engine/scene/nearest.hpp"
#include "engine/scene/tables.hpp"

#include <algorithm>

namespace scree::scene {

using namespace model;

namespace {

const std::vector<std::string>& column_words() {
    static const std::vector<std::string> words{"id", "x",  "y",  "z",  "radius", "diameter", "vx",
                                                "vy", "vz", "wx", "wy", "wz",     "skip"};
    return words;
}

/// Bound to the whole source, because some of its keys are common ones.
const Table<Source>& sphere_table() {
    static const auto table = [] {
        const auto sphere = [](auto& source) -> auto& { return std::get<SphereSource>(source.what); };
        Table<Source> t("sphere", "One sphere.");
        t.vector([sphere](auto& s) -> auto& { return sphere(s).position; },
                 {.name = "position", .meaning = "Centre.", .dimension = Dimension::length, .required = true});
        t.quantity([sphere](auto& s) -> auto& { return sphere(s).radius; },
                   {.name = "radius",
                    .meaning = "Radius.",
                    .dimension = Dimension::length,
                    .range = positive,
                    .required = true});
        t.flag([sphere](auto& s) -> auto& { return sphere(s).fixed; },
               {.name = "fixed", .meaning = "Infinite mass: moves with `velocity` only."});
        add_inner_common_keys(t);
        return t;
    }();
    return table;
}

void read_columns(const Reader& in, FileSource& file) {
    for (const auto& item : in.items()) {
        const std::string& word = column_words()[item.choice(column_words())];
        if (word != "skip" && std::find(file.columns.begin(), file.columns.end(), word) != file.columns.end())
            item.fail("= " + in_quotes(word) + " is listed twice");
        file.columns.push_back(word);
    }
}

void check_columns(const Reader& in, const FileSource& file) {
    if (file.columns.empty()) return;
    const auto columns = *in.find("columns");
    const auto has = [&](std::string_view word) {
        return std::find(file.columns.begin(), file.columns.end(), word) != file.columns.end();
    };
    for (const auto* axis : {"x", "y", "z"}) {
        if (!has(axis)) columns.fail("lacks the column '" + std::string(axis) + "'", "x, y and z are needed");
    }
    if (has("radius") && has("diameter"))
        columns.fail("lists both radius and diameter", "keep one, make the other 'skip'");
    if (!has("radius") && !has("diameter") && file.radius == 0.0)
        columns.fail("has no radius and no diameter", "add such a column, or give `radius` for all");
}

const Table<FileSource>& file_table() {
    static const auto table = [] {
        Table<FileSource> t("file",
                            "Spheres, or copies of `shape`, from a text file: CSV or white space; a header names the "
                            "columns, else `columns` gives their order.");
        t.text(&FileSource::path, {.name = "path",
                                   .meaning = "The file, perhaps compressed (*.gz); relative to the scene file.",
                                   .required = true});
        t.add({.name = "columns",
               .meaning = "Order of the columns; without it the file's header names them.",
               .fallback = "from the header",
               .type = ValueType::texts,
               .words = column_words()},
              read_columns, [](const FileSource& file, Names) -> std::optional<Node> {
                  if (file.columns.empty()) return std::nullopt;
                  Node out = sequence_node();
                  for (const auto& column : file.columns) out.items.push_back(text_node(column));
                  return out;
              });
        t.quantity(&FileSource::radius, {.name = "radius",
                                         .meaning = "Radius of all bodies, for files without a column of radii.",
                                         .dimension = Dimension::length,
                                         .range = positive,
                                         .fallback = "from the file",
                                         .omit_default = true});
        t.quantity(
            &FileSource::scale,
            {.name = "scale", .meaning = "Multiplies all lengths: the file's unit in metres.", .range = positive});
        t.vector(
            &FileSource::translation,
            {.name = "translation", .meaning = "Added to positions after scaling.", .dimension = Dimension::length});
        t.interval(&FileSource::radius_min, &FileSource::radius_max,
                   {.name = "radius_between",
                    .meaning = "Only rows with a radius in this interval are taken: selects a species.",
                    .dimension = Dimension::length,
                    .range = {.low = 0.0, .infinite = true},
                    .fallback = "all rows",
                    .omit_default = true},
                   true);
        t.flag(&FileSource::fixed, {.name = "fixed", .meaning = "Infinite mass: they move with their velocity only."});
        t.count(&FileSource::max_rows, {.name = "max_rows",
                                        .meaning = "Read only this many rows of data (a footer may follow them).",
                                        .range = {.high = 1e10},
                                        .fallback = "0 (all)"});
        t.check = [](const Reader& in, FileSource& file) { check_columns(in, file); };
        return t;
    }();
    return table;
}

const Table<LatticeSource>& lattice_table() {
    static const auto table = [] {
        Table<LatticeSource> t("lattice", "Spheres, or copies of `shape`, on lattice points inside a box.");
        t.choice(
            &LatticeSource::kind,
            std::vector<std::pair<std::string, LatticeSource::Kind>>{
                {"sc", LatticeSource::Kind::sc}, {"fcc", LatticeSource::Kind::fcc}, {"hcp", LatticeSource::Kind::hcp}},
            {.name = "kind",
             .meaning = "Simple cubic (densest 0.524), face-centred cubic or hexagonal close packed (0.740)."});
        t.vector(&LatticeSource::lower, {.name = "lower",
                                         .meaning = "Lower corner of the box that holds the spheres entirely.",
                                         .dimension = Dimension::length,
                                         .required = true});
        t.vector(&LatticeSource::upper,
                 {.name = "upper", .meaning = "Upper corner.", .dimension = Dimension::length, .required = true});
        t.quantity(&LatticeSource::radius, {.name = "radius",
                                            .meaning = "Radius.",
                                            .dimension = Dimension::length,
                                            .range = positive,
                                            .required = true});
        t.quantity(&LatticeSource::spacing,
                   {.name = "spacing",
                    .meaning = "Distance of nearest neighbours. Less than 2 radius, with `shape` alone: "
                               "copies closer than the spheres around them, as bricks are.",
                    .dimension = Dimension::length,
                    .range = not_negative,
                    .fallback = "0 (2 radius)"});
        t.quantity(
            &LatticeSource::jitter,
            {.name = "jitter",
             .meaning = "Uniform random displacement per axis, at most this. More than half the free gap: overlap.",
             .dimension = Dimension::length,
             .range = not_negative});
        t.count(&LatticeSource::seed, {.name = "seed", .meaning = "Seed of the jitter."});
        t.count(&LatticeSource::count, {.name = "count",
                                        .meaning = "Stop after this many.",
                                        .range = {.high = 1e10},
                                        .fallback = "0 (fill the box)"});
        t.check = [](const Reader& in, LatticeSource& lattice) {
            const Vec3 size = lattice.upper - lattice.lower;
            const double least = std::min({size.x, size.y, size.z}), diameter = 2.0 * lattice.radius;
            if (!(least > 0.0)) in.fail(": each component of 'upper' must be greater than that of 'lower'");
            // A box that is exactly one diameter wide holds one layer, whatever rounding says.
            if (least < diameter * (1.0 - 1e-9))
                in.fail(": the box is " + number_text(least) + " m wide and holds no sphere of diameter " +
                        number_text(diameter) + " m");
        };
        return t;
    }();
    return table;
}

}  // namespace

void add_common_keys(Table<Source>& t) {
    t.text(&SourceCommon::name, {.name = "name", .meaning = "Name, for probes, messages and overrides."});
    t.vector(&SourceCommon::velocity,
             {.name = "velocity",
              .meaning = "Velocity of all bodies of the source at t = 0, of a feed's when they join.",
              .dimension = Dimension::speed});
    t.vector(&SourceCommon::angular_velocity, {.name = "angular_velocity",
                                               .meaning = "Angular velocity at the same time, world axes.",
                                               .dimension = Dimension::angular_speed});
}

void add_inner_common_keys(Table<Source>& t) {
    const std::size_t first = t.bindings.size();
    add_common_keys(t);
    for (std::size_t i = first; i < t.bindings.size(); ++i)
        t.bindings[i].write = [](const Source&, Names) -> std::optional<Node> { return std::nullopt; };
}

const Table<Source>& source_table() {
    static const auto table = [] {
        Table<Source> t("body source", "Where bodies come from; each entry is one source.");
        t.material(&SourceCommon::material, {.name = "material", .meaning = "A name from `materials`."});
        add_common_keys(t);
        t.add(
            {.name = "sphere",
             .meaning = sphere_table().about.meaning,
             .group = "kind of source",
             .type = ValueType::object,
             .object = &sphere_table().about},
            [](const Reader& in, Source& source) {
                source.what = SphereSource{};
                read_object(in, sphere_table(), source);
            },
            [](const Source& source, Names names) -> std::optional<Node> {
                if (!std::holds_alternative<SphereSource>(source.what)) return std::nullopt;
                return write_object(sphere_table(), source, names);
            });
        t.add(
            {.name = "body",
             .meaning = body_table().about.meaning,
             .group = "kind of source",
             .type = ValueType::object,
             .object = &body_table().about},
            [](const Reader& in, Source& source) {
                source.what = BodySource{};
                read_object(in, body_table(), source);
            },
            [](const Source& source, Names names) -> std::optional<Node> {
                if (!std::holds_alternative<BodySource>(source.what)) return std::nullopt;
                return write_object(body_table(), source, names);
            });
        t.alternative<FileSource>(&Source::what, file_table(),
                                  {.name = "file", .meaning = file_table().about.meaning, .group = "kind of source"});
        t.alternative<LatticeSource>(
            &Source::what, lattice_table(),
            {.name = "lattice", .meaning = lattice_table().about.meaning, .group = "kind of source"});
        t.alternative<RandomSource>(
            &Source::what, random_table(),
            {.name = "random", .meaning = random_table().about.meaning, .group = "kind of source"});
        t.alternative<FeedSource>(&Source::what, feed_table(),
                                  {.name = "feed", .meaning = feed_table().about.meaning, .group = "kind of source"});
        t.add(
            {.name = "shape",
             .meaning = shape_table().about.meaning,
             .fallback = "spheres",
             .type = ValueType::object,
             .object = &shape_table().about},
            [](const Reader& in, Source& source) {
                source.shape.emplace();
                read_object(in, shape_table(), source);
            },
            [](const Source& source, Names names) -> std::optional<Node> {
                if (!source.shape) return std::nullopt;
                return write_object(shape_table(), source, names);
            });
        t.choice(&SourceCommon::turned_at_random,
                 std::vector<std::pair<std::string, bool>>{{"aligned", false}, {"random", true}},
                 {.name = "orientations",
                  .meaning = "How copies of `shape` stand: as it is given, or each turned at random, uniformly.",
                  .omit_default = true});
        t.count(&SourceCommon::turning_seed,
                {.name = "orientation_seed", .meaning = "Seed of the random turns.", .omit_default = true});
        add_motions(t);
        t.check = [](const Reader& in, Source& source) {
            const bool single =
                std::holds_alternative<SphereSource>(source.what) || std::holds_alternative<BodySource>(source.what);
            for (const auto* key : {"shape", "orientations", "orientation_seed"})
                if (const auto given = in.find(key); given && (single || !source.shape))
                    given->fail(single ? "is for sources of many bodies" : "needs a 'shape'",
                                single ? "use 'body' with the shape" : "add shape: {box: ...}, or leave it out");
            for (const std::string inner : {"sphere", "body"}) {
                const auto body = in.find(inner);
                for (const auto* key : {"name", "velocity", "angular_velocity"}) {
                    if (body && body->node().find(key) != nullptr && in.node().find(key) != nullptr)
                        body->find(key)->fail("is given here and beside " + in_quotes(inner), "keep one of them");
                }
            }
            source.line = in.node().at.line;
            if (source.motions.empty()) return;
            const auto motion = in.find("motion");
            if (!single) motion->fail("is for single bodies", "use 'body' or 'sphere'");
            for (const Motion& one : source.motions) {
                if (one.kind == Motion::Kind::belt) motion->fail("holds a belt, which is for boundaries");
                if (one.kind == Motion::Kind::servo)
                    motion->fail("holds a servo, which is for boundaries",
                                 "a free body on a prismatic joint presses by its weight or its motor");
            }
            if (!(source.velocity == Vec3{}) || !(source.angular_velocity == Vec3{}))
                motion->fail("is given beside a velocity", "the motion says how the body moves");
            for (const char* inner : {"sphere", "body"})
                if (const auto body = in.find(inner))
                    if (const auto fixed = body->find("fixed"); fixed && !fixed->flag())
                        fixed->fail("= false beside a motion: such a body is fixed, nothing else moves it",
                                    "leave 'fixed' out, or the motion");
            if (auto* sphere = std::get_if<SphereSource>(&source.what)) sphere->fixed = true;
            if (auto* body = std::get_if<BodySource>(&source.what)) {
                if (!(body->force == Vec3{}) || !(body->torque == Vec3{}))
                    motion->fail("is given beside a force or torque", "nothing pushes a body that moves as prescribed");
                body->fixed = true;
            }
        };
        return t;
    }();
    return table;
}

}  // namespace scree::scene
