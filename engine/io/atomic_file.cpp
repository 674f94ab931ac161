// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace scree::io {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;

std::string hint_for(int errno_value) {
    switch (errno_value) {
        case ENOSPC:
        case EDQUOT:
            return "free some disk space or choose another output directory";
        case EFBIG:
            return "the limit on file sizes is reached (ulimit -f)";
        case EACCES:
        case EPERM:
        case EROFS:
            return "check the permissions of the directory";
        case ENOENT:
        case ENOTDIR:
            return "the directory does not exist";
        default:
            return {};
    }
}

std::filesystem::path directory_of(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

/// Makes the rename itself durable. Some file systems cannot sync a directory; the content is safe without.
void sync_directory(const std::filesystem::path& directory) {
    const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

std::string_view as_text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

model::Error file_error(const std::filesystem::path& path, std::string_view action, int errno_value) {
    return {model::ErrorKind::environment,
            "cannot " + std::string(action) + " " + path.string() + ": " + std::generic_category().message(errno_value),
            hint_for(errno_value)};
}

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
    std::error_code ignored;
    // A rename would replace a device or a link by a plain file: refuse the one, follow the other.
    if (std::filesystem::is_symlink(path_, ignored)) {
        const auto target = std::filesystem::canonical(path_, ignored);
        if (!ignored) path_ = target;
    }
    const auto status = std::filesystem::status(path_, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        throw model::Error(model::ErrorKind::environment, "cannot write " + path_.string() + ": not a regular file");
    }
    temporary_ = path_;
    temporary_ += "." + std::to_string(::getpid()) + ".tmp";
    descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw file_error(path_, "write", errno);
    buffer_.reserve(buffer_size);
}

AtomicFile::~AtomicFile() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view text) {
    if (buffer_.size() + text.size() > buffer_size) flush();
    if (text.size() >= buffer_size) {
        write_all(text.data(), text.size());
    } else {
        buffer_.append(text);
    }
}

void AtomicFile::write(std::span<const std::byte> bytes) { write(as_text(bytes)); }

void AtomicFile::flush() {
    write_all(buffer_.data(), buffer_.size());
    buffer_.clear();
}

void AtomicFile::write_all(const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t done = ::write(descriptor_, data, size);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) throw file_error(path_, "write", errno);
        data += done;
        size -= static_cast<std::size_t>(done);
    }
}

void AtomicFile::write_at(std::uint64_t offset, std::string_view text) {
    flush();
    while (!text.empty()) {
        const ssize_t done = ::pwrite(descriptor_, text.data(), text.size(), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) throw file_error(path_, "write", errno);
        text.remove_prefix(static_cast<std::size_t>(done));
        offset += static_cast<std::uint64_t>(done);
    }
}

void AtomicFile::reserve(std::uint64_t bytes) {
    const int result = ::posix_fallocate(descriptor_, 0, static_cast<off_t>(bytes));
    // A file system that cannot reserve is no reason to stop: a later write reports a full disk.
    if (result != 0 && result != EOPNOTSUPP && result != EINVAL) throw file_error(path_, "write", result);
}

void AtomicFile::commit() {
    flush();
    if (::fsync(descriptor_) != 0) throw file_error(path_, "write", errno);
    if (::close(std::exchange(descriptor_, -1)) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0) {
        const int reason = errno;
        ::unlink(temporary_.c_str());
        throw file_error(path_, "write", reason);
    }
    sync_directory(directory_of(path_));
}

void write_atomically(const std::filesystem::path& path, std::string_view content) {
    AtomicFile file(path);
    file.write(content);
    file.commit();
}

void write_atomically(const std::filesystem::path& path, std::span<const std::byte> content) {
    write_atomically(path, as_text(content));
}

}  // namespace scree::io
