// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/sphere_images.hpp"

#include "engine/geometry/periodic_images.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace scree::measure {
namespace {

using model::Vec3;

bool within(Vec3 p, const model::ProbeBox& box, double margin) {
    return p.x >= box.lower.x - margin && p.x <= box.upper.x + margin && p.y >= box.lower.y - margin &&
           p.y <= box.upper.y + margin && p.z >= box.lower.z - margin && p.z <= box.upper.z + margin;
}

/// Cells of one edge length about an origin. Cells beyond the range of the key fall together at its rim; since that
/// keeps their order, neighbours stay neighbours.
struct Grid {
    static constexpr int bits = 21;
    static constexpr double half_range = 1 << (bits - 1);

    Vec3 origin;
    double cell = 0.0;
    std::vector<std::pair<std::uint64_t, std::size_t>> entries;  // Sorted (key, sphere).

    [[nodiscard]] static std::uint64_t coordinate(double offset, double cell_size) {
        const double index = std::clamp(std::floor(offset / cell_size) + half_range, 0.0, 2.0 * half_range - 1.0);
        return static_cast<std::uint64_t>(index);
    }
    [[nodiscard]] std::array<std::uint64_t, 3> cell_of(Vec3 p) const {
        return {coordinate(p.x - origin.x, cell), coordinate(p.y - origin.y, cell), coordinate(p.z - origin.z, cell)};
    }
    [[nodiscard]] static std::uint64_t key(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
        return (z << (2 * bits)) | (y << bits) | x;
    }

    static constexpr auto last = static_cast<std::uint64_t>(2.0 * half_range - 1.0);
    [[nodiscard]] static std::uint64_t low(std::uint64_t i) { return i > 0 ? i - 1 : i; }
    [[nodiscard]] static std::uint64_t high(std::uint64_t i) { return i < last ? i + 1 : i; }

    /// Calls visit(sphere) for all spheres in the cell of `p` and the cells around it.
    template <class Visit>
    void for_each_near(Vec3 p, Visit visit) const {
        const auto c = cell_of(p);
        for (std::uint64_t z = low(c[2]); z <= high(c[2]); ++z) {
            for (std::uint64_t y = low(c[1]); y <= high(c[1]); ++y) {
                const std::uint64_t end = key(high(c[0]), y, z);
                auto entry =
                    std::lower_bound(entries.begin(), entries.end(), std::pair{key(low(c[0]), y, z), std::size_t{0}});
                for (; entry != entries.end() && entry->first <= end; ++entry) visit(entry->second);
            }
        }
    }

    /// Calls visit(sphere, sphere) for all pairs of spheres in one cell or in two that meet, each once.
    template <class Visit>
    void for_each_pair(Visit visit) const {
        struct Row {
            std::uint64_t y, z;     ///< Steps from a cell to the rows of cells after its own; -1 in y as 0 - 1.
            std::size_t first = 0;  ///< Where its cells near the present one begin: moves on with it.
        };
        std::array<Row, 4> rows{{{1, 0}, {std::uint64_t{0} - 1, 1}, {0, 1}, {1, 1}}};
        constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
        for (std::size_t k = 0; k < entries.size(); ++k) {
            const std::uint64_t own = entries[k].first;
            const std::size_t sphere = entries[k].second;
            const std::uint64_t x = own & mask, y = (own >> bits) & mask, z = own >> (2 * bits);
            const auto meet = [&](std::size_t from, std::uint64_t end) {
                for (; from < entries.size() && entries[from].first <= end; ++from) visit(sphere, entries[from].second);
            };
            meet(k + 1, key(high(x), y, z));
            for (Row& row : rows) {
                const std::uint64_t row_y = y + row.y, row_z = z + row.z;
                if (row_y > last || row_z > last) continue;
                const std::uint64_t begin = key(low(x), row_y, row_z);
                while (row.first < entries.size() && entries[row.first].first < begin) ++row.first;
                meet(row.first, key(high(x), row_y, row_z));
            }
        }
    }
};

/// The median of one coordinate: an origin that a few far-off bodies cannot move.
double middle(const std::vector<SphereImage>& spheres, double Vec3::*axis) {
    std::vector<double> values;
    values.reserve(spheres.size());
    for (const SphereImage& sphere : spheres) values.push_back(sphere.center.*axis);
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), half, values.end());
    return *half;
}

/// One grid per octave of radius; the key is the exponent of two.
std::map<int, Grid> grids_of(const std::vector<SphereImage>& spheres, double tolerance) {
    const Vec3 origin{middle(spheres, &Vec3::x), middle(spheres, &Vec3::y), middle(spheres, &Vec3::z)};
    std::map<int, Grid> grids;
    for (const SphereImage& sphere : spheres) {
        Grid& grid = grids[std::ilogb(sphere.radius)];
        // Two spheres of this grid's largest size just reach each other over one cell; the rest is for rounding.
        grid.cell = std::max(grid.cell, 2.0 * sphere.radius * (1.0 + tolerance) * (1.0 + 1e-9));
        grid.origin = origin;
    }
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        Grid& grid = grids[std::ilogb(spheres[i].radius)];
        const auto c = grid.cell_of(spheres[i].center);
        grid.entries.emplace_back(Grid::key(c[0], c[1], c[2]), i);
    }
    for (auto& [octave, grid] : grids) std::sort(grid.entries.begin(), grid.entries.end());
    return grids;
}

}  // namespace

std::vector<SphereImage> spheres_near(const model::Snapshot& s, const std::array<model::PeriodicFaces, 3>& periodic,
                                      const model::ProbeBox& box, double tolerance) {
    const double largest = s.radius.empty() ? 0.0 : *std::max_element(s.radius.begin(), s.radius.end());
    std::vector<SphereImage> spheres;
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        const Vec3 x = s.position[i];
        if (!std::isfinite(x.x + x.y + x.z)) continue;
        const double reach = (largest + s.radius[i]) * (1.0 + tolerance);
        geometry::for_each_image(x, periodic, [&](Vec3 center, bool is_image) {
            if (within(center, box, reach)) spheres.push_back({center, s.radius[i], i, !is_image});
        });
    }
    return spheres;
}

std::vector<std::uint32_t> contact_counts(const std::vector<SphereImage>& spheres, double tolerance,
                                          const std::function<bool(std::size_t, std::size_t)>& touch) {
    std::vector<std::uint32_t> counts(spheres.size(), 0);
    if (spheres.empty()) return counts;
    const auto grids = grids_of(spheres, tolerance);
    const auto look_at = [&](std::size_t i, std::size_t j) {
        if (spheres[i].body == spheres[j].body) return;
        const Vec3 d = spheres[j].center - spheres[i].center;
        const double reach = (spheres[i].radius + spheres[j].radius) * (1.0 + tolerance);
        if (!(dot(d, d) < reach * reach)) return;
        if (touch && !touch(i, j)) return;
        ++counts[i];
        ++counts[j];
    };
    for (auto grid = grids.begin(); grid != grids.end(); ++grid) {
        grid->second.for_each_pair(look_at);
        for (auto larger = std::next(grid); larger != grids.end(); ++larger)
            for (const auto& entry : grid->second.entries) {
                const std::size_t i = entry.second;
                larger->second.for_each_near(spheres[i].center, [&](std::size_t j) { look_at(i, j); });
            }
    }
    return counts;
}

}  // namespace scree::measure
