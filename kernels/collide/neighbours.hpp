// SPDX-License-Identifier: BSD-3-Clause
// Who may touch whom in a step: the grid and the boundaries are searched once, every later pass reads the lists.
//
// Invariants
//  1. A pair of bodies stands in one list, that of its finder (see grid.hpp); a boundary's part in the body's own.
//  2. Lists hold boundary parts in their order, then bodies in the order of their cells: they follow from the state
//     alone.
//  3. Counted before filled where a list outgrows its row: nothing is dropped.
#pragma once

#include "kernels/collide/boundary_set.hpp"
#include "kernels/collide/grid.hpp"

namespace scree::kernels {

/// Share of the radius that bodies may be pushed within a step and still be seen by their neighbours.
inline constexpr double margin_slack = 0.01;

/// Whether a gap that extents reach may close in the step. Bodies that fly side by side keep their distance: what
/// counts is their relative velocity, and what contacts may do to it, their agitation (see HitItem).
SCREE_HD inline bool pair_may_close(const float* motion, double step, Index i, Index j, double gap, double slack) {
    if (gap <= slack) return true;  // most that touch: their motions need not be read
    const float* a = motion + std::int64_t(4) * i;
    const float* b = motion + std::int64_t(4) * j;
    const Vector3d u{double(b[0]) - double(a[0]), double(b[1]) - double(a[1]), double(b[2]) - double(a[2])};
    return gap <= slack + step * (norm(u) + double(a[3]) + double(b[3]));
}

/// A point of a boundary that a sphere may touch.
struct BoundaryPoint {
    double distance;  ///< From the sphere's centre [m].
    Vector3d normal;  ///< From the centre to the point.
    Vector3d velocity;
};

/// Calls emit(BoundaryPoint) for each point of a part that a sphere may touch within the step: those within radius +
/// margin, and what the part itself comes nearer.
template <class Emit>
SCREE_HD void for_each_boundary_point(const BoundaryView& boundaries, Index index, Vector3d center, double radius,
                                      double margin, double step, const Emit& emit) {
    const BoundaryPart& part = boundaries.parts[index];
    const BoundaryPose& pose = boundaries.poses[part.boundary];
    if (pose.active == 0) return;
    const double reach = pose.moving != 0 ? margin + step * norm(velocity_at(pose, center)) : margin;
    const auto report = [&](double distance, Vector3d normal) {
        emit(BoundaryPoint{distance, normal,
                           pose.moving != 0 ? velocity_at(pose, center + distance * normal) : Vector3d{0, 0, 0}});
    };
    if (lies_beyond(part, center, radius + reach)) return;
    if (part.kind == PartKind::mesh) {
        MeshContacts found;
        find_mesh_contacts(boundaries.meshes[part.mesh], to_boundary_frame(pose, center), radius, radius + reach,
                           found);
        for (int c = 0; c < found.count; ++c)
            report(found.distance[c], Vector3d{0, 0, 0} - to_world_axes(pose, found.normal[c]));
    } else {
        const NearestPoint nearest = nearest_on_part(part, center, radius);
        if (nearest.found && nearest.distance - radius <= reach) report(nearest.distance, nearest.normal);
    }
}

/// Neighbours of all bodies: slots of bodies, and -1 - part for boundaries.
struct NeighbourView {
    static constexpr Index row_size = 16;
    const Index* count = nullptr;       ///< [bodies]
    const Index* rows = nullptr;        ///< [bodies x row_size]; of a longer list but its place in `long_lists`.
    const Index* long_lists = nullptr;  ///< Lists of more than row_size.

    [[nodiscard]] SCREE_HD const Index* of(Index body) const {
        const Index* row = rows + std::int64_t(row_size) * body;
        return count[body] <= row_size ? row : long_lists + row[0];
    }
};

/// What lists are made from.
struct NeighbourSearchView {
    Grid grid;
    BoundaryView boundaries;
    const double* position;
    double step;
    /// null, or rows of four (free velocity, agitation): then only pairs whose gap may close, see pair_may_close().
    const float* motion = nullptr;

