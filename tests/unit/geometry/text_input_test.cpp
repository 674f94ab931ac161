// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/text_input.hpp"

#include "engine/geometry/mesh_file.hpp"
#include "tests/unit/geometry/gzip.hpp"
#include "tests/unit/geometry/scratch_file.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::geometry {
namespace {

using test::error_of;
using test::gzip;
using test::ScratchFile;

model::Error content_error(const std::string& bytes, std::size_t limit = max_file_bytes) {
    const ScratchFile file(bytes, ".csv.gz");
    return error_of([&] { static_cast<void>(read_content(file.path(), limit)); });
}

TEST(GeometryTextInput, NumbersAreParsedWhole) {
    EXPECT_EQ(parse_number("1.5"), 1.5);
    EXPECT_EQ(parse_number("+2e-3"), 0.002);
    EXPECT_EQ(parse_number("-.5"), -0.5);
    EXPECT_EQ(parse_number("5."), 5.0);
    EXPECT_TRUE(std::isnan(parse_number("nan").value()));
    for (const char* bad : {"", "+", "-", "+-1", "1 ", " 1", "1,5", "0x10", "1e", "1e999", "1.2.3", "m"}) {
        EXPECT_FALSE(parse_number(bad)) << bad;
    }
}

TEST(GeometryTextInput, LinesEndInAnyOfTheUsualWays) {
    LineReader lines(
        "\xEF\xBB\xBF"
        "a\r\n\nb",
        "f");
    ASSERT_TRUE(lines.next());
    EXPECT_EQ(lines.line(), "a");
    ASSERT_TRUE(lines.next());
    EXPECT_EQ(lines.line(), "");
    ASSERT_TRUE(lines.next());
    EXPECT_EQ(lines.line(), "b");
    EXPECT_EQ(lines.number(), 3U);
    EXPECT_FALSE(lines.next());
}

TEST(GeometryTextInput, FieldsAreSplitAtCommasOrBlanks) {
    std::vector<std::string_view> fields;
    split_fields(" 1\t2  3 ", fields);
    EXPECT_EQ(fields, (std::vector<std::string_view>{"1", "2", "3"}));
    split_fields("1, 2 ,,3,", fields);
    EXPECT_EQ(fields, (std::vector<std::string_view>{"1", "2", "", "3", ""}));
    split_fields("1;2", fields);
    EXPECT_EQ(fields, (std::vector<std::string_view>{"1", "2"}));
    split_fields("  ", fields);
    EXPECT_TRUE(fields.empty());
}

TEST(GeometryTextInput, MessagesQuoteBytesSafely) {
    EXPECT_EQ(in_quotes("a\x01\xFF"),
              "'a?"
              "?'");
    EXPECT_EQ(in_quotes(std::string(100, 'x')), "'" + std::string(40, 'x') + "...'");
}

TEST(GeometryTextInput, GzipIsInflatedAllMembersIncluded) {
    const std::string text(1000000, 'a');
    const ScratchFile one(gzip(text), ".gz"), two(gzip("1 2\n") + gzip("3 4\n"), ".txt.GZ"), none(gzip(""), ".gz");
    EXPECT_EQ(read_content(one.path()), text);
    EXPECT_EQ(read_content(two.path()), "1 2\n3 4\n");
    EXPECT_EQ(read_content(none.path()), "");
    EXPECT_EQ(content_extension(two.path()), "txt");
}

TEST(GeometryTextInput, DamagedGzipIsAnInputError) {
    const std::string good = gzip("id,x,y,z,radius\n1,2,3,4,5\n");
    std::string flipped = good;
    flipped[flipped.size() - 6] = static_cast<char>(flipped[flipped.size() - 6] ^ 1);  // the checksum
    EXPECT_NE(content_error(good.substr(0, good.size() - 3)).message().find("truncated"), std::string::npos);
    EXPECT_NE(content_error("").message().find("truncated"), std::string::npos);
    EXPECT_NE(content_error(flipped).message().find("not a valid gzip"), std::string::npos);
    EXPECT_NE(content_error("plain text").message().find("not a valid gzip"), std::string::npos);
    EXPECT_NE(content_error(good + "rubbish").message().find("not a valid gzip"), std::string::npos);
}

TEST(GeometryTextInput, ContentBeyondTheLimitIsRefusedWhileInflating) {
    const model::Error error = content_error(gzip(std::string(50000000, ' ')), 1000000);
    EXPECT_EQ(error.kind(), model::ErrorKind::input);
    EXPECT_NE(error.message().find("larger than 1000000 bytes"), std::string::npos);
}

TEST(GeometryTextInput, MeshesMayBeCompressed) {
    const ScratchFile file(gzip("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), ".obj.gz");
    EXPECT_EQ(read_mesh(file.path()).triangles.size(), 1U);
}

}  // namespace
}  // namespace scree::geometry
