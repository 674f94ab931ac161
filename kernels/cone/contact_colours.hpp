// SPDX-License-Identifier: BSD-3-Clause
// Colours of contacts: contacts of one colour share no body that impulses move, so that all of them may change its
// velocity at once. The same on every backend and for every number of threads.
//
//   1. Contacts have ranks, their numbers hashed in groups of neighbours. One after the other, from the largest rank
//      down, a contact takes the smallest colour that neither of its bodies has yet. On few threads that is one loop;
//      on many, and on a device, it is made in rounds (Jones and Plassmann, "A parallel graph coloring heuristic",
//      1993): all contacts whose rank is the largest of the uncoloured ones at both bodies take theirs at once. Both
//      give the same colours.
//   2. Contacts of one colour, in their order, get places; each colour is padded to whole tiles.
//
// A body with more than `heavy_contacts` contacts would ask for as many colours. It asks for none: contacts of one
// colour may share it, and its velocity stands still while they are solved (see gauss_seidel.hpp).
#pragma once

#include "kernels/cone/cone_problem.hpp"
#include "kernels/parallel/fill.hpp"
#include "kernels/parallel/scratch.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace scree::kernels {

/// More contacts than this at one body: it is heavy. Two bodies with as many meet with at most 2 * 32 - 1 colours.
inline constexpr Index heavy_contacts = 32;
inline constexpr int most_colours = 64;
inline constexpr Index uncoloured = -1;

/// Fixed bodies and walls are neither light nor heavy.
template <class R, int W>
struct BodyWeight {
    bool light = false, heavy = false;
    Index contacts = 0;

    SCREE_HD BodyWeight(const ConeProblem<R, W>& problem, Index body) {
        if (body >= problem.bodies || !problem.is_free(body)) return;
        contacts = problem.contacts_of(body);
        light = contacts <= heavy_contacts;
        heavy = !light;
    }
};

/// Over bodies. sums: [0] heavy ones, [1] all that impulses move.
template <class R, int W>
struct HeavyBodiesItem {
    ConeProblem<R, W> problem;
    SCREE_HD void operator()(Index body, Accumulator<double, 2, 0>& acc) const {
        const BodyWeight<R, W> weight(problem, body);
        acc.sum[0] += weight.heavy ? 1.0 : 0.0;
        acc.sum[1] += weight.heavy || weight.light ? 1.0 : 0.0;
    }
};

/// Inverse of an odd number modulo 2^32, and so modulo any smaller power of two (Newton's iteration).
constexpr std::uint32_t inverse_of_odd(std::uint32_t odd) {
    std::uint32_t inverse = odd;
    for (int k = 0; k < 5; ++k) inverse *= 2 - odd * inverse;
    return inverse;
}

/// Ranks of contacts, a bijection of [0, ranks). Groups of neighbours, which mostly share a body, stay together: the
/// loop over ranks then reads memory in order. Hashing in between keeps chains of rounds short.
class ContactRanks {
public:
    explicit ContactRanks(Index contacts) {
        while ((std::int64_t(group) << bits_) < contacts) ++bits_;
        mask_ = (std::uint32_t(1) << bits_) - 1;
    }
    static constexpr std::uint32_t group = 8;

    [[nodiscard]] std::int64_t groups() const { return std::int64_t(1) << bits_; }
    [[nodiscard]] SCREE_HD std::uint32_t rank(Index contact) const {
        const std::uint32_t at = std::uint32_t(contact);
        return hashed(at / group, first, second) * group + (group - 1 - at % group);
    }
    /// The first contact of the group with these ranks; its contacts have falling ranks.
    [[nodiscard]] Index first_of(std::uint32_t hash) const {
        return Index(hashed(hash, second_inverse, first_inverse) * group);
    }

private:
    static constexpr std::uint32_t first = 2654435761U, second = 2246822519U;

    static constexpr std::uint32_t first_inverse = inverse_of_odd(first), second_inverse = inverse_of_odd(second);

    /// The shift by at least half of the bits is its own inverse.
    [[nodiscard]] SCREE_HD std::uint32_t hashed(std::uint32_t x, std::uint32_t before, std::uint32_t after) const {
        x = (x * before) & mask_;
        x ^= x >> ((bits_ + 1) / 2);
        return (x * after) & mask_;
    }

    int bits_ = 1;
    std::uint32_t mask_ = 0;
};

/// What the rounds read and write.
template <class R, int W>
struct ColouringView {
    ConeProblem<R, W> problem;
    ContactRanks ranks;
    Index* colour;        ///< [contacts]
    std::uint64_t* used;  ///< [bodies]: colours of its contacts, one bit each.
    Index* first;         ///< [bodies]: the uncoloured contact whose turn it is; -1: none is left.
};

