// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/checkpoint_folder.hpp"

#include "engine/io/checkpoint.hpp"
#include "tests/unit/io/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace scree::io {
namespace {

using test::content_of;
using test::TemporaryDirectory;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// A checkpoint that can be checked for mixed content: all values equal the step.
Checkpoint of_step(std::size_t step) {
    Checkpoint checkpoint;
    checkpoint.arrays["x"] = std::vector<double>(50000, static_cast<double>(step));
    checkpoint.texts["step"] = std::to_string(step);
    return checkpoint;
}

void write_step(const TemporaryDirectory& directory, std::size_t step) {
    write_checkpoint(checkpoint_path(directory.path(), step), of_step(step));
}

TEST(LatestCheckpoint, IsTheOneOfTheHighestStep) {
    const TemporaryDirectory directory;
    for (const std::size_t step : {5U, 1200U, 300U}) write_step(directory, step);
    write_step(directory, 1234567890);
    test::put(directory / "checkpoint_99999999999.txt", "");
    test::put(directory / "checkpoint_x.h5", "");
    test::put(directory / "checkpoint_.h5", "");
    EXPECT_EQ(latest_checkpoint(directory.path()), directory / "checkpoint_1234567890.h5");
    std::filesystem::remove(directory / "checkpoint_1234567890.h5");
    EXPECT_EQ(latest_checkpoint(directory.path()), directory / "checkpoint_00001200.h5");
}

TEST(LatestCheckpoint, SkipsBrokenOnesAndSaysSo) {
    const TemporaryDirectory directory;
    for (const std::size_t step : {1U, 2U, 3U}) write_step(directory, step);
    std::string bytes = content_of(directory / "checkpoint_00000003.h5");
    test::put(directory / "checkpoint_00000003.h5", bytes.substr(0, bytes.size() / 2));
    bytes = content_of(directory / "checkpoint_00000002.h5");
    bytes[bytes.size() / 2] ^= 4;
    test::put(directory / "checkpoint_00000002.h5", bytes);
    std::vector<std::string> notes;
    EXPECT_EQ(latest_checkpoint(directory.path(), &notes), directory / "checkpoint_00000001.h5");
    EXPECT_THAT(notes, ElementsAre(HasSubstr("truncated"), HasSubstr("checksum")));
}

TEST(LatestCheckpoint, IsNothingWhereThereIsNone) {
    const TemporaryDirectory directory;
    EXPECT_EQ(latest_checkpoint(directory.path()), std::nullopt);
    EXPECT_EQ(latest_checkpoint(directory / "missing"), std::nullopt);
}

TEST(Prune, KeepsTheNewestCompleteOnes) {
    const TemporaryDirectory directory;
    for (const std::size_t step : {1U, 2U, 3U, 4U}) write_step(directory, step);
    test::put(directory / "checkpoint_00000005.h5", "broken");
    test::put(directory / "checkpoint_00000006.h5.4711.tmp", "left by a killed run");
    test::put(directory / "series.csv", "time\n");
    prune(directory.path(), 0);
    EXPECT_EQ(directory.names().size(), 6U);
    prune(directory.path(), 2);
    EXPECT_THAT(directory.names(), UnorderedElementsAre("checkpoint_00000003.h5", "checkpoint_00000004.h5",
                                                        "checkpoint_00000005.h5", "series.csv"));
    prune(directory / "missing", 2);
}

TEST(LatestCheckpoint, SurvivesKillingTheWriterAtAnyMoment) {
    for (int trial = 0; trial < 20; ++trial) {
        const TemporaryDirectory directory;
        write_step(directory, 0);
        const pid_t child = ::fork();
        if (child == 0) {
            for (std::size_t step = 1;; ++step) {
                write_step(directory, step);
                prune(directory.path(), 2);
            }
        }
        std::this_thread::sleep_for(std::chrono::microseconds(20000 + 1717 * trial));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);

        std::vector<std::string> notes;
        const auto latest = latest_checkpoint(directory.path(), &notes);
        ASSERT_TRUE(latest);
        EXPECT_THAT(notes, IsEmpty());
        const Checkpoint checkpoint = read_checkpoint(*latest);
        const std::size_t step = std::stoul(checkpoint.texts.at("step"));
        EXPECT_EQ(checkpoint.arrays, of_step(step).arrays);
    }
}

}  // namespace
}  // namespace scree::io
