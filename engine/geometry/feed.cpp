// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/feed.hpp"

#include "engine/geometry/bodies.hpp"
#include "engine/geometry/body_range.hpp"
#include "engine/geometry/free_places.hpp"
#include "engine/geometry/mass.hpp"
#include "engine/geometry/periodic_images.hpp"
#include "engine/geometry/random_turn.hpp"
#include "engine/model/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace scree::geometry {
namespace {

using model::Vec3;

/// Sizes are drawn so many at a time, which follow the distribution together.
constexpr std::size_t batch_size = 256;
/// Streams of a feed's seed: that of a batch of sizes, that of the places of a step.
constexpr std::uint64_t sizes_stream = 5, places_stream = 6;
constexpr std::int64_t steps_between = 10;
constexpr double rounding_of_steps = 1e-6;
/// A body that is so many times larger than what is fed is in the way by its shape, not by the sphere around it.
constexpr double much_larger = 4.0;
constexpr std::size_t sample_size = 10000;

RandomStream numbered(std::uint64_t seed, std::uint64_t stream, std::uint64_t number) {
    return RandomStream(RandomStream(seed, stream).next() ^ RandomStream(number, stream).next());
}

Vec3 middle_of(const RegionSpace& region) { return 0.5 * (region.lower() + region.upper()); }

model::Scene without_boundaries(const model::Scene& scene) {
    model::Scene light;
    light.name = scene.name;
    light.path = scene.path;
    light.materials = scene.materials;
    light.pairs = scene.pairs;
    light.sources = scene.sources;
    light.periodic = scene.periodic;
    light.settings = scene.settings;
    return light;
}

/// Bodies stand between the faces, and one period to each side of them their images do.
void check_period(const RegionSpace& region, const std::array<model::PeriodicFaces, 3>& periodic) {
    const Vec3 a = region.lower(), b = region.upper();
    const double lower[] = {a.x, a.y, a.z}, upper[] = {b.x, b.y, b.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!periodic[axis].active) continue;
        const double period = periodic[axis].upper - periodic[axis].lower, slack = 1e-9 * period;
        if (upper[axis] - lower[axis] <= period + slack && lower[axis] >= periodic[axis].lower - period - slack &&
            upper[axis] <= periodic[axis].upper + period + slack)
            continue;
        throw model::Error(
            model::ErrorKind::input,
            fmt::format(
                "feed: the region reaches from {:g} to {:g} m along {}, the periodic faces stand at {:g} and {:g} m",
                lower[axis], upper[axis], "xyz"[axis], periodic[axis].lower, periodic[axis].upper),
            "a region between the faces, or across one of them, and no longer than from face to face");
    }
}

}  // namespace

Feed::Feed(const model::Scene& scene, const SourceSolids& solids, std::size_t source)
    : scene_(scene),
      solids_(solids),
      source_(source),
      feed_(std::get<model::FeedSource>(scene.sources[source].what)),
      region_(feed_.region),
      sizes_(feed_.sizes) {
    if ((feed_.rate > 0.0) == (feed_.mass_rate > 0.0))
        throw model::Error(model::ErrorKind::input, "one rate is needed");
    if (!(sizes_.largest() <= region_.largest_radius()))
        throw model::Error(model::ErrorKind::input,
                           fmt::format("feed: the largest body has a radius of {:g} m, the region holds {:g} m",
                                       sizes_.largest(), region_.largest_radius()),
                           "a larger region, or smaller sizes");
    // All sizes have one shape: masses are as the cubes.
    const model::Sphere any = body(0);
    mean_mass_ = solids.mass(any) * sizes_.mean_volume() / sphere_volume(any.radius);
}

model::Sphere Feed::body(std::size_t k) {
    const std::size_t size = feed_.count > 0 ? std::min(feed_.count, batch_size) : batch_size;
    if (batch_ != k / size + 1) {
        batch_ = k / size + 1;
        radii_ = sample_radii(sizes_, size, numbered(feed_.seed, sizes_stream, batch_).next());
    }
    const model::Source& source = scene_.sources[source_];
    model::Sphere made;
    made.position = middle_of(region_);
    made.velocity = source.velocity;
    made.angular_velocity = source.angular_velocity;
    made.radius = radii_[k % size];
    made.material = source.material;
    made.source = source_;
    if (!source.shape) return made;
    made.orientation = solids_.of_source(source_).orientation;
    if (source.turned_at_random) {
        RandomStream random = numbered(source.turning_seed, 0, k);
        made.orientation = turn_at_random(random) * made.orientation;
    }
    return made;
}

