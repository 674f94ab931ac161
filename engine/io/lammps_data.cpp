// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/lammps_data.hpp"

#include "engine/io/number.hpp"
#include "engine/model/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <optional>
#include <variant>
#include <vector>

namespace scree::io {
namespace {

using model::Vec3;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::array axis_names{"x", "y", "z"};

double component(Vec3 v, std::size_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

struct Box {
    std::array<double, 3> lower{infinite, infinite, infinite}, upper{-infinite, -infinite, -infinite};
    void hold(std::size_t axis, double from, double to) {
        lower[axis] = std::min(lower[axis], from);
        upper[axis] = std::max(upper[axis], to);
    }
};

/// A pair of planes across an axis between which bodies are, as fix wall/gran has them.
struct Planes {
    std::size_t axis = 0;
    std::optional<double> lower, upper;
};

/// What `shape` is in planes across the axes; nothing where it is something else.
std::vector<Planes> planes_of(const model::BoundaryShape& shape) {
    std::vector<Planes> found;
    if (const auto* plane = std::get_if<model::PlaneShape>(&shape)) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double at = component(plane->point, axis), along = component(plane->normal, axis);
            if (along == 1.0) found.push_back({axis, at, std::nullopt});
            if (along == -1.0) found.push_back({axis, std::nullopt, at});
        }
    } else if (const auto* box = std::get_if<model::BoxShape>(&shape)) {
        if (!box->container || box->orientation != model::Quat{}) return {};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double center = component(box->center, axis), half = component(box->half_extents, axis);
            Planes planes{axis, center - half, center + half};
            if (box->open[2 * axis]) planes.lower.reset();
            if (box->open[2 * axis + 1]) planes.upper.reset();
            if (planes.lower || planes.upper) found.push_back(planes);
        }
    }
    return found;
}

/// Names come from the user; a line of the header is one line.
std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return text;
}

std::string wall_comments(const model::Scene& scene, Box& box) {
    std::string text;
    for (const model::Boundary& boundary : scene.boundaries) {
        const std::string name = "# wall '" + one_line(boundary.name) + "': ";
        const std::vector<Planes> all = planes_of(boundary.shape);
        if (all.empty() || !boundary.motions.empty()) text += name + "not a plane at rest across an axis, left out\n";
        if (!boundary.motions.empty()) continue;
        for (const Planes& planes : all) {
            text += name + axis_names[planes.axis] + "plane";
            for (const std::optional<double>& at : {planes.lower, planes.upper}) {
                text += " " + (at ? to_text(*at) : "NULL");
                if (at) box.hold(planes.axis, *at, *at);
            }
            text += "\n";
        }
    }
    return text;
}

std::string header(const model::Scene& scene, const model::Snapshot& s) {
    Box box;
    double largest = 0.0;
    bool fixed = false;
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double at = component(s.position[i], axis);
            box.hold(axis, at - s.radius[i], at + s.radius[i]);
        }
        largest = std::max(largest, s.radius[i]);
        fixed = fixed || std::isinf(s.mass[i]);
    }
    const std::size_t materials = scene.materials.size();
    std::string text = "LAMMPS data file: " + one_line(scene.name) + ", step " + std::to_string(s.step) +
                       "; units si, atom_style sphere (LIGGGHTS: granular)\n\n";
    for (std::size_t m = 0; m < (fixed ? 2 * materials : materials); ++m)
        text += "# type " + std::to_string(m + 1) + ": " + (m < materials ? "" : "fixed bodies of ") +
                one_line(scene.materials[m % materials].name) + "\n";
    text += wall_comments(scene, box) + "\n" + std::to_string(s.id.size()) + " atoms\n" +
            std::to_string(fixed ? 2 * materials : materials) + " atom types\n\n";
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const model::PeriodicFaces& faces = scene.periodic[axis];
        const double lower = faces.active ? faces.lower : box.lower[axis] - 2.0 * largest;
        const double upper = faces.active ? faces.upper : box.upper[axis] + 2.0 * largest;
        const std::string name = axis_names[axis];
        text.append(to_text(lower)).append(" ").append(to_text(upper)).append(" ").append(name).append("lo ");
        text.append(name).append("hi\n");
    }
    return text;
}

/// The material's, where the body has it within the rounding of masses that are stored in float.
double density_of(const model::Scene& scene, const model::Snapshot& s, std::size_t i) {
    const double of_material = scene.materials[s.material[i]].density;
    if (std::isinf(s.mass[i])) return of_material;
    const double density = s.mass[i] / (4.0 / 3.0 * std::numbers::pi * s.radius[i] * s.radius[i] * s.radius[i]);
    return std::abs(density - of_material) <= 1e-6 * of_material ? of_material : density;
}

}  // namespace

void require_spheres(const model::Snapshot& s, const std::string& holder) {
    for (std::size_t i = 0; i < s.shape.size(); ++i)
        if (s.shape[i] != 0)
            throw model::Error(model::ErrorKind::input,
                               "body " + std::to_string(s.id[i]) + " is no sphere; " + holder + " holds spheres alone",
                               "the format 'records' holds the pose of any body");
}

void write_lammps(AtomicFile& file, const model::Scene& scene, const model::Snapshot& s) {
    require_spheres(s, "a data file of LAMMPS or LIGGGHTS");
    file.write(header(scene, s));
    // Without a style behind the word: LIGGGHTS takes none.
    file.write("\nAtoms\n\n");
    const auto line = [&file](std::string text, std::initializer_list<double> values) {
        for (const double value : values) text.append(" ").append(to_text(value));
        file.write(text + "\n");
    };
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        const Vec3 x = s.position[i];
        const std::size_t type = s.material[i] + 1 + (std::isinf(s.mass[i]) ? scene.materials.size() : 0);
        line(std::to_string(s.id[i]) + " " + std::to_string(type),
             {2.0 * s.radius[i], density_of(scene, s, i), x.x, x.y, x.z});
    }
    file.write("\nVelocities\n\n");
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        const Vec3 v = s.velocity[i], w = s.angular_velocity[i];
        line(std::to_string(s.id[i]), {v.x, v.y, v.z, w.x, w.y, w.z});
    }
}

}  // namespace scree::io
