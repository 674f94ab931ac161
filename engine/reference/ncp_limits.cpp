// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/ncp_limits.hpp"

#include "engine/model/error.hpp"
#include "engine/reference/placed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::reference {

using Eigen::Index;
using Eigen::VectorXd;

void refuse_step(const std::string& what, const std::string& hint) {
    throw model::Error(model::ErrorKind::input, "NcpStepper: " + what, hint);
}

void check_steppable(const World& world, const State& state, double h) {
    if (!(h > 0.0) || !std::isfinite(h)) refuse_step("the step must be positive and finite");
    if (state.q.size() != world.coordinates() || state.v.size() != world.velocities())
        refuse_step("the state does not belong to this world");
    if (!state.q.allFinite() || !state.v.allFinite() || !std::isfinite(state.time))
        refuse_step("the state is not finite at time " + std::to_string(state.time) + " s");
    for (const Body& body : world.bodies) {
        check(body.shape);
        const double size = size_of(body.shape);
        if (inequality_count(body.shape, world.planar) == 0) refuse_step("body '" + body.name + "' has no faces");
        if (!body.pose.position.allFinite() || !body.pose.orientation.coeffs().allFinite())
            refuse_step("the pose of body '" + body.name + "' is not finite");
        if (body.fixed) continue;
        if (!std::isfinite(size) || std::holds_alternative<Hollow>(body.shape))
            refuse_step("body '" + body.name + "' is a half-space or bowl and must be fixed");
        if (!(body.mass > 0.0) || !std::isfinite(body.mass) || !(body.inertia.minCoeff() > 0.0) ||
            !body.inertia.allFinite())
            refuse_step("mass and inertia of body '" + body.name + "' must be positive and finite");
    }
}

void check_law(const World& world, std::size_t a, std::size_t b) {
    const ContactLaw& law = world.law(a, b);
    const std::string names = " of '" + world.bodies[a].name + "' and '" + world.bodies[b].name + "'";
    const FrictionLaw& f = law.friction;
    if (law.restitution != 0.0)
        refuse_step("the restitution" + names + " must be 0",
                    "the conditions hold for the gap itself: impacts are plastic");
    if (!(f.sliding >= 0.0) || !std::isfinite(f.sliding))
        refuse_step("the coefficient of friction" + names + " is negative or not finite");
    if ((f.sticking >= 0.0 && f.sticking != f.sliding) || f.fall_speed != 0.0)
        refuse_step("the friction" + names + " must have one coefficient");
    if (!(f.aspect > 0.0) || !std::isfinite(f.aspect) || !(f.torsion_radius >= 0.0) || !std::isfinite(f.torsion_radius))
        refuse_step("the friction ellipsoid" + names + " has a size out of range");
}

VectorXd free_velocities(const World& world, const State& state, double h, const Eigen::LLT<Eigen::MatrixXd>& mass) {
    using Eigen::Vector3d;
    constexpr double most = 1e-4;
    VectorXd v = state.v + h * mass.solve(world.force(state.time, state.q, state.v));
    if (world.planar) return v;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const Body& body = world.bodies[i];
        if (body.fixed) continue;
        const Eigen::Matrix3d turn = world.pose(i, state.time, state.q).orientation.toRotationMatrix();
        const Vector3d spin = turn.transpose() * world.twist(i, state.v).tail<3>();
        const auto energy = [&](const Vector3d& w) { return w.dot(body.inertia.cwiseProduct(w)); };
        const Vector3d torque = -spin.cross(body.inertia.cwiseProduct(spin));
        const Vector3d explicit_spin = spin + h * torque.cwiseQuotient(body.inertia);
        const double before = energy(spin), after = energy(explicit_spin);
        if (after > (1.0 + most) * before)
            v.segment<3>(6 * world.slot(i) + 3) += turn * ((std::sqrt(before / after) - 1.0) * explicit_spin);
    }
    return v;
}

NcpUnits units_of_step(const World& world, const State& state, double h, const VectorXd& free_velocities) {
    NcpUnits units;
    units.length = std::numeric_limits<double>::infinity();
    double log_mass = 0.0, fastest = 0.0;
    const VectorXd change = free_velocities - state.v;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const Body& body = world.bodies[i];
        const double size = size_of(body.shape);
        units.length = std::min(units.length, size);
        for (const VectorXd* v : {&state.v, &free_velocities, &change}) {
            const auto twist = world.twist(i, *v);
            const double spin = twist.tail<3>().norm();
            fastest = std::max(fastest, twist.head<3>().norm() + (std::isfinite(size) ? size * spin : 0.0));
        }
        if (!body.fixed) log_mass += std::log(body.mass);
    }
    if (world.free_bodies() > 0) units.mass = std::exp(log_mass / double(world.free_bodies()));
    if (!std::isfinite(units.length)) units.length = 1.0;
    units.velocity = fastest > 0.0 ? fastest : 1e-6 * units.length / h;
    units.gap = std::clamp(h * units.velocity, 1e-3 * units.length, units.length);
    return units;
}

double rounding_of_step(const World& world, const State& state, const NcpUnits& units) {
    double far = units.length;
    for (std::size_t i = 0; i < world.bodies.size(); ++i)
        if (!world.bodies[i].fixed)
            far = std::max(far, world.pose(i, state.time, state.q).position.cwiseAbs().maxCoeff());
    return 32.0 * std::numeric_limits<double>::epsilon() * far / units.gap;
}

}  // namespace scree::reference
