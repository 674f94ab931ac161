// SPDX-License-Identifier: BSD-3-Clause
// scree solve as a user calls it: answers, exit codes, errors.
#include "tests/cli/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace scree {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string data(const std::string& name) { return std::string(SCREE_SOURCE_DIR) + "/tests/data/" + name + ".dat.gz"; }

TEST(SolveCommand, SolvesAFrictionProblem) {
    const test::Outcome answer = test::scree({"solve", data("fc3d/Rover1039"), "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const test::Json json = test::Json::parse(answer.out);
    EXPECT_EQ(json["status"], "solved");
    EXPECT_EQ(json["solver"], "auto");
    EXPECT_LE(json["residual"].get<double>(), 1e-8);
    EXPECT_EQ(json["r"].size(), 12U);
    EXPECT_EQ(json["u"].size(), 12U);
    EXPECT_GT(json["operator_products"].get<int>(), 0);
    EXPECT_GE(json["cpu_seconds"].get<double>(), 0.0);
}

TEST(SolveCommand, SolvesALinearProblem) {
    const test::Outcome answer = test::scree({"solve", data("lcp/lcp_ortiz"), "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const test::Json json = test::Json::parse(answer.out);
    EXPECT_EQ(json["status"], "solved");
    EXPECT_NEAR(json["z"][0].get<double>(), 2.0 / 3.0, 1e-14);
}

TEST(SolveCommand, SaysThatAProblemIsNotSolved) {
    const test::Outcome ray = test::scree({"solve", data("lcp/painleve_accel_inconsistent")});
    EXPECT_EQ(ray.code, 3);
    EXPECT_THAT(ray.out, HasSubstr("status      ray"));
    const test::Outcome limit = test::scree(
        {"solve", data("fc3d/Rover1039"), "--solver", "projected_jacobi", "--max-iterations", "3", "--json"});
    EXPECT_EQ(limit.code, 3);
    EXPECT_EQ(test::Json::parse(limit.out)["status"], "iteration_limit");
}

TEST(SolveCommand, PrintsATableOfAllSolvers) {
    const test::Outcome table = test::scree({"solve", data("fc3d/Rover1039"), "--solver", "all"});
    EXPECT_EQ(table.code, 0);
    for (const char* name :
         {"projected_jacobi", "apgd", "anderson", "nsgs", "newton", "newton_fb", "proximal", "proximal_fb", "admm"})
        EXPECT_THAT(table.out, HasSubstr(std::string("\n") + name + " "));
    EXPECT_EQ(
        test::Json::parse(test::scree({"solve", data("lcp/lcp_ortiz"), "--solver", "all", "--json"}).out)["solver"],
        "lemke");
}

TEST(SolveCommand, SolvesTheStepsOfARun) {
    const test::Workplace place;
    ASSERT_EQ(place
                  .run("out", {"--steps", "100", "--dump-problem", "step=100", "--precision", "double", "--set",
                               "solver.tolerance=1e-6", "--set", "solver.max_iterations=100000"})
                  .code,
              0);
    const test::Outcome answer = test::scree({"solve", place.folder("out/problem_100.dat"), "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const test::Json json = test::Json::parse(answer.out);
    const test::Json step = test::Json::parse(test::content_of(place.folder("out/problem_100.json")));
    ASSERT_EQ(json["r"].size(), step["impulse"].size());
    // What the contacts carry is the same. The step ends at 1e-6 of g h; impulses are farther from the solution by the
    // conditioning of chains of contacts: a thousand for some eighty beads in a box.
    double carried = 0.0, solved = 0.0;
    for (std::size_t c = 0; c < step["a"].size(); ++c) {
        for (std::size_t k = 0; k < 3; ++k)
            carried += step["impulse"][3 * c + k].get<double>() * step["normal"][3 * c + k].get<double>();
        solved += json["r"][3 * c].get<double>();
    }
    EXPECT_GT(carried, 0.0);
    EXPECT_NEAR(solved, carried, 1e-3 * carried);
    // The other form holds the same problem, and a folder is freed of both.
    ASSERT_EQ(place.run("out", {"--steps", "100", "--dump-problem", "100", "--problem-format", "hdf5", "--force"}).code,
              0);
    EXPECT_FALSE(place.has("out/problem_100.dat"));
    EXPECT_EQ(test::scree({"solve", place.folder("out/problem_100.hdf5"), "--tolerance", "1e-6"}).code, 0);
    ASSERT_EQ(place.run("out", {"--steps", "1", "--dump-problem", "1", "--force"}).code, 0);
    EXPECT_FALSE(place.has("out/problem_100.hdf5"));
    EXPECT_THAT(test::scree({"solve", place.folder("out/problem_1.dat")}).out, HasSubstr("status      solved"));
}

TEST(SolveCommand, RefusesToWriteRollingContacts) {
    const test::Workplace place;
    const test::Outcome rolling =
        place.run("out", {"--steps", "2", "--dump-problem", "2", "--set", "pairs.0.rolling_resistance=0.1 mm"});
    EXPECT_EQ(rolling.code, 1);
    EXPECT_THAT(rolling.err, HasSubstr("resist rolling"));
    EXPECT_FALSE(place.has("out"));
    EXPECT_EQ(place.run("out", {"--steps", "2", "--dump-problem", "2", "--problem-format", "xml"}).code, 1);
}

TEST(SolveCommand, StandsWhatIsNoProblem) {
    const test::TemporaryDirectory folder;
    const auto refuses = [&](const std::string& content, const std::string& name = "odd.dat") {
        test::put(folder / name, content);
        const test::Outcome outcome = test::scree({"solve", (folder / name).string()});
        EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
        EXPECT_THAT(outcome.err, ::testing::StartsWith("error: "));
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
        EXPECT_THAT(outcome.out, IsEmpty());
    };
    refuses("");
    refuses(std::string("\0\1\2\3 \n", 6));
    refuses("\x89HDF\r\n\x1a\n and no more", "odd.hdf5");
    refuses("no gzip file", "odd.dat.gz");
    refuses("3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 0 0 -0.5");
    refuses("3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 0 nan 0.5");
    refuses("3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1e999 -1 0 0 0.5");
    refuses("20000 0 20000 20000 20000 20000 1");
    for (const char* mark : {"", "\xEF\xBB\xBF"}) {
        test::put(folder / "problem_2.json", std::string(mark) + R"({"contacts": []})");
        EXPECT_THAT(test::scree({"solve", (folder / "problem_2.json").string()}).err, HasSubstr("problem_N.dat"));
    }
    const test::Outcome directory = test::scree({"solve", folder.path().string()});
    EXPECT_EQ(directory.code, 2);
    EXPECT_THAT(directory.err, HasSubstr("folder"));
}

TEST(SolveCommand, AnswersOddProblemsByTheirResidual) {
    const test::TemporaryDirectory folder;
    const auto solve = [&](const std::string& content, const test::Arguments& more = {}) {
        test::put(folder / "odd.dat", content);
        test::Arguments arguments{"solve", (folder / "odd.dat").string(), "--solver", "all", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const test::Outcome outcome = test::scree(arguments);
        EXPECT_EQ(outcome.signal, 0);
        EXPECT_TRUE(outcome.code == 0 || outcome.code == 3) << outcome.err;
        for (const auto& answer : test::Json::parse(outcome.out)) {
            EXPECT_EQ(answer["status"] == "solved", !answer["residual"].is_null() && answer["residual"] <= 1e-8)
                << answer["solver"] << content;
        }
        return outcome.code;
    };
    EXPECT_EQ(solve("3 0 1 0 0 0 0 0 1 0 0"), 0);                                           // no contact
    EXPECT_EQ(solve("3 1 0 3 3 3 3 0 0 0 0 0 0 0 0 0 -1 0 0 0.5"), 3);                      // W = 0: impossible
    EXPECT_EQ(solve("3 1 0 3 3 3 3 0 0 0 0 0 0 0 0 0 1 0 0 0.5"), 0);                       // W = 0: open
    EXPECT_EQ(solve("3 1 0 3 3 3 3 -1 0 0 0 -1 0 0 0 -1 -1 0 0 0.5"), 3);                   // W < 0
    EXPECT_EQ(solve("3 1 0 3 3 3 3 1 2 0 0 1 0 0 0 1 -1 1 0 0.5"), 0);                      // W not symmetric
    EXPECT_EQ(solve("2 2 0 4 4 4 4 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 -1 1 -1 0 0.5 0"), 0);   // in the plane, mu = 0
    (void)solve("3 1 0 3 3 3 3 1e300 0 0 0 1e300 0 0 0 1e300 -1e300 0 0 1e300");            // squares overflow
    EXPECT_EQ(solve("3 1 0 3 3 3 3 1e-300 0 0 0 1e-300 0 0 0 1e-300 -1e-300 0 0 0.5"), 0);  // subnormal squares
    EXPECT_EQ(solve("3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 0 0 0 0.5"), 0);                       // no load
}

TEST(SolveCommand, ChecksItsNumbers) {
    for (const char* tolerance : {"0", "-1", "nan", "inf", "x", "1e-999"})
        EXPECT_EQ(test::scree({"solve", data("fc3d/Rover1039"), "--tolerance", tolerance}).code, 1) << tolerance;
    for (const char* limit : {"-1", "1e30", "nan", "1000000001", "18446744073709551616"})
        EXPECT_EQ(test::scree({"solve", data("fc3d/Rover1039"), "--max-iterations", limit}).code, 1) << limit;
    EXPECT_EQ(test::scree({"solve", data("fc3d/Rover1039"), "--max-iterations", "1000000000"}).code, 0);
    const std::string full = std::string(SCREE_BINARY) + " solve " + data("fc3d/Rover1039") + " --json >/dev/full 2>&1";
    EXPECT_EQ(WEXITSTATUS(std::system(full.c_str())), 4);
}

TEST(SolveCommand, RefusesBadFilesAndFlags) {
    const test::Outcome none = test::scree({"solve", "no_such_file.dat"});
    EXPECT_EQ(none.code, 4);
    EXPECT_THAT(none.err, HasSubstr("error: no_such_file.dat"));
    EXPECT_THAT(none.out, IsEmpty());
    const test::Outcome wrong = test::scree({"solve", std::string(SCREE_SOURCE_DIR) + "/README.md"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("README.md:1: "));
    const test::Outcome solver = test::scree({"solve", data("fc3d/Rover1039"), "--solver", "magic"});
    EXPECT_EQ(solver.code, 1);
    EXPECT_THAT(solver.err, HasSubstr("projected_jacobi"));
    EXPECT_EQ(test::scree({"solve", data("fc3d/Rover1039"), "--tolerance", "-1"}).code, 1);
    // Solvers that know true friction only say so.
    const test::Outcome newton =
        test::scree({"solve", data("fc3d/Rover1039"), "--solver", "newton", "--friction", "associated"});
    EXPECT_EQ(newton.code, 1);
    EXPECT_THAT(newton.err, HasSubstr("coulomb"));
}

}  // namespace
}  // namespace scree
