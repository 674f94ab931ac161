// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/contact_rates.hpp"

#include <Eigen/SVD>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

namespace scree::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int levels = 12;

/// (normal, tangents) of the velocity at a contact, with the tangents turned onto those of `like`.
VectorXd velocity_at(const Contact& contact, const Contact& like, const VectorXd& v) {
    VectorXd slip = contact.tangent * v;
    if (contact.drift_tangent.size() > 0) slip += contact.drift_tangent;
    const MatrixXd overlap = like.tangent * contact.tangent.transpose();
    const Eigen::JacobiSVD<MatrixXd> svd(overlap, Eigen::ComputeFullU | Eigen::ComputeFullV);
    VectorXd u(1 + slip.size());
    u << contact.normal.dot(v) + contact.drift_normal, svd.matrixU() * svd.matrixV().transpose() * slip;
    return u;
}

using ByIdentity = std::unordered_map<std::uint64_t, Contact>;

ByIdentity contacts_after(const System& system, const State& state, double h, double reach) {
    ByIdentity found;
    for (Contact& c : system.contacts(state.time + h, system.moved(state.q, state.v, h), reach))
        found.emplace(c.identity, std::move(c));
    return found;
}

/// One contact's table of extrapolated differences.
class Table {
public:
    /// Takes the difference at step h0 / 2^level, with the rounding in it; levels that fail restart the table.
    void add(const std::optional<VectorXd>& difference, double rounding) {
        if (!difference) {
            previous_.clear();
            return;
        }
        std::vector<VectorXd> row{*difference};
        double power = 1.0;
        for (const VectorXd& coarse : previous_) {
            power *= 4.0;
            row.emplace_back(row.back() + (row.back() - coarse) / (power - 1.0));
            const double error = std::max({(row.back() - row[row.size() - 2]).cwiseAbs().maxCoeff(),
                                           (row.back() - coarse).cwiseAbs().maxCoeff(), rounding});
            if (error < error_ || best_.size() == 0) {
                error_ = error;
                best_ = row.back();
            }
        }
        previous_ = std::move(row);
    }
    [[nodiscard]] ContactRate rate(Index tangents) const {
        if (best_.size() == 0) return {0.0, VectorXd::Zero(tangents), std::numeric_limits<double>::infinity()};
        return {best_[0], best_.tail(tangents), error_};
    }

private:
    std::vector<VectorXd> previous_;
    VectorXd best_;
    double error_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::vector<ContactRate> contact_rates(const System& system, const State& state, const std::vector<Contact>& contacts) {
    const double speed = state.v.size() > 0 ? state.v.cwiseAbs().maxCoeff() : 0.0;
    double h = 1e-3 / std::max(1.0, speed);
    double deepest = 0.0;
    for (const Contact& c : contacts) deepest = std::max(deepest, c.gap);
    std::vector<Table> tables(contacts.size());
    for (int level = 0; level < levels; ++level, h *= 0.5) {
        // Gaps change by the square of the way, a fraction of a millimetre at the first level.
        const double reach = deepest + 1e-2 / double(1 << level) + 1e-6;
        const ByIdentity after = contacts_after(system, state, h, reach);
        const ByIdentity before = contacts_after(system, state, -h, reach);
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            const auto b = after.find(contacts[i].identity), a = before.find(contacts[i].identity);
            if (b == after.end() || a == before.end()) {
                tables[i].add(std::nullopt, 0.0);
                continue;
            }
            const VectorXd later = velocity_at(b->second, contacts[i], state.v);
            const VectorXd earlier = velocity_at(a->second, contacts[i], state.v);
            // Of the terms that add up to a velocity.
            const double terms = contacts[i].normal.cwiseAbs().dot(state.v.cwiseAbs());
            tables[i].add((later - earlier) / (2.0 * h), std::numeric_limits<double>::epsilon() * terms / h);
        }
    }
    std::vector<ContactRate> rates;
    for (std::size_t i = 0; i < contacts.size(); ++i) rates.push_back(tables[i].rate(contacts[i].tangent.rows()));
    return rates;
}

}  // namespace scree::reference
