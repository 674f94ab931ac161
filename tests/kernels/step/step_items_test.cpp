// SPDX-License-Identifier: BSD-3-Clause
// Contacts of the last step follow their bodies when slots are permuted or freed.
#include "kernels/step/step_items.hpp"

#include "kernels/parallel/cpu.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <vector>

namespace scree::kernels {
namespace {

constexpr int W = Cpu::tile;

/// Contacts of four bodies: 0 finds 1 and wall 5; 1 finds 3; 2 finds nobody; 3 finds 2.
const std::vector<Index> a_start{0, 2, 3, 3, 4};
const std::vector<Index> partner{1, -6, 3, 2};

struct Moved {
    std::vector<Index> a_start, partner;
    std::vector<double> g;  ///< First component of each contact's impulse, which was its old number.
};

/// Slots from[i] go to i; those that nobody takes are gone.
Moved moved(const std::vector<Index>& from) {
    std::vector<double> old_g(3 * W, 0.0), new_g(3 * W, -1.0);
    for (Index c = 0; c < 4; ++c) old_g[std::size_t(tiled<W, 3>(c, 0))] = double(c);
    std::vector<Index> to(4, -1);
    const InverseItem inverse{from.data(), to.data()};
    const auto n = Index(from.size());
    for (Index i = 0; i < n; ++i) inverse(i);
    Moved result;
    result.a_start.resize(from.size() + 1);
    const ContactCountItem count{from.data(), a_start.data(), result.a_start.data()};
    for (Index i = 0; i < n; ++i) count(i);
    Cpu cpu(1);
    const Index contacts = cpu.exclusive_scan(result.a_start.data(), n);
    result.partner.resize(std::size_t(contacts));
    const MoveContactsItem<double, W> move{from.data(),  to.data(), a_start.data(),        partner.data(),
                                           old_g.data(), nullptr,   result.a_start.data(), result.partner.data(),
                                           new_g.data(), nullptr};
    for (Index i = 0; i < n; ++i) move(i);
    for (Index c = 0; c < contacts; ++c) result.g.push_back(new_g[std::size_t(tiled<W, 3>(c, 0))]);
    return result;
}

TEST(MoveContacts, RenumbersFindersAndPartners) {
    const Moved m = moved({3, 2, 0, 1});
    EXPECT_EQ(m.a_start, (std::vector<Index>{0, 1, 1, 3, 4}));
    EXPECT_EQ(m.partner, (std::vector<Index>{1, 3, -6, 0}));
    EXPECT_EQ(m.g, (std::vector<double>{3, 0, 1, 2}));
}

TEST(MoveContacts, DropsThoseOfRemovedFindersAndMarksRemovedPartners) {
    const Moved m = moved({0, 3});  // 1 and 2 are gone
    EXPECT_EQ(m.a_start, (std::vector<Index>{0, 2, 3}));
    EXPECT_EQ(m.partner, (std::vector<Index>{INT_MIN, -6, INT_MIN}));
    EXPECT_EQ(m.g, (std::vector<double>{0, 1, 3}));
}

TEST(MoveContacts, OfNobodyIsEmpty) {
    const Moved m = moved({});
    EXPECT_EQ(m.a_start, (std::vector<Index>{0}));
    EXPECT_TRUE(m.partner.empty());
}

}  // namespace
}  // namespace scree::kernels
