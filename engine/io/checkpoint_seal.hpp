// SPDX-License-Identifier: BSD-3-Clause
// The user block in front of a checkpoint: version, length and checksum of the whole file, as text.
#pragma once

#include "engine/io/atomic_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace scree::io {

/// Size of the user block; HDF5 wants a power of two of at least 512.
inline constexpr std::size_t seal_size = 512;

/// Writes the user block of a file that is otherwise complete.
void seal(AtomicFile& file);

/// Throws model::Error (input) with the reason unless the file is what seal() left.
void verify_seal(const std::filesystem::path& path);

/// Checks the version and the length only, which costs one small read. Never throws.
[[nodiscard]] bool looks_sealed(const std::filesystem::path& path);

}  // namespace scree::io
