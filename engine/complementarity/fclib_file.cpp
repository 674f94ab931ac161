// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/fclib_file.hpp"

#include "engine/io/hdf5.hpp"
#include "engine/model/error.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <vector>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using io::hdf5::check;
using io::hdf5::Handle;

constexpr Index largest_rows = 9000000;
constexpr hsize_t largest_set = hsize_t(1) << 28U;  // values: 2 GiB of double
constexpr Index largest_product = Index(1) << 28;   // entries of a reduced W

/// An open file; every access names its data set in errors.
class Reader {
public:
    explicit Reader(const std::filesystem::path& file) : name_(file.generic_string()), file_(open(file, name_)) {}

    [[nodiscard]] model::Error error(const std::string& what, const std::string& hint = {}) const {
        return {model::ErrorKind::input, what, hint, name_};
    }
    [[nodiscard]] bool has(const std::string& path) const {
        // Every group on the way must exist before the next one is asked for.
        for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
            if (H5Lexists(file_, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
            if (slash == std::string::npos) return H5Oexists_by_name(file_, path.c_str(), H5P_DEFAULT) > 0;
        }
    }
    [[nodiscard]] Index whole(const std::string& path, Index low, Index high) const {
        const std::vector<int> values = integers(path);
        if (values.size() != 1) throw error(fmt::format("{} has {} values, one is wanted", path, values.size()));
        if (values[0] < low || values[0] > high)
            throw error(fmt::format("{} = {} is out of range (allowed: {} to {})", path, values[0], low, high));
        return values[0];
    }
    [[nodiscard]] std::vector<int> integers(const std::string& path) const {
        return values<int>(path, H5T_INTEGER, H5T_NATIVE_INT);
    }
    /// Finite numbers; `size` of them.
    [[nodiscard]] Eigen::VectorXd numbers(const std::string& path, Index size) const {
        const std::vector<double> found = values<double>(path, H5T_FLOAT, H5T_NATIVE_DOUBLE);
        if (Index(found.size()) != size)
            throw error(fmt::format("{} has {} values, the sizes before ask for {}", path, found.size(), size));
        for (std::size_t i = 0; i < found.size(); ++i)
            if (!std::isfinite(found[i]))
                throw error(fmt::format("{}[{}] = {} is not a finite number", path, i, found[i]));
        return Eigen::Map<const Eigen::VectorXd>(found.data(), size);
    }

private:
    static Handle open(const std::filesystem::path& file, const std::string& name) {
        const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        if (id < 0) throw model::Error(model::ErrorKind::input, "is damaged: HDF5 cannot open it", {}, name);
        return {id, H5Fclose, "open"};
    }
    template <class T>
    [[nodiscard]] std::vector<T> values(const std::string& path, H5T_class_t wanted, hid_t type) const {
        if (!has(path)) throw error(path + " is missing", "docs/solve.md lists what an FCLIB file holds");
        const Handle set(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose, ("open the data set " + path).c_str());
        const Handle stored(H5Dget_type(set), H5Tclose, "read a type");
        if (H5Tget_class(stored) != wanted)
            throw error(
                fmt::format("{} does not hold {}", path, wanted == H5T_FLOAT ? "floating-point numbers" : "integers"));
        const Handle space(H5Dget_space(set), H5Sclose, "read a space");
        const hssize_t count = check(H5Sget_simple_extent_npoints(space), "read a size");
        if (hsize_t(count) > largest_set)
            throw error(fmt::format("{} has {} values (allowed: {})", path, count, largest_set));
        std::vector<T> result(static_cast<std::size_t>(count));
        if (count > 0)
            check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data()), ("read " + path).c_str());
        return result;
    }

    std::string name_;
    Handle file_;
};

/// A matrix in any of the three forms.
Operator read_matrix(const Reader& in, const std::string& group) {
    const Index m = in.whole(group + "/m", 0, largest_rows), n = in.whole(group + "/n", 0, largest_rows);
    const Index form = in.whole(group + "/nz", -2, Index(largest_set));
    const std::vector<int> p = in.integers(group + "/p"), i = in.integers(group + "/i");
    const Index lines = form == -1 ? n : m;
    const auto pointers = std::size_t(form < 0 ? lines + 1 : form);
    if (p.size() < pointers)
        throw in.error(fmt::format("{}/p has {} values, {} are wanted", group, p.size(), pointers));
    if (form < 0)
        for (std::size_t k = 0; k < pointers; ++k)
            if (p[k] < (k > 0 ? p[k - 1] : 0) || (k == 0 && p[k] != 0))
                throw in.error(fmt::format("{}/p[{}] = {} falls below what comes before it", group, k, p[k]));
    const Index entries = form < 0 ? p[pointers - 1] : form;
    if (Index(i.size()) < entries)
        throw in.error(fmt::format("{}/i has {} values, {} are wanted", group, i.size(), entries));
    // Files may be allocated for more entries than they hold; x and i are then of one size.
    const Eigen::VectorXd x = in.numbers(group + "/x", Index(i.size()));
    std::vector<Eigen::Triplet<double>> triplets;
    triplets.reserve(std::size_t(entries));
    const auto put = [&](Index row, Index column, Index k) {
        if (row < 0 || row >= m || column < 0 || column >= n)
            throw in.error(fmt::format("entry {} of {} is at ({}, {}) of {} x {}", k, group, row, column, m, n));
        triplets.emplace_back(int(row), int(column), x[k]);
    };
    if (form >= 0) {
        for (Index k = 0; k < entries; ++k) put(p[std::size_t(k)], i[std::size_t(k)], k);
    } else {
        for (Index line = 0; line < lines; ++line)
            for (Index k = p[std::size_t(line)]; k < p[std::size_t(line) + 1]; ++k)
                form == -1 ? put(i[std::size_t(k)], line, k) : put(line, i[std::size_t(k)], k);
    }
    Operator matrix(m, n);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    return matrix;
}

