// SPDX-License-Identifier: BSD-3-Clause
// series.csv: one row of measurements per output time.
//
// A header line names the columns; the first is the time [s]. Values have the shortest text that reads back to the same
// double, so that a table compares bit for bit. Each row reaches the system before append() returns.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace scree::io {

class CsvSeries {
public:
    /// Starts a new table; an existing file is replaced. `columns` holds all names, the time first.
    CsvSeries(std::filesystem::path path, std::vector<std::string> columns);
    /// Continues a table after a restart at time `restart_time`: rows later than it, and a torn last row, are dropped.
    /// A missing file starts a new table. Throws model::Error (input) when the columns differ.
    [[nodiscard]] static CsvSeries resume(std::filesystem::path path, std::vector<std::string> columns,
                                          double restart_time);
    ~CsvSeries();
    CsvSeries(CsvSeries&& other) noexcept;
    CsvSeries(const CsvSeries&) = delete;
    CsvSeries& operator=(const CsvSeries&) = delete;
    CsvSeries& operator=(CsvSeries&&) = delete;

    /// Appends a row with one value per column, or several rows in one piece. On a full disk no half row is left
    /// behind, and model::Error (environment) is thrown.
    void append(std::span<const double> values);

    [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }

private:
    CsvSeries(std::filesystem::path path, std::vector<std::string> columns, bool keep_content);
    void write_line(const std::string& line);

    std::filesystem::path path_;
    std::vector<std::string> columns_;
    int descriptor_ = -1;
};

}  // namespace scree::io
