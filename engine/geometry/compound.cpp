// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/compound.hpp"

#include "engine/geometry/farthest_point.hpp"
#include "engine/geometry/sphere_union.hpp"
#include "engine/model/error.hpp"
#include "engine/reference/mass_properties.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::geometry {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Vector3d of(model::Vec3 v) { return {v.x, v.y, v.z}; }
Quaterniond of(model::Quat q) { return {q.w, q.x, q.y, q.z}; }
model::Vec3 back(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
model::Quat back(const Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

SolidFacts facts_of(const model::SolidPart& part, std::size_t index, double density) {
    model::BodySource alone;
    alone.shape = std::visit([](const auto& shape) { return model::Solid(shape); }, part.shape);
    alone.orientation = part.orientation;
    try {
        return solid_facts(alone, density, false);
    } catch (const model::Error& error) {
        throw model::Error(error.kind(), fmt::format("part {}: {}", index, error.message()), error.hint());
    }
}

/// About the axes that the parts were given in.
struct Mass {
    double volume = 0.0;  ///< [m^3]
    Vector3d centre = Vector3d::Zero();
    Matrix3d inertia = Matrix3d::Zero();  ///< About the centre, of unit density [m^5].
};

/// `parts`: of unit density.
Mass sum_of(const model::SolidCompound& compound, const std::vector<SolidFacts>& parts) {
    Mass sum;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        sum.volume += parts[k].mass;
        sum.centre += parts[k].mass * of(compound.parts[k].position);
    }
    sum.centre /= sum.volume;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const Matrix3d axes = of(parts[k].orientation).toRotationMatrix();
        const Vector3d arm = of(compound.parts[k].position) - sum.centre;
        sum.inertia += axes * of(parts[k].inertia).asDiagonal() * axes.transpose() +
                       parts[k].mass * (arm.squaredNorm() * Matrix3d::Identity() - arm * arm.transpose());
    }
    return sum;
}

Mass union_of(const std::vector<Ball>& balls) {
    const UnionMoments moments = union_moments(balls);
    Matrix3d second;
    for (Eigen::Index k = 0; k < 3; ++k)
        for (Eigen::Index l = 0; l < 3; ++l) second(k, l) = moments.second[std::size_t(k)][std::size_t(l)];
    return {moments.volume, of(moments.center), second.trace() * Matrix3d::Identity() - second};
}

}  // namespace

std::vector<Ball> balls_of(const model::SolidCompound& compound) {
    std::vector<Ball> balls;
    for (const model::SolidPart& part : compound.parts) {
        const auto* sphere = std::get_if<model::SolidSphere>(&part.shape);
        if (sphere == nullptr) return {};
        balls.push_back({part.position, sphere->radius});
    }
    return balls;
}

Compound make_compound(const model::SolidCompound& compound, double density) {
    if (compound.parts.empty()) throw model::Error(model::ErrorKind::input, "a compound without parts");
    Compound made;
    std::vector<SolidFacts> parts;
    for (std::size_t k = 0; k < compound.parts.size(); ++k) parts.push_back(facts_of(compound.parts[k], k, 1.0));
    const std::vector<Ball> balls = balls_of(compound);
    const auto [volume, centre, inertia] = balls.empty() ? sum_of(compound, parts) : union_of(balls);
    const Quaterniond principal = reference::principal_axes(inertia);
    const Matrix3d turn = principal.toRotationMatrix();
    SolidFacts& facts = made.facts;
    facts.mass = density * volume;
    facts.inertia = density * back(Vector3d((turn.transpose() * inertia * turn).diagonal()));
    facts.orientation = back(principal);
    made.center_of_mass = back(centre);
    Vector3d half = Vector3d::Zero();
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const Vector3d offset = principal.conjugate() * (of(compound.parts[k].position) - centre);
        const Quaterniond rotation = principal.conjugate() * of(parts[k].orientation);
        made.parts.push_back({compound.parts[k].shape, back(offset), back(rotation)});
        const Vector3d from = of(compound.parts[k].orientation).conjugate() * (centre - of(compound.parts[k].position));
        facts.radius = std::max(facts.radius, farthest_distance(compound.parts[k].shape, back(from)));
        // The turned box around the part.
        const Vector3d reach = rotation.toRotationMatrix().cwiseAbs() * of(parts[k].half_extents);
        half = half.cwiseMax(offset.cwiseAbs() + reach);
    }
    facts.half_extents = back(half);
    return made;
}

}  // namespace scree::geometry
