// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/steered_walls.hpp"

#include <cmath>

namespace scree::simulation {

using model::Quat;
using model::Vec3;

void SteeredWalls::steer(std::size_t boundary, Vec3 velocity, Vec3 angular_velocity) {
    Wall& wall = walls_[boundary];
    wall.velocity = velocity;
    wall.angular_velocity = angular_velocity;
}

void SteeredWalls::apply(std::size_t boundary, Pose& pose) const {
    const auto found = walls_.find(boundary);
    if (found == walls_.end()) return;
    const Wall& wall = found->second;
    // x -> turn (x - reference) + reference + way, after the scene's motions.
    pose.rotation = wall.turn * pose.rotation;
    pose.displacement = rotate(wall.turn, pose.displacement - pose.reference) + pose.reference + wall.way;
    const Vec3 belt = rotate(wall.turn, pose.belt);
    pose.velocity = pose.velocity - pose.belt + belt + wall.velocity;
    pose.belt = belt;
    pose.angular_velocity = rotate(wall.turn, pose.angular_velocity) + wall.angular_velocity;
    pose.reference = pose.reference + wall.way;
    pose.moving = !(pose.velocity == Vec3{}) || !(pose.angular_velocity == Vec3{});
}

void SteeredWalls::advance(double step) {
    for (auto& [boundary, wall] : walls_) {
        wall.way = wall.way + step * wall.velocity;
        const double speed = norm(wall.angular_velocity);
        if (speed == 0.0) continue;
        const Quat q = model::from_axis_angle(wall.angular_velocity, speed * step) * wall.turn;
        const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
        wall.turn = {q.w / length, q.x / length, q.y / length, q.z / length};
    }
}

std::vector<double> SteeredWalls::state() const {
    std::vector<double> state;
    for (const auto& [boundary, wall] : walls_) {
        const Vec3 &d = wall.way, &v = wall.velocity, &w = wall.angular_velocity;
        const Quat& q = wall.turn;
        state.insert(state.end(), {double(boundary), d.x, d.y, d.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z});
    }
    return state;
}

bool SteeredWalls::restore(std::span<const double> state, std::size_t boundaries) {
    constexpr std::size_t size = 14;
    if (state.size() % size != 0) return false;
    walls_.clear();
    for (std::size_t at = 0; at < state.size(); at += size) {
        const auto s = state.subspan(at, size);
        if (!(s[0] >= 0.0) || !(s[0] < double(boundaries))) return false;
        walls_[std::size_t(s[0])] = {
            {s[1], s[2], s[3]}, {s[4], s[5], s[6], s[7]}, {s[8], s[9], s[10]}, {s[11], s[12], s[13]}};
    }
    return true;
}

}  // namespace scree::simulation
