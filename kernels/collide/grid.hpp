// SPDX-License-Identifier: BSD-3-Clause
// The broad phase: a sparse hierarchical grid.
//
// Invariants
//  1. A body's extent e is its radius plus the margin it may use up in the step. Level 0 holds the largest extents;
//     level l + 1 holds those of at most half the bound of level l. Cells of a level are twice its bound wide, so a
//     body and its partners span at most three cells per axis whatever the size ratio.
//  2. Only occupied cells exist: bodies are sorted by (level, z, y, x) cell key, and a bucket table over the keys (at
//     most two buckets per body) finds a key's place in the sorted order. Empty space costs nothing.
//  3. A pair is found exactly once: by the body on the finer level, on one level by the first in the sorted order.
//  4. Cell coordinates are clamped to the key's range: far-away bodies share cells, they are never lost.
#pragma once

#include "kernels/collide/body_state.hpp"
#include "kernels/parallel/scratch.hpp"

namespace scree::kernels {

/// Centres and extents [m] by place, in arrays of their own: a packet of neighbours is one load. Readable for
/// `padding` places after the last.
struct PlacedSpheres {
    static constexpr Index padding = 8;
    const double *x = nullptr, *y = nullptr, *z = nullptr, *extent = nullptr;

    [[nodiscard]] SCREE_HD Vector3<double> center(Index place) const { return {x[place], y[place], z[place]}; }
};

struct Grid {
    static constexpr int max_levels = 16;
    static constexpr int max_cells = 1 << 19;  ///< Per axis and level.

    struct Level {
        double bound = 0.0;        ///< Largest extent on this level [m].
        double inverse_size[3]{};  ///< 1 / cell size [1/m].
        Index cells[3]{};          ///< Number of cells per axis.
        std::uint64_t first_key = 0;
    };

    int levels = 0;
    Level level[max_levels];
    double origin[3]{};
    Periodic periodic;
    int key_bits = 0;
    int bucket_shift = 0;
    Index buckets = 0;

    const std::uint64_t* keys = nullptr;  ///< Sorted [bodies].
    const Index* order = nullptr;         ///< Slots in key order [bodies].
    PlacedSpheres spheres;                ///< In key order.
    const Index* bucket_start = nullptr;  ///< [buckets + 1]

