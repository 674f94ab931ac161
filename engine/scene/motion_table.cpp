// SPDX-License-Identifier: BSD-3-Clause
// Motions of boundaries: one map or a list of maps; they add up.
#include "engine/scene/mesh_table.hpp"
#include "engine/scene/tables.hpp"

#include <algorithm>

namespace scree::scene {

using namespace model;

namespace {

void add_times(Table<Motion>& t) {
    t.quantity(&Motion::start, {.name = "start",
                                .meaning = "The motion is active from this time on.",
                                .dimension = Dimension::time,
                                .range = not_negative});
    t.quantity(&Motion::stop, {.name = "stop",
                               .meaning = "The boundary stands still again from this time on.",
                               .dimension = Dimension::time,
                               .range = {.low = 0.0, .infinite = true},
                               .fallback = ".inf (never)"});
    t.check = [](const Reader& in, Motion& motion) {
        if (!(motion.stop > motion.start))
            in.fail(": 'stop' (" + number_text(motion.stop) + " s) must be later than 'start' (" +
                    number_text(motion.start) + " s)");
    };
}

const Table<Motion>& translation_table() {
    static const auto table = [] {
        Table<Motion> t("translation", "Constant velocity.");
        t.vector(&Motion::velocity,
                 {.name = "velocity", .meaning = "Velocity.", .dimension = Dimension::speed, .required = true});
        add_times(t);
        return t;
    }();
    return table;
}

const Table<Motion>& rotation_table() {
    static const auto table = [] {
        Table<Motion> t("rotation", "Constant rotation about an axis.");
        t.direction(&Motion::axis, {.name = "axis", .meaning = "Direction of the axis; any length but zero."});
        t.vector(&Motion::point, {.name = "point",
                                  .meaning = "A point of the axis at t = 0; moves with the translations.",
                                  .dimension = Dimension::length});
        t.quantity(&Motion::angular_speed, {.name = "angular_speed",
                                            .meaning = "Right-hand rule about `axis`. A wall should move less than the "
                                                       "smallest body's radius per step (`scree check` warns); the "
                                                       "spin of a cylinder or cone about its own axis moves none.",
                                            .dimension = Dimension::angular_speed,
                                            .required = true});
        add_times(t);
        return t;
    }();
    return table;
}

const Table<Motion>& oscillation_table() {
    static const auto table = [] {
        Table<Motion> t("oscillation",
                        "Harmonic motion: displacement = amplitude (sin(2 pi f (t - start) + phase) - sin(phase)).");
        t.vector(&Motion::amplitude, {.name = "amplitude",
                                      .meaning = "Displacement amplitude.",
                                      .dimension = Dimension::length,
                                      .required = true});
        t.quantity(&Motion::frequency,
                   {.name = "frequency",
                    .meaning = "Frequency. Too high for the step (period below 20 steps): the motion is sampled "
                               "coarsely.",
                    .dimension = Dimension::frequency,
                    .range = positive,
                    .required = true});
        t.quantity(&Motion::phase, {.name = "phase", .meaning = "Phase at `start`.", .dimension = Dimension::angle});
        add_times(t);
        return t;
    }();
    return table;
}

/// Rows [time, values ...] of a motion; `values` are 1 or 3. Required, or one of a `group`.
void add_rows(Table<Motion>& t, std::size_t values, Dimension dimension, const std::string& meaning,
              const std::string& group = {}, const Range& range = any_value) {
    const auto read = [values, dimension, range](const Reader& in, Motion& motion) {
        for (const auto& row : in.items()) {
            const auto parts = row.items(1 + values);
            const double time = parts[0].quantity(Dimension::time, any_value);
            if (!motion.rows.empty() && time <= motion.rows.back().time)
                parts[0].fail("= " + number_text(time) + " s: times increase from row to row");
            Vec3 value{parts[1].quantity(dimension, range), 0.0, 0.0};
            if (values == 3)
                value = {value.x, parts[2].quantity(dimension, any_value), parts[3].quantity(dimension, any_value)};
            motion.rows.push_back({time, value});
        }
        if (motion.rows.size() < 2) in.fail("has fewer than two rows", "[[time, ...], [time, ...], ...]");
    };
    t.add({.name = "rows",
           .meaning = meaning,
           .required = group.empty(),
           .group = group,
           .type = ValueType::rows,
           .length = 1 + values},
          read, [values](const Motion& motion, Names) -> std::optional<Node> {
              if (motion.rows.empty()) return std::nullopt;
              Node out = sequence_node();
              for (const auto& [time, value] : motion.rows) {
                  std::vector<Node> row{number_node(time), number_node(value.x)};
                  if (values == 3) {
                      row.push_back(number_node(value.y));
                      row.push_back(number_node(value.z));
                  }
                  out.items.push_back(sequence_node(std::move(row)));
              }
              return out;
          });
}

const Table<Motion>& path_table() {
    static const auto table = [] {
        Table<Motion> t("path", "Displacements at given times.");
        add_rows(t, 3, Dimension::length,
                 "Rows [time, x, y, z] in s and m, times increasing: it is displaced by x, y, z, linear from row to "
                 "row, constant before the first and behind the last; less what that is at t = 0, where it stands as "
                 "the scene has it. Speeds jump at rows; curves want many.");
        return t;
    }();
    return table;
}

const Table<Motion>& turning_table() {
    static const auto table = [] {
        Table<Motion> t("turning", "Angles about an axis at given times.");
        t.direction(&Motion::axis, {.name = "axis", .meaning = "Direction of the axis; any length but zero."});
        t.vector(&Motion::point, {.name = "point",
                                  .meaning = "A point of the axis at t = 0; moves with the translations.",
                                  .dimension = Dimension::length});
        add_rows(t, 1, Dimension::angle,
                 "Rows [time, angle] in s and rad, times increasing: it is turned by the angle, right-hand rule about "
                 "`axis`, linear from row to row, constant before the first and behind the last; less what that is at "
                 "t = 0.");
        return t;
    }();
    return table;
}

const Table<Motion>& belt_table() {
    static const auto table = [] {
        Table<Motion> t("belt", "The surface runs along itself, the wall stays: a conveyor belt. Boundaries only.");
        t.vector(&Motion::velocity,
                 {.name = "velocity",
                  .meaning = "Velocity of the surface. It lies in the surface: of planes, meshes along it, containers "
                             "without walls across it, cylinders without caps along their axis. Turns with the wall.",
                  .dimension = Dimension::speed,
                  .required = true});
        add_times(t);
        return t;
    }();
    return table;
}

const Table<Motion>& servo_table() {
    static const auto table = [] {
        Table<Motion> t("servo",
                        "Moves along an axis until bodies press against it with a given force, and holds that: lids, "
                        "presses, walls of a triaxial cell. Boundaries only.");
        t.direction(&Motion::axis,
                    {.name = "axis", .meaning = "Where it presses to; any length but zero. Does not turn."});
        t.add(
            {.name = "force",
             .meaning = "What it presses with, along `axis`. Stresses: times the area that bears.",
             .dimension = Dimension::force,
             .range = positive,
             .group = "load",
             .type = ValueType::quantity},
            [](const Reader& in, Motion& motion) { motion.force = in.quantity(Dimension::force, positive); },
            [](const Motion& motion, Names) -> std::optional<Node> {
                return motion.rows.empty() ? std::optional(number_node(motion.force)) : std::nullopt;
            });
        add_rows(t, 1, Dimension::force,
                 "Rows [time, force] in s and N, times increasing, at least one force above 0: linear from row to row, "
                 "constant before the first and behind the last.",
                 "load", not_negative);
        t.quantity(&Motion::largest_speed,
                   {.name = "speed",
                    .meaning = "The largest speed, at which it comes where nothing bears. Too high: it strikes the "
                               "bodies, and swings about the force at first; too low: it takes long.",
                    .dimension = Dimension::speed,
                    .range = positive,
                    .required = true});
        add_times(t);
        const auto times = t.check;
        t.check = [times](const Reader& in, Motion& motion) {
            times(in, motion);
            const auto pushes = [](const Motion::Row& row) { return row.value.x > 0.0; };
            if (!motion.rows.empty() && std::none_of(motion.rows.begin(), motion.rows.end(), pushes))
                in.find("rows")->fail("holds no force above 0", "[[0 s, 10 N], [1 s, 20 N]]");
        };
        return t;
    }();
    return table;
}

const Table<Motion>& motion_table() {
    static const auto table = [] {
        const auto self = [](auto& motion) -> auto& { return motion; };
        const auto key = [](const Table<Motion>& kind) {
            return KeyInfo{.name = kind.about.noun, .meaning = kind.about.meaning, .group = "kind of motion"};
        };
        Table<Motion> t("motion",
                        "Prescribed motions: one map or a list of maps, which add up. Rotations and turnings apply in "
                        "the order of the list: later ones carry the axes of those before.");
        t.kind(self, Motion::Kind::translation, translation_table(), key(translation_table()));
        t.kind(self, Motion::Kind::rotation, rotation_table(), key(rotation_table()));
        t.kind(self, Motion::Kind::oscillation, oscillation_table(), key(oscillation_table()));
        t.kind(self, Motion::Kind::path, path_table(), key(path_table()));
        t.kind(self, Motion::Kind::turning, turning_table(), key(turning_table()));
        t.kind(self, Motion::Kind::belt, belt_table(), key(belt_table()));
        t.kind(self, Motion::Kind::servo, servo_table(), key(servo_table()));
        return t;
    }();
    return table;
}

template <class T>
void add_motion_key(Table<T>& t, const std::string& meaning) {
    t.add(
        {.name = "motion",
         .meaning = meaning,
         .fallback = "none",
         .type = ValueType::object_or_list,
         .object = &motion_table().about},
        [](const Reader& in, T& into) {
            const auto motions = in.node().is_sequence() ? in.items() : std::vector<Reader>{in};
            if (motions.empty()) in.fail("is an empty list", "leave it out, or give a motion");
            for (const auto& item : motions) read_object(item, motion_table(), into.motions.emplace_back());
        },
        [](const T& from, Names names) -> std::optional<Node> {
            if (from.motions.empty()) return std::nullopt;
            Node out = sequence_node();
            for (const auto& motion : from.motions) out.items.push_back(write_object(motion_table(), motion, names));
            return out.items.size() == 1 ? out.items.front() : out;
        });
}

}  // namespace

void add_motions(Table<Boundary>& t) { add_motion_key(t, motion_table().about.meaning); }
void add_motions(Table<Source>& t) {
    add_motion_key(
        t,
        "Prescribed motions of a single body: one map or a list of maps, which add up; of rotations and turnings "
        "later ones carry the axes of those before. It is fixed otherwise: "
        "nothing moves it. Axes and points as those of boundaries. Stepper ccp only.");
}

}  // namespace scree::scene
