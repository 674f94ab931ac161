// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/checkpoint_seal.hpp"

#include "engine/io/checkpoint.hpp"
#include "engine/io/checksum.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::io {
namespace {

constexpr std::string_view magic = "scree checkpoint\n";
constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";

/// An open file that closes itself.
class File {
public:
    explicit File(const std::filesystem::path& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
    ~File() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    [[nodiscard]] int descriptor() const { return descriptor_; }

private:
    int descriptor_;
};

model::Error unusable(const std::filesystem::path& path, const std::string& why, std::string hint = {}) {
    return {model::ErrorKind::input, "checkpoint " + path.string() + " " + why, std::move(hint)};
}

/// Reads up to `size` bytes at `offset`; fewer only at the end of the file.
std::string read_at(int descriptor, std::uint64_t offset, std::size_t size, const std::filesystem::path& path) {
    std::string bytes(size, '\0');
    std::size_t done = 0;
    while (done < size) {
        const ssize_t got = ::pread(descriptor, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw file_error(path, "read", errno);
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    bytes.resize(done);
    return bytes;
}

std::string hexadecimal(std::uint64_t value) {
    std::string digits(16, '0');
    for (std::size_t i = 0; i < digits.size(); ++i) digits[15 - i] = "0123456789abcdef"[(value >> (4 * i)) & 15U];
    return digits;
}

std::string seal_text(unsigned version, std::uint64_t length, std::uint64_t checksum) {
    std::string text = std::string(magic) + "version " + std::to_string(version) + "\nbytes " + std::to_string(length) +
                       "\nchecksum " + hexadecimal(checksum) + "\n";
    text.resize(seal_size, '\0');
    return text;
}

/// The checksum of the content behind the user block.
std::uint64_t checksum_of(int descriptor, const std::filesystem::path& path) {
    constexpr std::size_t block = std::size_t{1} << 20;
    Checksum sum;
    for (std::uint64_t at = seal_size;; at += block) {
        const std::string bytes = read_at(descriptor, at, block, path);
        sum.add(std::as_bytes(std::span(bytes)));
        if (bytes.size() < block) return sum.value();
    }
}

/// The number behind "<key> " at the start of a line.
std::optional<std::uint64_t> field(std::string_view text, std::string_view key) {
    const std::string start = "\n" + std::string(key) + " ";
    const auto at = text.find(start);
    if (at == std::string_view::npos) return std::nullopt;
    std::uint64_t value = 0;
    const auto end = std::from_chars(text.data() + at + start.size(), text.data() + text.size(), value);
    return end.ec == std::errc{} ? std::optional(value) : std::nullopt;
}

/// Checks everything but the checksum and returns the user block.
std::string verified_header(int descriptor, const std::filesystem::path& path) {
    struct stat status {};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) throw unusable(path, "does not exist");
        throw unusable(path, "cannot be opened: " + std::generic_category().message(errno));
    }
    if (!S_ISREG(status.st_mode)) throw unusable(path, "is not a regular file");
    std::string header = read_at(descriptor, 0, seal_size, path);
    if (!header.starts_with(magic)) {
        const bool is_hdf5 = header.starts_with(hdf5_signature) ||
                             read_at(descriptor, seal_size, hdf5_signature.size(), path) == hdf5_signature;
        throw unusable(path, is_hdf5 ? "is an HDF5 file but not a checkpoint of scree, or was never completed"
                                     : "is not a checkpoint (neither HDF5 nor the text \"scree checkpoint\" in front)");
    }
    const auto version = field(header, "version");
    if (version && *version != checkpoint_version) {
        throw unusable(path,
                       "has format version " + std::to_string(*version) + "; this build reads version " +
                           std::to_string(checkpoint_version),
                       "use the version of scree that wrote it");
    }
    const auto length = field(header, "bytes");
    if (!version || !length || header.size() != seal_size) throw unusable(path, "is corrupt: its header is damaged");
    const auto found = static_cast<std::uint64_t>(status.st_size);
    if (found != *length) {
        throw unusable(path, std::string(found < *length ? "is truncated" : "is corrupt") + ": " +
                                 std::to_string(found) + " bytes of " + std::to_string(*length));
    }
    return header;
}

}  // namespace

void seal(AtomicFile& file) {
    struct stat status {};
    if (::fstat(file.descriptor(), &status) != 0) throw file_error(file.path(), "write", errno);
    const auto length = static_cast<std::uint64_t>(status.st_size);
    file.write_at(0, seal_text(checkpoint_version, length, checksum_of(file.descriptor(), file.path())));
}

void verify_seal(const std::filesystem::path& path) {
    const File file(path);
    const std::string header = verified_header(file.descriptor(), path);
    const auto length = static_cast<std::uint64_t>(field(header, "bytes").value_or(0));
    if (header != seal_text(checkpoint_version, length, checksum_of(file.descriptor(), path))) {
        throw unusable(path, "is corrupt: its checksum does not match", "restart from an older checkpoint");
    }
}

bool looks_sealed(const std::filesystem::path& path) {
    try {
        const File file(path);
        static_cast<void>(verified_header(file.descriptor(), path));
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace scree::io
