// SPDX-License-Identifier: BSD-3-Clause
// A file with given content that lives as long as the object; and what error a call ends with.
#pragma once

#include "engine/model/error.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace scree::test {

class ScratchFile {
public:
    /// `ending` is the extension with its dot.
    explicit ScratchFile(const std::string& content, const std::string& ending = ".txt") {
        static std::atomic<unsigned> count{0};
        path_ = std::filesystem::temp_directory_path() /
                ("scree_geometry_" + std::to_string(::getpid()) + "_" + std::to_string(count++) + ending);
        write(content);
    }
    ~ScratchFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    void write(const std::string& content) const {
        // A new file each time: some file systems flush to disk when a file is truncated and written again.
        std::filesystem::remove(path_);
        std::ofstream out(path_, std::ios::binary | std::ios::trunc);
        out.write(content.data(), static_cast<std::streamsize>(content.size()));
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

inline std::filesystem::path data_file(const std::string& name) {
    return std::filesystem::path(SCREE_SOURCE_DIR) / "tests" / "data" / "geometry" / name;
}

/// The model::Error that `call` throws; a test failure when it throws none.
template <class Call>
model::Error error_of(Call&& call) {
    try {
        call();
    } catch (const model::Error& error) {
        return error;
    }
    ADD_FAILURE() << "no error was thrown";
    return {model::ErrorKind::usage, "nothing"};
}

}  // namespace scree::test
