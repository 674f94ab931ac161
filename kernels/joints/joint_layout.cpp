// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/joints/joint_rows.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

namespace scree::kernels {
namespace {

/// Sets of members that rows connect.
class Union {
public:
    explicit Union(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
    std::size_t root(std::size_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    /// The smaller index is the root: islands come in the order of their first members.
    void join(std::size_t a, std::size_t b) {
        a = root(a);
        b = root(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::size_t> parent_;
};

using Lists = std::vector<std::vector<Index>>;

/// Rows that share a free member, by row.
Lists neighbours_of(const Lists& members_of_row, Index free_members) {
    Lists rows_of_member(static_cast<std::size_t>(free_members));
    for (std::size_t k = 0; k < members_of_row.size(); ++k)
        for (const Index m : members_of_row[k]) rows_of_member[std::size_t(m)].push_back(Index(k));
    Lists neighbours(members_of_row.size());
    for (std::size_t k = 0; k < members_of_row.size(); ++k) {
        for (const Index m : members_of_row[k])
            neighbours[k].insert(neighbours[k].end(), rows_of_member[std::size_t(m)].begin(),
                                 rows_of_member[std::size_t(m)].end());
        std::sort(neighbours[k].begin(), neighbours[k].end());
        neighbours[k].erase(std::unique(neighbours[k].begin(), neighbours[k].end()), neighbours[k].end());
    }
    return neighbours;
}

/// Breadth first from `start`, neighbours by degree.
std::vector<Index> breadth_first(const Lists& neighbours, Index start, std::vector<bool>& seen) {
    std::vector<Index> order{start};
    seen[std::size_t(start)] = true;
    for (std::size_t at = 0; at < order.size(); ++at) {
        const std::size_t begin = order.size();
        for (const Index next : neighbours[std::size_t(order[at])]) {
            if (seen[std::size_t(next)]) continue;
            seen[std::size_t(next)] = true;
            order.push_back(next);
        }
        std::stable_sort(order.begin() + std::ptrdiff_t(begin), order.end(), [&](Index a, Index b) {
            return neighbours[std::size_t(a)].size() < neighbours[std::size_t(b)].size();
        });
    }
    return order;
}

/// Reverse Cuthill-McKee order of the rows connected to `start`, from an end of their graph.
std::vector<Index> elimination_order(const Lists& neighbours, Index start, std::vector<bool>& seen) {
    for (int search = 0; search < 2; ++search) {
        std::vector<bool> visited(neighbours.size(), false);
        start = breadth_first(neighbours, start, visited).back();
    }
    std::vector<Index> order = breadth_first(neighbours, start, seen);
    std::reverse(order.begin(), order.end());
    return order;
}

}  // namespace

JointStructure lay_out(const JointDescription& joints, const std::vector<bool>& is_fixed) {
    JointStructure out;
    // --- members: ids in the order of the joints that name them, free ones first
    std::map<Index, std::size_t> place;  // by id
    std::vector<Index> ids;
    for (const JointFrames& frames : joints.frames)
        for (const Index id : frames.member)
            if (id > 0 && place.try_emplace(id, ids.size()).second) ids.push_back(id);
    const auto fixed = [&](Index id) { return id <= 0 || is_fixed[std::size_t(id)]; };
    Union sets(ids.size());
    const auto ids_of = [&](const JointRow& row) {
        std::vector<Index> found;
        for (int s = 0; s < row.scalars; ++s)
            for (const Index id : joints.frames[std::size_t(row.scalar[s].joint)].member)
                if (!fixed(id)) found.push_back(id);
        return found;
    };
    for (const JointRow& row : joints.rows) {
        const auto connected = ids_of(row);
        for (std::size_t k = 1; k < connected.size(); ++k) sets.join(place[connected[0]], place[connected[k]]);
    }
    std::vector<std::size_t> order(ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const bool of_a = fixed(ids[a]), of_b = fixed(ids[b]);
        if (of_a != of_b) return of_b;
        return !of_a && sets.root(a) < sets.root(b);
    });
    std::map<Index, Index> member;  // by id
    std::vector<std::size_t> island_of;
    std::size_t last_root = ids.size();
    out.member_start = {0};
    for (const std::size_t i : order) {
        member[ids[i]] = Index(out.member_id.size());
        if (!fixed(ids[i])) {
            if (out.free_members > 0 && sets.root(i) != last_root) out.member_start.push_back(out.free_members);
            last_root = sets.root(i);
            island_of.push_back(out.member_start.size() - 1);
            ++out.free_members;
        }
        out.member_id.push_back(ids[i]);
    }
    out.member_start.push_back(out.free_members);
    out.frames = joints.frames;
    for (JointFrames& frames : out.frames)
        for (Index& m : frames.member) m = m > 0 ? member[m] : -1;

    // --- rows: island by island, in elimination order
    std::vector<JointRow> given;
    Lists members_of_row;
    for (const JointRow& row : joints.rows) {
        std::vector<Index> members;
        for (const Index id : ids_of(row)) members.push_back(member[id]);
        if (members.empty()) continue;
        given.push_back(row);
        members_of_row.push_back(std::move(members));
    }
    const Lists neighbours = neighbours_of(members_of_row, out.free_members);
    std::vector<bool> seen(given.size(), false);
    Lists rows_of_island(out.member_start.size() - 1);
    for (std::size_t k = 0; k < given.size(); ++k) {
        if (seen[k]) continue;
        auto& rows = rows_of_island[island_of[std::size_t(members_of_row[k].front())]];
        const auto connected = elimination_order(neighbours, Index(k), seen);
        rows.insert(rows.end(), connected.begin(), connected.end());
    }
    std::vector<Index> place_of_row(given.size(), 0);
    Index rows_placed = 0;
    for (const auto& rows : rows_of_island)
        for (const Index k : rows) place_of_row[std::size_t(k)] = rows_placed++;
    out.row_start = {0};
    out.block_start = {0};
    for (const auto& rows : rows_of_island) {
        for (const Index k : rows) {
            const JointRow& row = given[std::size_t(k)];
            Index first = Index(out.rows.size());
            for (const Index other : neighbours[std::size_t(k)])
                first = std::min(first, place_of_row[std::size_t(other)]);
            out.first.push_back(first);
            out.entry.push_back(out.entries);
            out.entries += Index(out.rows.size()) - first;
            for (int s = 0; s < row.scalars; ++s)
                for (const Index m : out.frames[std::size_t(row.scalar[s].joint)].member) out.block_member.push_back(m);
            out.block_start.push_back(Index(out.block_member.size()));
            out.rows.push_back(row);
        }
        out.row_start.push_back(Index(out.rows.size()));
    }

    // --- blocks by member
    for (std::size_t k = 0; k < out.rows.size(); ++k)
        for (Index b = out.block_start[k]; b < out.block_start[k + 1]; ++b) out.block_row.push_back(Index(k));
    const auto joint_of = [&](Index b) {
        const auto k = std::size_t(out.block_row[std::size_t(b)]);
        return out.rows[k].scalar[(b - out.block_start[k]) / 2].joint;
    };
    Lists blocks(out.member_id.size());
    for (std::size_t b = 0; b < out.block_member.size(); ++b)
        if (out.block_member[b] >= 0) blocks[std::size_t(out.block_member[b])].push_back(Index(b));
    out.member_block_start = {0};
    for (auto& list : blocks) {
        std::stable_sort(list.begin(), list.end(), [&](Index a, Index b) { return joint_of(a) < joint_of(b); });
        out.member_block.insert(out.member_block.end(), list.begin(), list.end());
        out.member_block_start.push_back(Index(out.member_block.size()));
    }

    // --- pairs that do not collide
    Lists apart(out.member_id.size());
    for (const auto& [a, b] : joints.apart) {
        if (!member.contains(a) || !member.contains(b)) continue;
        apart[std::size_t(member[a])].push_back(member[b]);
        apart[std::size_t(member[b])].push_back(member[a]);
    }
    out.apart_start = {0};
    for (const auto& list : apart) {
        out.apart.insert(out.apart.end(), list.begin(), list.end());
        out.apart_start.push_back(Index(out.apart.size()));
    }
    return out;
}

}  // namespace scree::kernels
