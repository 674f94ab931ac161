// SPDX-License-Identifier: BSD-3-Clause
// scree solve as a user calls it: answers, exit codes, errors.
#include "tests/cli/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
