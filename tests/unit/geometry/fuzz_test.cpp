// SPDX-License-Identifier: BSD-3-Clause
// Thousands of damaged inputs: each gives a usable result or exactly one model::Error, never another exception, a
// crash, or a result that breaks a promise. Meant to run under the address and undefined-behaviour sanitizers too.
#include "engine/geometry/bvh.hpp"
#include "engine/geometry/mesh_file.hpp"
#include "engine/geometry/mesh_write.hpp"
#include "engine/geometry/particle_file.hpp"
#include "engine/geometry/random_stream.hpp"
#include "tests/unit/geometry/gzip.hpp"
#include "tests/unit/geometry/scratch_file.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <sstream>
#include <string>

namespace scree::geometry {
namespace {

using test::ScratchFile;

constexpr int rounds = 3000;

std::string content_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

/// Fragments that parsers trip over.
constexpr std::array<std::string_view, 24> fragments{"nan",
                                                     "-inf",
                                                     "1e999",
                                                     "-1e-999",
                                                     "99999999999999999999",
                                                     "-",
                                                     "+",
                                                     "/",
                                                     "//",
                                                     ",",
                                                     ";",
                                                     "\n",
                                                     "\r\n",
                                                     "#",
                                                     "facet",
                                                     "solid ",
                                                     "endsolid\n",
                                                     "f 1 2 3\n",
                                                     "f -9 0 1\n",
                                                     "v 1\n",
                                                     "x,y,z,radius\n",
                                                     "\\\n",
                                                     "[mm]",
                                                     "\"x"};

std::string mutate(std::string text, RandomStream& random) {
    const std::size_t edits = 1 + random.index(4);
    for (std::size_t e = 0; e < edits; ++e) {
        const std::size_t at = random.index(text.size() + 1);
        const std::size_t length = std::min(random.index(12), text.size() - at);
        switch (random.index(7)) {
            case 0:
                if (at < text.size()) text[at] = static_cast<char>(random.index(256));
                break;
            case 1:
                text.erase(at, length);
                break;
            case 2:
                text.insert(at, fragments[random.index(fragments.size())]);
                break;
            case 3:
                text.insert(at, text.substr(random.index(text.size() + 1), 1 + random.index(60)));
                break;
            case 4:
                text.resize(at);
                break;
            case 5:
                text.insert(at, std::string(1 + random.index(3), '\0'));
                break;
            default:
                text.replace(at, length, fragments[random.index(fragments.size())]);
                break;
        }
    }
    return text;
}

void expect_usable(const model::MeshShape& mesh) {
    EXPECT_FALSE(mesh.triangles.empty());
    for (const auto& triangle : mesh.triangles) {
        for (const std::uint32_t v : triangle) ASSERT_LT(v, mesh.vertices.size());
    }
    for (const model::Vec3& v : mesh.vertices)
        ASSERT_TRUE(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z));
    static_cast<void>(build_bvh(mesh));
}

/// Runs `rounds` damaged copies through `read`, and asks that some are refused (else the test tests nothing).
template <class Read>
void expect_result_or_error(const std::string& original, const std::string& ending, std::uint64_t seed, Read&& read) {
    RandomStream random(seed);
    const ScratchFile file(original, ending);
    read(file.path());
    int refused = 0;
    for (int round = 0; round < rounds && !testing::Test::HasFatalFailure(); ++round) {
        const std::string damaged = mutate(original, random);
        file.write(damaged);
        try {
            read(file.path());
        } catch (const model::Error& error) {
            ++refused;
            EXPECT_EQ(error.kind(), model::ErrorKind::input) << error.what();
            EXPECT_EQ(error.file(), file.path().string());
            EXPECT_FALSE(error.message().empty());
        } catch (const std::exception& error) {
            ADD_FAILURE() << "round " << round << ": " << error.what();
        }
    }
    EXPECT_GT(refused, rounds / 10);
}

void read_and_check_mesh(const std::filesystem::path& path) { expect_usable(read_mesh(path)); }

void read_and_check_particles(const std::filesystem::path& path) {
    model::FileSource source;
    source.path = path.string();
    for (const ParticleRow& row : read_particles(source).rows) {
        ASSERT_TRUE(std::isfinite(row.position.x) && std::isfinite(row.position.y) && std::isfinite(row.position.z));
        ASSERT_TRUE(row.radius > 0.0 && std::isfinite(row.radius));
    }
}

const std::string ascii_stl =
    "solid plate\n"
    "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n endloop\nendfacet\n"
    "facet normal 0 0 1\n outer loop\n  vertex 1 0 0\n  vertex 1 1 0.5\n  vertex 0 1 0\n endloop\nendfacet\n"
    "endsolid plate\n";

TEST(GeometryFuzz, AsciiStl) { expect_result_or_error(ascii_stl, ".stl", 1, read_and_check_mesh); }

TEST(GeometryFuzz, AsciiStlByContent) { expect_result_or_error(ascii_stl, ".dat", 2, read_and_check_mesh); }

TEST(GeometryFuzz, BinaryStl) {
    const ScratchFile file("", ".stl");
    model::MeshShape mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0.5}};
    mesh.triangles = {{0, 1, 2}, {1, 3, 2}, {0, 3, 1}};
    write_stl(file.path(), mesh);
    expect_result_or_error(content_of(file.path()), ".stl", 3, read_and_check_mesh);
}

TEST(GeometryFuzz, Obj) {
    expect_result_or_error(
        "# plate\no plate\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0.5 1.0\nvt 0 0\nvn 0 0 1\ns off\n"
        "f 1 2/1 3//1\nf 2/1/1 -1 -2/-1/-1\nf 1 2 4 3\n",
        ".obj", 4, read_and_check_mesh);
}

TEST(GeometryFuzz, TriangleText) {
    const std::string text = content_of(test::data_file("drum_walls_head.txt")).substr(0, 700);
    expect_result_or_error(text.substr(0, text.rfind("\r\n")), ".txt", 5, read_and_check_mesh);
}

TEST(GeometryFuzz, ParticleCsv) {
    expect_result_or_error(content_of(test::data_file("settle_particles_head.csv")), ".csv", 6,
                           read_and_check_particles);
}

TEST(GeometryFuzz, ParticleText) {
    expect_result_or_error(content_of(test::data_file("drum_particles_ends.txt")), ".txt", 7, read_and_check_particles);
}

TEST(GeometryFuzz, ParticlesWithACommentedHeader) {
    expect_result_or_error("# x y z diameter vx vy vz\n1 2 3 4 5 6 7\n-1 -2 -3 4 5 6 7\n", ".txt", 8,
                           read_and_check_particles);
}

TEST(GeometryFuzz, CompressedParticles) {
    expect_result_or_error(test::gzip(content_of(test::data_file("settle_particles_head.csv"))), ".csv.gz", 9,
                           read_and_check_particles);
}

TEST(GeometryFuzz, CompressedMesh) {
    expect_result_or_error(test::gzip(ascii_stl), ".stl.gz", 10, read_and_check_mesh);
}

}  // namespace
}  // namespace scree::geometry
