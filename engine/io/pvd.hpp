// SPDX-License-Identifier: BSD-3-Clause
// A .pvd collection: the list of (time, file) that ParaView opens as one animated data set.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace scree::io {

class PvdSeries {
public:
    struct Entry {
        double time = 0.0;  ///< [s]
        std::string file;   ///< Relative to the folder of the .pvd file.
        friend bool operator==(const Entry&, const Entry&) = default;
    };

    /// Starts a new collection; the file is written with the first entry.
    explicit PvdSeries(std::filesystem::path path) : path_(std::move(path)) {}
    /// Continues an existing collection after a restart: entries later than `restart_time` are dropped. A missing
    /// file starts a new collection. The file on disk changes with the next append().
    [[nodiscard]] static PvdSeries resume(std::filesystem::path path, double restart_time);

    /// Adds an entry and rewrites the file atomically. An entry with the same time and file is not repeated.
    void append(double time, const std::string& file);

    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

private:
    std::filesystem::path path_;
    std::vector<Entry> entries_;
};

}  // namespace scree::io
