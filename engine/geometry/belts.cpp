// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/belts.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace scree::geometry {
namespace {

using model::Vec3;

/// Whether a direction [unit] lies in the surface.
struct LiesIn {
    Vec3 along;

    [[nodiscard]] bool square_to(Vec3 normal) const { return std::abs(dot(along, normalized(normal))) <= 1e-4; }
    bool operator()(const model::PlaneShape& plane) const { return square_to(plane.normal); }
    bool operator()(const model::BoxShape& box) const {
        const Vec3 axes[3]{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (std::size_t face = 0; face < 6; ++face)
            if (!(box.container && box.open[face]) && !square_to(rotate(box.orientation, axes[face / 2]))) return false;
        return true;
    }
    bool operator()(const model::RevolutionShape& shape) const {
        return shape.radius_start == shape.radius_end && !shape.cap_start && !shape.cap_end &&
               norm(cross(along, normalized(shape.axis))) <= 1e-4;
    }
    bool operator()(const model::MeshShape& mesh) const {
        return std::all_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const auto& t) {
            const Vec3 a = mesh.vertices[t[0]];
            return square_to(cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a));
        });
    }
};

}  // namespace

bool belts_run_along(const model::Boundary& boundary) {
    return std::all_of(boundary.motions.begin(), boundary.motions.end(), [&](const model::Motion& motion) {
        if (motion.kind != model::Motion::Kind::belt || motion.velocity == Vec3{}) return true;
        return std::visit(LiesIn{normalized(motion.velocity)}, boundary.shape);
    });
}

}  // namespace scree::geometry
