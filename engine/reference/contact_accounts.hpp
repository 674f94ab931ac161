// SPDX-License-Identifier: BSD-3-Clause
// What compliant contacts may give back: per pair of bodies, the work that its contacts took in and still hold.
//
// Why         Elements ride with the point of contact. Where that point or its normal jumps (edges, corners, a new
//             feature), overlap appears that no work was done for; pushed out, it becomes energy from nothing.
// Ledger      W = -h lambda . (w (v + v+) / 2 + drift) is the work that the bodies and prescribed parts do on a contact
//             in a step: the kinetic energy changes by the work of the free forces less the sum of W over all contacts,
//             exactly. A pair's W goes to its balance, up to what its surfaces store; what goes beyond is lost to
//             friction and damping, and booked as such.
// Rule        balance + W >= stored - overdraft after each step in which a pair pushes overlap out.
// Overdraft   the kinetic energy along the normal that the free forces give in one step, m_n (n . (v* - v))^2 / 2 with
//             1 / m_n = n M^-1 n^T: what a step cannot tell from nothing. It is paid from the losses, so that overlap
//             relaxes at about half the speed that a step of free fall gives; without losses it is lent only once.
// So the contacts of a pair never give the bodies more than they took, but for one overdraft and what the free forces
// do in half a step.
#pragma once

#include "engine/reference/patch_problem.hpp"
#include "engine/reference/stepper_memory.hpp"

#include <Eigen/Cholesky>

#include <map>
#include <utility>

namespace scree::reference {

/// What a step did to the contacts of one pair of bodies [J].
struct PairStep {
    double work = 0.0;    ///< W
    double stored = 0.0;  ///< Elastic energy at the end of the step.
    double overdraft = 0.0;
    double slope = 0.0;   ///< Sum of normal forces times overlap: what it costs to begin to push.
    bool pushed = false;  ///< Overlap was pushed out.
};

class ContactAccounts {
public:
    using Pair = std::pair<Index, Index>;
    using Step = std::map<Pair, PairStep>;

    /// Contacts of a system without bodies share one account.
    [[nodiscard]] static Pair pair_of(const Contact& contact) { return {contact.body_a, contact.body_b}; }
    /// Overdraft of a contact; `change` = v* - v [nv], `factor` of the mass.
    [[nodiscard]] static double overdraft(const Contact& contact, const Eigen::VectorXd& change,
                                          const Eigen::LLT<Eigen::MatrixXd>& factor);

    [[nodiscard]] double balance(const Pair& pair) const;
    /// Balance and overdraft after the step less what is stored: negative where the step gives what was not paid.
    [[nodiscard]] double left(const Pair& pair, const PairStep& step) const;
    /// Pairs out of reach are forgotten, but for their debts.
    void book(const Step& step);

    void write(MemoryWriter& to) const;
    void read(MemoryReader& from);

private:
    struct Account {
        double balance = 0.0;  ///< [J], negative: a debt
        double lost = 0.0;     ///< [J], >= 0
    };
    std::map<Pair, Account> accounts_;
};

}  // namespace scree::reference
