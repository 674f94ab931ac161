// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/contact_accounts.hpp"

#include <gtest/gtest.h>

namespace scree::reference {
namespace {

constexpr ContactAccounts::Pair pair{0, 1};

TEST(ContactAccounts, WhatIsNotStoredIsLostAndNotGivenBack) {
    ContactAccounts accounts;
    accounts.book({{pair, {.work = 5.0, .stored = 2.0}}});
    EXPECT_EQ(accounts.balance(pair), 2.0);
    EXPECT_EQ(accounts.left(pair, {.work = -2.0}), 0.0);
    EXPECT_LT(accounts.left(pair, {.work = -2.5}), 0.0);
}

TEST(ContactAccounts, AnOverdraftIsPaidFromTheLosses) {
    ContactAccounts accounts;
    accounts.book({{pair, {.work = 0.5}}});
    EXPECT_EQ(accounts.left(pair, {.work = -0.25, .overdraft = 0.25}), 0.0);
    accounts.book({{pair, {.work = -0.25}}});
    EXPECT_EQ(accounts.balance(pair), 0.0);
    accounts.book({{pair, {.work = -0.25}}});
    EXPECT_EQ(accounts.balance(pair), 0.0);
    accounts.book({{pair, {.work = -0.25}}});  // all losses are used up
    EXPECT_EQ(accounts.balance(pair), -0.25);
    EXPECT_LT(accounts.left(pair, {.work = -0.25, .overdraft = 0.25}), 0.0);
}

TEST(ContactAccounts, PairsOutOfReachKeepTheirDebtsOnly) {
    const ContactAccounts::Pair other{2, 3};
    ContactAccounts accounts;
    accounts.book({{pair, {.work = 5.0, .stored = 2.0}}, {other, {.work = -1.0}}});
    accounts.book({});
    EXPECT_EQ(accounts.balance(pair), 0.0);
    EXPECT_EQ(accounts.balance(other), -1.0);
    accounts.book({{pair, {.work = -1.0}}});
    EXPECT_EQ(accounts.balance(pair), -1.0);  // its losses are forgotten too
}

TEST(ContactAccounts, TheOverdraftIsTheEnergyOfAStepOfFreeFall) {
    Contact contact;
    contact.normal = Eigen::RowVector3d(0.0, 0.0, 2.0);
    const Eigen::MatrixXd mass = 3.0 * Eigen::Matrix3d::Identity();
    // Half of 3 kg (0.1 m/s)^2, in whatever unit the row measures.
    EXPECT_NEAR(ContactAccounts::overdraft(contact, Eigen::Vector3d(5.0, 0.0, -0.1), mass.llt()), 0.015, 1e-15);
    contact.normal.setZero();
    EXPECT_EQ(ContactAccounts::overdraft(contact, Eigen::Vector3d::Ones(), mass.llt()), 0.0);
}

}  // namespace
}  // namespace scree::reference
