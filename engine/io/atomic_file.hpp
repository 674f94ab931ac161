// SPDX-License-Identifier: BSD-3-Clause
// Files that appear complete or not at all: written under a temporary name in the same directory, synced, renamed.
//
// Invariants:
// 1. A reader of the final name sees the old content or the new content, never a mixture, even after kill -9.
// 2. A failed or abandoned write removes its temporary file and leaves the old content alone.
// 3. Every failure is a model::Error of kind `environment` that names the file and says why in words.
#pragma once

#include "engine/model/error.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace scree::io {

/// Replaces the file `path` by `content`.
void write_atomically(const std::filesystem::path& path, std::string_view content);
void write_atomically(const std::filesystem::path& path, std::span<const std::byte> content);

/// The error for a failed system call: "cannot <action> <path>: <reason of errno> [hint]".
[[nodiscard]] model::Error file_error(const std::filesystem::path& path, std::string_view action, int errno_value);

/// A file that is being written; write_atomically() for content that comes in pieces.
/// Writes are buffered; nothing is visible under the final name before commit().
class AtomicFile {
public:
    /// Creates the temporary file "<name>.<process id>.tmp" beside `path`.
    explicit AtomicFile(std::filesystem::path path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Appends bytes.
    void write(std::string_view text);
    void write(std::span<const std::byte> bytes);
    /// Overwrites bytes at an offset from the start (flushes what was appended first).
    void write_at(std::uint64_t offset, std::string_view text);
    /// Takes disk space for a file of this size now, so that a full disk shows here and not in the middle.
    void reserve(std::uint64_t bytes);
    /// Hands buffered bytes to the system.
    void flush();
    /// flush, fsync, rename, fsync of the directory. No other call may follow.
    void commit();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }
    /// Open for reading and writing; owned by this object.
    [[nodiscard]] int descriptor() const { return descriptor_; }

private:
    void write_all(const char* data, std::size_t size);

    std::filesystem::path path_, temporary_;
    int descriptor_ = -1;
    std::string buffer_;
};

}  // namespace scree::io
