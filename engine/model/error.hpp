// SPDX-License-Identifier: BSD-3-Clause
// The one exception type that reaches the user. The launcher prints it as "error: FILE:LINE:COLUMN: what [hint]".
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace scree::model {

/// Exit codes of the launcher.
enum class ErrorKind : int { usage = 1, input = 2, numerics = 3, environment = 4 };

/// A failure that names the object, the value, the allowed range and a hint.
class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, std::string what, std::string hint = {}, std::string file = {}, std::size_t line = 0,
          std::size_t column = 0)
        : std::runtime_error(format(what, hint, file, line, column)),
          kind_(kind),
          message_(std::move(what)),
          hint_(std::move(hint)),
          file_(std::move(file)),
          line_(line),
          column_(column) {}

    [[nodiscard]] ErrorKind kind() const { return kind_; }
    [[nodiscard]] const std::string& message() const { return message_; }
    [[nodiscard]] const std::string& hint() const { return hint_; }
    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] std::size_t line() const { return line_; }      ///< From 1; 0 when unknown.
    [[nodiscard]] std::size_t column() const { return column_; }  ///< From 1; 0 when unknown.

private:
    static std::string format(const std::string& what, const std::string& hint, const std::string& file,
                              std::size_t line, std::size_t column) {
        std::string text;
        if (!file.empty()) {
            text += file;
            if (line > 0) text.append(":").append(std::to_string(line));
            if (line > 0 && column > 0) text.append(":").append(std::to_string(column));
            text += ": ";
        }
        text += what;
        if (!hint.empty()) text.append(" [").append(hint).append("]");
        return text;
    }

    ErrorKind kind_;
    std::string message_, hint_, file_;
    std::size_t line_, column_;
};

}  // namespace scree::model
