// SPDX-License-Identifier: BSD-3-Clause
// Colours of contacts: no two of one colour at a light body, and the same by one loop and by rounds.
#include "kernels/cone/contact_colours.hpp"
#include "kernels/parallel/cpu.hpp"
#include "tests/support/packed_problem.hpp"
#include "tests/support/random_problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace scree::kernels {
namespace {

using test::PackedProblem;
using test::ReferenceProblem;

struct Colouring {
    ColourTable table;
    std::vector<Index> source, place;
};

template <class Colour>
Colouring coloured(const PackedProblem<Cpu, double>& packed, const Colour& colour) {
    const Index contacts = packed.real_contacts(), bodies = packed.view().bodies;
    Scratch<Cpu> scratch;
    scratch.begin(ColouringRoom<Cpu>::bytes(contacts, bodies), ColouringRoom<Cpu>::pieces);
    ColouringRoom<Cpu> room{};
    room.take(scratch, contacts, bodies);
    Colouring found;
    found.source.assign(std::size_t(most_places<Cpu>(contacts)), Index(-7));
    found.place.assign(std::size_t(contacts), Index(-7));
    found.table = colour(room, found.source.data(), found.place.data());
    found.source.resize(std::size_t(found.table.begin[std::size_t(found.table.colours)]));
    return found;
}
Colouring by_one_loop(const PackedProblem<Cpu, double>& packed) {
    return coloured(packed, [&](const auto& room, Index* source, Index* place) {
        return colour_in_turn<Cpu>(packed.view(), packed.real_contacts(), room, source, place);
    });
}
Colouring by_rounds(const PackedProblem<Cpu, double>& packed, std::size_t threads) {
    return coloured(packed, [&](const auto& room, Index* source, Index* place) {
        Cpu cpu(threads);
        return colour_in_rounds(cpu, packed.view(), packed.real_contacts(), room, source, place);
    });
}

class ContactColours : public testing::TestWithParam<int> {
protected:
    /// A pile, and a body that lies on all of it.
    static ReferenceProblem problem() {
        ReferenceProblem p = test::problem_of(test::random_pile(GetParam(), 5, 0.2), true);
        std::vector<test::ReferenceContact> on_all;
        for (int body = 1; body < p.bodies(); ++body) {
            test::ReferenceContact contact = p.contacts.front();
            contact.a = 0;
            contact.b = body;
            on_all.push_back(contact);
        }
        p.contacts.insert(p.contacts.begin(), on_all.begin(), on_all.end());
        std::stable_sort(p.contacts.begin(), p.contacts.end(), [](const auto& x, const auto& y) { return x.a < y.a; });
        return p;
    }
};
INSTANTIATE_TEST_SUITE_P(Bodies, ContactColours, testing::Values(1, 2, 9, 60, 400, 3000));

TEST_P(ContactColours, ShareNoLightBodyAndKeepTheOrderOfContacts) {
    const PackedProblem<Cpu, double> packed(problem());
    const auto view = packed.view();
    const Colouring found = by_one_loop(packed);
    std::set<Index> seen;
    for (int k = 0; k < found.table.colours; ++k) {
        std::map<Index, int> contacts_at;
        Index last = -1;
        const Index begin = found.table.begin[std::size_t(k)], end = found.table.begin[std::size_t(k) + 1];
        EXPECT_EQ(begin % Cpu::tile, 0);
        ASSERT_LT(begin, end);
        for (Index at = begin; at < end; ++at) {
            const Index c = found.source[std::size_t(at)];
            if (c < 0) continue;
            EXPECT_GT(c, last);
            last = c;
            EXPECT_TRUE(seen.insert(c).second);
            EXPECT_EQ(found.place[std::size_t(c)], at);
            for (const Index body : {view.body_a[c], view.body_b[c]})
                if (BodyWeight<double, Cpu::tile>(view, body).light) {
                    EXPECT_EQ(++contacts_at[body], 1) << body;
                }
        }
    }
    EXPECT_EQ(Index(seen.size()), packed.real_contacts());
}

TEST_P(ContactColours, AreTheSameByOneLoopAndByRoundsOnAnyThreads) {
    const PackedProblem<Cpu, double> packed(problem());
    const Colouring one = by_one_loop(packed);
    for (const std::size_t threads : {1, 3, 8}) {
        const Colouring rounds = by_rounds(packed, threads);
        EXPECT_EQ(rounds.table.colours, one.table.colours);
        EXPECT_EQ(rounds.source, one.source);
        EXPECT_EQ(rounds.place, one.place);
        EXPECT_LE(rounds.table.rounds, 200);
    }
}

TEST(ContactRanks, AreABijectionAndFallWithinGroups) {
    for (const Index contacts : {1, 8, 9, 1000, 4096, 70001}) {
        const ContactRanks ranks(contacts);
        std::set<std::uint32_t> seen;
        for (Index c = 0; c < contacts; ++c) EXPECT_TRUE(seen.insert(ranks.rank(c)).second) << c;
        for (std::int64_t hash = 0; hash < ranks.groups(); ++hash) {
            const Index c = ranks.first_of(std::uint32_t(hash));
            EXPECT_EQ(ranks.rank(c), std::uint32_t(hash) * ContactRanks::group + ContactRanks::group - 1);
        }
    }
}

}  // namespace
}  // namespace scree::kernels
