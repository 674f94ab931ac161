// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/friction_memory.hpp"

#include "engine/reference/stepper_memory.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace scree::reference {
namespace {

bool is_constant(const FrictionLaw& law) { return law.sticking < 0.0 || law.sticking == law.sliding; }
bool jumps(const FrictionLaw& law) { return !is_constant(law) && law.fall_speed <= 0.0; }

double falling(const FrictionLaw& law, double speed) {
    return law.sliding + (law.sticking - law.sliding) * std::exp(-speed / law.fall_speed);
}

double slip_speed(const Contact& contact, const Eigen::VectorXd& v) { return slip_of(contact, v).norm(); }

}  // namespace

Eigen::VectorXd slip_of(const Contact& contact, const Eigen::VectorXd& v) {
    Eigen::VectorXd slip = contact.tangent * v;
    if (contact.drift_tangent.size() > 0) slip += contact.drift_tangent;
    return slip;
}

void FrictionMemory::begin(const std::vector<Contact>& contacts, const Eigen::VectorXd& v) {
    coefficients_.clear();
    held_.assign(contacts.size(), false);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const FrictionLaw& law = contacts[i].law.friction;
        double mu = law.sliding;
        if (jumps(law)) {
            const auto known = sticks_.find(contacts[i].identity);
            held_[i] = known != sticks_.end() ? known->second : slip_speed(contacts[i], v) <= rest_speed_;
            if (held_[i]) mu = law.sticking;
        } else if (!is_constant(law)) {
            mu = falling(law, slip_speed(contacts[i], v));
        }
        coefficients_.push_back(mu);
    }
}

bool FrictionMemory::revise(const std::vector<Contact>& contacts, const Eigen::VectorXd& v,
                            const std::vector<double>& normal_impulses) {
    constexpr double settled = 1e-10;
    bool changed = false;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const FrictionLaw& law = contacts[i].law.friction;
        if (is_constant(law) || normal_impulses[i] <= 0.0) continue;
        const double speed = slip_speed(contacts[i], v);
        double mu = coefficients_[i];
        if (!jumps(law)) {
            mu = falling(law, speed);
        } else if (held_[i] && speed > rest_speed_) {
            held_[i] = false;
            mu = law.sliding;
        }
        changed = changed || std::abs(mu - coefficients_[i]) > settled;
        coefficients_[i] = mu;
    }
    return changed;
}

void FrictionMemory::commit(const std::vector<Contact>& contacts, const Eigen::VectorXd& v,
                            const std::vector<double>& normal_impulses) {
    sticks_.clear();
    for (std::size_t i = 0; i < contacts.size(); ++i)
        if (normal_impulses[i] > 0.0 && jumps(contacts[i].law.friction))
            sticks_[contacts[i].identity] = slip_speed(contacts[i], v) <= rest_speed_;
}

std::vector<double> FrictionMemory::state() const {
    const std::map<std::uint64_t, bool> ordered(sticks_.begin(), sticks_.end());
    MemoryWriter to;
    for (const auto& [identity, sticks] : ordered) {
        to.identity(identity);
        to.number(sticks ? 1.0 : 0.0);
    }
    return to.take();
}

void FrictionMemory::restore(const std::vector<double>& state) {
    std::unordered_map<std::uint64_t, bool> sticks;
    for (MemoryReader from(state); !from.is_empty();) {
        const std::uint64_t identity = from.identity();
        sticks[identity] = from.number() != 0.0;
    }
    sticks_ = std::move(sticks);
}

}  // namespace scree::reference
