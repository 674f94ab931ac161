// SPDX-License-Identifier: BSD-3-Clause
// Exit codes and the form of errors.
#include "tests/cli/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace scree {
namespace {

using test::Arguments;
using test::Workplace;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

/// One line on standard error, nothing on standard output.
void expect_error(const Arguments& arguments, int code, const std::string& part) {
    const auto outcome = test::scree(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, StartsWith("error: "));
    EXPECT_THAT(outcome.err, HasSubstr(part));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
}

TEST(Errors, OfUsageGive1AndTheNearestWord) {
    const Workplace place;
    expect_error({}, 1, "a command is required");
    expect_error({"rum"}, 1, "did you mean 'run'?");
    expect_error({"run"}, 1, "scene is required");
    expect_error({"run", place.scene(), "--bakend", "cpu"}, 1, "did you mean '--backend'?");
    expect_error({"run", place.scene(), "--backend", "gpu"}, 1, "--backend");
    expect_error({"run", place.scene(), "--steps", "0"}, 1, "--steps");
    expect_error({"run", place.scene(), "--until", "5 kg"}, 1, "--until");
    expect_error({"run", place.scene(), "--dump-problem", "x"}, 1, "step=N");
    expect_error({"compare", place.scene()}, 1, "two runs");
    expect_error({"bench", "nothing"}, 1, "nothing");
    expect_error({"bench", "all", "--problem", "x.json"}, 1, "--problem");
    expect_error({"bench", "step", "--seconds", "nan"}, 1, "--seconds");
    expect_error({"bench", "step", "--set", "time.step=1"}, 1, "--set");
    expect_error({"run", place.scene(), "-o", place.folder("out"), "--steps", "3", "--dump-problem", "4"}, 1,
                 "beyond the end of the run, step 3");
    EXPECT_FALSE(place.has("out"));
}

TEST(Help, IsACommandToo) {
    for (const auto& [words, same] : {std::pair<Arguments, Arguments>{{"help"}, {"--help"}},
                                      {{"help", "run"}, {"run", "--help"}},
                                      {{"help", "bench"}, {"bench", "--help"}}}) {
        const auto outcome = test::scree(words);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.out, test::scree(same).out);
        EXPECT_THAT(outcome.out, HasSubstr("Usage: scree"));
    }
}

TEST(Help, OnNoCommandIsAnErrorLikeTheCommand) {
    const auto outcome = test::scree({"help", "rum"}), same = test::scree({"rum"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.err, same.err);
    EXPECT_THAT(outcome.err, HasSubstr("rum"));
}

TEST(Errors, OfInputGive2WithFileLineAndColumn) {
    const Workplace place("materials: {m: {density: 2500}}\npairs: [{between: [m, m]}]\nsolver: {tolerence: 1}\n");
    const auto outcome = test::scree({"check", place.scene()});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, StartsWith("error: " + place.scene() + ":3:10: "));
    EXPECT_THAT(outcome.err, HasSubstr("[did you mean 'tolerance'?"));
    expect_error({"run", place.folder("none.yaml")}, 2, "there is no such scene file");
    const Workplace good;
    expect_error({"run", good.scene(), "--set", "time.stepp=1"}, 2, "--set");
    EXPECT_FALSE(good.has("out"));
}

TEST(Errors, OfTheEnvironmentGive4) {
    const Workplace place;
    test::put(place.folder("file"), "");
    expect_error({"run", place.scene(), "--quiet", "-o", place.folder("file/out")}, 4, "output folder");
    const auto info = test::Json::parse(test::scree({"info", "--json"}).out);
    if (!info["devices"].empty()) return;
    expect_error({"run", place.scene(), "-o", place.folder("out"), "--backend", "cuda"}, 4, "cuda");
    expect_error({"compare", place.scene(), "--backends", "cpu,cuda"}, 4, "cuda");
}

TEST(Errors, AreObjectsForMachines) {
    const Workplace place("materials: {m: {density: -1}}\n");
    const auto outcome = test::scree({"run", place.scene(), "-o", place.folder("out"), "--json"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, StartsWith("error: "));
    const auto lines = test::json_lines(outcome.out);
    ASSERT_EQ(lines.size(), 1U);
    const auto error = lines[0]["error"];
    EXPECT_EQ(error["kind"], "input");
    EXPECT_EQ(error["exit_code"], 2);
    EXPECT_EQ(error["line"], 1);
    EXPECT_EQ(error["file"], place.scene());
    EXPECT_NE(error["message"], "");
    EXPECT_EQ(test::json_lines(test::scree({"run", "--json", "--bogus"}).out).at(0)["error"]["exit_code"], 1);
}

TEST(Errors, AReaderThatGoesAwayIsNone) {
    const Workplace place;
    const std::string command =
        std::string(SCREE_BINARY) + " run " + place.scene() + " -o " + place.folder("out") + " | true";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(place.summary("out")["status"], "done");
}

TEST(Errors, ClosedStreamsDoNotEndInFiles) {
    const Workplace place;
    ASSERT_EQ(place.run("whole").code, 0);
    const std::string command = std::string(SCREE_BINARY) + " run " + place.scene() + " --threads 1 -o ";
    ASSERT_EQ(std::system((command + place.folder("one") + " >&-").c_str()), 0);
    ASSERT_EQ(std::system((command + place.folder("all") + " <&- >&- 2>&-").c_str()), 0);
    EXPECT_EQ(place.series("one"), place.series("whole"));
    EXPECT_EQ(place.series("all"), place.series("whole"));
}

TEST(Errors, AFullDiskBehindStandardOutputIsSaid) {
    const Workplace place;
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
    const std::string command =
        std::string(SCREE_BINARY) + " check " + place.scene() + " > /dev/full 2> " + place.folder("err");
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 4);
    EXPECT_THAT(test::content_of(place.folder("err")), HasSubstr("cannot write standard output"));
}

}  // namespace
}  // namespace scree
