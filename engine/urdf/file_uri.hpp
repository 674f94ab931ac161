// SPDX-License-Identifier: BSD-3-Clause
// Where the files lie that a URDF names.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace scree::urdf {

/// Folders of packages by name.
using Packages = std::map<std::string, std::filesystem::path>;

/// `package://NAME/PATH` is in the folder that `packages` has for NAME; else in the nearest folder above the file that
/// is called NAME or has a folder NAME. `file://PATH` and plain paths are paths, from the folder of the URDF. Throws
/// model::Error (input), without place, when there is no such package or file.
[[nodiscard]] std::filesystem::path find_file(const std::string& uri, const std::filesystem::path& urdf,
                                              const Packages& packages);

}  // namespace scree::urdf
