// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/particle_file.hpp"

#include "engine/geometry/particle_columns.hpp"
#include "engine/geometry/text_input.hpp"
#include "engine/model/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace scree::geometry {
namespace {

using model::Error;
using model::ErrorKind;
using Meanings = std::vector<ColumnMeaning>;

constexpr std::size_t count_of(const Meanings& meanings, ColumnMeaning wanted) {
    return static_cast<std::size_t>(std::count(meanings.begin(), meanings.end(), wanted));
}

/// Reads one file; holds what its messages need.
class Reader {
public:
    Reader(const model::FileSource& source, const std::filesystem::path& folder)
        : source_(source),
          path_(folder / source.path),
          content_(read_content(path_)),
          lines_(content_, path_.string()) {}

    ParticleTable read() {
        if (!source_.columns.empty()) take_columns_of_scene();
        std::string_view comment;
        bool first = true;
        while (lines_.next()) {
            const std::string_view line = trimmed(lines_.line());
            if (line.empty()) continue;
            if (line.front() == '#') {
                if (first) comment = line.substr(1);
                continue;
            }
            split_fields(line, fields_);
            if (std::exchange(first, false)) {
                const bool is_header = !parse_number(fields_[0]);
                if (meanings_.empty()) take_columns_of_file(is_header ? line : comment, is_header);
                if (is_header) continue;
            }
            add_row();
            if (source_.max_rows != 0 && table_.rows_read == source_.max_rows) break;
        }
        finish();
        return std::move(table_);
    }

private:
    [[nodiscard]] Error file_error(const std::string& what, const std::string& hint = {}) const {
        return {ErrorKind::input, what, hint, path_.string()};
    }

    void take_columns_of_scene() {
        for (const std::string& column : source_.columns) {
            const ColumnHeading heading = parse_heading(column);
            if (!heading.meaning) {
                throw file_error(fmt::format("unknown column {} in 'columns', allowed: {}", in_quotes(column),
                                             comma_separated(column_names)));
            }
            meanings_.push_back(*heading.meaning);
            headings_.push_back(column);
        }
        check_columns(file_error(""));
    }

    void take_columns_of_file(std::string_view header, bool is_header) {
        split_header(header);
        std::size_t known = 0;
        for (const std::string_view field : header_fields_) {
            const ColumnHeading heading = parse_heading(field);
            known += heading.meaning && *heading.meaning != ColumnMeaning::skip ? 1U : 0U;
            meanings_.push_back(heading.meaning.value_or(ColumnMeaning::skip));
            headings_.emplace_back(field);
            if (!heading.meaning) table_.ignored_columns.emplace_back(field);
            if (heading.meaning) check_unit(field, *heading.meaning, heading.unit);
        }
        const bool named = count_of(meanings_, ColumnMeaning::x) == 1 && count_of(meanings_, ColumnMeaning::y) == 1 &&
                           count_of(meanings_, ColumnMeaning::z) == 1;
        if (!is_header && !named) {
            throw lines_.error(fmt::format("the file has no header that names its {} columns", fields_.size()),
                               "give 'columns', for example [x, y, z, radius]");
        }
        if (known == 0) throw lines_.error("the first line is neither numbers nor a header with known column names");
        check_columns(lines_.error(""));
    }

    /// "Radius [m]" between blanks is one heading, not two.
    void split_header(std::string_view header) {
        std::string joined;
        for (std::size_t i = 0; i < header.size(); ++i) {
            const std::size_t next = header.find_first_not_of(" \t", i);
            const bool before_unit =
                next != std::string_view::npos && next > i && i > 0 && (header[next] == '[' || header[next] == '(');
            if (before_unit) i = next;
            joined += header[i];
        }
        header_text_ = std::move(joined);
        split_fields(header_text_, header_fields_);
    }

    void check_unit(std::string_view field, ColumnMeaning meaning, const std::string& unit) const {
        if (unit.empty() || meaning == ColumnMeaning::id || meaning == ColumnMeaning::skip) return;
        if (is_length(meaning)) {
            if (unit == "m" || source_.scale != 1.0) return;
            throw lines_.error(fmt::format("column {} is not in metres", in_quotes(field)),
                               "give 'scale', the unit of the file in metres");
        }
        const bool linear =
            meaning == ColumnMeaning::vx || meaning == ColumnMeaning::vy || meaning == ColumnMeaning::vz;
        if (linear ? unit == "m/s" : (unit == "rad/s" || unit == "1/s")) return;
        throw lines_.error(fmt::format("column {} is not in {}", in_quotes(field), linear ? "m/s" : "rad/s"));
    }

