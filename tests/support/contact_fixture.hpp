// SPDX-License-Identifier: BSD-3-Clause
// The first half of a step on any backend: free velocity, extents, grid, contact set - and its rows on the host.
#pragma once

#include "kernels/collide/contact_set.hpp"
#include "kernels/collide/reach_items.hpp"
#include "kernels/motion/motion_items.hpp"
#include "kernels/step/step_engine.hpp"

#include <span>
#include <stdexcept>
#include <vector>

namespace scree::test {

using kernels::Array;
using kernels::BoundaryPose;
using kernels::Index;
using kernels::WorldDescription;

/// A contact's row as the solver gets it.
struct HostContact {
    Index a = 0, b = 0, partner = 0;
    kernels::ContactRow<double> row{};
    kernels::RollingRow<double> rolling{};
    kernels::Vector3<double> g{}, m{};
    double cohesion = 0.0;
};

template <class Backend, class R>
class ContactFixture {
public:
    static constexpr int W = Backend::tile;

    explicit ContactFixture(const WorldDescription& world) { set_world(world); }

    /// New bodies and laws; contacts stay those of the last build.
    void set_world(const WorldDescription& world) {
        const std::size_t n = world.id.size();
        std::vector<R> velocity(8 * n, R(0)), inverse;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < 6; ++k) velocity[8 * i + k + (k > 2 ? 1 : 0)] = R(world.velocity[6 * i + k]);
        for (const double m : world.inverse_mass) inverse.push_back(R(m));
        bodies.count = Index(n);
        bodies.position.assign(world.position);
        bodies.orientation.assign(world.orientation);
        bodies.velocity.assign(velocity);
        bodies.inverse_mass.assign(inverse);
        bodies.material.assign(world.material);
        bodies.id.assign(world.id);
        boundaries.assign(world.parts, world.meshes);
        model.settings = world.contact;
        model.materials = world.materials;
        model.any_rolling = model.any_cohesion = false;
        std::vector<kernels::PairLaw<R>> laws;
        for (const auto& law : world.laws) {
            laws.push_back({R(law.friction), R(law.restitution), R(law.rolling), R(law.spinning), R(law.cohesion),
                            R(law.stiffness), R(law.tangential_restitution), R(law.damper)});
            model.any_rolling = model.any_rolling || law.rolling > 0.0 || law.spinning > 0.0;
            model.any_cohesion = model.any_cohesion || law.cohesion > 0.0;
        }
        model.laws.assign(laws);
        periodic_ = world.periodic;
        envelope_ = world.envelope;
        const double h = world.contact.step;
        for (int k = 0; k < 3; ++k) step_gravity_[k] = R(h * world.gravity[std::size_t(k)]);
    }

    kernels::Grid build_grid() {
        const double h = model.settings.step;
        free_velocity.resize_discard((bodies.count + 1) * 8);
        backend.for_each(bodies.count + 1,
                         kernels::FreeVelocityItem<R>{bodies.velocity.data(),
                                                      bodies.inverse_mass.data(),
                                                      free_velocity.data(),
                                                      {step_gravity_[0], step_gravity_[1], step_gravity_[2]},
                                                      bodies.count});
        extent.resize_discard(bodies.count);
        backend.for_each(bodies.count, kernels::ExtentItem<R>{bodies.position.data(), bodies.velocity.data(),
                                                              free_velocity.data(), extent.data(), h, 0.01, envelope_});
        return grid_builder.build(backend, bodies.position.data(), extent.data(), bodies.count, periodic_,
                                  kernels::NeighbourSearch<Backend>::scratch_bytes(bodies.count),
                                  kernels::NeighbourSearch<Backend>::scratch_pieces);
    }

    typename kernels::ContactSet<Backend, R>::Overlap build(std::span<const BoundaryPose> poses) {
        boundaries.set_poses(poses);
        const kernels::Grid grid = build_grid();
        const double* position = bodies.position.data();
        const double h = model.settings.step;
        kernels::NeighbourView neighbours;
        neighbour_search.begin(scratch, bodies.count);
        if (!neighbour_search.find(backend, {grid, boundaries.view(), position, h}, 2e9, neighbours))
            throw std::logic_error("too many neighbours for a test");
        const kernels::CollisionView view{neighbours, boundaries.view(), periodic_, position, extent.data(), h};
        return contacts.build(backend, scratch, view, model, bodies, free_velocity, solution);
    }

    [[nodiscard]] kernels::ConeProblem<R, W> problem() const {
        return contacts.problem(bodies, free_velocity, model, true);
    }

    template <class T>
    [[nodiscard]] std::vector<T> to_host(const Array<T, Backend>& array) const {
        std::vector<T> host(std::size_t(array.size()));
        array.copy_to(host);
        return host;
    }

    /// The contacts without padding.
    [[nodiscard]] std::vector<HostContact> host_contacts() {
        const Index total = kernels::padded(contacts.count(), W);
        const auto rows = to_host(contacts.rows());
        const auto a = to_host(contacts.body_a()), b = to_host(contacts.body_b()),
                   partner = to_host(contacts.partner());
        const auto g = to_host(solution.g), m = to_host(solution.m), cohesion = to_host(contacts.cohesion());
        std::vector<R> rolling;
        if (model.any_rolling) {
            rolling.resize(std::size_t(total) * kernels::RollingField::count);
            kernels::Memory<Backend>::copy_out(rolling.data(), problem().rolling, rolling.size() * sizeof(R));
        }
        std::vector<HostContact> list;
        for (Index c = 0; c < contacts.count(); ++c) {
            HostContact k;
            k.a = a[std::size_t(c)];
            k.b = b[std::size_t(c)];
            k.partner = partner[std::size_t(c)];
            const auto row = kernels::load_row<R, W>(rows.data(), c);
            k.row = {{double(row.n.x), double(row.n.y), double(row.n.z)},
                     double(row.lever_a),
                     double(row.lever_b),
                     double(row.bias),
                     double(row.friction),
                     double(row.inv_dn),
                     double(row.inv_dt),
                     double(row.compliance)};
            const auto impulse = kernels::impulse_of<R, W>(g.data(), c);
            k.g = {double(impulse.x), double(impulse.y), double(impulse.z)};
            if (model.any_rolling) {
                const auto roll = kernels::load_rolling<R, W>(rolling.data(), c);
                k.rolling = {double(roll.rolling), double(roll.spinning), double(roll.inv_d)};
                const auto moment = kernels::impulse_of<R, W>(m.data(), c);
                k.m = {double(moment.x), double(moment.y), double(moment.z)};
            }
            if (model.any_cohesion) k.cohesion = double(cohesion[std::size_t(c)]);
            list.push_back(k);
        }
        return list;
    }

    Backend backend{};
    kernels::Scratch<Backend> scratch;
    kernels::BodyState<Backend, R> bodies;
    Array<R, Backend> free_velocity;
    Array<float, Backend> extent;
    kernels::GridBuilder<Backend> grid_builder{&scratch};
    kernels::NeighbourSearch<Backend> neighbour_search;
    kernels::ContactModel<Backend, R> model;
    kernels::ContactSet<Backend, R> contacts;
    kernels::BoundarySet<Backend> boundaries;
    kernels::ConeSolution<Backend, R> solution;

private:
    kernels::Periodic periodic_;
    double envelope_ = -1.0;
    R step_gravity_[3] = {};
};

}  // namespace scree::test
