// SPDX-License-Identifier: BSD-3-Clause
// Mass, centre and inertia of solid convex shapes.
#pragma once

#include "engine/reference/world.hpp"

namespace scree::reference {

/// Of a homogeneous solid. In planar worlds: of the section y = 0, 1 m deep; `inertia.y()` is then the moment that
/// turns it in the plane, and x and z are those of a thin slice.
struct MassProperties {
    double volume = 0.0;                                ///< [m^3]
    double mass = 0.0;                                  ///< [kg]
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();   ///< Centre of mass [m], in the axes the shape is given in
    Eigen::Vector3d inertia = Eigen::Vector3d::Zero();  ///< About the centre, principal [kg m^2]
    /// From principal axes to the axes the shape is given in. Identity for all but polytopes, and for polytopes whose
    /// products of inertia vanish to 1e-12 of the moments; otherwise the principal axes nearest to the given ones. In
    /// planar worlds always the identity.
    Eigen::Quaterniond axes = Eigen::Quaterniond::Identity();
};

/// Closed forms: superquadrics by beta functions (Jaklic, Leonardis and Solina 2000), polytopes by the divergence
/// theorem over their faces. Throws model::Error (input) for a density [kg/m^3] that is not positive and finite, for
/// half-spaces, and for polytopes without faces or volume.
[[nodiscard]] MassProperties mass_properties(const Shape& shape, double density, bool planar);

/// Turns the principal axes of a symmetric matrix, each the one nearest to x, y and z in turn, into the given ones.
/// Identity where products vanish to 1e-12 of the trace.
[[nodiscard]] Eigen::Quaterniond principal_axes(const Eigen::Matrix3d& inertia);

/// A polytope in its body axes: centre of mass at the origin, principal axes along x, y, z.
struct CentredPolytope {
    Polytope shape;
    Pose frame;  ///< The body axes in the axes the polytope was given in: given point = frame.to_world(body point)
};
[[nodiscard]] CentredPolytope centred(const Polytope& polytope, bool planar);

}  // namespace scree::reference
