// SPDX-License-Identifier: BSD-3-Clause
// Friction problems in the HDF5 files of FCLIB, the friction contact library (fclib.h, version 3):
//
//   /fclib_local/spacedim               2 or 3
//   /fclib_local/W/{m,n,nz,nzmax,p,i,x} nz = -1: compressed columns, p[n + 1], i rows; -2: compressed rows, p[m + 1],
//                                       i columns; from 0 on: triplets, p rows and i columns, nz of them
//   /fclib_local/vectors/{q,mu}         [m], [m / spacedim]
//   /fclib_local/info/{title,description,math_info}
//   /solution/{u,r}                     optional
//
//   /fclib_global/{M,H}, /fclib_global/vectors/{f,w,mu}: M v = H r + f, u = H^T v + w, which is reduced when read to
//   W = H^T M^-1 H, q = H^T M^-1 f + w.
#pragma once

#include "engine/complementarity/friction_problem.hpp"

#include <filesystem>
#include <string>

namespace scree::complementarity {

/// True when the file begins as HDF5 files do; false when it cannot be opened.
[[nodiscard]] bool is_hdf5(const std::filesystem::path& file);

/// Reads the local problem of a file, or reduces its global one. Throws model::Error (input) that names the part of
/// the file that is missing or wrong; bilateral constraints (V, R; G) are refused.
[[nodiscard]] FrictionProblem read_fclib(const std::filesystem::path& file);

/// What else a file may hold.
struct FclibNotes {
    std::string title, description, math_info;
    Eigen::VectorXd r;  ///< A solution [d nc], written with u = W r + q; empty: none.
};
/// Writes a local problem atomically, W by compressed rows. Throws model::Error (environment).
void write_fclib(const std::filesystem::path& file, const FrictionProblem& problem, const FclibNotes& notes);

}  // namespace scree::complementarity
