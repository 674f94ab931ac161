// SPDX-License-Identifier: BSD-3-Clause
// A convex hull of points in space that grows point by point.
#pragma once

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <vector>

namespace scree::reference {

/// Triangulated hull. Faces look away from an inner point fixed at the start, so it does not matter where the origin
/// lies. Adding costs O(faces).
class Hull {
public:
    struct Face {
        std::array<std::size_t, 3> corner;  ///< Numbers of points, counter-clockwise seen from outside
        Eigen::Vector3d normal;             ///< Unit, outward
        double offset;                      ///< normal . x of its plane
    };

    /// A tetrahedron of four points that are not in one plane, in any order. They become points 0 to 3.
    explicit Hull(const std::array<Eigen::Vector3d, 4>& tetrahedron);

    /// Grows the hull to hold `p`; a point less than `tolerance` outside every face changes nothing. False also when
    /// rounding leaves no clean edge between the faces that see p and those that do not: the hull then stays as it is.
    bool add(const Eigen::Vector3d& p, double tolerance);

    [[nodiscard]] const std::vector<Face>& faces() const { return faces_; }
    [[nodiscard]] const std::vector<Eigen::Vector3d>& points() const { return points_; }

private:
    [[nodiscard]] Face face(std::size_t i, std::size_t j, std::size_t k) const;

    std::vector<Eigen::Vector3d> points_;
    std::vector<Face> faces_;
};

}  // namespace scree::reference
