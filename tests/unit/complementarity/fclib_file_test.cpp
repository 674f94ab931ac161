// SPDX-License-Identifier: BSD-3-Clause
// Files of FCLIB: written by plain HDF5 calls as FCLIB's own library lays them out, and damaged in every part.
#include "engine/complementarity/fclib_file.hpp"

#include "engine/complementarity/problem_file.hpp"
#include "engine/io/hdf5.hpp"
#include "engine/model/error.hpp"
#include "tests/unit/geometry/scratch_file.hpp"
#include "tests/unit/io/temporary_directory.hpp"

#include <Eigen/Dense>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace scree::complementarity {
namespace {

using testing::HasSubstr;
using Integers = std::map<std::string, std::vector<int>>;
using Reals = std::map<std::string, std::vector<double>>;

/// The data sets of a file, to be changed before it is written.
struct Content {
    Integers integers;
    Reals reals;
};

void put(hid_t file, const std::string& path, hid_t type, hsize_t size, const void* data) {
    for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
        const std::string group = path.substr(0, slash);
        if (H5Lexists(file, group.c_str(), H5P_DEFAULT) > 0) continue;
        H5Gclose(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t set = H5Dcreate2(file, path.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (size > 0) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Dclose(set);
    H5Sclose(space);
}

class FclibFiles : public testing::Test {
protected:
    [[nodiscard]] std::filesystem::path path() const { return directory_ / "problem.hdf5"; }
    void write(const Content& content) const {
        const hid_t file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        for (const auto& [name, values] : content.integers)
            put(file, name, H5T_NATIVE_INT, values.size(), values.data());
        for (const auto& [name, values] : content.reals)
            put(file, name, H5T_NATIVE_DOUBLE, values.size(), values.data());
        H5Fclose(file);
    }
    [[nodiscard]] FrictionProblem read(const Content& content) const {
        write(content);
        return std::get<FrictionProblem>(read_problem(path()));
    }
    [[nodiscard]] std::string error_of(const Content& content) const {
        write(content);
        const model::Error error = test::error_of([&] { static_cast<void>(read_problem(path())); });
        EXPECT_EQ(error.kind(), model::ErrorKind::input);
        EXPECT_EQ(error.file(), path().generic_string());
        return error.message();
    }

private:
    test::TemporaryDirectory directory_;
};

const std::string W = "/fclib_local/W/";
Eigen::Matrix3d matrix() {
    Eigen::Matrix3d w = Eigen::Vector3d(2, 3, 4).asDiagonal();
    w(1, 0) = 0.5;
    return w;
}
/// The same matrix() by compressed columns.
Content one_contact() {
    return {{{"/fclib_local/spacedim", {3}},
             {W + "m", {3}},
             {W + "n", {3}},
             {W + "nz", {-1}},
             {W + "nzmax", {4}},
             {W + "p", {0, 2, 3, 4}},
             {W + "i", {0, 1, 1, 2}}},
            {{W + "x", {2, 0.5, 3, 4}}, {"/fclib_local/vectors/q", {-1, 0.5, 0}}, {"/fclib_local/vectors/mu", {0.7}}}};
}
Content with(const std::string& name, std::vector<int> values) {
    Content content = one_contact();
    content.integers[name] = std::move(values);
    return content;
}
Content with_reals(const std::string& name, std::vector<double> values) {
    Content content = one_contact();
    content.reals[name] = std::move(values);
    return content;
}

TEST_F(FclibFiles, AreReadInAllThreeFormsOfMatrices) {
    Content rows = one_contact(), triplets = one_contact();
    rows.integers[W + "nz"] = {-2};
    rows.integers[W + "p"] = {0, 1, 3, 4};
    rows.integers[W + "i"] = {0, 0, 1, 2};
    triplets.integers[W + "nz"] = {4};
    triplets.integers[W + "p"] = {0, 1, 1, 2};
    triplets.integers[W + "i"] = {0, 0, 1, 2};
    for (const Content& content : {one_contact(), rows, triplets}) {
        const FrictionProblem problem = read(content);
        EXPECT_EQ(problem.dimension, 3);
        EXPECT_EQ(Eigen::MatrixXd(problem.W), matrix());
        EXPECT_EQ(problem.q, Eigen::Vector3d(-1, 0.5, 0));
        EXPECT_EQ(problem.mu[0], 0.7);
    }
}

TEST_F(FclibFiles, HoldPlaneProblemsAndNone) {
    Content plane = one_contact();
    plane.integers["/fclib_local/spacedim"] = {2};
    for (const char* size : {"m", "n"}) plane.integers[W + size] = {2};
    plane.integers[W + "p"] = {0, 1, 2};
    plane.integers[W + "i"] = {0, 1};
    plane.reals[W + "x"] = {2, 3};
    plane.reals["/fclib_local/vectors/q"] = {-1, 5};
    const FrictionProblem problem = read(plane);
    EXPECT_EQ(problem.dimension, 2);
    EXPECT_EQ(problem.contacts(), 1);
    Content none = one_contact();
    for (const char* size : {"m", "n", "p"}) none.integers[W + size] = {0};
    none.integers[W + "i"] = {};
    none.reals[W + "x"] = none.reals["/fclib_local/vectors/q"] = none.reals["/fclib_local/vectors/mu"] = {};
    EXPECT_EQ(read(none).contacts(), 0);
}

TEST_F(FclibFiles, ReduceGlobalProblems) {
    // Two masses of 2 and 4 kg, one contact on the first and on both.
    const Eigen::Vector4d mass(2, 2, 4, 4);
    Eigen::Matrix<double, 4, 4> h;
    h << 1, 0, -1, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, 0, 0, 1;
    const Eigen::Vector4d f(1, 2, 3, 4), w(-5, 1, -2, 0.5);
    Content content;
    const auto dense = [&](const std::string& group, const Eigen::Matrix4d& m) {
        content.integers[group + "m"] = content.integers[group + "n"] = {4};
        content.integers[group + "nz"] = content.integers[group + "nzmax"] = {16};
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                content.integers[group + "p"].push_back(i);
                content.integers[group + "i"].push_back(j);
                content.reals[group + "x"].push_back(m(i, j));
            }
    };
    dense("/fclib_global/M/", mass.asDiagonal());
    dense("/fclib_global/H/", h);
    content.integers["/fclib_global/spacedim"] = {2};
    content.reals["/fclib_global/vectors/f"] = {f.begin(), f.end()};
    content.reals["/fclib_global/vectors/w"] = {w.begin(), w.end()};
    content.reals["/fclib_global/vectors/mu"] = {0.1, 0.2};
    const FrictionProblem problem = read(content);
    const Eigen::Matrix4d inverse = mass.cwiseInverse().asDiagonal();
    EXPECT_LT((Eigen::MatrixXd(problem.W) - h.transpose() * inverse * h).norm(), 1e-14);  // rounding
    EXPECT_LT((problem.q - (h.transpose() * inverse * f + w)).norm(), 1e-14);
    content.reals["/fclib_global/M/x"][0] = -2.0;
    EXPECT_THAT(error_of(content), HasSubstr("M is not positive definite"));
}

TEST_F(FclibFiles, AreTheSameAfterWritingAndReading) {
    for (const char* name : {"Rover1039", "Confeti-ex03-Fc3D-SBM"}) {
        const auto problem = std::get<FrictionProblem>(
            read_problem(std::string(SCREE_SOURCE_DIR) + "/tests/data/fc3d/" + name + ".dat.gz"));
        write_fclib(path(), problem, {name, "a test", "", Eigen::VectorXd::Ones(problem.q.size())});
        const FrictionProblem copy = read_fclib(path());
        EXPECT_EQ(Eigen::MatrixXd(problem.W), Eigen::MatrixXd(copy.W));
        EXPECT_EQ(problem.q, copy.q);
        EXPECT_EQ(problem.mu, copy.mu);
    }
    FrictionProblem none;
    none.W.resize(0, 0);
    write_fclib(path(), none, {});
    EXPECT_EQ(read_fclib(path()).contacts(), 0);
    EXPECT_THROW(write_fclib("/no/such/folder/problem.hdf5", none, {}), model::Error);
}

TEST_F(FclibFiles, GiveOneErrorThatNamesThePart) {
    for (const char* part : {"spacedim", "W/m", "W/n", "W/nz", "W/p", "W/i"}) {
        Content content = one_contact();
        content.integers.erase(std::string("/fclib_local/") + part);
        EXPECT_THAT(error_of(content), HasSubstr(std::string("/fclib_local/") + part + " is missing"));
    }
    for (const char* part : {"W/x", "vectors/q", "vectors/mu"}) {
        Content content = one_contact();
        content.reals.erase(std::string("/fclib_local/") + part);
        EXPECT_THAT(error_of(content), HasSubstr(std::string(part) + " is missing"));
    }
    EXPECT_THAT(error_of(Content{{{"/other", {1}}}, {}}), HasSubstr("is no problem of FCLIB"));
    EXPECT_THAT(error_of(with("/fclib_local/spacedim", {4})), HasSubstr("spacedim = 4 is out of range"));
    EXPECT_THAT(error_of(with("/fclib_local/spacedim", {3, 3})), HasSubstr("has 2 values"));
    EXPECT_THAT(error_of(with("/fclib_local/spacedim", {2})), HasSubstr("no whole number of contacts"));
    EXPECT_THAT(error_of(with(W + "m", {-3})), HasSubstr("W/m = -3 is out of range"));
    EXPECT_THAT(error_of(with(W + "m", {2000000000})), HasSubstr("out of range"));
    EXPECT_THAT(error_of(with(W + "m", {6})), HasSubstr("not square"));
    EXPECT_THAT(error_of(with(W + "n", {9})), HasSubstr("W/p has 4 values, 10 are wanted"));
    EXPECT_THAT(error_of(with(W + "nz", {-3})), HasSubstr("W/nz = -3"));
    EXPECT_THAT(error_of(with(W + "nz", {200000000})), HasSubstr("W/p has 4 values"));
    EXPECT_THAT(error_of(with(W + "p", {0, 3, 2, 4})), HasSubstr("W/p[2] = 2 falls below"));
    EXPECT_THAT(error_of(with(W + "p", {1, 2, 3, 4})), HasSubstr("W/p[0] = 1"));
    EXPECT_THAT(error_of(with(W + "p", {0, 2, 3, 400})), HasSubstr("W/i has 4 values, 400 are wanted"));
    EXPECT_THAT(error_of(with(W + "i", {0, 1, 1, 3})), HasSubstr("is at (3, 2) of 3 x 3"));
    EXPECT_THAT(error_of(with(W + "i", {0, -1, 1, 2})), HasSubstr("is at (-1, 0)"));
    EXPECT_THAT(error_of(with_reals(W + "x", {2, NAN, 3, 4})), HasSubstr("W/x[1] = nan"));
    EXPECT_THAT(error_of(with_reals("/fclib_local/vectors/q", {1, 2})), HasSubstr("q has 2 values"));
    EXPECT_THAT(error_of(with_reals("/fclib_local/vectors/mu", {-0.1})), HasSubstr("contact 0 = -0.1"));
    Content bilateral = one_contact();
    bilateral.integers["/fclib_local/V/n"] = {2};
    EXPECT_THAT(error_of(bilateral), HasSubstr("bilateral"));
    Content mixed = one_contact();  // integers where numbers belong, and the other way round
    mixed.reals.erase("/fclib_local/vectors/mu");
    mixed.integers["/fclib_local/vectors/mu"] = {1};
    EXPECT_THAT(error_of(mixed), HasSubstr("does not hold floating-point numbers"));
    Content real = one_contact();
    real.integers.erase(W + "p");
    real.reals[W + "p"] = {0, 2, 3, 4};
    EXPECT_THAT(error_of(real), HasSubstr("does not hold integers"));
}

TEST_F(FclibFiles, SurviveDamage) {
    write(one_contact());
    std::ifstream in(path(), std::ios::binary);
    std::stringstream whole;
    whole << in.rdbuf();
    const std::string bytes = whole.str();
    std::mt19937 random(1);
    std::size_t refused = 0;
    for (int trial = 0; trial < 300; ++trial) {
        std::string damaged = bytes;
        if (trial % 3 == 0) damaged.resize(8 + random() % (bytes.size() - 8));
        for (std::uint64_t k = 0; k <= random() % 8; ++k)
            damaged[8 + random() % (damaged.size() - 8)] = char(random() % 256);
        const test::ScratchFile file(damaged, ".hdf5");
        try {
            (void)read_problem(file.path());
        } catch (const model::Error& error) {
            EXPECT_EQ(error.kind(), model::ErrorKind::input) << error.what();
            ++refused;
        }
    }
    EXPECT_GT(refused, 100U);
    const test::ScratchFile none("\x89HDF\r\n\x1a\n", ".dat");
    EXPECT_THAT(test::error_of([&] { static_cast<void>(read_problem(none.path())); }).message(), HasSubstr("damaged"));
}

}  // namespace
}  // namespace scree::complementarity
