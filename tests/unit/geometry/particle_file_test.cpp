// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/particle_file.hpp"

#include "engine/geometry/particle_columns.hpp"
#include "tests/unit/geometry/gzip.hpp"
#include "tests/unit/geometry/scratch_file.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace scree::geometry {
namespace {

using model::FileSource;
using model::Vec3;
using test::error_of;
using test::ScratchFile;

ParticleTable read(const std::string& content, FileSource source = {}) {
    const ScratchFile file(content, ".csv");
    source.path = file.path().string();
    return read_particles(source);
}

model::Error read_error(const std::string& content, FileSource source = {}) {
    const ScratchFile file(content, ".csv");
    source.path = file.path().string();
    model::Error error = error_of([&] { static_cast<void>(read_particles(source)); });
    EXPECT_EQ(error.kind(), model::ErrorKind::input);
    EXPECT_EQ(error.file(), file.path().string());
    return error;
}

FileSource with_columns(std::vector<std::string> columns) {
    FileSource source;
    source.columns = std::move(columns);
    return source;
}

TEST(GeometryParticleFile, HeaderNamesTheColumnsOfACsv) {
    const ParticleTable table = read("id,x,y,z,radius,vx,vy,vz,wx,wy,wz\n7,1,2,3,0.5,4,5,6,7,8,9\n");
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(table.rows[0].position, (Vec3{1, 2, 3}));
    EXPECT_EQ(table.rows[0].velocity, (Vec3{4, 5, 6}));
    EXPECT_EQ(table.rows[0].angular_velocity, (Vec3{7, 8, 9}));
    EXPECT_EQ(table.rows[0].radius, 0.5);
}

TEST(GeometryParticleFile, HeadingsAreReadWithUnitsCaseAndPunctuation) {
    using M = ColumnMeaning;
    const std::vector<std::pair<const char*, M>> cases{{"Radius[m]", M::radius},
                                                       {"PosX[m]", M::x},
                                                       {"pos_y", M::y},
                                                       {"Z (m)", M::z},
                                                       {"\"x\"", M::x},
                                                       {"Velocity_Z[m/s]", M::vz},
                                                       {"vX", M::vx},
                                                       {"omega_y", M::wy},
                                                       {"Particle ID", M::id},
                                                       {"DIAMETER", M::diameter},
                                                       {"xpos", M::x},
                                                       {"skip", M::skip},
                                                       {"angular velocity x", M::wx}};
    for (const auto& [heading, meaning] : cases) EXPECT_EQ(parse_heading(heading).meaning, meaning) << heading;
    EXPECT_EQ(parse_heading("Radius[ mm ]").unit, "mm");
    for (const char* unknown : {"", "[m]", "mass", "posxy", "q", "radiusx"}) {
        EXPECT_FALSE(parse_heading(unknown).meaning) << unknown;
    }
}

TEST(GeometryParticleFile, PublishedDrumParticlesAreRead) {
    FileSource source;
    source.path = "drum_particles_ends.txt";
    const ParticleTable table = read_particles(source, test::data_file(""));
    EXPECT_EQ(table.rows.size(), 21U);
    EXPECT_EQ(table.rows[0].radius, 0.002);
    EXPECT_EQ(table.rows[0].position, (Vec3{-0.009441591507, -0.02077494175, -0.08420070394}));
    EXPECT_EQ(table.rows[20].position, (Vec3{0.01710430456, 0.005614833423, -0.03628721682}));
}

TEST(GeometryParticleFile, SpeciesAreSelectedByRadius) {
    FileSource source;
    source.path = test::data_file("drum_particles_ends.txt").string();
    source.radius_max = 0.0015;
    const ParticleTable small = read_particles(source);
    EXPECT_EQ(small.rows.size(), 11U);
    EXPECT_EQ(small.rows_read, 21U);
    source.radius_min = 0.01;
    source.radius_max = 1.0;
    const auto error = error_of([&] { static_cast<void>(read_particles(source)); });
    EXPECT_NE(error.message().find("none of the 21 radii"), std::string::npos);
}

TEST(GeometryParticleFile, LastLineThatIsNotAParticleIsAnErrorUnlessMaxRowsEndsBeforeIt) {
    FileSource source;
    source.path = test::data_file("penetration_particles_ends.txt").string();
    const auto error = error_of([&] { static_cast<void>(read_particles(source)); });
    EXPECT_EQ(error.line(), 22U);
    EXPECT_EQ(error.message(), "the line has 6 fields, a particle has 4: it is not a particle");
    EXPECT_NE(error.hint().find("max_rows: 20"), std::string::npos);

    source.max_rows = 20;
    EXPECT_EQ(read_particles(source).rows.size(), 20U);
    source.max_rows = 5;
    EXPECT_EQ(read_particles(source).rows.size(), 5U);
}

TEST(GeometryParticleFile, CompressedFileEqualsThePlainOne) {
    FileSource plain, packed;
    plain.path = "settle_particles_head.csv";
    packed.path = "settle_particles_head.csv.gz";
    const ParticleTable a = read_particles(plain, test::data_file("")), b = read_particles(packed, test::data_file(""));
    ASSERT_EQ(a.rows.size(), 20U);
    ASSERT_EQ(b.rows.size(), 20U);
    EXPECT_EQ(a.rows[0].position, (Vec3{0.052819, 0.053534, 0.057379}));
    for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(a.rows[i].position, b.rows[i].position);
}

TEST(GeometryParticleFile, PositionalColumnsSkipAHeaderAndUnwantedFields) {
    const ParticleTable table = read("a b c d e\n9 1 2 3 0.4\n", with_columns({"skip", "x", "y", "z", "diameter"}));
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(table.rows[0].position, (Vec3{1, 2, 3}));
    EXPECT_EQ(table.rows[0].radius, 0.2);
}

TEST(GeometryParticleFile, CommentLineMayNameTheColumns) {
    const ParticleTable table = read("# made by hand\n# z y x radius\n1 2 3 4\n# x y z radius\n5 6 7 8\n");
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.rows[0].position, (Vec3{3, 2, 1}));
    EXPECT_EQ(table.rows[1].position, (Vec3{7, 6, 5}));
}