void refuse_constraints(const Reader& in, const std::string& group) {
    if (in.has(group + "/n") && in.whole(group + "/n", 0, largest_rows) > 0)
        throw in.error(group + ": problems with bilateral constraints are not read");
}

FrictionProblem read_local(const Reader& in) {
    FrictionProblem problem;
    problem.dimension = int(in.whole("/fclib_local/spacedim", 2, 3));
    refuse_constraints(in, "/fclib_local/V");
    problem.W = read_matrix(in, "/fclib_local/W");
    const Index n = problem.W.rows();
    if (problem.W.cols() != n) throw in.error(fmt::format("W is not square: {} x {}", n, problem.W.cols()));
    if (n % problem.dimension != 0)
        throw in.error(fmt::format("{} rows of W are no whole number of contacts of {} rows", n, problem.dimension));
    problem.q = in.numbers("/fclib_local/vectors/q", n);
    problem.mu = in.numbers("/fclib_local/vectors/mu", n / problem.dimension);
    return problem;
}

FrictionProblem read_global(const Reader& in) {
    FrictionProblem problem;
    problem.dimension = int(in.whole("/fclib_global/spacedim", 2, 3));
    refuse_constraints(in, "/fclib_global/G");
    const Eigen::SparseMatrix<double> mass = read_matrix(in, "/fclib_global/M"), h = read_matrix(in, "/fclib_global/H");
    const Index n = h.cols();
    if (mass.rows() != mass.cols() || mass.rows() != h.rows())
        throw in.error(
            fmt::format("M, {} x {}, and H, {} x {}, do not fit together", mass.rows(), mass.cols(), h.rows(), n));
    if (n % problem.dimension != 0)
        throw in.error(fmt::format("{} columns of H are no whole number of contacts of {}", n, problem.dimension));
    const Eigen::VectorXd f = in.numbers("/fclib_global/vectors/f", mass.rows()),
                          w = in.numbers("/fclib_global/vectors/w", n);
    problem.mu = in.numbers("/fclib_global/vectors/mu", n / problem.dimension);
    problem.W.resize(n, n);
    problem.q = w;
    if (n == 0) return problem;
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(mass);
    if (factors.info() != Eigen::Success || !(factors.vectorD().minCoeff() > 0.0))
        throw in.error("/fclib_global/M is not positive definite");
    // A contact acts on few bodies and M is nearly diagonal: M^-1 H stays sparse. A bound on W's size comes first.
    const Eigen::SparseMatrix<double> x = factors.solve(h);
    const Operator by_row = h;
    const Operator x_by_row = x;
    Index work = 0;
    for (Index row = 0; row < by_row.rows(); ++row) {
        const Index a = by_row.outerIndexPtr()[row + 1] - by_row.outerIndexPtr()[row];
        const Index b = x_by_row.outerIndexPtr()[row + 1] - x_by_row.outerIndexPtr()[row];
        work += a * b;
    }
    if (work > largest_product)
        throw in.error(fmt::format("the reduced W needs up to {} entries (allowed: {})", work, largest_product));
    problem.W = Operator(h.transpose() * x);
    problem.q += h.transpose() * factors.solve(f);
    return problem;
}

}  // namespace

bool is_hdf5(const std::filesystem::path& file) {
    constexpr std::array<char, 8> signature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return false;  // a pipe can be read once
    std::ifstream in(file, std::ios::binary);
    std::array<char, 8> found{};
    return in.read(found.data(), found.size()) && found == signature;
}

FrictionProblem read_fclib(const std::filesystem::path& file) {
    // HDF5 loses count of what is open in a damaged file, and complains of it on standard error when the process ends.
    static_cast<void>(H5dont_atexit());
    const io::hdf5::Silence silence;
    try {
        const Reader in(file);
        const bool local = in.has("/fclib_local");
        if (!local && !in.has("/fclib_global"))
            throw in.error("is no problem of FCLIB: it has neither /fclib_local nor /fclib_global");
        FrictionProblem problem = local ? read_local(in) : read_global(in);
        for (Index c = 0; c < problem.contacts(); ++c)
            if (problem.mu[c] < 0.0)
                throw in.error(
                    fmt::format("the coefficient of friction of contact {} = {:g} is negative", c, problem.mu[c]));
        return problem;
    } catch (const io::hdf5::Failure& failure) {
        throw model::Error(model::ErrorKind::input, std::string("is damaged: ") + failure.what(), {},
                           file.generic_string());
    }
}

}  // namespace scree::complementarity
