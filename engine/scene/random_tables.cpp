// SPDX-License-Identifier: BSD-3-Clause
// Random sources: the region that they fill and the distribution of their sizes.
#include "engine/scene/tables.hpp"

namespace scree::scene {

using namespace model;

namespace {

using Sizes = SizeDistribution;

KeyInfo size_key(std::string name, std::string meaning) {
    return {.name = std::move(name),
            .meaning = std::move(meaning),
            .dimension = Dimension::length,
            .range = positive,
            .required = true};
}

KeyInfo bounds_key() {
    return {.name = "between",
            .meaning = "Smallest and largest radius; draws outside are repeated. Narrow bounds change mean and width.",
            .dimension = Dimension::length,
            .range = positive,
            .fallback = "3 deviations",
            .omit_default = true};
}

const Table<Sizes>& normal_table() {
    static const auto table = [] {
        Table<Sizes> t("normal", "Normal distribution of radii, cut at bounds.");
        t.quantity(&Sizes::mean, size_key("mean", "Mean radius."));
        t.quantity(&Sizes::deviation, size_key("deviation", "Standard deviation."));
        t.interval(&Sizes::lower, &Sizes::upper, bounds_key());
        t.check = [](const Reader& in, Sizes& sizes) {
            if (sizes.upper == 0.0 && 3.0 * sizes.deviation >= sizes.mean)
                in.fail(": 3 deviations reach below a radius of 0", "give 'between: [smallest, largest]'");
        };
        return t;
    }();
    return table;
}

const Table<Sizes>& lognormal_table() {
    static const auto table = [] {
        Table<Sizes> t("lognormal", "Log-normal distribution of radii, cut at bounds.");
        t.quantity(&Sizes::mean, size_key("median", "Median radius."));
        t.quantity(&Sizes::deviation, {.name = "deviation",
                                       .meaning = "Standard deviation of the logarithm of the radius.",
                                       .range = {.low = 0.0, .high = 10.0, .low_open = true},
                                       .required = true});
        t.interval(&Sizes::lower, &Sizes::upper, bounds_key());
        return t;
    }();
    return table;
}

void read_sieve(const Reader& in, Sizes& sizes) {
    sizes.kind = Sizes::Kind::sieve;
    for (const auto& row : in.items()) {
        const auto parts = row.items(2);
        const std::pair point{parts[0].quantity(Dimension::length, positive),
                              parts[1].quantity(Dimension::none, unit_interval)};
        if (!sizes.passing.empty() &&
            (point.first <= sizes.passing.back().first || point.second < sizes.passing.back().second))
            row.fail("= " + print_inline(row.node()) +
                     " must have a larger opening than the row before, and a fraction "
                     "that is not smaller");
        sizes.passing.push_back(point);
    }
    if (sizes.passing.size() < 2) in.fail("needs at least two rows [radius, mass fraction passing]");
    if (sizes.passing.front().second != 0.0) in.fail("must start with a mass fraction of 0", "[smallest radius, 0]");
    if (sizes.passing.back().second != 1.0) in.fail("must end with a mass fraction of 1", "[largest radius, 1]");
}

const Table<Sizes>& sizes_table() {
    static const auto table = [] {
        const auto self = [](auto& sizes) -> auto& { return sizes; };
        const std::string group = "distribution";
        Table<Sizes> t("sizes", "Distribution of the radii.");
        t.add(
            {.name = "constant",
             .meaning = "All radii are this.",
             .dimension = Dimension::length,
             .range = positive,
             .group = group},
            [](const Reader& in, Sizes& sizes) {
                sizes.kind = Sizes::Kind::constant;
                sizes.radius = in.quantity(Dimension::length, positive);
            },
            [](const Sizes& sizes, Names) -> std::optional<Node> {
                if (sizes.kind != Sizes::Kind::constant) return std::nullopt;
                return number_node(sizes.radius);
            });
        t.interval(&Sizes::lower, &Sizes::upper,
                   {.name = "uniform",
                    .meaning = "Smallest and largest radius; equally likely between.",
                    .dimension = Dimension::length,
                    .range = positive,
                    .group = group},
                   true);
        auto& uniform = t.bindings.back();
        uniform.read = [full = uniform.read](const Reader& in, Sizes& sizes) {
            sizes.kind = Sizes::Kind::uniform;
            full(in, sizes);
        };
        uniform.write = [full = uniform.write](const Sizes& sizes, Names names) {
            return sizes.kind == Sizes::Kind::uniform ? full(sizes, names) : std::nullopt;
        };
        t.kind(self, Sizes::Kind::normal, normal_table(),
               {.name = "normal", .meaning = normal_table().about.meaning, .group = group});
        t.kind(self, Sizes::Kind::lognormal, lognormal_table(),
               {.name = "lognormal", .meaning = lognormal_table().about.meaning, .group = group});
        t.add({.name = "sieve",
               .meaning =
                   "Rows [sieve opening as a radius, cumulative mass fraction passing], both increasing, from 0 to "
                   "1; within a class the mass is uniform in the logarithm of the radius.",
               .dimension = Dimension::length,
               .range = not_negative,
               .group = group,
               .type = ValueType::rows,
               .length = 2},
              read_sieve, [](const Sizes& sizes, Names) -> std::optional<Node> {
                  if (sizes.kind != Sizes::Kind::sieve) return std::nullopt;
                  Node out = sequence_node();
                  for (const auto& [radius, fraction] : sizes.passing)
                      out.items.push_back(sequence_node({number_node(radius), number_node(fraction)}));
                  return out;
              });
        return t;
    }();
    return table;
}

const Table<Region>& box_table() {
    static const auto table = [] {
        Table<Region> t("box", "A box along the world axes.");
        t.vector(&Region::lower,
                 {.name = "lower", .meaning = "Lower corner.", .dimension = Dimension::length, .required = true});
        t.vector(&Region::upper,
                 {.name = "upper", .meaning = "Upper corner.", .dimension = Dimension::length, .required = true});
        t.check = [](const Reader& in, Region& box) {
            if (!(box.lower.x < box.upper.x && box.lower.y < box.upper.y && box.lower.z < box.upper.z))
                in.fail(": each component of 'upper' must be greater than that of 'lower'");
        };
        return t;
    }();
    return table;
}

const Table<Region>& cylinder_table() {
    static const auto table = [] {
        Table<Region> t("cylinder", "A circular cylinder.");
        t.vector(&Region::start,
                 {.name = "start", .meaning = "Centre of the base.", .dimension = Dimension::length, .required = true});
        t.direction(&Region::axis, {.name = "axis", .meaning = "Direction from the base; any length but zero."});
        t.quantity(&Region::length, size_key("length", "Length along the axis."));
        t.quantity(&Region::radius, size_key("radius", "Radius."));
        return t;
    }();
    return table;
}

const Table<Region>& ball_table() {
    static const auto table = [] {
        Table<Region> t("sphere", "A ball.");
        t.vector(&Region::center,
                 {.name = "center", .meaning = "Centre.", .dimension = Dimension::length, .required = true});
        t.quantity(&Region::radius, size_key("radius", "Radius."));
        return t;
    }();
    return table;
}

/// One of the regions, for a T with a member `region`.
template <class T>
void add_region_keys(Table<T>& t) {
    const auto region = [](auto& source) -> auto& { return source.region; };
    const auto key = [](std::string name, std::string meaning) {
        return KeyInfo{.name = std::move(name), .meaning = std::move(meaning), .group = "region"};
    };
    t.kind(region, Region::Kind::box, box_table(), key("box", "Fill a box."));
    t.kind(region, Region::Kind::cylinder, cylinder_table(), key("cylinder", "Fill a cylinder."));
    t.kind(region, Region::Kind::sphere, ball_table(), key("sphere", "Fill a ball."));
}

/// One of two rates; the other is 0.
void add_rate(Table<FeedSource>& t, KeyInfo info, double FeedSource::*rate) {
    info.range = positive;
    info.group = "rate";
    t.add(
        info,
        [rate, dimension = info.dimension, range = info.range](const Reader& in, FeedSource& feed) {
            feed.*rate = in.quantity(dimension, range);
        },
        [rate](const FeedSource& feed, Names) -> std::optional<Node> {
            if (feed.*rate == 0.0) return std::nullopt;
            return number_node(feed.*rate);
        });
}

}  // namespace

const Table<RandomSource>& random_table() {
    static const auto table = [] {
        constexpr Range fractions{.low = 0.0, .high = 0.6, .low_open = true};
        constexpr Range counts{.low = 1.0, .high = 1e10};
        Table<RandomSource> t(
            "random",
            "Spheres, or copies of `shape`, at random in a region that holds the spheres around them entirely; "
            "these do not overlap.");
        add_region_keys(t);
        t.add(
            {.name = "count",
             .meaning = "Number of bodies wanted. Too high for the region: the rest is rejected, and the run says so.",
             .range = counts,
             .group = "amount",
             .type = ValueType::count},
            [counts](const Reader& in, RandomSource& source) { source.count = in.count(counts); },
            [](const RandomSource& source, Names) -> std::optional<Node> {
                if (source.count == 0) return std::nullopt;
                return scalar_node(std::to_string(source.count));
            });
        t.add(
            {.name = "fraction",
             .meaning = "Solid volume fraction wanted (of the spheres around copies of a shape). The higher, the more "
                        "attempts; too high: the rest is rejected.",
             .range = fractions,
             .group = "amount"},
            [fractions](const Reader& in, RandomSource& source) {
                source.fraction = in.quantity(Dimension::none, fractions);
            },
            [](const RandomSource& source, Names) -> std::optional<Node> {
                if (source.count != 0) return std::nullopt;
                return number_node(source.fraction);
            });
        t.object(&RandomSource::sizes, sizes_table(),
                 {.name = "sizes", .meaning = sizes_table().about.meaning, .required = true});
        t.quantity(&RandomSource::gap, {.name = "gap",
                                        .meaning = "Least distance between surfaces. Too high: fewer bodies fit.",
                                        .dimension = Dimension::length,
                                        .range = not_negative});
        t.count(&RandomSource::seed, {.name = "seed", .meaning = "Seed; another one gives another packing."});
        t.count(&RandomSource::attempts,
                {.name = "attempts",
                 .meaning = "Tries per body before it counts as rejected. Too low: rejections; too high: a slow start.",
                 .range = {.high = 1e9},
                 .fallback = "0 (automatic)"});
        return t;
    }();
    return table;
}

const Table<FeedSource>& feed_table() {
    static const auto table = [] {
        Table<FeedSource> t(
            "feed",
            "Spheres, or copies of `shape`, that join during the run, with the `velocity` of the source, "
            "at random places of a region where nothing is in their way. What finds no place waits for "
            "the next time, so that the sizes are those asked for.");
        add_region_keys(t);
        add_rate(
            t,
            {.name = "rate", .meaning = "Bodies per second. Too high: they wait.", .dimension = Dimension::frequency},
            &FeedSource::rate);
        add_rate(
            t,
            {.name = "mass_rate", .meaning = "Mass per time. Too high: they wait.", .dimension = Dimension::mass_rate},
            &FeedSource::mass_rate);
        t.object(&FeedSource::sizes, sizes_table(),
                 {.name = "sizes", .meaning = sizes_table().about.meaning, .required = true});
        t.quantity(&FeedSource::start, {.name = "start",
                                        .meaning = "When the first body is due.",
                                        .dimension = Dimension::time,
                                        .range = not_negative});
        t.quantity(&FeedSource::end, {.name = "end",
                                      .meaning = "No body is due from then on.",
                                      .dimension = Dimension::time,
                                      .range = {.low = 0.0, .low_open = true, .infinite = true},
                                      .fallback = ".inf (never)"});
        t.count(&FeedSource::count, {.name = "count",
                                     .meaning = "No body is due after so many.",
                                     .range = {.high = 1e10},
                                     .fallback = "0 (no limit)"});
        t.quantity(&FeedSource::interval,
                   {.name = "interval",
                    .meaning = "Bodies that are due join together, once in this time. Too short: each time costs about "
                               "2 % of a step; too long: they need much room at once.",
                    .dimension = Dimension::time,
                    .range = not_negative,
                    .fallback = "0 (ten steps)"});
        t.quantity(&FeedSource::gap, {.name = "gap",
                                      .meaning = "Least distance to other bodies when they join. Too high: they wait.",
                                      .dimension = Dimension::length,
                                      .range = not_negative});
        t.count(&FeedSource::seed, {.name = "seed", .meaning = "Seed of sizes and places."});
        t.check = [](const Reader& in, FeedSource& feed) {
            if (!(feed.end > feed.start))
                in.find("end")->fail("= " + number_text(feed.end) + " s is not after the start, " +
                                     number_text(feed.start) + " s");
        };
        return t;
    }();
    return table;
}

}  // namespace scree::scene
