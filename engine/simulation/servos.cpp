// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/servos.hpp"

#include <algorithm>
#include <cmath>

namespace scree::simulation {

using model::Motion;
using model::Vec3;

namespace {

/// A wall that goes slower than this share of its speed follows nothing: impacts change the sign of the error whatever
/// the wall does.
constexpr double least_share = 1e-4;
/// Over how many steps an error moves the trim by itself: more than a wall takes to settle on a bed.
constexpr double trim_steps = 500.0;
/// Impacts disturb a wall whose force goes up and down by more than this share of what is wanted, over so many steps.
constexpr double disturbed = 0.05, mean_steps = 50.0;
/// What is left of the trim after a step without.
constexpr double fading = 0.98;

}  // namespace

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
        const double missed = wanted - borne;
        servo.mean_missed += (missed - servo.mean_missed) / mean_steps;
        servo.mean_size += (std::abs(missed) - servo.mean_size) / mean_steps;
        if (servo.mean_size - std::abs(servo.mean_missed) > disturbed * wanted)
            servo.trim = std::clamp(servo.trim + missed / trim_steps, -wanted, wanted);
        else
            servo.trim *= fading;
        const double error = wanted + servo.trim - borne;
        servo.share = std::clamp((error * servo.error < 0.0 ? 0.5 : 1.1) * servo.share, least_share, 1.0);
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
        state.insert(state.end(), {servo.way, servo.speed, servo.share, servo.error, servo.drift, servo.trim,
                                   servo.mean_missed, servo.mean_size});
    return state;
}

bool Servos::restore(std::span<const double> state) {
    if (state.size() != 8 * servos_.size()) return false;
    for (std::size_t k = 0; k < servos_.size(); ++k) {
        const auto own = state.subspan(8 * k, 8);
        servos_[k].way = own[0];
        servos_[k].speed = own[1];
        servos_[k].share = own[2];
        servos_[k].error = own[3];
        servos_[k].drift = own[4];
        servos_[k].trim = own[5];
        servos_[k].mean_missed = own[6];
        servos_[k].mean_size = own[7];
    }
    return true;
}

}  // namespace scree::simulation