TEST(GeometryParticleFile, LengthsAreScaledThenMoved) {
    FileSource source;
    source.scale = 0.5;
    source.translation = {10, 20, 30};
    const ParticleTable table = read("x[mm] y[mm] z[mm] radius [mm] vx\n2 4 6 8 3\n", source);
    EXPECT_EQ(table.rows[0].position, (Vec3{11, 22, 33}));
    EXPECT_EQ(table.rows[0].radius, 4.0);
    EXPECT_EQ(table.rows[0].velocity.x, 3.0);
}

TEST(GeometryParticleFile, RadiusOfTheSourceServesFilesWithoutOne) {
    FileSource source;
    source.radius = 0.25;
    source.scale = 10.0;  // of the file only
    EXPECT_EQ(read("x y z\n1 2 3\n", source).rows[0].radius, 0.25);
    EXPECT_NE(read_error("x y z radius\n1 2 3 4\n", source).message().find("'radius' as well"), std::string::npos);
}

TEST(GeometryParticleFile, UnknownColumnsOfAHeaderAreListed) {
    const ParticleTable table = read("x,mass,y,z,r,type\n1,oak,2,3,4,\n");
    EXPECT_EQ(table.ignored_columns, (std::vector<std::string>{"mass", "type"}));
    EXPECT_EQ(table.rows[0].radius, 4.0);
}

struct Malformed {
    const char* content;
    std::size_t line;
    const char* message;
};