double Feed::next_due() const {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (feed_.count > 0 && joined_ >= feed_.count) return never;
    const double due = feed_.start + (feed_.rate > 0.0 ? double(joined_) / feed_.rate : joined_mass_ / feed_.mass_rate);
    return due < feed_.end ? due : never;
}

void Feed::advance() {
    if (feed_.mass_rate > 0.0) joined_mass_ += solids_.mass(body(joined_));
    ++joined_;
}

double Feed::due(double time) const {
    const double last = std::min(time, feed_.end);
    if (last < feed_.start) return 0.0;
    const double since = last - feed_.start, missing = since * feed_.mass_rate - joined_mass_;
    if (feed_.mass_rate > 0.0 && missing < 0.0) return double(joined_);
    double count = feed_.rate > 0.0 ? since * feed_.rate : double(joined_) + missing / mean_mass_;
    // The first is due at once, and none at the end.
    count = time < feed_.end ? std::floor(count * (1.0 + 1e-12)) + 1.0 : std::ceil(count * (1.0 - 1e-12));
    return std::max(double(joined_), feed_.count > 0 ? std::min(count, double(feed_.count)) : count);
}

double Feed::due_by_end() const {
    const double step_size = scene_.settings.time.step;
    const double steps = std::clamp(std::ceil(scene_.settings.time.end / step_size - rounding_of_steps), 1.0, 1e15);
    const std::int64_t last = last_chance(std::int64_t(steps) - 1);
    return last < 0 ? 0.0 : due(double(last) * step_size);
}

std::int64_t Feed::last_chance(std::int64_t step) const {
    const double step_size = scene_.settings.time.step;
    const auto interval = feed_.interval > 0.0
                              ? std::int64_t(std::clamp(std::round(feed_.interval / step_size), 1.0, 1e15))
                              : steps_between;
    const auto first = std::int64_t(std::clamp(std::ceil(feed_.start / step_size - rounding_of_steps), 0.0, 1e15));
    return step < first ? -1 : step - (step - first) % interval;
}

bool Feed::acts(std::int64_t step) const {
    return last_chance(step) == step && next_due() <= (double(step) + rounding_of_steps) * scene_.settings.time.step;
}

Feeder::Feeder(const model::Scene& scene) : scene_(without_boundaries(scene)), solids_(scene_) {
    double expected = 0.0;
    for (std::size_t s = 0; s < scene_.sources.size(); ++s) {
        if (feed_of(scene_.sources[s]) == nullptr) continue;
        try {
            Feed& feed = feeds_.emplace_back(scene_, solids_, s);
            for (const double radius : {feed.smallest_radius(), feed.largest_radius()})
                for (const Vec3 corner : {feed.region().lower(), feed.region().upper()}) {
                    model::Sphere body = feed.body(0);
                    body.radius = radius;
                    body.position = corner;
                    check_range(scene_, solids_, body);
                }
            check_period(feed.region(), scene_.periodic);
            expected += feed.due_by_end();
            if (!(expected <= double(max_bodies)))
                throw model::Error(model::ErrorKind::input,
                                   fmt::format("feed: {:.3g} bodies are due until time.end, allowed: {} in a scene",
                                               expected, max_bodies),
                                   "a lower rate, or a count");
        } catch (const model::Error& error) {
            throw error_of_source(scene_, s, error);
        }
    }
    if (any() && solids_.any()) shapes_ = std::make_unique<SceneShapes>(scene_, solids_);
}

double Feeder::largest_radius() const {
    double largest = 0.0;
    for (const Feed& feed : feeds_) largest = std::max(largest, feed.largest_radius());
    return largest;
}

