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
        const double scale = std::max(wanted, 0.01 * largest_force(motion));
        servo.speed = motion.largest_speed * std::clamp(servo.share * error / scale, -1.0, 1.0);
    }
}

void Servos::advance(double step) {
    for (Servo& servo : servos_) servo.way += step * servo.speed;
}

std::vector<double> Servos::state() const {
    std::vector<double> state;
    for (const Servo& servo : servos_) state.insert(state.end(), {servo.way, servo.speed, servo.share, servo.error});
    return state;
}

bool Servos::restore(std::span<const double> state) {
    if (state.size() != 4 * servos_.size()) return false;
    for (std::size_t k = 0; k < servos_.size(); ++k) {
        servos_[k].way = state[4 * k];
        servos_[k].speed = state[4 * k + 1];
        servos_[k].share = state[4 * k + 2];
        servos_[k].error = state[4 * k + 3];
    }
    return true;
}

}  // namespace scree::simulation
