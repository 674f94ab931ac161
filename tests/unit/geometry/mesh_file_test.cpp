// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/mesh_file.hpp"

#include "engine/geometry/mesh_write.hpp"
#include "engine/model/error.hpp"
#include "tests/unit/geometry/scratch_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

namespace scree::geometry {
namespace {

using model::ErrorKind;
using model::MeshShape;
using model::Vec3;
using test::error_of;
using test::ScratchFile;

const std::string two_facets =
    "solid plate\n"
    "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n endloop\nendfacet\n"
    "facet normal 0 0 1\n outer loop\n  vertex 1 0 0\n  vertex 1 1 0.5\n  vertex 0 1 0\n endloop\nendfacet\n"
    "endsolid plate\n";

MeshShape read(const std::string& content, const std::string& ending) {
    const ScratchFile file(content, ending);
    return read_mesh(file.path());
}

model::Error read_error(const std::string& content, const std::string& ending) {
    const ScratchFile file(content, ending);
    model::Error error = error_of([&] { static_cast<void>(read_mesh(file.path())); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.file(), file.path().string());
    return error;
}

void append_u32(std::string& bytes, std::uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>((value >> shift) & 0xFFU);
}

/// Binary STL with the given header, count in the header, and triangles of nine floats.
std::string binary_stl(std::string header, std::uint32_t count, const std::vector<std::array<float, 9>>& triangles) {
    header.resize(80, ' ');
    append_u32(header, count);
    for (const auto& triangle : triangles) {
        header += std::string(12, '\0');
        for (const float x : triangle) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, &x, 4);
            append_u32(header, bits);
        }
        header += std::string(2, '\0');
    }
    return header;
}

void expect_two_facets(const MeshShape& mesh) {
    const std::vector<Vec3> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0.5}};
    const std::vector<std::array<std::uint32_t, 3>> triangles{{0, 1, 2}, {1, 3, 2}};
    EXPECT_EQ(mesh.vertices, vertices);
    EXPECT_EQ(mesh.triangles, triangles);
    EXPECT_EQ(mesh.degenerate_dropped, 0U);
}

TEST(GeometryMesh, AsciiStlIsWelded) { expect_two_facets(read(two_facets, ".stl")); }

TEST(GeometryMesh, AsciiStlWithCarriageReturnsCapitalsAndNanNormals) {
    std::string text;
    for (const char c : two_facets)
        text += c == '\n' ? std::string("\r\n") : std::string(1, static_cast<char>(std::toupper(c)));
    text.replace(text.find("NORMAL 0 0 1"), 12, "NORMAL nan -nan(ind) inf");
    expect_two_facets(read(text, ".STL"));
}

TEST(GeometryMesh, AsciiStlMayHoldSeveralSolidsAndIsFoundByContent) {
    const MeshShape mesh = read("  " + two_facets + "\n" + two_facets, ".dat");
    EXPECT_EQ(mesh.triangles.size(), 4U);
    EXPECT_EQ(mesh.vertices.size(), 4U);
}

TEST(GeometryMesh, BinaryStlWithAHeaderThatSaysSolid) {
    const std::vector<std::array<float, 9>> triangles{{0, 0, 0, 1, 0, 0, 0, 1, 0}, {1, 0, 0, 1, 1, 0.5F, 0, 1, 0}};
    expect_two_facets(read(binary_stl("solid made by a CAD program", 2, triangles), ".stl"));
    expect_two_facets(read(binary_stl("other", 2, triangles), ".bin"));
}

TEST(GeometryMesh, WrittenStlReadsBackTheSame) {
    const ScratchFile file("", ".stl");
    MeshShape mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0.5}};
    mesh.triangles = {{0, 1, 2}, {1, 3, 2}};
    write_stl(file.path(), mesh);
    EXPECT_EQ(std::filesystem::file_size(file.path()), 84U + 2U * 50U);
    expect_two_facets(read_mesh(file.path()));
}

TEST(GeometryMesh, UnwritableStlIsAnEnvironmentError) {
    const auto error = error_of([] { write_stl("no/such/folder/a.stl", {}); });
    EXPECT_EQ(error.kind(), ErrorKind::environment);
}

TEST(GeometryMesh, ObjCornersOfAllFormsAndNegativeIndices) {
    expect_two_facets(
        read("# plate\no plate\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0.5 1.0\nvt 0 0\nvn 0 0 1\ns off\n"
             "f 1 2/1 3//1\nf 2/1/1 -1 -2/-1/-1\n",
             ".obj"));
}

