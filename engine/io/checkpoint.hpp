// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints: named arrays and texts in an HDF5 file that is complete, verified and bit-exact, or is not there.
//
// Layout: a user block of 512 bytes (readable with `head -c 512`) in front of a plain HDF5 file with the groups
// `arrays` and `texts`; `h5dump` and h5py open it as it is. The user block holds the format version, the length of the
// file and a checksum over every byte of it.
//
// Invariants:
// 1. HDF5 never sees a byte that the checksum has not confirmed: a damaged file is an error, never a crash.
// 2. Disk space is taken before HDF5 writes, so that a full disk is a plain error.
// 3. The same content gives the same bytes (no time stamps).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace scree::io {

using Array = std::variant<std::vector<double>, std::vector<float>, std::vector<std::int32_t>,
                           std::vector<std::uint32_t>, std::vector<std::uint64_t>>;

/// What a checkpoint holds. Names may be paths, as in "bodies/position". Bits come back as they were, NaN payloads too.
struct Checkpoint {
    std::map<std::string, Array> arrays;
    std::map<std::string, std::string> texts;  ///< Any bytes.
};

/// Version of the layout that this build writes and reads.
inline constexpr unsigned checkpoint_version = 1;

/// Writes atomically. Throws model::Error: environment (disk), input (a name that is no path).
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Verifies and reads. Throws model::Error (input) for a file that is missing, truncated, corrupt, of another version
/// or no checkpoint at all.
[[nodiscard]] Checkpoint read_checkpoint(const std::filesystem::path& path);

/// Checks version, length and checksum without reading the content into memory; throws as read_checkpoint().
void verify_checkpoint(const std::filesystem::path& path);

}  // namespace scree::io
