// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/servos.hpp"

#include <algorithm>

namespace scree::simulation {

using model::Motion;
using model::Vec3;

double largest_force(const Motion& motion) {
    double largest = motion.force;
    for (const Motion::Row& row : motion.rows) largest = std::max(largest, row.value.x);
    return largest;
}

Servos::Servos(const model::Scene& scene) {
    for (std::size_t b = 0; b < scene.boundaries.size(); ++b)
        for (const Motion& motion : scene.boundaries[b].motions) {
            if (motion.kind != Motion::Kind::servo) continue;
            Servo servo;
            servo.boundary = b;
            servo.motion = motion;
            servo.axis = model::normalized(motion.axis);
            servos_.push_back(servo);
        }
}

std::vector<std::size_t> Servos::boundaries() const {
    std::vector<std::size_t> boundaries;
    for (const Servo& servo : servos_)
        if (boundaries.empty() || boundaries.back() != servo.boundary) boundaries.push_back(servo.boundary);
    return boundaries;
}

void Servos::apply(std::size_t b, Pose& pose) const {
    for (const Servo& servo : servos_) {
        if (servo.boundary != b) continue;
        const Vec3 way = servo.way * servo.axis;
        pose.displacement = pose.displacement + way;
        pose.reference = pose.reference + way;
        pose.velocity = pose.velocity + servo.speed * servo.axis;
        pose.moving = pose.moving || servo.speed != 0.0;
    }
}

void Servos::decide(double time, std::span<const kernels::BoundaryLoad> loads) {
    for (Servo& servo : servos_) {
        const Motion& motion = servo.motion;
        servo.speed = 0.0;
        if (time < motion.start || time >= motion.stop) continue;
        const double wanted = motion.rows.empty() ? motion.force : value_at(motion.rows, time).x;
        double borne = 0.0;
        if (servo.boundary < loads.size()) {
            const auto& force = loads[servo.boundary].force;
            borne = -dot(Vec3{force[0], force[1], force[2]}, servo.axis);
        }
        const double error = wanted - borne;
        servo.share = error * servo.error < 0.0 ? 0.5 * servo.share : std::min(1.1 * servo.share, 1.0);
        servo.error = error;
        const double scale = std::max(wanted, 0.01 * largest_force(motion)), most = motion.largest_speed;
        const double direct = most * std::clamp(servo.share * error / scale, -1.0, 1.0);
        const double most_drift = servo.share * most;
        servo.drift = borne > 0.0 ? std::clamp(servo.drift + 0.02 * direct, -most_drift, most_drift) : 0.0;
        servo.speed = std::clamp(direct + servo.drift, -most, most);
    }
}

void Servos::advance(double step) {
    for (Servo& servo : servos_) servo.way += step * servo.speed;
}

std::vector<double> Servos::state() const {
    std::vector<double> state;
    for (const Servo& servo : servos_)
        state.insert(state.end(), {servo.way, servo.speed, servo.share, servo.error, servo.drift});
    return state;
}

bool Servos::restore(std::span<const double> state) {
    if (state.size() != 5 * servos_.size()) return false;
    for (std::size_t k = 0; k < servos_.size(); ++k) {
        const auto own = state.subspan(5 * k, 5);
        servos_[k].way = own[0];
        servos_[k].speed = own[1];
        servos_[k].share = own[2];
        servos_[k].error = own[3];
        servos_[k].drift = own[4];
    }
    return true;
}

}  // namespace scree::simulation
