// SPDX-License-Identifier: BSD-3-Clause
// The surfaces of one boundary against a line.
#pragma once

#include "engine/model/boundary.hpp"
#include "engine/query/line.hpp"
#include "kernels/collide/boundary_set.hpp"

#include <vector>

namespace scree::query {

/// One boundary in its own frame at t = 0.
///
/// Behind planes and inside boxes that are no containers is solid: a line that begins there touches at once. All other
/// walls are thin and seen from both sides, whichever side bodies feel; a line in the plane of a thin flat wall passes
/// by. Edges belong to their faces, and neighbouring faces overlap by 1e-12 of their size: no line slips through.
class BoundarySurface {
public:
    /// Throws model::Error (input) for meshes that are none.
    explicit BoundarySurface(const model::BoundaryShape& shape);

    /// The nearest touch within `limit` [m]; meshes in logarithmic time.
    [[nodiscard]] Touch touch(const Line& line, double limit) const;

private:
    std::vector<kernels::MeshData> meshes_;  // before the parts, which are made with them
    std::vector<kernels::BoundaryPart> parts_;
};

}  // namespace scree::query
