// SPDX-License-Identifier: BSD-3-Clause
#include "engine/query/rest.hpp"

#include "engine/model/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::query {
namespace {

constexpr double awake = std::numeric_limits<double>::infinity();

}  // namespace

double surface_speed(const model::Snapshot& snapshot, std::size_t i) {
    // v + w x r is largest on the equator about w, where w x r points along the part of v across w.
    const model::Vec3 v = snapshot.velocity[i], w = snapshot.angular_velocity[i], axis = normalized(w);
    const double along = dot(v, axis), across = norm(v - along * axis);
    return std::hypot(along, across + norm(w) * snapshot.radius[i]);
}

bool all_slow(const model::Snapshot& snapshot, double limit) {
    for (std::size_t i = 0; i < snapshot.id.size(); ++i)
        if (std::isfinite(snapshot.mass[i]) && !(surface_speed(snapshot, i) < limit)) return false;
    return true;
}

RestWatch::RestWatch(const RestRule& rule) : rule_(rule) {
    if (!(rule.speed > 0.0 && std::isfinite(rule.speed)))
        throw model::Error(model::ErrorKind::input,
                           fmt::format("rest: speed = {:g} m/s (allowed: above 0, finite)", rule.speed),
                           "1e-3 suits beds of millimetre grains");
    if (!(rule.window >= 0.0 && std::isfinite(rule.window)))
        throw model::Error(model::ErrorKind::input,
                           fmt::format("rest: window = {:g} s (allowed: 0 or more, finite)", rule.window),
                           "some twenty steps suit most scenes");
}

void RestWatch::update(const model::Snapshot& snapshot) {
    if (begun_ && snapshot.time < time_)
        throw model::Error(
            model::ErrorKind::input,
            fmt::format("rest: the snapshot of t = {:g} s comes after that of t = {:g} s", snapshot.time, time_),
            "give snapshots in the order of time; begin with a new object after a restart");
    std::vector<double> slow_since(snapshot.id.size(), awake);
    std::vector<std::uint8_t> is_free(snapshot.id.size());
    std::size_t before = 0;
    for (std::size_t i = 0; i < snapshot.id.size(); ++i) {
        is_free[i] = std::isfinite(snapshot.mass[i]) ? 1 : 0;
        while (before < id_.size() && id_[before] < snapshot.id[i]) ++before;
        if (!(surface_speed(snapshot, i) < rule_.speed)) continue;
        const bool known = before < id_.size() && id_[before] == snapshot.id[i] && slow_since_[before] < awake;
        slow_since[i] = known ? slow_since_[before] : snapshot.time;
    }
    id_ = snapshot.id;
    free_ = std::move(is_free);
    slow_since_ = std::move(slow_since);
    time_ = snapshot.time;
    begun_ = true;
}

bool RestWatch::rests(std::size_t i) const {
    // Times are sums of steps: a window of ten steps must not wait for an eleventh by round-off.
    const double rounding = 1e-9 * rule_.window;
    return slow_since_[i] < awake && time_ - slow_since_[i] >= rule_.window - rounding;
}

bool RestWatch::at_rest(std::uint64_t id) const {
    const auto at = std::lower_bound(id_.begin(), id_.end(), id);
    if (at == id_.end() || *at != id)
        throw model::Error(model::ErrorKind::input, fmt::format("rest: no body has the id {}", id),
                           begun_ ? "an outlet may have taken it" : "update() was not called yet");
    return rests(std::size_t(at - id_.begin()));
}

bool RestWatch::all_at_rest() const {
    if (!begun_) return false;
    for (std::size_t i = 0; i < id_.size(); ++i)
        if (free_[i] != 0 && !rests(i)) return false;
    return true;
}

std::size_t RestWatch::count_at_rest() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < id_.size(); ++i)
        if (free_[i] != 0 && rests(i)) ++count;
    return count;
}

}  // namespace scree::query
