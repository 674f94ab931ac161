// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/atomic_file.hpp"

#include "tests/unit/io/child_process.hpp"
#include "tests/unit/io/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace scree::io {
namespace {

using test::content_of;
using test::Outcome;
using test::TemporaryDirectory;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(AtomicFile, ReplacesTheContentAndLeavesNothingElse) {
    const TemporaryDirectory directory;
    write_atomically(directory / "a", "old");
    write_atomically(directory / "a", std::string_view("new\0er", 6));
    EXPECT_EQ(content_of(directory / "a"), std::string("new\0er", 6));
    EXPECT_THAT(directory.names(), ElementsAre("a"));
}

TEST(AtomicFile, KeepsPiecesLargerAndSmallerThanItsBufferInOrder) {
    const TemporaryDirectory directory;
    std::string expected;
    AtomicFile file(directory / "a");
    for (const std::size_t size : {1U, 300000U, 7U, 262144U, 0U, 100000U, 200000U}) {
        const std::string piece(size, static_cast<char>('a' + size % 26));
        file.write(piece);
        expected += piece;
    }
    file.write_at(1, "XYZ");
    expected.replace(1, 3, "XYZ");
    file.commit();
    EXPECT_EQ(content_of(directory / "a"), expected);
}

TEST(AtomicFile, LeavesTheOldContentWhenAbandoned) {
    const TemporaryDirectory directory;
    write_atomically(directory / "a", "old");
    {
        AtomicFile file(directory / "a");
        file.write("half of the n");
        file.flush();
        EXPECT_EQ(content_of(directory / "a"), "old");
    }
    EXPECT_EQ(content_of(directory / "a"), "old");
    EXPECT_THAT(directory.names(), ElementsAre("a"));
}

TEST(AtomicFile, NamesTheFileWhoseDirectoryIsMissing) {
    const TemporaryDirectory directory;
    const auto path = directory / "missing" / "a";
    try {
        write_atomically(path, "text");
        FAIL() << "no error";
    } catch (const model::Error& error) {
        EXPECT_EQ(error.kind(), model::ErrorKind::environment);
        EXPECT_THAT(error.what(), HasSubstr(path.string()));
        EXPECT_THAT(error.hint(), HasSubstr("directory does not exist"));
    }
}

TEST(AtomicFile, RefusesToReplaceADevice) {
    EXPECT_THROW(write_atomically("/dev/full", "text"), model::Error);
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(AtomicFile, FollowsALinkInsteadOfReplacingIt) {
    const TemporaryDirectory directory;
    write_atomically(directory / "target", "old");
    std::filesystem::create_symlink(directory / "target", directory / "link");
    write_atomically(directory / "link", "new");
    EXPECT_TRUE(std::filesystem::is_symlink(directory / "link"));
    EXPECT_EQ(content_of(directory / "target"), "new");
}

TEST(AtomicFile, KeepsTheOldFileOnAFullDisk) {
    const TemporaryDirectory directory;
    write_atomically(directory / "a", "old");
    const auto outcome =
        test::with_file_size_limit(1000000, [&] { write_atomically(directory / "a", std::string(1500000, 'x')); });
    EXPECT_EQ(outcome, Outcome::environment_error);
    EXPECT_EQ(content_of(directory / "a"), "old");
    EXPECT_THAT(directory.names(), ElementsAre("a"));
}

}  // namespace
}  // namespace scree::io