    /// Calls emit(neighbour) for all neighbours that the body at `place` of the grid's order finds. P: lanes of double.
    template <class P, class Emit>
    SCREE_HD void for_each(Index place, const Emit& emit) const {
        const Index i = grid.order[place];
        const Vector3d center = grid.spheres.center(place);
        const double radius = radius_of(position, i);
        const double extent = grid.spheres.extent[place];
        for (Index part = 0; part < boundaries.part_count; ++part) {
            bool near = false;
            for_each_boundary_point(boundaries, part, center, radius, larger(extent - radius, 0.0), step,
                                    [&](const BoundaryPoint&) { near = true; });
            if (near) emit(-1 - part);
        }
        constexpr int lanes = LaneTraits<P>::lanes;
        static_assert(lanes <= PlacedSpheres::padding);
        const Vector3<P> from{P(center.x), P(center.y), P(center.z)};
        const P own_extent = P(extent);
        const bool wraps = grid.periodic.any();
        const PlacedSpheres spheres = grid.spheres;
        const Index* const order = grid.order;
        for_each_run_of_candidates(grid, place, [&](Index begin, Index end) SCREE_CALL_ON_CPU {
            for (Index k = begin; k < end; k += lanes) {
                Vector3<P> d{Lanes<P>::load(spheres.x + k) - from.x, Lanes<P>::load(spheres.y + k) - from.y,
                             Lanes<P>::load(spheres.z + k) - from.z};
                if (wraps) d = grid.periodic.nearest_image(d);
                const P reach = own_extent + Lanes<P>::load(spheres.extent + k), squared = dot(d, d);
                unsigned near = lane_bits(squared <= reach * reach);
                if (end - k < lanes) near &= (1U << unsigned(end - k)) - 1U;
                for (; near != 0; near &= near - 1) {
                    const Index j = order[k + lowest_bit(near)];
                    if (motion == nullptr || may_close(i, j, center, radius)) emit(j);
                }
            }
        });
    }

private:
    [[nodiscard]] SCREE_HD bool may_close(Index i, Index j, Vector3d center, double radius) const {
        const Vector3d d = grid.periodic.nearest_image(center_of(position, j) - center);
        const double radii = radius + radius_of(position, j);
        return pair_may_close(motion, step, i, j, square_root(dot(d, d)) - radii, margin_slack * radii);
    }
};

/// Thread p: the row of the body at place p. sums: [0] entries of the lists that do not fit a row.
template <class P>
struct FillNeighbourRowItem {
    NeighbourSearchView search;
    Index* count;
    Index* rows;
    Index* long_count;  ///< Length of the lists that do not fit a row, 0 for the others.
    SCREE_HD void operator()(Index place, Accumulator<double, 1, 0>& acc) const {
        const Index i = search.grid.order[place];
        Index* row = rows + std::int64_t(NeighbourView::row_size) * i;
        Index found = 0;
        search.template for_each<P>(place, [&](Index neighbour) {
            if (found < NeighbourView::row_size) row[found] = neighbour;
            ++found;
        });
        count[i] = found;
        long_count[i] = found > NeighbourView::row_size ? found : 0;
        acc.sum[0] += double(long_count[i]);
    }
};

/// Thread p: the list of the body at place p, where it does not fit its row.
template <class P>
struct FillLongListItem {
    NeighbourSearchView search;
    const Index* count;
    const Index* long_start;
    Index* rows;
    Index* long_lists;
    SCREE_HD void operator()(Index place) const {
        const Index i = search.grid.order[place];
        if (count[i] <= NeighbourView::row_size) return;
        Index at = long_start[i];
        rows[std::int64_t(NeighbourView::row_size) * i] = at;
        search.template for_each<P>(place, [&](Index neighbour) { long_lists[at++] = neighbour; });
    }
};

template <class Backend>
class NeighbourSearch {
    using Lane = typename Backend::DoubleLane;

public:
    /// Scratch that begin() takes, for the one who begins the phase.
    [[nodiscard]] static std::size_t scratch_bytes(Index bodies) {
        return (std::size_t(bodies) * (NeighbourView::row_size + 2) + 1) * sizeof(Index);
    }
    static constexpr int scratch_pieces = 3;

    /// The rows lie in the scratch, beside the grid.
    void begin(Scratch<Backend>& scratch, Index bodies) {
        bodies_ = bodies;
        count_ = scratch.template take<Index>(bodies);
        rows_ = scratch.template take<Index>(std::int64_t(bodies) * NeighbourView::row_size);
        long_start_ = scratch.template take<Index>(std::int64_t(bodies) + 1);
    }

    /// Fills the lists; false, and no lists, when those that do not fit a row would take more than `most` entries.
    [[nodiscard]] bool find(Backend& backend, const NeighbourSearchView& view, double most, NeighbourView& found) {
        const double entries =
            backend.template reduce<double, 1, 0>(bodies_, FillNeighbourRowItem<Lane>{view, count_, rows_, long_start_})
                .sum[0];
        if (entries > most) return false;
        if (entries > 0.0) {
            long_lists_.resize_discard(backend.exclusive_scan(long_start_, bodies_));
            backend.for_each(bodies_, FillLongListItem<Lane>{view, count_, long_start_, rows_, long_lists_.data()});
        }
        found = {count_, rows_, long_lists_.data()};
        return true;
    }
    [[nodiscard]] std::size_t bytes() const { return long_lists_.bytes(); }

private:
    Index bodies_ = 0;
    Index *count_ = nullptr, *rows_ = nullptr, *long_start_ = nullptr;  ///< Pieces of the scratch.
    Array<Index, Backend> long_lists_;
};

}  // namespace scree::kernels
