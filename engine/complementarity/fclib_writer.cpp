// SPDX-License-Identifier: BSD-3-Clause
#include "engine/complementarity/fclib_file.hpp"
#include "engine/io/atomic_file.hpp"
#include "engine/io/hdf5.hpp"
#include "engine/model/error.hpp"

#include <span>

namespace scree::complementarity {
namespace {

using Eigen::Index;
using io::hdf5::check;
using io::hdf5::Handle;

/// Writes into a file in memory, whose image is then stored in one piece.
class Writer {
public:
    Writer() : file_(in_memory()) {}

    void put(const std::string& path, const Eigen::VectorXd& values) const {
        put(path, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, hsize_t(values.size()), values.data());
    }
    void put(const std::string& path, std::span<const int> values) const {
        put(path, H5T_NATIVE_INT, H5T_STD_I32LE, values.size(), values.data());
    }
    void put(const std::string& path, int value) const { put(path, std::span<const int>(&value, 1)); }
    void put(const std::string& path, const std::string& text) const {
        const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "create a type");
        check(H5Tset_size(type, text.size() + 1), "size a type");
        const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "create a space");
        write(path, type, type, space, text.c_str());
    }
    [[nodiscard]] std::string image() const {
        check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "flush");
        std::string bytes(static_cast<std::size_t>(check(H5Fget_file_image(file_, nullptr, 0), "size the file image")),
                          '\0');
        check(H5Fget_file_image(file_, bytes.data(), bytes.size()), "take the file image");
        return bytes;
    }

private:
    static Handle in_memory() {
        const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "create properties");
        check(H5Pset_fapl_core(access, std::size_t(1) << 20U, 0), "use memory");
        return {H5Fcreate("problem", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, "create a file in memory"};
    }
    void put(const std::string& path, hid_t memory, hid_t stored, hsize_t size, const void* data) const {
        const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "create a space");
        write(path, memory, stored, space, size > 0 ? data : nullptr);
    }
    void write(const std::string& path, hid_t memory, hid_t stored, hid_t space, const void* data) const {
        const Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "create properties");
        check(H5Pset_create_intermediate_group(link, 1), "create groups");
        const Handle set(H5Dcreate2(file_, path.c_str(), stored, space, link, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
                         "create a data set");
        if (data != nullptr) check(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write a data set");
    }

    Handle file_;
};

}  // namespace

void write_fclib(const std::filesystem::path& file, const FrictionProblem& problem, const FclibNotes& notes) {
    const io::hdf5::Silence silence;
    Operator w = problem.W;
    w.makeCompressed();
    const auto entries = std::size_t(w.nonZeros()), rows = std::size_t(w.rows());
    try {
        const Writer out;
        const std::string local = "/fclib_local/", matrix = local + "W/";
        out.put(local + "spacedim", problem.dimension);
        out.put(matrix + "m", int(rows));
        out.put(matrix + "n", int(rows));
        out.put(matrix + "nz", -2);
        out.put(matrix + "nzmax", int(entries));
        out.put(matrix + "p", std::span<const int>(w.outerIndexPtr(), rows + 1));
        out.put(matrix + "i", std::span<const int>(w.innerIndexPtr(), entries));
        out.put(matrix + "x", Eigen::Map<const Eigen::VectorXd>(w.valuePtr(), Index(entries)));
        out.put(local + "vectors/q", problem.q);
        out.put(local + "vectors/mu", problem.mu);
        out.put(local + "info/title", notes.title);
        out.put(local + "info/description", notes.description);
        out.put(local + "info/math_info", notes.math_info);
        if (notes.r.size() > 0) {
            out.put("/solution/r", notes.r);
            out.put("/solution/u", Eigen::VectorXd(problem.W * notes.r + problem.q));
        }
        io::write_atomically(file, out.image());
    } catch (const io::hdf5::Failure& failure) {
        throw model::Error(model::ErrorKind::environment, failure.what(), {}, file.generic_string());
    }
}

}  // namespace scree::complementarity
