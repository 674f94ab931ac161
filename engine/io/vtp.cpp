// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/vtp.hpp"

#include "engine/io/number.hpp"
#include "engine/io/polydata.hpp"
#include "engine/model/body_index.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace scree::io {
namespace {

using model::Vec3;
using Section = PolyData::Section;

double component(Vec3 v, std::size_t c) { return c == 0 ? v.x : c == 1 ? v.y : v.z; }
double component(model::Quat q, std::size_t c) { return c == 0 ? q.w : component(Vec3{q.x, q.y, q.z}, c - 1); }

template <class T>
void add_vectors(PolyData& data, Section section, const std::string& name, const std::vector<Vec3>& values) {
    data.add<T>(section, name, values.size(), 3,
                [&values](std::size_t i, std::size_t c) { return component(values[i], c); });
}

template <class T, class Values>
void add_scalars(PolyData& data, Section section, const std::string& name, const Values& values) {
    data.add<T>(section, name, values.size(), 1, [&values](std::size_t i, std::size_t) { return values[i]; });
}

std::string moment(double time) { return "time " + to_text(time) + " s"; }

std::size_t index_of(const model::Snapshot& s, std::uint64_t id) {
    if (const auto index = model::index_of_body(s, id)) return *index;
    throw std::invalid_argument("contact of body " + std::to_string(id) + ", which the snapshot does not hold");
}

}  // namespace

std::string frame_name(const std::string& stem, std::size_t step) {
    std::string digits = std::to_string(step);
    if (digits.size() < 8) digits.insert(0, 8 - digits.size(), '0');
    return stem + "_" + digits + ".vtp";
}

void write_particles(const std::filesystem::path& path, const model::Snapshot& s) {
    const std::size_t n = s.id.size();
    for (const std::size_t size :
         {s.position.size(), s.orientation.size(), s.velocity.size(), s.angular_velocity.size(), s.force.size(),
          s.torque.size(), s.radius.size(), s.mass.size(), s.material.size(), s.source.size(),
          s.shape.empty() ? n : s.shape.size(), s.shape.empty() ? n : s.semi_axes.size()}) {
        if (size != n) throw std::invalid_argument("the body vectors of a snapshot differ in length");
    }
    PolyData data({.points = n, .verts = n, .lines = 0, .polys = 0},
                  moment(s.time) + ", step " + std::to_string(s.step) + ", quaternion is w x y z");
    add_vectors<double>(data, Section::points, "points", s.position);
    data.add_cells(Section::verts, n, 1, [](std::size_t cell, std::size_t) { return cell; });
    add_scalars<std::int64_t>(data, Section::point_data, "id", s.id);
    add_scalars<float>(data, Section::point_data, "radius", s.radius);
    add_vectors<float>(data, Section::point_data, "velocity", s.velocity);
    add_vectors<float>(data, Section::point_data, "omega", s.angular_velocity);
    add_vectors<float>(data, Section::point_data, "force", s.force);
    add_vectors<float>(data, Section::point_data, "torque", s.torque);
    // An infinite mass would spoil the colour range of viewers.
    data.add<float>(Section::point_data, "mass", n, 1,
                    [&s](std::size_t i, std::size_t) { return std::isinf(s.mass[i]) ? 0.0 : s.mass[i]; });
    data.add<float>(Section::point_data, "quaternion", n, 4,
                    [&s](std::size_t i, std::size_t c) { return component(s.orientation[i], c); });
    add_scalars<std::int32_t>(data, Section::point_data, "material", s.material);
    add_scalars<std::int32_t>(data, Section::point_data, "source", s.source);
    if (!s.shape.empty()) {
        add_scalars<std::int32_t>(data, Section::point_data, "shape", s.shape);
        add_vectors<float>(data, Section::point_data, "semi_axes", s.semi_axes);
    }
    data.write(path);
}

