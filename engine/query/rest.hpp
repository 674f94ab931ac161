// SPDX-License-Identifier: BSD-3-Clause
// Which bodies are at rest: no point of their surface has been faster than a limit for a while.
//
//     query::RestWatch watch({.speed = 1e-3, .window = 0.05});
//     while (!watch.all_at_rest()) {
//         simulation.step();
//         watch.update(simulation.snapshot(false));
//     }
//
// A limit on speed alone takes a ball at the top of its way for one at rest; the window does not. Speeds between two
// snapshots are not known: update it every step, or several times in a window. Runs end by themselves at rest, or by
// kinetic energy per mass or the unbalanced force, which judge a scene as a whole: model::StopSettings.
#pragma once

#include "engine/model/snapshot.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::query {

/// Speed of the fastest point of the sphere around body i [m/s]: of spheres exactly that of their surface, of other
/// shapes not below it.
[[nodiscard]] double surface_speed(const model::Snapshot& snapshot, std::size_t i);

/// Whether no free body has a surface speed of `limit` [m/s] or more; true without any.
[[nodiscard]] bool all_slow(const model::Snapshot& snapshot, double limit);

struct RestRule {
    /// [m/s], > 0. Too high: creeping bodies count as at rest; too low: the solver's residual keeps them awake. A few
    /// times solver.tolerance x g h is what resting beds stay below.
    double speed = 1e-3;
    /// [s], >= 0. Too short: turning points count; too long: only a later verdict.
    double window = 0.05;
};

class RestWatch {
public:
    /// Throws model::Error (input) for limits outside their ranges.
    explicit RestWatch(const RestRule& rule);

    /// Takes the next snapshot. Throws model::Error (input) when it is older than the one before. After a restart or a
    /// jump to another run begin with a new object.
    void update(const model::Snapshot& snapshot);

    /// Whether the body has been slower than the limit in all snapshots of the last window, and for so long. Bodies
    /// that fell asleep and wake up begin anew. Throws model::Error (input) for ids that the last snapshot does not
    /// hold.
    [[nodiscard]] bool at_rest(std::uint64_t id) const;
    /// The same for all free bodies; true without any, false before the first update. Fixed bodies and walls may move.
    [[nodiscard]] bool all_at_rest() const;
    /// Free bodies at rest.
    [[nodiscard]] std::size_t count_at_rest() const;

private:
    [[nodiscard]] bool rests(std::size_t i) const;

    RestRule rule_;
    double time_ = 0.0;
    bool begun_ = false;
    std::vector<std::uint64_t> id_;   ///< Ascending.
    std::vector<std::uint8_t> free_;  ///< As id_.
    std::vector<double> slow_since_;  ///< As id_ [s]; infinity: it was too fast just now.
};

}  // namespace scree::query
