// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/csv_series.hpp"

#include "engine/io/atomic_file.hpp"
#include "engine/io/number.hpp"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace scree::io {
namespace {

/// A column name as RFC 4180 writes it.
std::string quoted(const std::string& name) {
    if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
    std::string text = "\"";
    for (const char c : name) {
        if (c == '"') text += '"';
        text += c;
    }
    return text + "\"";
}

std::string header_of(const std::vector<std::string>& columns) {
    std::string line;
    for (const std::string& column : columns) {
        if (!line.empty()) line += ',';
        line += quoted(column);
    }
    return line + "\n";
}

/// Length of the part of a table that ends with the last complete row not later than `time`.
std::uintmax_t length_until(std::ifstream& file, std::size_t header_length, double time) {
    std::uintmax_t length = header_length;
    std::string line;
    file.seekg(static_cast<std::streamoff>(header_length));
    while (std::getline(file, line) && !file.eof()) {  // eof: the last line lacks its end, so it is torn
        const auto row_time = to_number(std::string_view(line).substr(0, line.find(',')));
        if (!row_time || !(*row_time <= time)) break;
        length += line.size() + 1;
    }
    return length;
}

}  // namespace

CsvSeries::CsvSeries(std::filesystem::path path, std::vector<std::string> columns)
    : CsvSeries(std::move(path), std::move(columns), false) {
    write_line(header_of(columns_));
}

CsvSeries::CsvSeries(std::filesystem::path path, std::vector<std::string> columns, bool keep_content)
    : path_(std::move(path)), columns_(std::move(columns)) {
    if (columns_.empty()) throw std::invalid_argument("CsvSeries needs at least the time column");
    const int mode = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (keep_content ? 0 : O_TRUNC);
    descriptor_ = ::open(path_.c_str(), mode, 0666);
    if (descriptor_ < 0) throw file_error(path_, "write", errno);
}

CsvSeries CsvSeries::resume(std::filesystem::path path, std::vector<std::string> columns, double restart_time) {
    const std::string header = header_of(columns);
    std::ifstream file(path, std::ios::binary);
    std::string found(header.size(), '\0');
    if (!file || !file.read(found.data(), static_cast<std::streamsize>(found.size()))) {
        // Missing, or shorter than its own header: nothing to keep.
        return {std::move(path), std::move(columns)};
    }
    if (found != header) {
        throw model::Error(model::ErrorKind::input,
                           "cannot continue " + path.string() + ": its columns differ from those of the scene",
                           "choose another output directory or restore the probes of the first run");
    }
    const auto length = length_until(file, header.size(), restart_time);
    file.close();
    CsvSeries series(std::move(path), std::move(columns), true);
    if (::ftruncate(series.descriptor_, static_cast<off_t>(length)) != 0) {
        throw file_error(series.path_, "shorten", errno);
    }
    return series;
}

CsvSeries::~CsvSeries() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

CsvSeries::CsvSeries(CsvSeries&& other) noexcept
    : path_(std::move(other.path_)),
      columns_(std::move(other.columns_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

void CsvSeries::append(std::span<const double> values) {
    if (values.size() % columns_.size() != 0) {
        throw std::invalid_argument("row of " + std::to_string(values.size()) + " values in a table of " +
                                    std::to_string(columns_.size()) + " columns: " + path_.string());
    }
    std::string lines;
    for (std::size_t i = 0; i < values.size(); ++i) {
        lines += to_text(values[i]);
        lines += (i + 1) % columns_.size() == 0 ? '\n' : ',';
    }
    write_line(lines);
}

void CsvSeries::write_line(const std::string& line) {
    std::size_t written = 0;
    while (written < line.size()) {
        const ssize_t done = ::write(descriptor_, line.data() + written, line.size() - written);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) {
            const int reason = errno;
            // Take the half row back; a device (such as a pipe) has no length, so a failure here changes nothing.
            const off_t end = ::lseek(descriptor_, 0, SEEK_END);
            if (written > 0 && end >= static_cast<off_t>(written)) {
                [[maybe_unused]] const int cut = ::ftruncate(descriptor_, end - static_cast<off_t>(written));
            }
            throw file_error(path_, "write", reason);
        }
        written += static_cast<std::size_t>(done);
    }
}

}  // namespace scree::io