    /// `base` carries the place that the message names.
    void check_columns(const Error& base) const {
        const auto fail = [&](const std::string& what, const std::string& hint = {}) {
            throw Error(ErrorKind::input, what, hint, base.file(), base.line());
        };
        for (std::size_t k = 0; k < headings_.size(); ++k) {
            for (std::size_t earlier = 0; earlier < k; ++earlier) {
                const auto meaning = meanings_[k];
                if (meaning != ColumnMeaning::skip && meanings_[earlier] == meaning) {
                    fail(fmt::format("two columns mean '{}': {} and {}, columns {} and {}",
                                     column_names[static_cast<std::size_t>(meaning)], in_quotes(headings_[earlier]),
                                     in_quotes(headings_[k]), earlier + 1, k + 1),
                         "rename one; 'columns' with skip leaves one out");
                }
                // Of two columns of one name that mean nothing here, one may be meant to be another.
                if (meaning == ColumnMeaning::skip && !parse_heading(headings_[k]).meaning && !headings_[k].empty() &&
                    headings_[earlier] == headings_[k]) {
                    fail(fmt::format("two columns have the name {}, columns {} and {}", in_quotes(headings_[k]),
                                     earlier + 1, k + 1),
                         "rename one; 'columns' with skip leaves one out");
                }
            }
        }
        const std::string found = table_.ignored_columns.empty() ? std::string()
                                                                 : fmt::format("columns without a meaning here: {}",
                                                                               comma_separated(table_.ignored_columns));
        for (const ColumnMeaning wanted : {ColumnMeaning::x, ColumnMeaning::y, ColumnMeaning::z}) {
            if (count_of(meanings_, wanted) == 0) {
                fail(fmt::format("no column '{}'", column_names[static_cast<std::size_t>(wanted)]), found);
            }
        }
        const std::size_t sizes =
            count_of(meanings_, ColumnMeaning::radius) + count_of(meanings_, ColumnMeaning::diameter);
        if (sizes == 2) fail("both a radius and a diameter column");
        if (sizes == 1 && source_.radius != 0.0) {
            fail("the file has a column for the size, and the source gives 'radius' as well", "remove one");
        }
        if (sizes == 0 && !(source_.radius > 0.0 && std::isfinite(source_.radius))) {
            fail("no column 'radius' or 'diameter'", found.empty() ? "give 'radius' for all spheres" : found);
        }
    }

    void add_row() {
        if (fields_.size() != meanings_.size()) {
            throw lines_.error(fmt::format("the line has {} fields, a particle has {}: it is not a particle",
                                           fields_.size(), meanings_.size()),
                               table_.rows_read == 0
                                   ? std::string()
                                   : fmt::format("to read only the {} rows before it, give max_rows: {}",
                                                 table_.rows_read, table_.rows_read));
        }
        std::array<double, column_names.size()> values{};
        for (std::size_t k = 0; k < fields_.size(); ++k) {
            const auto meaning = static_cast<std::size_t>(meanings_[k]);
            if (meanings_[k] == ColumnMeaning::skip) continue;
            values[meaning] = lines_.finite_number(fields_[k], column_names[meaning]);
        }
        const auto value = [&](ColumnMeaning meaning) { return values[static_cast<std::size_t>(meaning)]; };
        ParticleRow row;
        row.position =
            source_.scale * model::Vec3{value(ColumnMeaning::x), value(ColumnMeaning::y), value(ColumnMeaning::z)} +
            source_.translation;
        row.velocity = {value(ColumnMeaning::vx), value(ColumnMeaning::vy), value(ColumnMeaning::vz)};
        row.angular_velocity = {value(ColumnMeaning::wx), value(ColumnMeaning::wy), value(ColumnMeaning::wz)};
        row.radius = radius_of(value(ColumnMeaning::radius), value(ColumnMeaning::diameter));
        if (!std::isfinite(row.position.x) || !std::isfinite(row.position.y) || !std::isfinite(row.position.z)) {
            throw lines_.error("the scaled position is not finite");
        }
        ++table_.rows_read;
        smallest_ = std::min(smallest_, row.radius);
        largest_ = std::max(largest_, row.radius);
        if (row.radius >= source_.radius_min && row.radius <= source_.radius_max) table_.rows.push_back(row);
    }

    [[nodiscard]] double radius_of(double radius, double diameter) const {
        if (source_.radius > 0.0) return source_.radius;
        const bool by_diameter = count_of(meanings_, ColumnMeaning::diameter) == 1;
        const double given = by_diameter ? diameter : radius;
        const double scaled = source_.scale * (by_diameter ? 0.5 * given : given);
        if (scaled > 0.0 && std::isfinite(scaled)) return scaled;
        throw lines_.error(fmt::format("{} is {}, allowed: > 0", by_diameter ? "diameter" : "radius", given));
    }

    void finish() const {
        if (table_.rows_read == 0) throw file_error("the file has no particles");
        if (table_.rows.empty()) {
            throw file_error(fmt::format("none of the {} radii, {} to {} m, lies in radius_between [{}, {}] m",
                                         table_.rows_read, smallest_, largest_, source_.radius_min,
                                         source_.radius_max));
        }
        if (table_.rows_read < source_.max_rows) {
            throw file_error(
                fmt::format("the file has {} particles, max_rows wants {}", table_.rows_read, source_.max_rows));
        }
    }

    const model::FileSource& source_;
    std::filesystem::path path_;
    std::string content_, header_text_;
    LineReader lines_;
    std::vector<std::string_view> fields_, header_fields_;
    Meanings meanings_;
    std::vector<std::string> headings_;  ///< As meanings_.
    ParticleTable table_;
    double smallest_ = std::numeric_limits<double>::infinity(), largest_ = 0.0;
};

}  // namespace

ParticleTable read_particles(const model::FileSource& source, const std::filesystem::path& folder) {
    if (!(source.scale > 0.0) || !std::isfinite(source.scale)) {
        throw Error(ErrorKind::input, fmt::format("scale is {}, allowed: > 0", source.scale), {}, source.path);
    }
    if (!(source.radius >= 0.0) || !std::isfinite(source.radius)) {
        throw Error(ErrorKind::input, fmt::format("radius is {}, allowed: > 0", source.radius), {}, source.path);
    }
    return Reader(source, folder).read();
}

}  // namespace scree::geometry
