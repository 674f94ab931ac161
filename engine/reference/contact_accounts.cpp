// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/contact_accounts.hpp"

#include <algorithm>

namespace scree::reference {

double ContactAccounts::overdraft(const Contact& contact, const Eigen::VectorXd& change,
                                  const Eigen::LLT<Eigen::MatrixXd>& factor) {
    const Eigen::VectorXd normal = contact.normal.transpose();
    const double mobility = normal.dot(factor.solve(normal)), speed = normal.dot(change);
    return mobility > 0.0 ? 0.5 * speed * speed / mobility : 0.0;
}

double ContactAccounts::balance(const Pair& pair) const {
    const auto found = accounts_.find(pair);
    return found == accounts_.end() ? 0.0 : found->second.balance;
}

double ContactAccounts::left(const Pair& pair, const PairStep& step) const {
    return balance(pair) + step.work + step.overdraft - step.stored;
}

void ContactAccounts::book(const Step& step) {
    std::erase_if(accounts_,
                  [&](const auto& entry) { return !step.contains(entry.first) && entry.second.balance >= 0.0; });
    for (auto& [pair, account] : accounts_)
        if (!step.contains(pair)) account.lost = 0.0;
    for (const auto& [pair, done] : step) {
        Account& account = accounts_[pair];
        const double excess = account.balance + done.work - done.stored;
        const double moved = std::max(excess, -account.lost);
        account.lost += moved;
        account.balance += done.work - moved;
    }
}

void ContactAccounts::write(MemoryWriter& to) const {
    to.number(double(accounts_.size()));
    for (const auto& [pair, account] : accounts_) {
        to.number(double(pair.first));
        to.number(double(pair.second));
        to.number(account.balance);
        to.number(account.lost);
    }
}

void ContactAccounts::read(MemoryReader& from) {
    accounts_.clear();
    for (double left = from.number(); left > 0.0; --left) {
        const auto a = Index(from.number()), b = Index(from.number());
        const double balance = from.number();
        accounts_[{a, b}] = {balance, from.number()};
    }
}

}  // namespace scree::reference
