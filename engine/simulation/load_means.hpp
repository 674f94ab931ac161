// SPDX-License-Identifier: BSD-3-Clause
// What the boundaries bear on average between two rows of series.csv.
#pragma once

#include "engine/model/snapshot.hpp"
#include "kernels/step/step_engine.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace scree::simulation {

/// Sums of the boundaries' loads over the steps since the last row; steps are of equal length.
class LoadMeans {
public:
    explicit LoadMeans(std::size_t boundaries) : sums_(boundaries) {}

    void add(std::span<const kernels::BoundaryLoad> loads) {
        steps_ += 1.0;
        for (std::size_t b = 0; b < sums_.size() && b < loads.size(); ++b) {
            const auto& [force, torque] = loads[b];
            sums_[b].force = sums_[b].force + model::Vec3{force[0], force[1], force[2]};
            sums_[b].torque = sums_[b].torque + model::Vec3{torque[0], torque[1], torque[2]};
        }
    }
    /// Of no steps: 0.
    void fill(std::vector<model::BoundaryState>& boundaries) const {
        for (std::size_t b = 0; b < sums_.size() && steps_ > 0.0; ++b) {
            boundaries[b].mean_force = (1.0 / steps_) * sums_[b].force;
            boundaries[b].mean_torque = (1.0 / steps_) * sums_[b].torque;
        }
    }
    void begin_anew() { *this = LoadMeans(sums_.size()); }

    /// For checkpoints; always of the same length.
    [[nodiscard]] std::vector<double> state() const {
        std::vector<double> state{steps_};
        for (const Sum& sum : sums_)
            state.insert(state.end(),
                         {sum.force.x, sum.force.y, sum.force.z, sum.torque.x, sum.torque.y, sum.torque.z});
        return state;
    }
    /// A state of another length, as that of a run without means, changes nothing.
    void restore(std::span<const double> state) {
        if (state.size() != 1 + 6 * sums_.size()) return;
        steps_ = state[0];
        for (std::size_t b = 0; b < sums_.size(); ++b) {
            const auto own = state.subspan(1 + 6 * b, 6);
            sums_[b] = {{own[0], own[1], own[2]}, {own[3], own[4], own[5]}};
        }
    }

private:
    struct Sum {
        model::Vec3 force, torque;
    };
    double steps_ = 0.0;
    std::vector<Sum> sums_;
};

}  // namespace scree::simulation
