// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/problem_file.hpp"

#include "engine/geometry/text_input.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace scree::complementarity {
namespace {

using Eigen::Index;

/// The numbers of a text, one after the other; knows the line of each for messages.
class Numbers {
public:
    Numbers(std::string_view text, std::string file) : lines_(text, file), file_(std::move(file)) {}

    /// The next number; `what` names it in errors.
    double next(std::string_view what) {
        const std::string_view word = next_word(what);
        return lines_.finite_number(word, what);
    }
    /// A whole number between `low` and `high`.
    Index whole(std::string_view what, Index low, Index high) {
        const double value = next(what);
        if (value != std::floor(value) || value < double(low) || value > double(high))
            throw lines_.error(fmt::format("{} = {:g} is out of range (allowed: a whole number from {} to {})", what,
                                           value, low, high));
        return Index(value);
    }
    void expect(std::string_view what, Index value) {
        const double found = next(what);
        if (found != double(value))
            throw lines_.error(fmt::format("{} = {:g}, but the numbers before ask for {}", what, found, value));
    }
    [[nodiscard]] model::Error error(const std::string& what, const std::string& hint = {}) const {
        return lines_.error(what, hint);
    }
    /// What follows is a comment when it begins with '#' or a letter; numbers left over are an error.
    void expect_end(bool one_flag) {
        while (at_ < words_.size() || read_line()) {
            if (at_ >= words_.size()) continue;
            const auto number = geometry::parse_number(words_[at_]);
            if (!number) return;
            if (!one_flag) throw lines_.error("there are more numbers than the problem has");
            one_flag = false;
            ++at_;
        }
    }

private:
    bool read_line() {
        if (!lines_.next()) return false;
        geometry::split_words(lines_.line(), words_);
        at_ = 0;
        return true;
    }
    std::string_view next_word(std::string_view what) {
        while (at_ >= words_.size())
            if (!read_line())
                throw model::Error(model::ErrorKind::input, fmt::format("the file ends before {}", what),
                                   "is it complete?", file_, lines_.number());
        return words_[at_++];
    }

    geometry::LineReader lines_;
    std::string file_;
    std::vector<std::string_view> words_;
    std::size_t at_ = 0;
};

constexpr Index largest_dense = 20000;       // 3.2 GB of matrix
constexpr Index largest_contacts = 3000000;  // of a sparse problem

LinearProblem read_linear(Numbers& in, Index n) {
    for (const char* what : {"rows", "columns", "rows of the matrix", "columns of the matrix"}) in.expect(what, n);
    LinearProblem problem;
    problem.matrix.resize(n, n);
    problem.vector.resize(n);
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) problem.matrix(i, j) = in.next("an entry of M");
    for (Index i = 0; i < n; ++i) problem.vector[i] = in.next("an entry of q");
    in.expect_end(false);
    return problem;
}

Operator read_dense(Numbers& in, Index n) {
    if (n > largest_dense)
        throw in.error(fmt::format("a dense W of {} rows is too large (allowed: {})", n, largest_dense));
    in.expect("rows of W", n);
    in.expect("columns of W", n);
    std::vector<Eigen::Triplet<double>> entries;
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) {
            const double value = in.next("an entry of W");
            if (value != 0.0) entries.emplace_back(int(i), int(j), value);
        }
    Operator w(n, n);
    w.setFromTriplets(entries.begin(), entries.end());
    return w;
}

