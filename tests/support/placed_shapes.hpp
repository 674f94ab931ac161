// SPDX-License-Identifier: BSD-3-Clause
// Shapes of the reference as the kernels hold them, and random poses, for tests of the narrow phase.
#pragma once

#include "engine/geometry/convex_shapes.hpp"
#include "engine/reference/separation.hpp"
#include "kernels/collide/shapes/wall_contacts.hpp"
#include "tests/support/shape_pairs.hpp"

#include <Eigen/Geometry>

namespace scree::test {

using kernels::PlacedShape;
using kernels::Vector3d;

inline Vector3d vector_of(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
inline Eigen::Vector3d eigen_of(Vector3d v) { return {v.x, v.y, v.z}; }
inline model::Vec3 vec_of(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

inline std::int32_t add(geometry::ConvexShapes& shapes, const reference::Shape& shape) {
    struct Add {
        geometry::ConvexShapes& to;
        std::int32_t operator()(const reference::Sphere& s) const { return to.add_sphere(s.radius); }
        std::int32_t operator()(const reference::Box& s) const { return to.add_box(vec_of(s.half)); }
        std::int32_t operator()(const reference::Ellipsoid& s) const { return to.add_ellipsoid(vec_of(s.semi_axes)); }
        std::int32_t operator()(const reference::Superquadric& s) const {
            return to.add_superquadric(vec_of(s.semi_axes), s.e1, s.e2);
        }
        std::int32_t operator()(const reference::Cylinder& s) const { return to.add_cylinder(s.radius, s.half_length); }
        std::int32_t operator()(const reference::Polytope& s) const {
            std::vector<model::Vec3> points;
            for (const Eigen::Vector3d& v : s.vertices) points.push_back(vec_of(v));
            return to.add_polyhedron(points);
        }
        std::int32_t operator()(const reference::HalfSpace&) const { return -1; }
        std::int32_t operator()(const reference::Hollow&) const { return -1; }
    };
    return std::visit(Add{shapes}, shape);
}

inline PlacedShape placed(const geometry::ConvexShapes& shapes, std::int32_t number, const reference::Pose& pose) {
    PlacedShape result;
    result.shape = &shapes.shapes()[std::size_t(number)];
    result.position = vector_of(pose.position);
    const Eigen::Matrix3d axes = pose.orientation.toRotationMatrix();
    for (int k = 0; k < 3; ++k) result.axis[k] = vector_of(axes.col(k));
    return result;
}

/// The same seen from a frame that is turned and moved.
inline reference::Pose moved(const reference::Pose& pose, const reference::Pose& by) {
    return {by.to_world(pose.position), (by.orientation * pose.orientation).normalized()};
}

/// Where the narrow phase looks: whole numbers of 1/8 and right angles, so that faces, edges and corners coincide.
class DegeneratePoses {
public:
    explicit DegeneratePoses(unsigned seed) : random_(seed) {}
    reference::Pose pose(double reach) {
        std::uniform_int_distribution<int> eighths(int(-8 * reach), int(8 * reach)), quarters(0, 3), axis(0, 2);
        const auto turn = [&] {
            return Eigen::Quaterniond(Eigen::AngleAxisd(0.5 * 3.14159265358979323846 * quarters(random_),
                                                        Eigen::Vector3d::Unit(axis(random_))));
        };
        return {Eigen::Vector3d(eighths(random_), eighths(random_), eighths(random_)) / 8.0,
                (turn() * turn()).normalized()};
    }
    int choose(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

private:
    std::mt19937 random_;
};

}  // namespace scree::test
