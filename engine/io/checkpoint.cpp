// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/checkpoint.hpp"

#include "engine/io/atomic_file.hpp"
#include "engine/io/checkpoint_seal.hpp"
#include "engine/io/hdf5.hpp"

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

namespace scree::io {
namespace {

using hdf5::check;
using hdf5::Handle;

/// The HDF5 type of T in memory, and in the file (little-endian).
template <class T>
std::pair<hid_t, hid_t> types_of() {
    if constexpr (std::same_as<T, double>) return {H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE};
    if constexpr (std::same_as<T, float>) return {H5T_NATIVE_FLOAT, H5T_IEEE_F32LE};
    if constexpr (std::same_as<T, std::int32_t>) return {H5T_NATIVE_INT32, H5T_STD_I32LE};
    if constexpr (std::same_as<T, std::uint32_t>) return {H5T_NATIVE_UINT32, H5T_STD_U32LE};
    if constexpr (std::same_as<T, std::uint64_t>) return {H5T_NATIVE_UINT64, H5T_STD_U64LE};
}

bool is_path(std::string_view name) {
    while (true) {
        const auto slash = name.find('/');
        const auto part = name.substr(0, slash);
        if (part.empty() || part == "." || part == ".." || part.find('\0') != std::string_view::npos) return false;
        if (slash == std::string_view::npos) return true;
        name.remove_prefix(slash + 1);
    }
}

void require_path(const std::string& name) {
    if (!is_path(name))
        throw model::Error(model::ErrorKind::input, "'" + name + "' cannot name a part of a checkpoint");
}

std::size_t byte_size(const Array& array) {
    return std::visit([](const auto& values) { return values.size() * sizeof(values[0]); }, array);
}

/// More than the file can need: the values, and for each name its groups, links and object header.
std::uint64_t space_for(const Checkpoint& checkpoint) {
    constexpr std::uint64_t fixed = 1U << 16, per_name = 4096;
    std::uint64_t bytes = fixed;
    for (const auto& [name, array] : checkpoint.arrays) bytes += per_name + 8 * name.size() + byte_size(array);
    for (const auto& [name, text] : checkpoint.texts) bytes += per_name + 8 * name.size() + text.size();
    return bytes;
}

/// An HDF5 file without content, made in memory, with room for the seal.
std::string empty_file() {
    const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "create properties");
    check(H5Pset_userblock(creation, seal_size), "set the user block");
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "create properties");
    check(H5Pset_fapl_core(access, 4096, 0), "use memory");
    const Handle file(H5Fcreate("checkpoint", H5F_ACC_TRUNC, creation, access), H5Fclose, "create a file in memory");
    check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush");
    const ssize_t size = check(H5Fget_file_image(file, nullptr, 0), "size the file image");
    // The image leaves the user block out.
    std::string image(seal_size + static_cast<std::size_t>(size), '\0');
    check(H5Fget_file_image(file, image.data() + seal_size, image.size() - seal_size), "take the file image");
    return image;
}

Handle access_properties() {
    Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "create properties");
    // Locks are of no use to a file that nobody else knows, and fail on some network file systems.
    check(H5Pset_file_locking(access, false, true), "switch file locks off");
    check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), "set the close degree");
    return access;
}

void write_dataset(hid_t file, const std::string& name, hid_t memory_type, hid_t file_type, hid_t space,
                   const void* data) {
    const Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "create properties");
    check(H5Pset_create_intermediate_group(link, 1), "create groups");
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "create properties");
    check(H5Pset_obj_track_times(creation, false), "switch time stamps off");
    const Handle set(H5Dcreate2(file, name.c_str(), file_type, space, link, creation, H5P_DEFAULT), H5Dclose,
                     "create a data set");
    if (data != nullptr) check(H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write a data set");
}

/// A text is a scalar string of fixed size; an empty one has the null data space.
Handle text_type(std::size_t size) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "create a type");
    check(H5Tset_size(type, size == 0 ? 1 : size), "size a type");
    check(H5Tset_strpad(type, H5T_STR_NULLPAD), "pad a type");
    return type;
}

