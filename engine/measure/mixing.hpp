// SPDX-License-Identifier: BSD-3-Clause
// Probe kind `mixing`: how well the bodies of one material or source are mixed with all others.
#pragma once

#include "engine/measure/box_region.hpp"
#include "engine/measure/coarse_grain.hpp"
#include "engine/measure/measurement.hpp"
#include "engine/model/scene.hpp"

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace scree::measure {

/// Fields: lacey, Lacey's index ("Developments in the theory of particle mixing", 1954)
///     (S0 - S) / (S0 - SR)
/// of the free bodies with centre in the box: S is the variance of the share (by number) of the marked bodies over the
/// cells, each cell with the weight of the number of its bodies; S0 = p (1 - p) that of bodies not mixed at all, p
/// their share in the box; SR = p (1 - p) (K - 1) / (N - 1) that expected of N bodies distributed at random over the K
/// cells that hold any, filled as they are. 0: apart; 1: mixed at random; above 1: more even. 0 where there is one kind
/// alone, or no more bodies than cells. fraction: p. cells: K.
class Mixing final : public Measurement {
public:
    Mixing(const model::Scene& scene, const model::Probe& probe)
        : grid_{probe.box, probe.cells}, material_(probe.material) {
        if (!probe.target.empty()) source_ = target_index(probe, scene.sources, "source");
    }

    [[nodiscard]] std::vector<std::string> fields() const override { return {"lacey", "fraction", "cells"}; }

    void evaluate(const model::Snapshot& s, std::span<double> values) override {
        std::vector<double> all(grid_.count(), 0.0), marked(all);
        double bodies = 0.0, of_them = 0.0;
        for (std::size_t i = 0; i < s.id.size(); ++i) {
            if (!std::isfinite(s.mass[i])) continue;
            const auto cell = grid_.cell_of(s.position[i]);
            if (!cell) continue;
            const bool is_marked = material_ ? s.material[i] == *material_ : s.source[i] == source_;
            all[*cell] += 1.0;
            bodies += 1.0;
            if (!is_marked) continue;
            marked[*cell] += 1.0;
            of_them += 1.0;
        }
        double cells = 0.0, squares = 0.0;
        const double p = bodies > 0.0 ? of_them / bodies : 0.0;
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (all[k] == 0.0) continue;
            cells += 1.0;
            const double off = marked[k] / all[k] - p;
            squares += all[k] * off * off;
        }
        const double apart = p * (1.0 - p);
        values[0] = apart > 0.0 && bodies > cells
                        ? (apart - squares / bodies) / (apart - apart * (cells - 1.0) / (bodies - 1.0))
                        : 0.0;
        values[1] = p;
        values[2] = cells;
    }

private:
    CellGrid grid_;
    std::optional<std::size_t> material_, source_;
};

}  // namespace scree::measure
