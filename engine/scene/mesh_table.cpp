// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/mesh_table.hpp"

#include "engine/geometry/mesh_file.hpp"
#include "engine/scene/nearest.hpp"

#include <cmath>
#include <system_error>

namespace scree::scene {

using namespace model;

namespace {

/// What stands in the scene; only `shape`, with the transform applied, reaches the model.
struct MeshInput {
    MeshShape shape;
    double scale = 1.0;
    Quat rotation;
    Vec3 translation;
};

void read_vertices(const Reader& in, MeshInput& mesh) {
    for (const auto& vertex : in.items()) mesh.shape.vertices.push_back(vertex.vector(Dimension::length));
}

void read_triangles(const Reader& in, MeshInput& mesh) {
    for (const auto& triangle : in.items()) {
        const auto corners = triangle.items(3);
        auto& indices = mesh.shape.triangles.emplace_back();
        for (std::size_t i = 0; i < 3; ++i)
            indices[i] = static_cast<std::uint32_t>(corners[i].count({.low = 0.0, .high = 4294967295.0}));
    }
}

void place_inline_mesh(const Reader& in, MeshInput& mesh) {
    const auto& vertices = mesh.shape.vertices;
    if (mesh.shape.triangles.empty()) in.fail("has no triangles");
    for (std::size_t i = 0; i < mesh.shape.triangles.size(); ++i) {
        for (const auto corner : mesh.shape.triangles[i]) {
            if (corner >= vertices.size())
                in.find("triangles")
                    ->items()[i]
                    .fail("names the vertex " + std::to_string(corner) + " of " + std::to_string(vertices.size()),
                          "vertices count from 0");
        }
    }
    // Untouched when there is nothing to do, so that a written scene reads back bit for bit.
    if (mesh.scale != 1.0 || mesh.rotation != Quat{} || mesh.translation != Vec3{}) {
        for (auto& v : mesh.shape.vertices) v = rotate(mesh.rotation, mesh.scale * v) + mesh.translation;
    }
    for (const auto& v : vertices) {
        if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z))
            in.fail("has a vertex outside the range of double precision after 'scale' and 'translation'");
    }
}

void load_mesh_file(const Reader& in, MeshInput& mesh) {
    const auto path = in.find("path");
    if (!path) in.fail("lacks the required key 'path'", "or give 'vertices' and 'triangles'");
    const auto file = in.context().directory / mesh.shape.path;
    std::error_code ignored;
    const auto status = std::filesystem::status(file, ignored);
    if (!std::filesystem::exists(status))
        path->fail("= " + in_quotes(mesh.shape.path) + ": there is no such file",
                   "looked for " + in_quotes(file.generic_string()) + "; relative paths start at the scene file");
    if (!std::filesystem::is_regular_file(status))
        path->fail("= " + in_quotes(mesh.shape.path) + " is not a regular file");
    auto shape = geometry::read_mesh(file, mesh.scale, mesh.rotation, mesh.translation);
    shape.path = mesh.shape.path;
    mesh.shape = std::move(shape);
}

void finish_mesh(const Reader& in, MeshInput& mesh) {
    const bool has_vertices = in.find("vertices").has_value(), has_triangles = in.find("triangles").has_value();
    if (has_vertices != has_triangles) in.fail("needs both 'vertices' and 'triangles', or neither and a 'path'");
    if (has_vertices) {
        place_inline_mesh(in, mesh);
    } else {
        load_mesh_file(in, mesh);
    }
}

const Table<MeshInput>& mesh_table() {
    static const auto table = [] {
        Table<MeshInput> t("mesh", "A triangle mesh, two-sided: from a file, or by vertices and triangles.");
        t.text([](auto& m) -> auto& { return m.shape.path; },
               {.name = "path",
                .meaning = "STL (ascii, binary), OBJ, or text with 9 numbers a line, perhaps compressed (*.gz); "
                           "relative to the scene file. With "
                           "`vertices`, only a name for messages.",
                .fallback = "needed without vertices"});
        t.quantity(&MeshInput::scale, {.name = "scale",
                                       .meaning = "Multiplies all coordinates: the file's unit in metres.",
                                       .range = positive,
                                       .omit_default = true});
        t.add(
            {.name = "rotation",
             .meaning = "Turns the scaled mesh about the origin: [w, x, y, z] or {axis, angle}.",
             .omit_default = true,
             .type = ValueType::orientation},
            [](const Reader& in, MeshInput& mesh) { mesh.rotation = in.orientation(); },
            [](const MeshInput& mesh, Names) -> std::optional<Node> { return quaternion_node(mesh.rotation); });
        t.vector(&MeshInput::translation, {.name = "translation",
                                           .meaning = "Added after scale and rotation.",
                                           .dimension = Dimension::length,
                                           .omit_default = true});
        t.add({.name = "vertices",
               .meaning = "The vertices themselves, instead of a file: rows [x, y, z].",
               .dimension = Dimension::length,
               .fallback = "from the file",
               .type = ValueType::rows,
               .length = 3},
              read_vertices, [](const MeshInput& mesh, Names) -> std::optional<Node> {
                  Node out = sequence_node();
                  for (const auto& v : mesh.shape.vertices) out.items.push_back(vector_node(v));
                  return out;
              });
        t.add({.name = "triangles",
               .meaning = "Three indices into `vertices` per triangle, from 0.",
               .range = not_negative,
               .fallback = "from the file",
               .type = ValueType::rows,
               .length = 3},
              read_triangles, [](const MeshInput& mesh, Names) -> std::optional<Node> {
                  Node out = sequence_node();
                  for (const auto& corners : mesh.shape.triangles) {
                      Node row = sequence_node();
                      for (const auto corner : corners) row.items.push_back(scalar_node(std::to_string(corner)));
                      out.items.push_back(std::move(row));
                  }
                  return out;
              });
        t.count([](auto& m) -> auto& { return m.shape.degenerate_dropped; },
                {.name = "degenerate_dropped",
                 .meaning = "Record of how many triangles without area were left out when the mesh file was read.",
                 .fallback = "counted",
                 .omit_default = true});
        t.check = finish_mesh;
        return t;
    }();
    return table;
}

}  // namespace

void add_mesh(Table<Boundary>& t) {
    t.add(
        {.name = "mesh",
         .meaning = mesh_table().about.meaning,
         .group = "shape",
         .type = ValueType::object,
         .object = &mesh_table().about},
        [](const Reader& in, Boundary& boundary) {
            MeshInput mesh;
            read_object(in, mesh_table(), mesh);
            boundary.shape = std::move(mesh.shape);
        },
        [](const Boundary& boundary, Names names) -> std::optional<Node> {
            const auto* shape = std::get_if<MeshShape>(&boundary.shape);
            if (shape == nullptr) return std::nullopt;
            return write_object(mesh_table(), MeshInput{*shape, 1.0, {}, {}}, names);
        });
}

Node quaternion_node(Quat q) {
    return sequence_node({number_node(q.w), number_node(q.x), number_node(q.y), number_node(q.z)});
}

}  // namespace scree::scene
