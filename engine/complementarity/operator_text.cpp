// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/operator_text.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using Triplets = std::vector<Eigen::Triplet<double>>;

Operator assembled(Index n, const Triplets& entries) {
    Operator w(n, n);
    w.setFromTriplets(entries.begin(), entries.end());
    return w;
}

Operator read_dense(NumberStream& in, Index n) {
    in.expect("rows of W", n);
    in.expect("columns of W", n);
    in.expect_room(n * n, "a dense W");
    Triplets entries;
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) {
            const double value = in.next("an entry of W");
            if (value != 0.0) entries.emplace_back(int(i), int(j), value);
        }
    return assembled(n, entries);
}

Operator read_blocks(NumberStream& in, Index contacts, int d) {
    const Index blocks = in.whole("number of blocks", 0, contacts * contacts);
    in.expect("number of block rows", contacts);
    in.expect("number of block columns", contacts);
    in.expect_room(blocks * d * d, "the blocks of W");
    for (const char* what : {"an end of a block row", "an end of a block column"})
        for (Index c = 1; c <= contacts; ++c) in.expect(what, c * d);
    in.expect("number of row pointers", contacts + 1);
    in.expect("number of block columns stored", blocks);
    std::vector<Index> first, column;
    for (Index c = 0; c <= contacts; ++c) first.push_back(in.whole("a row pointer", c > 0 ? first.back() : 0, blocks));
    if (first.front() != 0 || first.back() != blocks) throw in.error("the row pointers do not cover the blocks");
    for (Index k = 0; k < blocks; ++k) column.push_back(in.whole("a block column", 0, contacts - 1));
    Triplets entries;
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
    return assembled(contacts * d, entries);
}

/// "6-by-6, nzmax: 64 nnz: 36": the number of entries, after the sizes were compared with n.
Index entries_in_heading(NumberStream& in, Index n, std::string_view heading) {
    std::vector<std::string_view> words;
    geometry::split_words(heading, words);
    const std::string size = fmt::format("{0}-by-{0},", n);
    if (words.empty() || words[0] != size)
        throw in.error(fmt::format("the heading of W is {}, '{} nzmax: ... nnz: ...' is wanted",
                                   geometry::in_quotes(heading), size));
    for (std::size_t k = 1; k + 1 < words.size(); ++k) {
        if (words[k] != "nnz:") continue;
        std::string_view count = words[k + 1];
        if (count.ends_with(',')) count.remove_suffix(1);
        const auto value = geometry::parse_number(count);
        if (value && *value >= 0.0 && *value <= 2147483647.0 && *value == double(Index(*value))) return Index(*value);
        break;
    }
    throw in.error("the heading of W gives no number of entries, 'nnz: N'");
}

/// What CSparse prints: a line that names it, a heading, the entries.
Operator read_printed(NumberStream& in, Index n) {
    const Index form = in.whole("origin of the sparse W", 0, 4);
    if (form != 1 && form != 2)
        throw in.error(
            fmt::format("a sparse W of origin {} is not read (allowed: 1, triplets; 2, compressed columns)", form));
    in.expect_word("CSparse");
    (void)in.rest_of_line();
    Triplets entries;
    if (form == 1) {
        in.expect_word("triplet:");
        const Index count = entries_in_heading(in, n, in.rest_of_line());
        in.expect_room(3 * count, "the triplets of W");
        entries.reserve(std::size_t(count));
        for (Index k = 0; k < count; ++k) {
            const Index row = in.whole("a row of W", 0, n - 1), column = in.whole("a column of W", 0, n - 1);
            in.expect_word(":");
            entries.emplace_back(int(row), int(column), in.next("an entry of W"));
        }
        return assembled(n, entries);
    }
    const std::string size(in.word("the heading of W"));
    const Index count = entries_in_heading(in, n, size + ' ' + std::string(in.rest_of_line()));
    in.expect_room(2 * count, "the entries of W");
    entries.reserve(std::size_t(count));
    for (Index column = 0; column < n; ++column) {
        in.expect_word("col");
        in.expect("number of a column", column);
        in.expect_word(":");
        in.expect_word("locations");
        in.expect("first location of a column", Index(entries.size()));
        in.expect_word("to");
        const Index last = in.whole("last location of a column", Index(entries.size()) - 1, count - 1);
        while (Index(entries.size()) <= last) {
            const Index row = in.whole("a row of W", 0, n - 1);
            in.expect_word(":");
            entries.emplace_back(int(row), int(column), in.next("an entry of W"));
        }
    }
    if (Index(entries.size()) != count)
        throw in.error(fmt::format("the columns of W hold {} entries, the heading says {}", entries.size(), count));
    return assembled(n, entries);
}

}  // namespace

Operator read_operator(NumberStream& in, Index contacts, int dimension) {
    const Index n = dimension * contacts;
    const Index storage = in.whole("storage of W", 0, 2);
    in.expect("rows", n);
    in.expect("columns", n);
    if (storage == 0) return read_dense(in, n);
    return storage == 1 ? read_blocks(in, contacts, dimension) : read_printed(in, n);
}

void append_blocks(std::string& text, const Operator& w, Index contacts, int d) {
    const auto put = [&](Index value, char end) {
        fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}{}"), value, end);
    };
    // The block columns of each block row, by one pass over its d rows.
    std::vector<Index> first{0}, column, mark(std::size_t(contacts), -1);
    for (Index c = 0; c < contacts; ++c) {
        for (Index i = d * c; i < d * (c + 1); ++i)
            for (Operator::InnerIterator entry(w, i); entry; ++entry) {
                const Index block = entry.col() / d;
                if (mark[std::size_t(block)] == c) continue;
                mark[std::size_t(block)] = c;
                column.push_back(block);
            }
        std::sort(column.begin() + first.back(), column.end());
        first.push_back(Index(column.size()));
    }
    const auto blocks = Index(column.size());
    for (const Index head : {Index(1), d * contacts, d * contacts, blocks, contacts, contacts}) put(head, '\n');
    for (int side = 0; side < 2; ++side)
        for (Index c = 1; c <= contacts; ++c) put(c * d, c == contacts ? '\n' : ' ');
    put(contacts + 1, '\n');
    put(blocks, '\n');
    for (Index c = 0; c <= contacts; ++c) put(first[std::size_t(c)], c == contacts ? '\n' : ' ');
    for (const Index c : column) put(c, ' ');
    text += '\n';
    std::vector<Operator::InnerIterator> at;
    for (Index c = 0; c < contacts; ++c) {
        at.clear();
        for (Index i = 0; i < d; ++i) at.emplace_back(w, d * c + i);
        for (Index k = first[std::size_t(c)]; k < first[std::size_t(c) + 1]; ++k) {
            put(k, '\n');
            std::array<double, 9> block{};
            const Index left = d * column[std::size_t(k)];
            for (Index i = 0; i < d; ++i)
                for (auto& entry = at[std::size_t(i)]; entry && entry.col() < left + d; ++entry)
                    block[std::size_t((entry.col() - left) * d + i)] = entry.value();
            for (Index e = 0; e < d * d; ++e)
                fmt::format_to(std::back_inserter(text), FMT_COMPILE("{:.17g}\n"), block[std::size_t(e)]);
        }
    }
}

}  // namespace scree::complementarity
