// SPDX-License-Identifier: BSD-3-Clause
// Ownership and errors for the C interface of HDF5.
#pragma once

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace scree::io::hdf5 {

/// A call of HDF5 failed. Callers turn it into a model::Error that names the file.
class Failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Passes a result through; a negative one throws Failure("cannot <action>").
template <class Result>
Result check(Result result, const char* action) {
    if (result < 0) throw Failure(std::string("cannot ") + action);
    return result;
}

/// Owns one HDF5 identifier.
class Handle {
public:
    using Close = herr_t (*)(hid_t);
    Handle(hid_t id, Close closer, const char* action) : id_(check(id, action)), close_(closer) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    Handle& operator=(Handle&&) = delete;
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    /// Closes now and reports a failure, which a destructor cannot.
    void close(const char* action) { check(close_(std::exchange(id_, H5I_INVALID_HID)), action); }
    operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): stands for the identifier

private:
    hid_t id_;
    Close close_;
};

/// While it lives, HDF5 prints nothing on this thread.
class Silence {
public:
    Silence() {
        H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    ~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

private:
    H5E_auto2_t function_ = nullptr;
    void* data_ = nullptr;
};

}  // namespace scree::io::hdf5
