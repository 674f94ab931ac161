// SPDX-License-Identifier: BSD-3-Clause
// Between the tiled arrays of a backend and plain rows of doubles on the host.
#pragma once

#include "kernels/cone/contact_rows.hpp"
#include "kernels/parallel/array.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace scree::kernels {

namespace transfer {

template <class T, class Backend>
std::vector<T> to_host(const Array<T, Backend>& array, Size size) {
    std::vector<T> host(static_cast<std::size_t>(size));
    array.copy_to(std::span<T>(host));
    return host;
}
/// Rows of eight to rows of six: (v, w).
template <class R>
std::vector<double> six_of_eight(const std::vector<R>& rows, std::size_t count) {
    std::vector<double> six(6 * count);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < 3; ++k) {
            six[6 * i + k] = double(rows[8 * i + k]);
            six[6 * i + 3 + k] = double(rows[8 * i + 4 + k]);
        }
    return six;
}
/// A tiled array of three fields to rows of three.
template <int W, class R>
std::vector<double> rows_of_three(const std::vector<R>& fields, std::size_t count) {
    std::vector<double> rows(3 * count);
    for (std::size_t c = 0; c < count; ++c)
        for (int k = 0; k < 3; ++k)
            rows[3 * c + std::size_t(k)] = double(fields[std::size_t(tiled<W, 3>(Index(c), k))]);
    return rows;
}
template <int W, class R>
std::vector<R> fields_of_three(const std::vector<double>& rows, Index count) {
    std::vector<R> fields(std::size_t(padded(count, W)) * 3, R(0));
    for (Index c = 0; c < count; ++c)
        for (int k = 0; k < 3; ++k)
            fields[std::size_t(tiled<W, 3>(c, k))] = R(rows[3 * std::size_t(c) + std::size_t(k)]);
    return fields;
}
template <class To, class From>
std::vector<To> converted(const std::vector<From>& from) {
    return std::vector<To>(from.begin(), from.end());
}

}  // namespace transfer

}  // namespace scree::kernels
