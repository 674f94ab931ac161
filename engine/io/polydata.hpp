// SPDX-License-Identifier: BSD-3-Clause
// The VTK XML PolyData format (.vtp): one piece of points, cells and named arrays.
//
// Arrays stand inline, base64 encoded, behind one UInt64 with their length in bytes. This is the one binary form that
// both ParaView and OVITO read (OVITO refuses appended data). Types are Int32, Int64, Float32 and Float64 only, and the
// coordinates are called "points", for the same reason.
#pragma once

#include "engine/io/atomic_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace scree::io {

/// Encodes a stream of bytes as base64 into a file.
class Base64Stream {
public:
    explicit Base64Stream(AtomicFile& file) : file_(&file) {}
    void write(std::span<const std::byte> bytes);
    /// Writes the last, padded group.
    void finish();

private:
    void put(std::size_t length);

    AtomicFile* file_;
    std::uint32_t group_ = 0;  // Up to three bytes, first byte highest.
    std::size_t held_ = 0;
};

/// Collects descriptions of arrays, then writes them. The values are read when write() runs, so what the functions
/// refer to must live until then.
class PolyData {
public:
    enum class Section : std::size_t { point_data, cell_data, points, verts, lines, polys };

    /// Numbers of points and of cells of each kind. Cell data runs over verts, then lines, then polys.
    struct Counts {
        std::size_t points = 0, verts = 0, lines = 0, polys = 0;
    };

    /// `comment` stands at the top of the file; it must not hold "--".
    PolyData(Counts counts, std::string comment) : counts_(counts), comment_(std::move(comment)) {}

    /// Adds an array of `tuples` x `components` values `value(tuple, component)`, stored as T.
    template <class T, class Value>
    void add(Section section, std::string name, std::size_t tuples, std::size_t components, Value value) {
        arrays_.push_back({section, std::move(name), type_name<T>(), components, tuples * components * sizeof(T),
                           [=](Base64Stream& stream) {
                               std::vector<T> tuple(components);
                               for (std::size_t i = 0; i < tuples; ++i) {
                                   for (std::size_t c = 0; c < components; ++c) tuple[c] = static_cast<T>(value(i, c));
                                   stream.write(std::as_bytes(std::span<const T>(tuple)));
                               }
                           }});
    }
    /// Adds the connectivity of `cells` cells of `size` points each; `point(cell, corner)` is a point index.
    template <class Point>
    void add_cells(Section section, std::size_t cells, std::size_t size, Point point) {
        add<std::int64_t>(section, "connectivity", cells * size, 1,
                          [=](std::size_t i, std::size_t) { return point(i / size, i % size); });
        add<std::int64_t>(section, "offsets", cells, 1, [=](std::size_t i, std::size_t) { return (i + 1) * size; });
    }

    /// Writes the file atomically.
    void write(const std::filesystem::path& path) const;

private:
    struct ArrayEntry {
        Section section;
        std::string name, type;
        std::size_t components;
        std::uint64_t bytes;
        std::function<void(Base64Stream&)> emit;
    };

    template <class T>
    static const char* type_name() {
        static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int32_t> ||
                      std::is_same_v<T, std::int64_t>);
        if constexpr (std::is_same_v<T, float>) return "Float32";
        if constexpr (std::is_same_v<T, double>) return "Float64";
        if constexpr (std::is_same_v<T, std::int32_t>) return "Int32";
        return "Int64";
    }

    Counts counts_;
    std::string comment_;
    std::vector<ArrayEntry> arrays_;
};

}  // namespace scree::io