bool Feeder::acts(std::int64_t step) const {
    return std::any_of(feeds_.begin(), feeds_.end(), [&](const Feed& feed) { return feed.acts(step); });
}

std::vector<model::Sphere> Feeder::join(std::int64_t step, std::span<const double> places,
                                        const std::function<model::Sphere(std::size_t)>& body) {
    std::vector<model::Sphere> joined;
    for (Feed& feed : feeds_)
        if (feed.acts(step)) join(feed, step, places, body, joined);
    return joined;
}

void Feeder::join(Feed& feed, std::int64_t step, std::span<const double> places,
                  const std::function<model::Sphere(std::size_t)>& body, std::vector<model::Sphere>& joined) {
    const double gap = feed.settings().gap, large = much_larger * feed.largest_radius();
    std::vector<Ball> obstacles;
    std::vector<std::vector<kernels::PlacedShape>> solids;  // images included
    const auto add = [&](const Ball& ball, const auto& whole) {
        // Away from all images of the region: most bodies.
        const Vec3 way = shortest_way(middle_of(feed.region()), ball.position, scene_.periodic);
        const Vec3 half = 0.5 * (feed.region().upper() - feed.region().lower());
        const double reach = ball.radius + gap;
        if (std::abs(way.x) > half.x + reach || std::abs(way.y) > half.y + reach || std::abs(way.z) > half.z + reach)
            return;
        if (!shapes_) {
            obstacles.push_back(ball);
            return;
        }
        const model::Sphere sphere = whole();
        if (!model::collides(scene_.sources[sphere.source])) return;
        if (ball.radius < large || solids_.solid(sphere.source) == nullptr) {
            obstacles.push_back(ball);
            return;
        }
        for_each_image(ball.position, scene_.periodic,
                       [&](Vec3 position, bool) { solids.push_back(shapes_->placed(sphere, position)); });
    };
    for (std::size_t i = 0; 4 * i < places.size(); ++i)
        add({{places[4 * i], places[4 * i + 1], places[4 * i + 2]}, places[4 * i + 3]}, [&] { return body(i); });
    for (const model::Sphere& earlier : joined) add({earlier.position, earlier.radius}, [&] { return earlier; });

    model::Sphere next;
    const auto blocked = [&](Vec3 center, double) {
        const auto placed = shapes_->placed(next, center);
        return std::any_of(solids.begin(), solids.end(),
                           [&](const auto& solid) { return are_within(gap, *shapes_, placed, solid); });
    };
    FreePlaces free(feed.region(), gap, 0, numbered(feed.settings().seed, places_stream, std::uint64_t(step)),
                    scene_.periodic, obstacles, solids.empty() ? FreePlaces::Blocked{} : blocked);
    const double now = (double(step) + rounding_of_steps) * scene_.settings.time.step;
    try {
        while (feed.next_due() <= now) {
            next = feed.body(feed.joined());
            const std::optional<Vec3> place = free.take(next.radius);
            if (!place) return;  // the next in line waits, and who comes after it
            next.position = image_inside(*place, scene_.periodic);
            check_range(scene_, solids_, next);
            joined.push_back(next);
            feed.advance();
        }
    } catch (const model::Error& error) {
        throw error_of_source(scene_, feed.source(), error);
    }
}

std::vector<model::Sphere> Feeder::joined_before(std::span<const std::uint32_t> sources) {
    std::vector<model::Sphere> bodies;
    for (const std::uint32_t source : sources)
        for (Feed& feed : feeds_) {
            if (feed.source() != source) continue;
            bodies.push_back(feed.body(feed.joined()));
            feed.advance();
        }
    return bodies;
}

ExpectedBodies Feeder::expected() const {
    ExpectedBodies expected;
    for (Feed feed : feeds_) {
        const double due = feed.due_by_end();
        const auto count = std::size_t(std::min(due, double(sample_size)));
        RandomStream random(feed.settings().seed, places_stream);
        for (std::size_t k = 0; k < count; ++k) {
            model::Sphere body = feed.body(k);
            body.position = feed.region().sample(body.radius, random);
            expected.bodies.push_back(body);
            expected.copies.push_back(due / double(count));
        }
    }
    return expected;
}

}  // namespace scree::geometry
