// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/ncp_stepper.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/ncp_limits.hpp"
#include "engine/reference/ncp_step.hpp"
#include "engine/reference/step_input.hpp"

#include <algorithm>
#include <utility>

namespace scree::reference {
namespace {

using Eigen::Vector3d;

/// A step is halved this often at most.
constexpr int deepest = 6;

Vector3d tangential(const ContactOutcome& c, bool planar) {
    const auto [t1, t2] = tangents_of(c.contact.direction, planar);
    Vector3d sum = c.tangent_impulse[0] * t1;
    if (!planar) sum += c.tangent_impulse[1] * t2;
    return sum;
}

/// The sum of a contact's impulses, in the rows of the part whose impulse is larger.
ContactOutcome sum_of(const ContactOutcome& first, const ContactOutcome& second, bool planar) {
    ContactOutcome sum = first.normal_impulse > second.normal_impulse ? first : second;
    const Vector3d along = tangential(first, planar) + tangential(second, planar);
    const auto [t1, t2] = tangents_of(sum.contact.direction, planar);
    sum.normal_impulse = first.normal_impulse + second.normal_impulse;
    sum.tangent_impulse[0] = along.dot(t1);
    if (!planar) sum.tangent_impulse[1] = along.dot(t2);
    sum.twist_impulse = first.twist_impulse + second.twist_impulse;
    return sum;
}

/// What both halves of a step did.
StepOutcome joined(StepOutcome first, const StepOutcome& second, bool planar) {
    for (const ContactOutcome& c : second.contacts) {
        const auto known = std::find_if(first.contacts.begin(), first.contacts.end(), [&](const ContactOutcome& old) {
            return old.contact.identity == c.contact.identity;
        });
        if (known == first.contacts.end())
            first.contacts.push_back(c);
        else
            *known = sum_of(*known, c, planar);
    }
    std::sort(first.contacts.begin(), first.contacts.end(),
              [](const ContactOutcome& a, const ContactOutcome& b) { return a.contact.identity < b.contact.identity; });
    first.iterations += second.iterations;
    first.residual = std::max(first.residual, second.residual);
    first.substeps += second.substeps;
    return first;
}

}  // namespace

StepOutcome NcpStepper::advance(const World& world, State& state, double h, int level) {
    std::size_t tried = 0;
    {
        NcpStep whole(world, state, h, settings_, memories_, level == deepest);
        if (whole.solve()) return whole.finish(state, memories_);
        if (level == deepest)
            throw model::Error(model::ErrorKind::numerics,
                               "NcpStepper: no solution at time " + in_digits(state.time) + " s in parts of " +
                                   in_digits(h) + " s (" + whole.failure() + ")",
                               "a smaller step; bodies that are wedged without room have no solution");
        tried = whole.iterations();
    }
    StepOutcome first = advance(world, state, 0.5 * h, level + 1);
    StepOutcome both = joined(std::move(first), advance(world, state, 0.5 * h, level + 1), world.planar);
    both.iterations += tried;
    return both;
}

StepOutcome NcpStepper::step(const System& system, State& state, double h) {
    const auto* world = dynamic_cast<const World*>(&system);
    if (world == nullptr) refuse_step("steps worlds of rigid bodies only");
    check_steppable(*world, state, h);
    State end = state;
    ContactMemories before = memories_;
    try {
        StepOutcome outcome = advance(*world, end, h, 0);
        end.time = state.time + h;  // not the sum of its parts
        state = std::move(end);
        return outcome;
    } catch (...) {
        memories_ = std::move(before);
        throw;
    }
}

}  // namespace scree::reference