void write_surfaces(const std::filesystem::path& path, std::span<const BodySurface> surfaces,
                    const model::Snapshot& s) {
    std::vector<Vec3> points;
    std::vector<std::size_t> body;  // Per point.
    std::vector<std::array<std::size_t, 3>> triangles;
    for (const BodySurface& surface : surfaces) {
        const std::size_t first = points.size(), i = surface.body;
        for (const Vec3 p : surface.points) {
            points.push_back(s.position[i] + surface.scale * rotate(s.orientation[i], p));
            body.push_back(i);
        }
        for (const auto& t : surface.triangles) triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    PolyData data({.points = points.size(), .verts = 0, .lines = 0, .polys = triangles.size()},
                  moment(s.time) + ", step " + std::to_string(s.step));
    add_vectors<float>(data, Section::points, "points", points);
    data.add_cells(Section::polys, triangles.size(), 3,
                   [&](std::size_t cell, std::size_t corner) { return triangles[cell][corner]; });
    const auto add = [&]<class T>(const char* name, T, std::size_t components, auto value) {
        data.add<T>(Section::point_data, name, points.size(), components,
                    [value, &body](std::size_t k, std::size_t c) { return value(body[k], c); });
    };
    add("id", std::int64_t{}, 1, [&s](std::size_t i, std::size_t) { return s.id[i]; });
    add("velocity", float{}, 3, [&s](std::size_t i, std::size_t c) { return component(s.velocity[i], c); });
    add("omega", float{}, 3, [&s](std::size_t i, std::size_t c) { return component(s.angular_velocity[i], c); });
    add("material", std::int32_t{}, 1, [&s](std::size_t i, std::size_t) { return s.material[i]; });
    add("source", std::int32_t{}, 1, [&s](std::size_t i, std::size_t) { return s.source[i]; });
    data.write(path);
}

void write_contacts(const std::filesystem::path& path, const model::Snapshot& s) {
    const auto& contacts = s.contacts;
    const std::size_t n = contacts.size();
    std::vector<std::array<Vec3, 2>> ends(n);
    for (std::size_t i = 0; i < n; ++i) {
        const model::ContactRecord& contact = contacts[i];
        const std::size_t a = index_of(s, contact.id_a);
        const double beyond = contact.boundary < 0 ? s.radius[index_of(s, contact.id_b)] : 0.0;
        const double length = s.radius[a] + contact.gap + beyond;
        ends[i] = {s.position[a], s.position[a] + length * contact.normal};
        // Of other shapes than spheres the normal does not pass through the centres.
        if (!s.shape.empty()) ends[i][1] = contact.boundary < 0 ? s.position[index_of(s, contact.id_b)] : contact.point;
    }
    PolyData data({.points = 2 * n, .verts = 0, .lines = n, .polys = 0},
                  moment(s.time) + ", step " + std::to_string(s.step));
    data.add<double>(Section::points, "points", 2 * n, 3,
                     [&ends](std::size_t i, std::size_t c) { return component(ends[i / 2][i % 2], c); });
    data.add_cells(Section::lines, n, 2, [](std::size_t cell, std::size_t corner) { return 2 * cell + corner; });
    const auto add = [&]<class T>(const char* name, T, auto value) {
        data.add<T>(Section::cell_data, name, n, 1,
                    [value, &contacts](std::size_t i, std::size_t) { return value(contacts[i]); });
    };
    using Contact = model::ContactRecord;
    data.add<double>(Section::cell_data, "point", n, 3,
                     [&contacts](std::size_t i, std::size_t c) { return component(contacts[i].point, c); });
    data.add<float>(Section::cell_data, "force", n, 3,
                    [&contacts](std::size_t i, std::size_t c) { return component(contacts[i].force, c); });
    add("normal_force", float{}, [](const Contact& c) { return std::abs(dot(c.force, c.normal)); });
    add("gap", float{}, [](const Contact& c) { return c.gap; });
    add("id_a", std::int64_t{}, [](const Contact& c) { return c.id_a; });
    add("id_b", std::int64_t{}, [](const Contact& c) { return c.id_b; });
    add("boundary", std::int32_t{}, [](const Contact& c) { return c.boundary; });
    data.write(path);
}

void write_walls(const std::filesystem::path& path, std::span<const WallPicture> walls, double time) {
    std::vector<Vec3> points, velocities;
    std::vector<std::array<std::size_t, 3>> triangles;
    std::vector<const WallPicture*> owner;  // Per triangle.
    std::vector<Vec3> forces, tractions;
    for (const WallPicture& wall : walls) {
        if (!wall.state.active) continue;
        const std::size_t first = points.size();
        for (const Vec3& vertex : wall.mesh->vertices) {
            const Vec3 arm = rotate(wall.state.rotation, vertex - wall.torque_point);
            points.push_back(rotate(wall.state.rotation, vertex) + wall.state.displacement);
            velocities.push_back(wall.state.velocity + cross(wall.state.angular_velocity, arm));
        }
        const auto& vertices = wall.mesh->vertices;
        for (std::size_t k = 0; k < wall.mesh->triangles.size(); ++k) {
            const auto& t = wall.mesh->triangles[k];
            triangles.push_back({first + t[0], first + t[1], first + t[2]});
            owner.push_back(&wall);
            const Vec3 force = wall.triangle_force.empty() ? Vec3{} : wall.triangle_force[k];
            const double area = 0.5 * norm(cross(vertices[t[1]] - vertices[t[0]], vertices[t[2]] - vertices[t[0]]));
            forces.push_back(force);
            tractions.push_back(area > 0.0 ? (1.0 / area) * force : Vec3{});
        }
    }
    PolyData data({.points = points.size(), .verts = 0, .lines = 0, .polys = triangles.size()}, moment(time));
    add_vectors<double>(data, Section::points, "points", points);
    data.add_cells(Section::polys, triangles.size(), 3,
                   [&](std::size_t cell, std::size_t corner) { return triangles[cell][corner]; });
    add_vectors<float>(data, Section::point_data, "velocity", velocities);
    data.add<std::int32_t>(Section::cell_data, "boundary", owner.size(), 1,
                           [&](std::size_t i, std::size_t) { return owner[i]->boundary; });
    data.add<float>(Section::cell_data, "force", owner.size(), 3,
                    [&](std::size_t i, std::size_t c) { return component(owner[i]->state.force, c); });
    data.add<float>(Section::cell_data, "torque", owner.size(), 3,
                    [&](std::size_t i, std::size_t c) { return component(owner[i]->state.torque, c); });
    add_vectors<float>(data, Section::cell_data, "triangle_force", forces);
    add_vectors<float>(data, Section::cell_data, "traction", tractions);
    data.write(path);
}

void write_mesh(const std::filesystem::path& path, const model::MeshShape& mesh, const model::BoundaryState& state,
                double time) {
    const WallPicture wall{.mesh = &mesh, .state = state, .torque_point = {}, .boundary = 0, .triangle_force = {}};
    write_walls(path, std::span(&wall, 1), time);
}

}  // namespace scree::io