TEST(GeometryMesh, ObjPolygonsBecomeFansAndUnusedVerticesGo) {
    const MeshShape mesh = read("v 9 9 9\nv 0 0 0\nv 2 0 0\nv 3 1 0\nv 2 2 0\nv 0 2 0\nf 2 3 4 5 6\n", ".obj");
    const std::vector<std::array<std::uint32_t, 3>> triangles{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}};
    EXPECT_EQ(mesh.triangles, triangles);
    EXPECT_EQ(mesh.vertices.size(), 5U);
}

TEST(GeometryMesh, TriangleTextWithAndWithoutHeader) {
    const std::string rows = "0 0 0 1 0 0 0 1 0\n\n# comment\n1,0,0, 1,1,0.5, 0,1,0";
    expect_two_facets(read(rows, ".txt"));
    expect_two_facets(read("x1;y1;z1;x2;y2;z2;x3;y3;z3\r\n" + rows, ".csv"));
}

TEST(GeometryMesh, PublishedDrumWallsAreRead) {
    const MeshShape mesh = read_mesh(test::data_file("drum_walls_head.txt"));
    EXPECT_EQ(mesh.triangles.size(), 20U);
    EXPECT_EQ(mesh.vertices[0], (Vec3{0.00158628, 0.03, 0.101988}));
    EXPECT_EQ(mesh.vertices[2], (Vec3{0.00792375, 0.032, 0.101692}));
}

TEST(GeometryMesh, DegenerateTrianglesAreDroppedAndCounted) {
    const MeshShape mesh = read(
        "0 0 0 1 0 0 0 1 0\n"
        "0 0 0 1 0 0 1 0 0\n"                     // two equal corners
        "5 5 5 5 5 5 5 5 5\n"                     // a point
        "0.1 0.1 0.1 0.2 0.2 0.2 0.3 0.3 0.3\n",  // collinear to rounding
        ".txt");
    EXPECT_EQ(mesh.triangles.size(), 1U);
    EXPECT_EQ(mesh.vertices.size(), 3U);
    EXPECT_EQ(mesh.degenerate_dropped, 3U);
}

TEST(GeometryMesh, TinyTrianglesAreNotDegenerate) {
    const MeshShape mesh = read("0 0 0 1e-200 0 0 0 1e-200 0\n0 0 0 1 0 0 0.5 1e-9 0\n", ".txt");
    EXPECT_EQ(mesh.triangles.size(), 2U);
}

TEST(GeometryMesh, NegativeZeroIsWeldedWithZero) {
    EXPECT_EQ(read("0 0 0 1 0 0 0 1 0\n-0 0 0 0 1 0 -1 0 0\n", ".txt").vertices.size(), 4U);
}

TEST(GeometryMesh, PlacementScalesThenRotatesThenTranslates) {
    const ScratchFile file("1 0 0 0 1 0 0 0 1\n");
    const model::Quat quarter = model::from_axis_angle({0, 0, 1}, 0.5 * std::numbers::pi);
    const model::Quat unnormalised{2 * quarter.w, 2 * quarter.x, 2 * quarter.y, 2 * quarter.z};
    const MeshShape mesh = read_mesh(file.path(), 0.001, unnormalised, {10, 20, 30});
    const std::vector<Vec3> expected{{10, 20.001, 30}, {9.999, 20, 30}, {10, 20, 30.001}};
    for (std::size_t i = 0; i < 3; ++i) {  // 4e-15: rounding at 30
        EXPECT_LE(norm(mesh.vertices[i] - expected[i]), 1e-14);
    }
}

TEST(GeometryMesh, PlacementThatMakesNoSenseIsAnError) {
    const ScratchFile file("1 0 0 0 1 0 0 0 1\n");
    const auto fails = [&](double scale, model::Quat q, Vec3 t) {
        return error_of([&] { static_cast<void>(read_mesh(file.path(), scale, q, t)); }).kind() == ErrorKind::input;
    };
    EXPECT_TRUE(fails(0.0, {}, {}));
    EXPECT_TRUE(fails(-1.0, {}, {}));
    EXPECT_TRUE(fails(std::nan(""), {}, {}));
    EXPECT_TRUE(fails(1.0, {0, 0, 0, 0}, {}));
    EXPECT_TRUE(fails(1.0, {}, {0, INFINITY, 0}));
    EXPECT_TRUE(fails(1e20, {}, {}));
}

TEST(GeometryMesh, MissingFileIsAnEnvironmentErrorAndAFolderAnInputError) {
    EXPECT_EQ(error_of([] { static_cast<void>(read_mesh("no_such_mesh.stl")); }).kind(), ErrorKind::environment);
    EXPECT_EQ(error_of([] { static_cast<void>(read_mesh(std::filesystem::temp_directory_path())); }).kind(),
              ErrorKind::input);
}

