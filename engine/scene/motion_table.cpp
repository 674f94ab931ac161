// SPDX-License-Identifier: BSD-3-Clause
// Motions of boundaries: one map or a list of maps; they add up.
#include "engine/scene/mesh_table.hpp"
#include "engine/scene/tables.hpp"

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

const Table<Motion>& motion_table() {
    static const auto table = [] {
        const auto self = [](auto& motion) -> auto& { return motion; };
        const auto key = [](const Table<Motion>& kind) {
            return KeyInfo{.name = kind.about.noun, .meaning = kind.about.meaning, .group = "kind of motion"};
        };
        Table<Motion> t("motion", "Prescribed motions: one map or a list of maps, which add up.");
        t.kind(self, Motion::Kind::translation, translation_table(), key(translation_table()));
        t.kind(self, Motion::Kind::rotation, rotation_table(), key(rotation_table()));
        t.kind(self, Motion::Kind::oscillation, oscillation_table(), key(oscillation_table()));
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
        "Prescribed motions of a single body: one map or a list of maps, which add up. It is fixed otherwise: "
        "nothing moves it. Axes and points as those of boundaries. Stepper ccp only.");
}

}  // namespace scree::scene