Operator read_blocks(Numbers& in, Index contacts, int d) {
    const Index most = contacts * contacts, n = contacts * d;
    const Index blocks = in.whole("number of blocks", 0, most);
    in.expect("number of block rows", contacts);
    in.expect("number of block columns", contacts);
    for (const char* what : {"an end of a block row", "an end of a block column"})
        for (Index c = 1; c <= contacts; ++c) in.expect(what, c * d);
    in.expect("number of row pointers", contacts + 1);
    in.expect("number of block columns stored", blocks);
    std::vector<Index> first, column;
    for (Index c = 0; c <= contacts; ++c) first.push_back(in.whole("a row pointer", c > 0 ? first.back() : 0, blocks));
    if (first.front() != 0 || first.back() != blocks) throw in.error("the row pointers do not cover the blocks");
    for (Index k = 0; k < blocks; ++k) column.push_back(in.whole("a block column", 0, contacts - 1));
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(std::size_t(blocks) * std::size_t(d) * std::size_t(d));
    for (Index row = 0; row < contacts; ++row)
        for (Index k = first[std::size_t(row)]; k < first[std::size_t(row) + 1]; ++k) {
            in.expect("the number of a block", k);
            for (Index j = 0; j < d; ++j)
                for (Index i = 0; i < d; ++i) {
                    const double value = in.next("an entry of W");
                    entries.emplace_back(int(row * d + i), int(column[std::size_t(k)] * d + j), value);
                }
        }
    Operator w(n, n);
    w.setFromTriplets(entries.begin(), entries.end());
    return w;
}

FrictionProblem read_friction(Numbers& in, Index dimension, Index contacts) {
    FrictionProblem problem;
    problem.dimension = int(dimension);
    const int d = problem.dimension;
    const Index n = d * contacts;
    const Index storage = in.whole("storage of W", 0, 2);
    if (storage == 2)
        throw in.error("storage of W = 2 (triplets or compressed columns) is not read",
                       "write W as 0, dense, or 1, sparse blocks");
    in.expect("rows", n);
    in.expect("columns", n);
    problem.W = storage == 0 ? read_dense(in, n) : read_blocks(in, contacts, d);
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
    const std::string text = geometry::read_content(file);
    Numbers in(text, file.generic_string());
    const Index first = in.whole("the first number (size of an LCP, or dimension)", 0, largest_dense);
    const Index second = in.whole("the second number (storage of an LCP, or number of contacts)", 0, largest_contacts);
    if (second == 0) return read_linear(in, first);
    if (first != 2 && first != 3)
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
    const Index contacts = problem.contacts();
    const int d = problem.dimension;
    // Blocks that hold an entry, row by row.
    std::vector<std::map<Index, Eigen::MatrixXd>> rows;
    rows.resize(std::size_t(contacts));
    Index blocks = 0;
    for (Index i = 0; i < problem.W.rows(); ++i)
        for (Operator::InnerIterator entry(problem.W, i); entry; ++entry) {
            auto [block, is_new] = rows[std::size_t(i / d)].try_emplace(entry.col() / d, Eigen::MatrixXd::Zero(d, d));
            if (is_new) ++blocks;
            block->second(i % d, entry.col() % d) = entry.value();
        }
    std::string text;
    const auto put = [&](const auto& format, auto... values) {
        fmt::format_to(std::back_inserter(text), fmt::runtime(format), values...);
    };
    put("{}\n{}\n1\n{}\n{}\n{}\n{}\n{}\n", d, contacts, d * contacts, d * contacts, blocks, contacts, contacts);
    for (int side = 0; side < 2; ++side)
        for (Index c = 1; c <= contacts; ++c) put("{}{}", c * d, c == contacts ? "\n" : " ");
    put("{}\n{}\n", contacts + 1, blocks);
    Index first = 0;
    put("0");
    for (const auto& row : rows) put(" {}", first += Index(row.size()));
    put("\n");
    for (const auto& row : rows)
        for (const auto& [column, block] : row) put("{} ", column);
    put("\n");
    Index number = 0;
    for (const auto& row : rows)
        for (const auto& [column, block] : row) {
            put("{}\n", number++);
            for (Index j = 0; j < d; ++j)
                for (Index i = 0; i < d; ++i) put("{:.17g}\n", block(i, j));
        }
    for (Index i = 0; i < problem.q.size(); ++i) put("{:.17g}\n", problem.q[i]);
    for (Index c = 0; c < contacts; ++c) put("{:.17g}\n", problem.mu[c]);
    return text;
}

}  // namespace scree::complementarity
