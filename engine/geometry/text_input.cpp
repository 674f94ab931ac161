// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/text_input.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>

namespace scree::geometry {
namespace {

using model::Error;
using model::ErrorKind;

constexpr std::string_view blanks = " \t\r\v\f";

Error too_large(const std::filesystem::path& file, std::size_t max_bytes) {
    return {ErrorKind::input, "content is larger than " + std::to_string(max_bytes) + " bytes", {}, file.string()};
}

std::string read_raw(const std::filesystem::path& file, std::size_t max_bytes) {
    std::error_code failure;
    if (std::filesystem::is_directory(file, failure)) {
        throw Error(ErrorKind::input, "is a folder, a file is wanted", {}, file.string());
    }
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        const int code = errno;
        throw Error(ErrorKind::environment, std::string("cannot open the file: ") + std::strerror(code), {},
                    file.string());
    }
    // Read in pieces: what the file system says about the size (pipes, growing files) is not relied on.
    std::string content;
    std::vector<char> piece(std::size_t{1} << 18U);
    while (in) {
        in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        content.append(piece.data(), static_cast<std::size_t>(in.gcount()));
        if (content.size() > max_bytes) throw too_large(file, max_bytes);
    }
    if (in.bad()) throw Error(ErrorKind::environment, "reading failed", {}, file.string());
    return content;
}

/// Frees a zlib inflate state on every way out.
struct InflateGuard {
    z_stream* stream;
    explicit InflateGuard(z_stream* s) : stream(s) {}
    ~InflateGuard() { inflateEnd(stream); }
    InflateGuard(const InflateGuard&) = delete;
    InflateGuard& operator=(const InflateGuard&) = delete;
};

std::string inflate_members(const std::string& packed, const std::filesystem::path& file, std::size_t max_bytes) {
    z_stream stream{};
    constexpr int gzip_only = 15 + 16;
    if (inflateInit2(&stream, gzip_only) != Z_OK) {
        throw Error(ErrorKind::environment, "zlib cannot start", {}, file.string());
    }
    const InflateGuard guard(&stream);
    std::string content;
    std::vector<char> piece(std::size_t{1} << 18U);
    std::size_t fed = 0;
    while (true) {
        if (stream.avail_in == 0 && fed < packed.size()) {
            const std::size_t count =
                std::min<std::size_t>(packed.size() - fed, std::numeric_limits<unsigned>::max() / 2);
            // zlib does not write through next_in; its type lacks const for history's sake.
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + fed));
            stream.avail_in = static_cast<unsigned>(count);
            fed += count;
        }
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = static_cast<unsigned>(piece.size());
        const int status = inflate(&stream, Z_NO_FLUSH);
        content.append(piece.data(), piece.size() - stream.avail_out);
        if (content.size() > max_bytes) throw too_large(file, max_bytes);
        if (status == Z_STREAM_END) {
            if (stream.avail_in == 0 && fed == packed.size()) break;
            if (inflateReset(&stream) != Z_OK) throw Error(ErrorKind::environment, "zlib failed", {}, file.string());
            continue;
        }
        if (status == Z_OK) continue;
        if (status == Z_MEM_ERROR) throw Error(ErrorKind::environment, "zlib is out of memory", {}, file.string());
        const bool starved = status == Z_BUF_ERROR && stream.avail_in == 0 && fed == packed.size();
        throw Error(ErrorKind::input,
                    starved ? "the compressed file is truncated after " + std::to_string(packed.size()) + " bytes"
                            : "not a valid gzip file, byte " + std::to_string(fed - stream.avail_in),
                    {}, file.string());
    }
    return content;
}

}  // namespace

std::string read_content(const std::filesystem::path& file, std::size_t max_bytes) {
    std::string content = read_raw(file, max_bytes);
    if (lower_case(file.extension().string()) != ".gz") return content;
    return inflate_members(content, file, max_bytes);
}

std::string content_extension(const std::filesystem::path& file) {
    std::string extension = lower_case(file.extension().string());
    if (extension == ".gz") extension = lower_case(file.stem().extension().string());
    return extension.empty() ? extension : extension.substr(1);
}

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<double> parse_number(std::string_view field) {
    if (field.size() > 1 && field[0] == '+' && field[1] != '-') field.remove_prefix(1);
    double value = 0.0;
    const auto [end, status] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (status != std::errc{} || end != field.data() + field.size()) return std::nullopt;
    return value;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string result = "'";
    for (const char c : text.substr(0, longest)) result += (c >= ' ' && c <= '~') ? c : '?';
    return result + (text.size() > longest ? "...'" : "'");
}

LineReader::LineReader(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
}

bool LineReader::next() {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    ++number_;
    return true;
}

Error LineReader::error(const std::string& what, const std::string& hint) const {
    return {ErrorKind::input, what, hint, file_, number_};
}

double LineReader::finite_number(std::string_view field, std::string_view meaning) const {
    const std::optional<double> value = parse_number(field);
    if (value && std::isfinite(*value)) return *value;
    throw error(std::string(meaning) + " is " + (field.empty() ? "empty" : in_quotes(field)) + ", " +
                (value ? "a finite number is wanted" : "a number is wanted"));
}

void split_words(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    std::size_t first = line.find_first_not_of(blanks);
    while (first != std::string_view::npos) {
        const std::size_t end = std::min(line.find_first_of(blanks, first), line.size());
        fields.push_back(line.substr(first, end - first));
        first = line.find_first_not_of(blanks, end);
    }
}

void split_fields(std::string_view line, std::vector<std::string_view>& fields) {
    const char separator = line.find(',') != std::string_view::npos ? ',' : ';';
    if (line.find(separator) == std::string_view::npos) {
        split_words(line, fields);
        return;
    }
    fields.clear();
    while (true) {
        const std::size_t end = line.find(separator);
        fields.push_back(trimmed(line.substr(0, end)));
        if (end == std::string_view::npos) return;
        line.remove_prefix(end + 1);
    }
}

}  // namespace scree::geometry
