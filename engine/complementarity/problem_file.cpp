// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/problem_file.hpp"

#include "engine/complementarity/fclib_file.hpp"
#include "engine/complementarity/number_stream.hpp"
#include "engine/complementarity/operator_text.hpp"

#include <fmt/format.h>

#include <iterator>

namespace scree::complementarity {
namespace {

using Eigen::Index;

constexpr std::size_t largest_text = std::size_t(2) << 30U;  // after inflation
constexpr Index largest_linear = 20000;                      // 3.2 GB of matrix
constexpr Index largest_contacts = 3000000;

LinearProblem read_linear(NumberStream& in, Index n) {
    for (const char* what : {"columns", "rows of the matrix", "columns of the matrix"}) in.expect(what, n);
    in.expect_room(n * n + n, "M and q");
    LinearProblem problem;
    problem.matrix.resize(n, n);
    problem.vector.resize(n);
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) problem.matrix(i, j) = in.next("an entry of M");
    for (Index i = 0; i < n; ++i) problem.vector[i] = in.next("an entry of q");
    in.expect_end(false);
    return problem;
}

/// From the storage of W on.
FrictionProblem read_friction(NumberStream& in, Index dimension, Index contacts) {
    FrictionProblem problem;
    problem.dimension = int(dimension);
    const Index n = dimension * contacts;
    problem.W = read_operator(in, contacts, problem.dimension);
    in.expect_room(n + contacts, "q and mu");
    problem.q.resize(n);
    problem.mu.resize(contacts);
    for (Index i = 0; i < n; ++i) problem.q[i] = in.next("an entry of q");
    for (Index c = 0; c < contacts; ++c) {
        problem.mu[c] = in.next("a coefficient of friction");
        if (problem.mu[c] < 0.0)
            throw in.error(
                fmt::format("the coefficient of friction of contact {} = {:g} is negative", c, problem.mu[c]));
    }
    in.expect_end(true);
    return problem;
}

}  // namespace

ProblemFile read_problem(const std::filesystem::path& file) {
    if (is_hdf5(file)) return read_fclib(file);
    const std::string text = geometry::read_content(file, largest_text);
    NumberStream in(text, file.generic_string());
    const std::size_t begin = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");  // a byte order mark, too
    if (begin != std::string::npos && (text[begin] == '{' || text[begin] == '['))
        throw in.error(
            "this is JSON, not a problem of numbers",
            "`scree bench solver --problem` reads problem_N.json; problem_N.dat beside it is for this command");
    const Index first = in.whole("the first number (size of an LCP, or dimension)", 0, largest_linear);
    const Index second = in.whole("the second number (storage of an LCP, or number of contacts)", 0, largest_contacts);
    const bool dimension = first == 2 || first == 3;
    if (second == 0) {
        // No contact, or an LCP: there the size comes again, here the storage of W.
        NumberStream ahead = in;
        const Index third = ahead.whole("rows (of an LCP), or storage of W", 0, largest_linear);
        if (dimension && third != first && third <= 2) return read_friction(in, first, 0);
        in.expect("rows", first);
        return read_linear(in, first);
    }
    if (!dimension)
        throw in.error(fmt::format("the dimension = {} is not one (allowed: 2, 3)", first),
                       "an LCP has 0, dense, as its second number");
    return read_friction(in, first, second);
}

std::string to_text(const LinearProblem& problem) {
    const Index n = problem.size();
    std::string text = fmt::format("{0}\n0\n{0}\n{0}\n{0} {0}\n", n);
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) fmt::format_to(std::back_inserter(text), "{:.17g}\n", problem.matrix(i, j));
    for (Index i = 0; i < n; ++i) fmt::format_to(std::back_inserter(text), "{:.17g}\n", problem.vector[i]);
    return text;
}

std::string to_text(const FrictionProblem& problem) {
    std::string text = fmt::format("{}\n{}\n", problem.dimension, problem.contacts());
    append_blocks(text, problem.W, problem.contacts(), problem.dimension);
    for (const double value : problem.q) fmt::format_to(std::back_inserter(text), "{:.17g}\n", value);
    for (const double value : problem.mu) fmt::format_to(std::back_inserter(text), "{:.17g}\n", value);
    return text;
}

}  // namespace scree::complementarity
