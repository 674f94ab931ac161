// SPDX-License-Identifier: BSD-3-Clause
#include "engine/reference/hull.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <map>

namespace scree::reference {

using Eigen::Vector3d;

Hull::Hull(const std::array<Vector3d, 4>& tetrahedron) : points_(tetrahedron.begin(), tetrahedron.end()) {
    const Vector3d inner = 0.25 * (points_[0] + points_[1] + points_[2] + points_[3]);
    for (const auto& [i, j, k] : {std::array<std::size_t, 3>{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}) {
        Face f = face(i, j, k);
        if (f.normal.dot(inner) > f.offset) f = face(i, k, j);
        faces_.push_back(f);
    }
}

Hull::Face Hull::face(std::size_t i, std::size_t j, std::size_t k) const {
    const Vector3d normal = (points_[j] - points_[i]).cross(points_[k] - points_[i]).normalized();
    return {{i, j, k}, normal, normal.dot(points_[i])};
}

bool Hull::add(const Vector3d& p, double tolerance) {
    // Edges of the faces that see p, and how often each way: an edge seen from one side only is the horizon.
    std::map<std::pair<std::size_t, std::size_t>, int> ways;
    std::size_t seen = 0;
    const auto sees = [&](const Face& f) { return f.normal.dot(p) - f.offset > tolerance; };
    for (const Face& f : faces_) {
        if (!sees(f)) continue;
        ++seen;
        for (std::size_t k = 0; k < 3; ++k) ways[{f.corner[k], f.corner[(k + 1) % 3]}] += 1;
    }
    if (seen == 0 || seen == faces_.size()) return false;
    std::map<std::size_t, std::size_t> horizon;
    for (const auto& [edge, count] : ways) {
        if (ways.count({edge.second, edge.first}) != 0) continue;
        if (count != 1 || !horizon.insert(edge).second) return false;
    }
    // It must be one closed loop.
    std::size_t length = 0, at = horizon.begin()->first;
    do {
        const auto next = horizon.find(at);
        if (next == horizon.end()) return false;
        at = next->second;
        ++length;
    } while (at != horizon.begin()->first && length <= horizon.size());
    if (length != horizon.size()) return false;

    points_.push_back(p);
    std::vector<Face> grown;
    for (const auto& [from, to] : horizon) {
        grown.push_back(face(from, to, points_.size() - 1));
        if (!(grown.back().normal.squaredNorm() > 0.5)) {  // p on the line of a horizon edge
            points_.pop_back();
            return false;
        }
    }
    faces_.erase(std::remove_if(faces_.begin(), faces_.end(), sees), faces_.end());
    faces_.insert(faces_.end(), grown.begin(), grown.end());
    return true;
}

}  // namespace scree::reference
