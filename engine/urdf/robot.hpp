// SPDX-License-Identifier: BSD-3-Clause
// A robot as its URDF file describes it, as plain data: links, and joints in their zero configuration. SI units,
// angles in radians, frames as in the format: a link's frame is that of the joint that carries it.
#pragma once

#include "engine/model/error.hpp"
#include "engine/model/math.hpp"
#include "engine/model/solid.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace scree::urdf {

/// Where a frame stands in another one.
struct Frame {
    model::Vec3 position;
    model::Quat rotation;

    [[nodiscard]] model::Vec3 point(model::Vec3 own) const { return position + model::rotate(rotation, own); }
    friend Frame operator*(const Frame& a, const Frame& b) { return {a.point(b.position), a.rotation * b.rotation}; }
};

struct Inertial {
    Frame origin;  ///< Centre of mass, and the axes of the moments, in the link's frame.
    double mass = 0.0;
    /// xx, yy, zz, xy, xz, yz: the entries of the matrix [kg m^2].
    std::array<double, 6> inertia{};
    std::size_t line = 0;
};

struct MeshGeometry {
    std::string uri;
    model::Vec3 scale{1, 1, 1};
};
using Geometry =
    std::variant<model::SolidBox, model::SolidCylinder, model::SolidSphere, model::SolidCapsule, MeshGeometry>;
struct Collision {
    Geometry geometry;
    Frame origin;
    std::size_t line = 0;
};

struct Link {
    std::string name;
    std::optional<Inertial> inertial;
    std::vector<Collision> collisions;
    std::size_t line = 0;
};

enum class JointType : unsigned char { revolute, continuous, prismatic, fixed, planar, floating };

/// Coordinate = multiplier x that of another joint + offset.
struct Mimic {
    std::string joint;
    double multiplier = 1.0, offset = 0.0;
    std::size_t line = 0;
};

struct RobotJoint {
    std::string name;
    JointType type = JointType::fixed;
    std::string parent, child;
    Frame origin;               ///< Of the child's frame in the parent's, at coordinate 0.
    model::Vec3 axis{1, 0, 0};  ///< In the child's frame, a unit vector; of planar joints the normal.
    double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
    double damping = 0.0, friction = 0.0;
    std::optional<Mimic> mimic;
    std::size_t line = 0;

    [[nodiscard]] bool turns() const { return type == JointType::revolute || type == JointType::continuous; }
    [[nodiscard]] bool slides() const { return type == JointType::prismatic; }
};

struct Robot {
    std::string name;
    std::string path;  ///< Of the file, for messages.
    std::vector<Link> links;
    std::vector<RobotJoint> joints;

    [[noreturn]] void fail(std::size_t line, const std::string& what, const std::string& hint = {}) const {
        throw model::Error(model::ErrorKind::input, what, hint, path, line);
    }
};

/// Something in the file that the scene does not have, or has in another way.
struct Note {
    std::size_t line = 0;  ///< 0: of the whole file.
    std::string text;
};
using Notes = std::vector<Note>;

}  // namespace scree::urdf