void write_content(const std::filesystem::path& path, const Checkpoint& checkpoint) {
    const Handle access = access_properties();
    Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose, "open");
    for (const auto& part : checkpoint.arrays) {
        const auto write = [&](const auto& values) {
            const auto types = types_of<typename std::decay_t<decltype(values)>::value_type>();
            const hsize_t size = values.size();
            const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "create a space");
            write_dataset(file, "arrays/" + part.first, types.first, types.second, space,
                          values.empty() ? nullptr : values.data());
        };
        std::visit(write, part.second);
    }
    for (const auto& [name, text] : checkpoint.texts) {
        const Handle space(H5Screate(text.empty() ? H5S_NULL : H5S_SCALAR), H5Sclose, "create a space");
        const Handle type = text_type(text.size());
        write_dataset(file, "texts/" + name, type, type, space, text.empty() ? nullptr : text.data());
    }
    file.close("close");
}

template <class T>
Array read_values(hid_t set, std::size_t size) {
    std::vector<T> values(size);
    if (size > 0) {
        check(H5Dread(set, types_of<T>().first, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "read a data set");
    }
    return values;
}

Array read_array(hid_t set) {
    const Handle space(H5Dget_space(set), H5Sclose, "read a space");
    const auto size = static_cast<std::size_t>(check(H5Sget_simple_extent_npoints(space), "read a size"));
    const Handle type(H5Dget_type(set), H5Tclose, "read a type");
    const auto is = [&type](hid_t file_type) { return check(H5Tequal(type, file_type), "compare types") > 0; };
    if (is(H5T_IEEE_F64LE)) return read_values<double>(set, size);
    if (is(H5T_IEEE_F32LE)) return read_values<float>(set, size);
    if (is(H5T_STD_I32LE)) return read_values<std::int32_t>(set, size);
    if (is(H5T_STD_U32LE)) return read_values<std::uint32_t>(set, size);
    if (is(H5T_STD_U64LE)) return read_values<std::uint64_t>(set, size);
    throw hdf5::Failure("unknown type of array");
}

std::string read_text(hid_t set) {
    const Handle space(H5Dget_space(set), H5Sclose, "read a space");
    if (check(H5Sget_simple_extent_type(space), "read a space") == H5S_NULL) return {};
    const Handle stored(H5Dget_type(set), H5Tclose, "read a type");
    const Handle type = text_type(H5Tget_size(stored));
    std::string text(H5Tget_size(type), '\0');
    check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), "read a text");
    return text;
}

/// Calls visit(name, data set) for every data set below a group; a missing group has none.
template <class Visit>
void for_each_dataset(hid_t file, const char* group_name, Visit visit) {
    if (check(H5Lexists(file, group_name, H5P_DEFAULT), "look for a group") == 0) return;
    const Handle group(H5Gopen2(file, group_name, H5P_DEFAULT), H5Gclose, "open a group");
    std::vector<std::string> names;
    const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
        static_cast<std::vector<std::string>*>(list)->emplace_back(name);
        return 0;
    };
    check(H5Lvisit(group, H5_INDEX_NAME, H5_ITER_INC, collect, &names), "list a group");
    for (const std::string& name : names) {
        const Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose, "open an object");
        if (H5Iget_type(object) == H5I_DATASET) visit(name, static_cast<hid_t>(object));
    }
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
    for (const auto& part : checkpoint.arrays) require_path(part.first);
    for (const auto& part : checkpoint.texts) require_path(part.first);
    const hdf5::Silence silence;
    AtomicFile file(path);
    try {
        file.write(empty_file());
        file.flush();
        file.reserve(space_for(checkpoint));
        write_content(file.temporary(), checkpoint);
    } catch (const hdf5::Failure& failure) {
        throw model::Error(model::ErrorKind::environment,
                           "cannot write checkpoint " + path.string() + ": HDF5 " + failure.what());
    }
    seal(file);
    file.commit();
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
    verify_seal(path);
    const hdf5::Silence silence;
    try {
        Checkpoint checkpoint;
        const Handle access = access_properties();
        const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "open");
        for_each_dataset(file, "arrays",
                         [&](const std::string& name, hid_t set) { checkpoint.arrays[name] = read_array(set); });
        for_each_dataset(file, "texts",
                         [&](const std::string& name, hid_t set) { checkpoint.texts[name] = read_text(set); });
        return checkpoint;
    } catch (const hdf5::Failure& failure) {
        throw model::Error(model::ErrorKind::input,
                           "checkpoint " + path.string() + " cannot be read: HDF5 " + failure.what());
    }
}

void verify_checkpoint(const std::filesystem::path& path) { verify_seal(path); }

}  // namespace scree::io
