// SPDX-License-Identifier: BSD-3-Clause
#include "engine/urdf/file_uri.hpp"

#include "engine/model/error.hpp"

#include <fmt/format.h>

#include <string_view>
#include <system_error>

namespace scree::urdf {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what, const std::string& hint = {}) {
    throw model::Error(model::ErrorKind::input, what, hint);
}

fs::path package_folder(const std::string& name, const fs::path& urdf, const Packages& packages) {
    if (const auto given = packages.find(name); given != packages.end()) return given->second;
    std::error_code ignored;
    for (fs::path folder = fs::absolute(urdf).lexically_normal().parent_path();; folder = folder.parent_path()) {
        if (folder.filename() == name) return folder;
        if (fs::is_directory(folder / name, ignored)) return folder / name;
        if (folder == folder.parent_path()) break;
    }
    fail(fmt::format("the package '{}' is in no folder above the URDF", name), "--package " + name + "=FOLDER");
}

}  // namespace

fs::path find_file(const std::string& uri, const fs::path& urdf, const Packages& packages) {
    constexpr std::string_view of_package = "package://", of_file = "file://";
    fs::path path;
    if (uri.starts_with(of_package)) {
        const std::string rest = uri.substr(of_package.size());
        const std::size_t slash = rest.find('/');
        if (slash == 0 || slash == std::string::npos) fail("'" + uri + "' names no file of a package");
        path = package_folder(rest.substr(0, slash), urdf, packages) / rest.substr(slash + 1);
    } else if (uri.starts_with(of_file)) {
        path = uri.substr(of_file.size());
    } else if (uri.find("://") != std::string::npos) {
        fail("'" + uri + "' is of a kind that is not known", "known: package://, file://, and plain paths");
    } else {
        path = uri;
    }
    if (path.is_relative()) path = urdf.parent_path() / path;
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) fail("there is no file '" + path.string() + "'");
    return path;
}

}  // namespace scree::urdf
