// SPDX-License-Identifier: BSD-3-Clause
// The loop of the projected gradient solvers: passes over contacts and bodies in turn. This is the generic form, in
// which the host decides between passes; a backend may have a form of its own (projected_gradient_loop.cuh), of which
// this one is the specification.
#pragma once

#include "kernels/cone/projected_gradient_control.hpp"
#include "kernels/cone/projected_gradient_items.hpp"
#include "kernels/joints/island_velocity.hpp"

namespace scree::kernels {

/// What the passes of one solve read and write, in the backend's memory.
template <class R, int W>
struct ProjectedGradientData {
    ConeProblem<R, W> problem;
    R* g[3] = {};             ///< Three iterates, tiled: see ProjectedGradientControl::next().
    R* m[3] = {};             ///< Their moments; null without rolling rows.
    R* velocity_x = nullptr;  ///< V(x), rows of eight.
    R* velocity_y = nullptr;  ///< V(y)
    ImpulseRows<R> impulses;
    R* slips = nullptr;  ///< See ProjectedStepItem.

    [[nodiscard]] SCREE_HD const R* y_velocity(const ProjectedGradientControl& control) const {
        return control.y_is_x ? velocity_x : velocity_y;
    }
    template <RowKind K>
    [[nodiscard]] SCREE_HD ProjectedStepItem<R, W, K> contact_item(const ProjectedGradientControl& control) const {
        const int next = control.next();
        return {problem,
                y_velocity(control),
                {g[control.x], m[control.x]},
                {g[control.previous], m[control.previous]},
                {g[next], m[next]},
                impulses,
                R(control.beta),
                R(1.0 / control.lambda),
                slips,
                R(control.iterations > 0 ? ProjectedGradientControl::mean_share : 1e30)};
    }
    template <class Row, RowKind K>
    [[nodiscard]] SCREE_HD BodyVelocityItem<R, W, Row, K> body_item(const ProjectedGradientControl& control) const {
        return {problem, impulses, velocity_x, y_velocity(control), velocity_y, R(control.beta)};
    }
    template <class Row, RowKind K>
    [[nodiscard]] SCREE_HD IslandVelocityItem<R, W, Row, K> island_item(const ProjectedGradientControl& control) const {
        return {problem, impulses, IslandTask::iterate, velocity_x, y_velocity(control), velocity_y, R(control.beta)};
    }
    template <RowKind K>
    [[nodiscard]] SCREE_HD ResidualItem<R, W, K> residual_item(const ProjectedGradientControl& control) const {
        return {problem, velocity_x, g[control.x], m[control.x]};
    }
};

/// The generic loop: the host decides between passes.
template <RowKind K, class Backend, class R>
void run_on_host(Backend& backend, const ProjectedGradientData<R, Backend::tile>& data,
                 ProjectedGradientControl& control) {
    using Row = typename Backend::template Row<R>;
    while (control.running) {
        control.after_contacts(
            backend.template reduce_tiles<R, 4, 0>(data.problem.contacts, data.template contact_item<K>(control)));
        auto sums = backend.template reduce_rows<R, 2>(data.problem.bodies, data.template body_item<Row, K>(control));
        if constexpr (has_arms<K>)
            if (data.problem.islands.islands > 0) {
                const auto of_islands = backend.template reduce<double, 2, 0>(
                    data.problem.islands.islands, data.template island_item<Row, K>(control));
                for (int k = 0; k < 2; ++k) sums.sum[k] += of_islands.sum[k];
            }
        control.after_bodies(sums);
        if (control.certify)
            control.after_certificate(ResidualReport::of(
                backend.template reduce_tiles<R, 2, 3>(data.problem.contacts, data.template residual_item<K>(control)),
                control.contacts));
    }
}

/// The loop of a backend; specialised where the backend has one of its own.
template <class Backend, class R>
class ProjectedGradientLoop {
public:
    template <RowKind K>
    void run(Backend& backend, const ProjectedGradientData<R, Backend::tile>& data, ProjectedGradientControl& control) {
        run_on_host<K, Backend, R>(backend, data, control);
    }
};

}  // namespace scree::kernels
