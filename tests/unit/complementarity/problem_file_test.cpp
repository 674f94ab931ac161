// SPDX-License-Identifier: BSD-3-Clause
// Problems as text: what is read, what is written, and one error with its line for what is wrong.
#include "engine/complementarity/problem_file.hpp"

#include "engine/model/error.hpp"
#include "tests/unit/geometry/scratch_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace scree::complementarity {
namespace {

using testing::HasSubstr;

ProblemFile read(const std::string& text) {
    const test::ScratchFile file(text, ".dat");
    return read_problem(file.path());
}
model::Error error_of(const std::string& text) {
    return test::error_of([&] { static_cast<void>(read(text)); });
}

const std::string linear = "2\n0\n2\n2\n2 2\n1 2\n3 4\n-5 6\n# a comment";
const std::string friction = "3\n1\n0\n3\n3\n3 3\n2 0 0\n0 3 0\n0 0 4\n-1 0.5 0\n0.7\n1\n";

TEST(ProblemFiles, AreReadInBothForms) {
    const auto lcp = std::get<LinearProblem>(read(linear));
    EXPECT_EQ(lcp.matrix(1, 0), 2.0);  // column-major
    EXPECT_EQ(lcp.matrix(0, 1), 3.0);
    EXPECT_EQ(lcp.vector[0], -5.0);
    const auto contact = std::get<FrictionProblem>(read(friction));
    EXPECT_EQ(contact.contacts(), 1);
    EXPECT_EQ(contact.W.coeff(2, 2), 4.0);
    EXPECT_EQ(contact.mu[0], 0.7);
}

TEST(ProblemFiles, AreTheSameAfterWritingAndReading) {
    const auto lcp = std::get<LinearProblem>(read(linear));
    const auto again = std::get<LinearProblem>(read(to_text(lcp)));
    EXPECT_EQ(lcp.matrix, again.matrix);
    EXPECT_EQ(lcp.vector, again.vector);
    for (const char* name : {"Rover1039", "Confeti-ex03-Fc3D-SBM"}) {
        const auto problem = std::get<FrictionProblem>(
            read_problem(std::string(SCREE_SOURCE_DIR) + "/tests/data/fc3d/" + name + ".dat.gz"));
        const auto copy = std::get<FrictionProblem>(read(to_text(problem)));
        EXPECT_EQ(Eigen::MatrixXd(problem.W), Eigen::MatrixXd(copy.W));
        EXPECT_EQ(problem.q, copy.q);
        EXPECT_EQ(problem.mu, copy.mu);
    }
}

// Printed by Siconos 4.4 (frictionContact_printInFilename) with these numbers.
const std::string triplets =
    "3\n1\n2\n3\n3\n1\nCSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016\n"
    "triplet: 3-by-3, nzmax: 8 nnz: 4\n    0 0 : 2\n    1 0 : 0.5\n    1 1 : 3\n    2 2 : 4\n"
    "-1 0.5 0 \n 0.7 \n";
const std::string columns =
    "3\n1\n2\n3\n3\n2\nCSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016\n"
    "3-by-3, nzmax: 4 nnz: 4, 1-norm: 4\n    col 0 : locations 0 to 1\n      0 : 2\n      1 : 0.5\n"
    "    col 1 : locations 2 to 2\n      1 : 3\n    col 2 : locations 3 to 3\n      2 : 4\n"
    "-1 0.5 0 \n 0.7 \n";

std::string with(std::string text, const std::string& old, const std::string& now) {
    text.replace(text.find(old), old.size(), now);
    return text;
}

TEST(ProblemFiles, HoldSparseMatricesAsCSparsePrintsThem) {
    Eigen::Matrix3d w = Eigen::Vector3d(2, 3, 4).asDiagonal();
    w(1, 0) = 0.5;
    for (const std::string& text : {triplets, columns}) {
        const auto problem = std::get<FrictionProblem>(read(text));
        EXPECT_EQ(Eigen::MatrixXd(problem.W), w);
        EXPECT_EQ(problem.q, Eigen::Vector3d(-1, 0.5, 0));
        EXPECT_EQ(problem.mu[0], 0.7);
    }
    // Triplets of one place add up.
    const auto twice =
        std::get<FrictionProblem>(read(with(with(triplets, "nnz: 4", "nnz: 5"), "2 2 : 4", "2 2 : 4\n2 2 : 1")));
    EXPECT_EQ(twice.W.coeff(2, 2), 5.0);
}

TEST(ProblemFiles, RefuseSparseMatricesThatAreDamaged) {
    EXPECT_THAT(error_of(with(triplets, "\n1\nCSparse", "\n3\nCSparse")).message(), HasSubstr("origin 3 is not read"));
    EXPECT_THAT(error_of(with(triplets, "CSparse V", "MUMPS V")).message(), HasSubstr("'CSparse' is wanted"));
    EXPECT_THAT(error_of(with(triplets, "3-by-3", "4-by-4")).message(), HasSubstr("'3-by-3, nzmax"));
    EXPECT_THAT(error_of(with(triplets, "nnz: 4", "nnz: -4")).message(), HasSubstr("no number of entries"));
    EXPECT_THAT(error_of(with(triplets, "nnz: 4", "nnz: 2000000000")).message(), HasSubstr("more than a file of"));
    EXPECT_THAT(error_of(with(triplets, "2 2 : 4", "2 3 : 4")).message(), HasSubstr("a column of W = 3"));
    EXPECT_EQ(error_of(with(triplets, "2 2 : 4", "2 3 : 4")).line(), 12U);
    EXPECT_THAT(error_of(with(triplets, "2 2 : 4", "2 2 : nan")).message(), HasSubstr("an entry of W"));
    EXPECT_THAT(error_of(with(triplets, "nnz: 4", "nnz: 5")).message(), HasSubstr("a row of W = -1"));
    EXPECT_THAT(error_of(with(columns, "0 to 1", "0 to 9")).message(), HasSubstr("last location"));
    EXPECT_THAT(error_of(with(columns, "2 to 2", "1 to 2")).message(), HasSubstr("first location"));
    EXPECT_THAT(error_of(with(columns, "col 2", "row 2")).message(), HasSubstr("'col' is wanted"));
    EXPECT_THAT(error_of(with(with(columns, "nnz: 4", "nnz: 5"), "zmax: 4", "zmax: 5")).message(),
                HasSubstr("the heading says 5"));
}

TEST(ProblemFiles, MayHaveNoContact) {
    for (const int dimension : {2, 3}) {
        FrictionProblem none;
        none.dimension = dimension;
        none.W.resize(0, 0);
        const auto again = std::get<FrictionProblem>(read(to_text(none)));
        EXPECT_EQ(again.dimension, dimension);
        EXPECT_EQ(again.contacts(), 0);
    }
}

TEST(ProblemFiles, TakeNoMemoryForCountsThatTheFileCannotHold) {
    EXPECT_THAT(error_of("20000 0 20000 20000 20000 20000 1").message(), HasSubstr("more than a file of"));
    EXPECT_THAT(error_of("3 1000000 0 3000000 3000000 3000000 3000000 1").message(), HasSubstr("more than a file of"));
    EXPECT_THAT(error_of("3 1000000 1 3000000 3000000 1000000000000 1000000 1000000 3").message(),
                HasSubstr("more than a file of"));
    EXPECT_THAT(error_of("3 3000001 0").message(), HasSubstr("out of range"));
    EXPECT_THAT(error_of(std::string(200, '\0')).message(), HasSubstr("a number is wanted"));
}

TEST(ProblemFiles, GiveOneErrorWithItsLine) {
    EXPECT_THAT(error_of("").message(), HasSubstr("the file ends before the first number"));
    EXPECT_THAT(error_of("2\n0\n2\n2\n2 2\n1 2\n3").message(), HasSubstr("the file ends before an entry of M"));
    EXPECT_THAT(error_of("2\n0\n2\n3\n").message(), HasSubstr("columns = 3, but the numbers before ask for 2"));
    EXPECT_EQ(error_of("2\n0\n2\n3\n").line(), 4U);
    EXPECT_THAT(error_of("2\n0\n2\n2\n2 2\n1 2\nx 4\n").message(), HasSubstr("an entry of M"));
    EXPECT_EQ(error_of("2\n0\n2\n2\n2 2\n1 2\nx 4\n").line(), 7U);
    EXPECT_THAT(error_of("2\n0\n2\n2\n2 2\n1 nan\n3 4\n-5 6").message(), HasSubstr("an entry of M"));
    EXPECT_THAT(error_of("4\n1\n0\n").message(), HasSubstr("the dimension = 4"));
    EXPECT_THAT(error_of("3\n1\n7\n").message(), HasSubstr("storage of W = 7 is out of range"));
    EXPECT_THAT(error_of("1e9 0").message(), HasSubstr("out of range"));
    EXPECT_THAT(error_of("-1 0").message(), HasSubstr("out of range"));
    EXPECT_THAT(error_of(linear.substr(0, linear.find('#')) + "9").message(), HasSubstr("more numbers"));
    std::string negative = friction;
    negative.replace(negative.find("0.7"), 3, "-.7");
    EXPECT_THAT(error_of(negative).message(), HasSubstr("contact 0 = -0.7 is negative"));
}

TEST(ProblemFiles, SurviveDamage) {
    const std::string text = to_text(
        std::get<FrictionProblem>(read_problem(std::string(SCREE_SOURCE_DIR) + "/tests/data/fc3d/Rover4396.dat.gz")));
    std::mt19937 random(1);
    std::size_t refused = 0;
    for (int trial = 0; trial < 500; ++trial) {
        std::string damaged = text;
        for (std::uint64_t k = 0; k <= random() % 4; ++k) {
            const std::size_t at = random() % damaged.size();
            switch (random() % 3) {
                case 0:
                    damaged[at] = char(random() % 256);
                    break;
                case 1:
                    damaged.erase(at, 1 + random() % 20);
                    break;
                default:
                    damaged.insert(at, std::to_string(std::int64_t(random()) - std::int64_t(random())));
            }
        }
        try {
            (void)read(damaged);
        } catch (const model::Error& error) {
            EXPECT_EQ(error.kind(), model::ErrorKind::input);
            ++refused;
        }
    }
    EXPECT_GT(refused, 100U);
}

}  // namespace
}  // namespace scree::complementarity