TEST(GeometryParticleFile, MalformedFilesNameTheLine) {
    const std::vector<Malformed> cases{
        {"", 0, "no particles"},
        {"x y z radius\n", 0, "no particles"},
        {"x y z radius\n1 2 3 4\n1 2 3\n", 3, "3 fields, a particle has 4"},
        {"x,y,z,radius\n1,2,3,4,\n", 2, "5 fields"},
        {"x,y,z,radius\n1,2,,4\n", 2, "z is empty"},
        {"x y z radius\n1 2 three 4\n", 2, "z is 'three'"},
        {"x y z radius\n1 2 nan 4\n", 2, "finite"},
        {"x y z radius\n1 2 -inf 4\n", 2, "finite"},
        {"x y z radius\n1 2 1e400 4\n", 2, "'1e400'"},
        {"x y z radius\n1 2 3 0\n", 2, "radius is 0, allowed: > 0"},
        {"x y z diameter\n1 2 3 -4\n", 2, "diameter is -4"},
        {"x y z radius\n\n# c\n1 2 3 4 5\n", 4, "5 fields"},
        {"x y z\n1 2 3\n", 1, "no column 'radius'"},
        {"x y radius\n1 2 3\n", 1, "no column 'z'"},
        {"x y z x radius\n1 2 3 4 5\n", 1, "two columns mean 'x': 'x' and 'x', columns 1 and 4"},
        {"x,PosX [m],y,z,radius\n1,2,3,4,5\n", 1, "two columns mean 'x': 'x' and 'PosX[m]', columns 1 and 2"},
        {"x,y,z,radius,temp,temp\n1,2,3,4,5,6\n", 1, "two columns have the name 'temp', columns 5 and 6"},
        {"x y z r d\n1 2 3 4 5\n", 1, "both a radius and a diameter"},
        {"x[mm] y z r\n1 2 3 4\n", 1, "not in metres"},
        {"x y z r vx[mm/s]\n1 2 3 4 5\n", 1, "not in m/s"},
        {"x y z r wx[rpm]\n1 2 3 4 5\n", 1, "not in rad/s"},
        {"1 2 3 4\n", 1, "no header that names its 4 columns"},
        {"hello world\n1 2 3 4\n", 1, "neither numbers nor a header"},
    };
    for (const Malformed& c : cases) {
        SCOPED_TRACE(c.content);
        const model::Error error = read_error(c.content);
        EXPECT_EQ(error.line(), c.line);
        EXPECT_NE(error.message().find(c.message), std::string::npos) << error.what();
    }
}

TEST(GeometryParticleFile, SettingsThatMakeNoSenseAreErrors) {
    const std::string good = "1 2 3 4\n";
    EXPECT_NE(read_error(good, with_columns({"x", "y", "z", "radios"})).message().find("unknown column 'radios'"),
              std::string::npos);
    EXPECT_NE(read_error(good, with_columns({"x", "y", "y", "radius"})).message().find("two columns"),
              std::string::npos);
    EXPECT_NE(read_error(good, with_columns({"x", "y", "radius"})).message().find("no column 'z'"), std::string::npos);
    FileSource source = with_columns({"x", "y", "z", "radius"});
    source.max_rows = 2;
    EXPECT_NE(read_error(good, source).message().find("max_rows wants 2"), std::string::npos);
    source.max_rows = 0;
    source.scale = 0.0;
    EXPECT_NE(read_error(good, source).message().find("scale"), std::string::npos);
    source.scale = 1e308;
    EXPECT_NE(read_error("1 9 3 1\n", source).message().find("not finite"), std::string::npos);
    source.scale = 1.0;
    source.radius = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(read_error(good, source).message().find("radius is nan"), std::string::npos);
}

TEST(GeometryParticleFile, MissingFileIsAnEnvironmentError) {
    FileSource source;
    source.path = "no_such_particles.csv";
    EXPECT_EQ(error_of([&] { static_cast<void>(read_particles(source)); }).kind(), model::ErrorKind::environment);
}

}  // namespace
}  // namespace scree::geometry