    [[nodiscard]] SCREE_HD int level_of(double extent) const {
        int l = levels - 1;
        while (l > 0 && extent > level[l].bound) --l;
        return l;
    }
    [[nodiscard]] SCREE_HD Index cell(const Level& at, int axis, double x) const {
        const double c = (x - origin[axis]) * at.inverse_size[axis];
        const Index last = at.cells[axis] - 1;
        if (!(c > 0.0)) return 0;
        return c >= double(last) ? last : Index(c);
    }
    [[nodiscard]] SCREE_HD std::uint64_t key(const Level& at, Index x, Index y, Index z) const {
        return at.first_key +
               (std::uint64_t(z) * std::uint64_t(at.cells[1]) + std::uint64_t(y)) * std::uint64_t(at.cells[0]) +
               std::uint64_t(x);
    }
    [[nodiscard]] SCREE_HD std::uint64_t key_of(int l, Vector3<double> p) const {
        const Level& at = level[l];
        return key(at, cell(at, 0, p.x), cell(at, 1, p.y), cell(at, 2, p.z));
    }
    /// First place in the sorted order whose key is >= `wanted`.
    [[nodiscard]] SCREE_HD Index lower_bound(std::uint64_t wanted) const {
        const std::uint64_t bucket = wanted >> bucket_shift;
        if (bucket >= std::uint64_t(buckets)) return bucket_start[buckets];
        if (bucket_shift == 0) return bucket_start[bucket];
        Index low = bucket_start[bucket], high = bucket_start[bucket + 1];
        while (low < high) {
            const Index middle = low + (high - low) / 2;
            if (keys[middle] < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
};

/// Cells of one axis that [x - reach, x + reach] meets: at most two contiguous runs (a periodic axis wraps).
struct CellRun {
    Index first[2], last[2];
    int runs;
};

SCREE_HD inline CellRun cell_run(const Grid& grid, const Grid::Level& at, int axis, double x, double reach) {
    const Index n = at.cells[axis];
    if (grid.periodic.length[axis] <= 0.0)
        return {{grid.cell(at, axis, x - reach), 0}, {grid.cell(at, axis, x + reach), 0}, 1};
    const double low = (x - reach - grid.origin[axis]) * at.inverse_size[axis];
    const double high = (x + reach - grid.origin[axis]) * at.inverse_size[axis];
    if (!(high - low < double(n))) return {{0, 0}, {n - 1, 0}, 1};
    const Index first = Index(low < 0 ? low - 1.0 : low), last = Index(high < 0 ? high - 1.0 : high);
    if (last - first + 1 >= n) return {{0, 0}, {n - 1, 0}, 1};
    const Index a = (first % n + n) % n, b = (last % n + n) % n;
    if (a <= b) return {{a, 0}, {b, 0}, 1};
    return {{0, a}, {b, n - 1}, 2};
}

/// Calls visit(begin, end) for runs of places: each body in them whose pair with the body at `place` is that one's to
/// find and whose cell is within reach, once.
template <class Visit>
SCREE_HD void for_each_run_of_candidates(const Grid& grid, Index place, const Visit& visit) {
    const std::uint64_t own_key = grid.keys[place];
    const Vector3<double> p = grid.spheres.center(place);
    const double e = grid.spheres.extent[place];
    const int own = grid.level_of(e);
    for (int l = own; l >= 0; --l) {
        const Grid::Level& at = grid.level[l];
        const double reach = e + at.bound;
        const CellRun rx = cell_run(grid, at, 0, p.x, reach);
        const CellRun ry = cell_run(grid, at, 1, p.y, reach);
        const CellRun rz = cell_run(grid, at, 2, p.z, reach);
        for (int a = 0; a < rz.runs; ++a)
            for (Index z = rz.first[a]; z <= rz.last[a]; ++z)
                for (int b = 0; b < ry.runs; ++b)
                    for (Index y = ry.first[b]; y <= ry.last[b]; ++y)
                        for (int c = 0; c < rx.runs; ++c) {
                            const std::uint64_t first = grid.key(at, rx.first[c], y, z);
                            const std::uint64_t last = grid.key(at, rx.last[c], y, z);
                            if (l == own && last < own_key) continue;
                            const Index begin = l == own && first <= own_key ? place + 1 : grid.lower_bound(first);
                            const Index end = grid.lower_bound(last + 1);
                            if (begin < end) visit(begin, end);
                        }
    }
}

struct ExtentBoundItem {
    const float* extent;
    double bound;
    SCREE_HD void operator()(Index i, Accumulator<double, 0, 1>& acc) const {
        const double e = double(extent[i]);
        if (e <= bound) acc.max[0] = larger(acc.max[0], e);
    }
};

/// Reaches of the bodies to both sides of an anchor, for the bounding box.
struct BoundingBoxItem {
    const double* position;
    double anchor[3];
    SCREE_HD void operator()(Index i, Accumulator<double, 0, 6>& acc) const {
        const double* row = position + std::int64_t(4) * i;
        for (int axis = 0; axis < 3; ++axis) {
            const double d = row[axis] - anchor[axis];
            acc.max[2 * axis] = larger(acc.max[2 * axis], -d);
            acc.max[2 * axis + 1] = larger(acc.max[2 * axis + 1], d);
        }
    }
};

struct KeyItem {
    Grid grid;
    const double* position;
    const float* extent;
    std::uint64_t* keys;
    Index* order;
    SCREE_HD void operator()(Index i) const {
        keys[i] = grid.key_of(grid.level_of(double(extent[i])), center_of(position, i));
        order[i] = i;
    }
};

/// Over places.
struct PlaceSphereItem {
    const Index* order;
    const double* position;
    const float* extent;
    double *x, *y, *z, *placed_extent;
    SCREE_HD void operator()(Index place) const {
        const Index i = order[place];
        const Vector3<double> center = center_of(position, i);
        x[place] = center.x;
        y[place] = center.y;
        z[place] = center.z;
        placed_extent[place] = double(extent[i]);
    }
};

/// Thread k fills the buckets between the keys k - 1 and k; thread n the rest.
struct BucketItem {
    const std::uint64_t* keys;
    Index* bucket_start;
    Index count, buckets;
    int shift;
    SCREE_HD void operator()(Index k) const {
        const std::int64_t before = k > 0 ? std::int64_t(keys[k - 1] >> shift) : -1;
        const std::int64_t here = k < count ? std::int64_t(keys[k] >> shift) : std::int64_t(buckets);
        for (std::int64_t b = before + 1; b <= here; ++b) bucket_start[b] = k;
    }
};

template <class Backend>
class GridBuilder {
public:
    /// Builds in `shared` scratch, a phase of it that ends when others begin theirs, or in memory of its own.
    explicit GridBuilder(Scratch<Backend>* shared = nullptr) : scratch_(shared != nullptr ? shared : &own_) {}
    GridBuilder(const GridBuilder&) = delete;
    GridBuilder& operator=(const GridBuilder&) = delete;

    /// Sorts the bodies. The result points into the scratch, which keeps room for `more_bytes` in `more_pieces`.
    [[nodiscard]] Grid build(Backend& backend, const double* position, const float* extent, Index count,
                             const Periodic& periodic, std::size_t more_bytes = 0, int more_pieces = 0) {
        Grid grid;
        grid.periodic = periodic;
        place_levels(backend, grid, extent, count);
        place_cells(backend, grid, position, count);
        grid.bucket_shift = 0;
        const auto last_key = last_key_of(grid);
        grid.key_bits = 1;
        while (grid.key_bits < 63 && (last_key >> grid.key_bits) > 0) ++grid.key_bits;
        while ((last_key >> grid.bucket_shift) >= std::uint64_t(2) * std::uint64_t(count) + 64) ++grid.bucket_shift;
        grid.buckets = Index((last_key >> grid.bucket_shift) + 1);

        scratch_->begin(std::size_t(count) * (2 * (sizeof(std::uint64_t) + sizeof(Index)) + 4 * sizeof(double)) +
                            std::size_t(grid.buckets + 1) * sizeof(Index) +
                            4 * PlacedSpheres::padding * sizeof(double) + more_bytes,
                        9 + more_pieces);
        double* sphere[4];
        for (double*& field : sphere) field = scratch_->template take<double>(count + PlacedSpheres::padding);
        auto* keys = scratch_->template take<std::uint64_t>(count);
        auto* other_keys = scratch_->template take<std::uint64_t>(count);
        auto* order = scratch_->template take<Index>(count);
        auto* other_order = scratch_->template take<Index>(count);
        auto* bucket_start = scratch_->template take<Index>(grid.buckets + 1);
        backend.for_each(count, KeyItem{grid, position, extent, keys, order});
        backend.sort_pairs(keys, order, other_keys, other_order, count, grid.key_bits);
        backend.for_each(count + 1, BucketItem{keys, bucket_start, count, grid.buckets, grid.bucket_shift});
        backend.for_each(count, PlaceSphereItem{order, position, extent, sphere[0], sphere[1], sphere[2], sphere[3]});
        grid.keys = keys;
        grid.spheres = {sphere[0], sphere[1], sphere[2], sphere[3]};
        grid.order = order;
        grid.bucket_start = bucket_start;
        return grid;
    }
    [[nodiscard]] std::size_t bytes() const { return own_.bytes(); }

private:
    static void place_levels(Backend& backend, Grid& grid, const float* extent, Index count) {
        double bound = 1e300;
        grid.levels = 0;
        while (grid.levels < Grid::max_levels) {
            const double largest = backend.template reduce<double, 0, 1>(count, ExtentBoundItem{extent, bound}).max[0];
            if (largest <= 0.0) break;
            grid.level[grid.levels++].bound = largest;
            bound = 0.5 * largest;
        }
        if (grid.levels == 0) {
            grid.levels = 1;
            grid.level[0].bound = 1.0;
        }
    }

    static void place_cells(Backend& backend, Grid& grid, const double* position, Index count) {
        // The box is measured from the first body: what a grid looks like follows from the state alone, so that a
        // restored run builds the grid that the one it continues would have built.
        double anchor[3] = {0, 0, 0};
        if (count > 0) Memory<Backend>::copy_out(anchor, position, sizeof anchor);
        const auto box =
            backend.template reduce<double, 0, 6>(count, BoundingBoxItem{position, {anchor[0], anchor[1], anchor[2]}});
        std::uint64_t next_key = 0;
        double upper[3];
        for (int axis = 0; axis < 3; ++axis) {
            const bool wraps = grid.periodic.length[axis] > 0.0;
            grid.origin[axis] = wraps ? grid.periodic.lower[axis] : anchor[axis] - box.max[2 * axis];
            upper[axis] = anchor[axis] + box.max[2 * axis + 1];
        }
        for (int l = 0; l < grid.levels; ++l) {
            Grid::Level& at = grid.level[l];
            const double size = 2.0 * at.bound * (1.0 + 1e-6);
            for (int axis = 0; axis < 3; ++axis) {
                const double length = grid.periodic.length[axis];
                const double cells = (length > 0.0 ? length : upper[axis] - grid.origin[axis]) / size;
                const double limited = cells < double(Grid::max_cells) ? cells : double(Grid::max_cells);
                // A periodic axis divides its length evenly, in cells not smaller than `size`.
                at.cells[axis] = length > 0.0 ? (limited < 1.0 ? 1 : Index(limited)) : Index(limited) + 1;
                at.inverse_size[axis] = length > 0.0 ? at.cells[axis] / length : 1.0 / size;
            }
            at.first_key = next_key;
            next_key += std::uint64_t(at.cells[0]) * std::uint64_t(at.cells[1]) * std::uint64_t(at.cells[2]);
        }
    }
    static std::uint64_t last_key_of(const Grid& grid) {
        const Grid::Level& at = grid.level[grid.levels - 1];
        return grid.key(at, at.cells[0] - 1, at.cells[1] - 1, at.cells[2] - 1);
    }

    Scratch<Backend> own_;
    Scratch<Backend>* scratch_;
};

}  // namespace scree::kernels