/// Over bodies: colours that are taken, and whose turn it is.
template <class R, int W>
struct TurnItem {
    ColouringView<R, W> view;
    SCREE_HD void operator()(Index body) const {
        const ConeProblem<R, W>& p = view.problem;
        if (!BodyWeight<R, W>(p, body).light) return;
        std::uint64_t used = 0;
        Index first = -1;
        const auto look = [&](Index c) {
            if (view.colour[c] != uncoloured)
                used |= std::uint64_t(1) << view.colour[c];
            else if (first < 0 || view.ranks.rank(c) > view.ranks.rank(first))
                first = c;
        };
        for (Index c = p.a_start[body]; c < p.a_start[body + 1]; ++c) look(c);
        for (Index k = p.b_start[body]; k < p.b_start[body + 1]; ++k) look(p.b_list[k]);
        view.used[body] = used;
        view.first[body] = first;
    }
};

/// Over contacts: takes a colour where it is its turn at both bodies. sum: contacts still without one.
template <class R, int W>
struct ColourItem {
    ColouringView<R, W> view;
    SCREE_HD void operator()(Index c, Accumulator<double, 1, 0>& acc) const {
        if (view.colour[c] != uncoloured) return;
        std::uint64_t used = 0;
        bool turn = true;
        const Index bodies[2] = {view.problem.body_a[c], view.problem.body_b[c]};
        for (const Index body : bodies) {
            if (!BodyWeight<R, W>(view.problem, body).light) continue;
            turn = turn && view.first[body] == c;
            used |= view.used[body];
        }
        if (!turn) {
            acc.sum[0] += 1.0;
            return;
        }
        Index colour = 0;
        while ((used >> colour & 1) != 0) ++colour;
        view.colour[c] = colour;
    }
};

struct ColourKeyItem {
    const Index* colour;
    std::uint64_t* keys;
    Index* order;
    SCREE_HD void operator()(Index c) const {
        keys[c] = std::uint64_t(colour[c]);
        order[c] = c;
    }
};
/// Where each colour begins in the sorted order.
struct ColourStartItem {
    const std::uint64_t* keys;
    Index* start;
    SCREE_HD void operator()(Index k) const {
        if (k == 0 || keys[k] != keys[k - 1]) start[keys[k]] = k;
    }
};

/// The colours of a problem: places of contacts, colour after colour.
struct ColourTable {
    int colours = 0;
    int rounds = 0;
    std::array<Index, most_colours + 1> begin{};  ///< First place of each colour, a multiple of the tile; then the end.
};

/// Sorted order to places and back.
struct PlaceItem {
    const std::uint64_t* keys;
    const Index* order;
    const Index* start;  ///< Of ColourStartItem.
    ColourTable table;
    Index* source;  ///< [places]: the contact there; -1 between colours.
    Index* place;   ///< [contacts]
    SCREE_HD void operator()(Index k) const {
        const auto colour = int(keys[k]);
        const Index at = table_begin(colour) + k - start[colour];
        source[at] = order[k];
        place[order[k]] = at;
    }

private:
    [[nodiscard]] SCREE_HD Index table_begin(int colour) const { return (&table.begin.front())[colour]; }
};

/// Memory of a colouring, taken from a scratch phase.
template <class Backend>
struct ColouringRoom {
    Index *colour, *order, *other_order, *first, *start;
    std::uint64_t *keys, *other_keys, *used;

    [[nodiscard]] static std::size_t bytes(std::int64_t contacts, std::int64_t bodies) {
        return std::size_t(contacts) * (3 * sizeof(Index) + 2 * sizeof(std::uint64_t)) +
               std::size_t(bodies) * (sizeof(Index) + sizeof(std::uint64_t)) + most_colours * sizeof(Index);
    }
    static constexpr int pieces = 8;
    void take(Scratch<Backend>& scratch, std::int64_t contacts, std::int64_t bodies) {
        colour = scratch.template take<Index>(contacts);
        order = scratch.template take<Index>(contacts);
        other_order = scratch.template take<Index>(contacts);
        first = scratch.template take<Index>(bodies);
        start = scratch.template take<Index>(most_colours);
        keys = scratch.template take<std::uint64_t>(contacts);
        other_keys = scratch.template take<std::uint64_t>(contacts);
        used = scratch.template take<std::uint64_t>(bodies);
    }
};

/// Places that a colouring of so many contacts may take.
template <class Backend>
[[nodiscard]] constexpr std::int64_t most_places(std::int64_t contacts) {
    return contacts / Backend::tile * Backend::tile + std::int64_t(most_colours) * Backend::tile;
}

