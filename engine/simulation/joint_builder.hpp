// SPDX-License-Identifier: BSD-3-Clause
// The joints of a scene as the kernels take them: frames on bodies, rows of scalars, drives over time.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/scene/course.hpp"
#include "kernels/step/step_engine.hpp"

#include <optional>
#include <vector>

namespace scree::simulation {

/// A motor's value over time, and when in a step it is asked for.
struct JointDrive {
    scene::CourseFunction course;
    bool at_end = false;            ///< Positions: of the end of the step; else of its middle.
    std::size_t joint = 0;          ///< Index into Scene::joints, for messages.
    bool turns = false;             ///< Drives a turn; else a slide.
    double largest = 0.0;           ///< See largest_target().
    std::optional<double> imposed;  ///< Instead of the course.
};

struct BuiltJoints {
    kernels::JointDescription description;
    std::vector<JointDrive> drives;
};

/// Bodies as make_bodies() made them. Throws model::Error (input) with the scene's file and line for bodies that are
/// not there, joints of two bodies that cannot move, distances that are zero, motors beyond their range.
[[nodiscard]] BuiltJoints build_joints(const model::Scene& scene, const std::vector<model::Sphere>& bodies);

/// Names of joints for columns and messages: as given, or joints[k].
[[nodiscard]] std::string joint_name(const model::Scene& scene, std::size_t joint);

}  // namespace scree::simulation
