// SPDX-License-Identifier: BSD-3-Clause
// Between NumPy's arrays and vectors of the engine.
#pragma once

#include "engine/model/error.hpp"
#include "engine/model/math.hpp"

#include <pybind11/numpy.h>

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace scree::python {

namespace py = pybind11;

/// Arrays that callers hand over: whatever NumPy can make numbers of.
using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Ids = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

/// n numbers.
template <class T>
py::array_t<T> array_of(const std::vector<T>& values) {
    return py::array_t<T>(py::ssize_t(values.size()), values.data());
}

/// n rows of a struct of doubles: n x 3 or n x 4.
template <class Row>
requires std::is_same_v<Row, model::Vec3> || std::is_same_v<Row, model::Quat> py::array_t<double> array_of(
    const std::vector<Row>& rows) {
    static_assert(std::is_trivially_copyable_v<Row> && sizeof(Row) % sizeof(double) == 0);
    constexpr auto width = py::ssize_t(sizeof(Row) / sizeof(double));
    py::array_t<double> array({py::ssize_t(rows.size()), width});
    if (!rows.empty()) std::memcpy(array.mutable_data(), rows.data(), rows.size() * sizeof(Row));
    return array;
}

inline py::array_t<double> array_of(model::Vec3 v) { return array_of(std::vector<double>{v.x, v.y, v.z}); }

/// Row i of n x 3, or the one vector that all have. Throws model::Error (usage) for other shapes.
class Rows {
public:
    Rows(const Doubles& array, py::ssize_t count, const char* name) : data_(array.data()) {
        const bool is_one = array.ndim() == 1 && array.shape(0) == 3;
        if (!is_one && !(array.ndim() == 2 && array.shape(0) == count && array.shape(1) == 3))
            throw model::Error(model::ErrorKind::usage, std::string(name) + " has the shape " + shape_of(array),
                               "three numbers, or three for each of the " + std::to_string(count) + " ids");
        stride_ = is_one ? 0 : 3;
    }
    [[nodiscard]] model::Vec3 operator[](py::ssize_t i) const {
        const double* row = data_ + stride_ * i;
        return {row[0], row[1], row[2]};
    }

private:
    static std::string shape_of(const Doubles& array) {
        std::string text = "(";
        for (py::ssize_t k = 0; k < array.ndim(); ++k) text += (k > 0 ? " x " : "") + std::to_string(array.shape(k));
        return text + ")";
    }

    const double* data_;
    py::ssize_t stride_ = 0;
};

}  // namespace scree::python