/// The rounds, and the sort.
template <class Backend, class R>
ColourTable colour_in_rounds(Backend& backend, const ConeProblem<R, Backend::tile>& problem, Index contacts,
                             const ColouringRoom<Backend>& room, Index* source, Index* place) {
    constexpr int W = Backend::tile;
    const ColouringView<R, W> view{problem, ContactRanks(contacts), room.colour, room.used, room.first};
    ColourTable table;
    backend.for_each(contacts, FillItem<Index>{room.colour, uncoloured});
    for (double left = contacts; left > 0.0; ++table.rounds) {
        backend.for_each(problem.bodies, TurnItem<R, W>{view});
        left = backend.template reduce<double, 1, 0>(contacts, ColourItem<R, W>{view}).sum[0];
    }
    backend.for_each(contacts, ColourKeyItem{room.colour, room.keys, room.order});
    backend.sort_pairs(room.keys, room.order, room.other_keys, room.other_order, contacts, 6);
    backend.for_each(most_colours, FillItem<Index>{room.start, contacts});
    backend.for_each(contacts, ColourStartItem{room.keys, room.start});
    // Colours are taken from the smallest on: none is skipped.
    std::array<Index, most_colours + 1> start{};
    Memory<Backend>::copy_out(start.data(), room.start, most_colours * sizeof(Index));
    start[most_colours] = contacts;
    while (table.colours < most_colours && start[std::size_t(table.colours)] < contacts) {
        const auto k = std::size_t(table.colours++);
        table.begin[k + 1] = table.begin[k] + padded(start[k + 1] - start[k], W);
    }
    backend.for_each(table.begin[std::size_t(table.colours)], FillItem<Index>{source, -1});
    backend.for_each(contacts, PlaceItem{room.keys, room.order, room.start, table, source, place});
    return table;
}

/// One loop over ranks, and one over contacts.
template <class Backend, class R>
ColourTable colour_in_turn(const ConeProblem<R, Backend::tile>& problem, Index contacts,
                           const ColouringRoom<Backend>& room, Index* source, Index* place) {
    constexpr int W = Backend::tile;
    constexpr auto asks_for_none = std::uint64_t(1) << (most_colours - 1);
    static_assert(2 * heavy_contacts - 1 < most_colours, "the last bit is free");
    for (Index body = 0; body < problem.bodies; ++body)
        room.used[body] = BodyWeight<R, W>(problem, body).light ? 0 : asks_for_none;
    std::array<Index, most_colours> count{};
    std::uint64_t ignored = 0;  // what a wall has and gets
    const auto used_by = [&](Index body) -> std::uint64_t& {
        ignored = asks_for_none;
        return body < problem.bodies ? room.used[body] : ignored;
    };
    const ContactRanks ranks(contacts);
    for (std::int64_t hash = ranks.groups() - 1; hash >= 0; --hash) {
        const std::int64_t begin = ranks.first_of(std::uint32_t(hash));
        const std::int64_t end = std::min(begin + ContactRanks::group, std::int64_t(contacts));
        for (std::int64_t c = begin; c < end; ++c) {
            const Index a = problem.body_a[c], b = problem.body_b[c];
            std::uint64_t taken = 0;
            for (const std::uint64_t of_body : {used_by(a), used_by(b)})
                if ((of_body & asks_for_none) == 0) taken |= of_body;
            const int colour = std::countr_one(taken);
            for (const Index body : {a, b})
                if ((used_by(body) & asks_for_none) == 0) used_by(body) |= std::uint64_t(1) << colour;
            room.colour[c] = colour;
            ++count[std::size_t(colour)];
        }
    }
    ColourTable table;
    std::array<Index, most_colours> next{};
    for (; table.colours < most_colours && count[std::size_t(table.colours)] > 0; ++table.colours) {
        const auto k = std::size_t(table.colours);
        next[k] = table.begin[k];
        table.begin[k + 1] = table.begin[k] + padded(count[k], W);
        std::fill(source + table.begin[k] + count[k], source + table.begin[k + 1], Index(-1));
    }
    for (Index c = 0; c < contacts; ++c) {
        const Index at = next[std::size_t(room.colour[c])]++;
        source[at] = c;
        place[c] = at;
    }
    return table;
}

/// From so many threads on the rounds, several times the work, are faster.
inline constexpr std::size_t threads_for_rounds = 8;

/// Colours the first `contacts` contacts. `source` has room for most_places(), `place` for the contacts.
template <class Backend, class R>
ColourTable colour_contacts(Backend& backend, const ConeProblem<R, Backend::tile>& problem, Index contacts,
                            const ColouringRoom<Backend>& room, Index* source, Index* place) {
    if constexpr (requires { backend.threads(); })
        if (backend.threads() < threads_for_rounds)
            return colour_in_turn<Backend>(problem, contacts, room, source, place);
    return colour_in_rounds(backend, problem, contacts, room, source, place);
}

}  // namespace scree::kernels