struct Malformed {
    const char* content;
    const char* ending;
    std::size_t line;
    const char* message;  ///< A part of it.
};

TEST(GeometryMesh, MalformedTextNamesTheLine) {
    const std::vector<Malformed> cases{
        {"solid a\nendsolid a\n", ".stl", 0, "no triangles"},
        {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n", ".stl", 4, "'zero'"},
        {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 nan 0\n", ".stl", 4, "finite"},
        {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", ".stl", 4, "ends inside a triangle"},
        {"solid a\nfacet normal 0 0 1\nloop\n", ".stl", 3, "'outer' is wanted"},
        {"solid a\nfacet normal 0 0 x\n", ".stl", 2, "normal"},
        {"solid a\nfoo\n", ".stl", 2, "'foo'"},
        {"solid a\n", ".stl", 1, "before 'endsolid'"},
        {"", ".stl", 0, "0 bytes"},
        {"", ".obj", 0, "no triangles"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\n", ".obj", 0, "no triangles"},
        {"v 0 0\n", ".obj", 1, "a vertex has 2 numbers"},
        {"v 0 0 1e999\n", ".obj", 1, "'1e999'"},
        {"v 0 0 inf\n", ".obj", 1, "finite"},
        {"v 0 0 0\nf 1 2 3\n", ".obj", 2, "'2' is out of range: 1 defined"},
        {"v 0 0 0\nf 0 1 1\n", ".obj", 2, "'0'"},
        {"v 0 0 0\nf 1 1 -2\n", ".obj", 2, "'-2' is out of range"},
        {"v 0 0 0\nf 1 1 1/\n", ".obj", 2, "'1/'"},
        {"v 0 0 0\nf 1 1 1/1\n", ".obj", 2, "out of range"},
        {"v 0 0 0\nf 1 1 1//\n", ".obj", 2, "'1//'"},
        {"v 0 0 0\nf 1 1 99999999999999999999\n", ".obj", 2, "'99999999999999999999'"},
        {"v 0 0 0\nf 1 1\n", ".obj", 2, "2 corners"},
        {"v 0 0 0\nf 1 1 \\\n1\n", ".obj", 2, "continued"},
        {"vertex 0 0 0\n", ".obj", 1, "unknown OBJ statement"},
        {"0 0 0 1 0 0 0 1\n", ".txt", 1, "8 fields"},
        {"header\n0 0 0 1 0 0 0 1 0 0\n", ".txt", 2, "10 fields"},
        {"header\nheader\n", ".txt", 2, "1 fields"},
        {"0,0,0,1,0,0,0,1,\n", ".txt", 1, "z of vertex 3 is empty"},
        {"0 0 0 1 0 0 0 1 nan\n", ".txt", 1, "finite"},
        {"\n\n0 0 0 1 0 0 0 1 1x\n", ".txt", 3, "'1x'"},
        {"1 1 1 1 1 1 1 1 1\n", ".txt", 0, "all 1 triangles"},
        {"header\n", ".txt", 0, "no triangles"},
    };
    for (const Malformed& c : cases) {
        SCOPED_TRACE(std::string(c.ending) + ": " + c.content);
        const model::Error error = read_error(c.content, c.ending);
        EXPECT_EQ(error.line(), c.line);
        EXPECT_NE(error.message().find(c.message), std::string::npos) << error.what();
    }
}

TEST(GeometryMesh, BinaryStlWithAnotherSizeThanItsCountSays) {
    const std::vector<std::array<float, 9>> one{{0, 0, 0, 1, 0, 0, 0, 1, 0}};
    EXPECT_NE(read_error(binary_stl("", 4294967295U, one), ".stl").message().find("4294967295 triangles"),
              std::string::npos);
    EXPECT_NE(read_error(binary_stl("solid", 2, one), ".stl").message().find("184 bytes, but the file has 134"),
              std::string::npos);
    EXPECT_NE(read_error(binary_stl("", 1, one) + "x", ".stl").message().find("135"), std::string::npos);
    EXPECT_NE(read_error(binary_stl("", 0, {}), ".stl").message().find("no triangles"), std::string::npos);
    EXPECT_NE(read_error("short", ".stl").message().find("5 bytes"), std::string::npos);
}

TEST(GeometryMesh, BinaryStlWithNanNamesTheByte) {
    const std::string bytes = binary_stl("", 2, {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 0, 0, 1, NAN, 0, 0, 1, 0}});
    // 84 header + 50 first triangle + 12 normal + 16 for four floats
    EXPECT_NE(read_error(bytes, ".stl").message().find("triangle 1, byte 162"), std::string::npos);
}

}  // namespace
}  // namespace scree::geometry
