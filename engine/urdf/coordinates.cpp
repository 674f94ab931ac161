// SPDX-License-Identifier: BSD-3-Clause
#include "engine/urdf/coordinates.hpp"

#include "engine/scene/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace scree::urdf {
namespace {

constexpr std::size_t longest_chain = 100;
constexpr double infinite = std::numeric_limits<double>::infinity();

class Builder {
public:
    Builder(const Robot& robot, Notes& notes) : robot_(robot), notes_(notes), made_(robot.joints.size()) {
        for (std::size_t j = 0; j < robot.joints.size(); ++j) index_.emplace(robot.joints[j].name, j);
    }

    std::vector<Coordinate> build(const Pose& pose) {
        for (std::size_t j = 0; j < made_.size(); ++j) begin(j);
        for (std::size_t j = 0; j < made_.size(); ++j)
            if (robot_.joints[j].mimic) follow(j);
        for (Coordinate& c : made_) c.moves = c.moves && c.lower < c.upper;
        for (std::size_t j = 0; j < made_.size(); ++j)
            if (made_[j].leader == none && has_coordinate(j)) start(j);
        for (const auto& [name, value] : pose) set(name, value);
        for (std::size_t j = 0; j < made_.size(); ++j) {
            Coordinate& c = made_[j];
            if (c.leader == none) continue;
            c.start = c.multiplier * made_[c.leader].start + offset_[j];
            c.moves = made_[c.leader].moves && c.multiplier != 0.0;
            if (!c.moves) c.leader = none;
        }
        return std::move(made_);
    }

private:
    [[nodiscard]] bool has_coordinate(std::size_t j) const {
        return robot_.joints[j].turns() || robot_.joints[j].slides();
    }
    void note(std::size_t j, std::string text) { notes_.push_back({robot_.joints[j].line, std::move(text)}); }

    void begin(std::size_t j) {
        Coordinate& c = made_[j];
        c.moves = has_coordinate(j);
        if (!c.moves) return;
        c.lower = robot_.joints[j].lower;
        c.upper = robot_.joints[j].upper;
    }

    /// Finds the joint at the end of a chain of mimics, and lets it have the limits of this one.
    void follow(std::size_t j) {
        const Mimic& own = *robot_.joints[j].mimic;
        Coordinate& c = made_[j];
        double multiplier = 1.0, offset = 0.0;
        std::size_t leader = j;
        for (std::size_t links = 0; robot_.joints[leader].mimic; ++links) {
            const Mimic& mimic = *robot_.joints[leader].mimic;
            const auto found = index_.find(mimic.joint);
            if (found == index_.end())
                robot_.fail(mimic.line,
                            fmt::format("joint '{}' mimics '{}', which is the name of no joint",
                                        robot_.joints[leader].name, mimic.joint),
                            scene::suggestion(mimic.joint, names(), "joints"));
            if (links == longest_chain)
                robot_.fail(own.line, fmt::format("joint '{}' mimics in a circle, or over {} others",
                                                  robot_.joints[j].name, longest_chain));
            offset += multiplier * mimic.offset;
            multiplier *= mimic.multiplier;
            leader = found->second;
        }
        if (!has_coordinate(leader) && robot_.joints[leader].type != JointType::fixed)
            robot_.fail(own.line,
                        fmt::format("joint '{}' mimics the {} joint '{}'", robot_.joints[j].name,
                                    robot_.joints[leader].type == JointType::planar ? "planar" : "floating",
                                    robot_.joints[leader].name),
                        "joints with one coordinate can be mimicked");
        Coordinate& lead = made_[leader];
        c.leader = leader;
        c.multiplier = multiplier;
        offset_[j] = offset;
        const double low = c.lower, high = c.upper;
        c.lower = -infinite;
        c.upper = infinite;
        if (multiplier == 0.0 || !has_coordinate(leader)) return;
        const double a = (low - offset) / multiplier, b = (high - offset) / multiplier;
        const double lower = std::max(lead.lower, std::min(a, b)), upper = std::min(lead.upper, std::max(a, b));
        if (lower > upper)
            robot_.fail(own.line, fmt::format("the limits of the joint '{}' leave no value to '{}', which follows it",
                                              robot_.joints[leader].name, robot_.joints[j].name));
        if (lower > lead.lower || upper < lead.upper)
            notes_.push_back({own.line, fmt::format("the limits of '{}' act on '{}', which it mimics: [{:g}, {:g}]",
                                                    robot_.joints[j].name, robot_.joints[leader].name, lower, upper)});
        lead.lower = lower;
        lead.upper = upper;
    }

    void start(std::size_t j) {
        Coordinate& c = made_[j];
        c.start = std::clamp(0.0, c.lower, c.upper);
        if (!c.moves)
            note(j, fmt::format("joint '{}': its limits leave one value, {:g}: fixed there", robot_.joints[j].name,
                                c.start));
        else if (c.start != 0.0)
            note(j, fmt::format("joint '{}': 0 lies outside its limits [{:g}, {:g}]: starts at {:g}",
                                robot_.joints[j].name, c.lower, c.upper, c.start));
    }

    void set(const std::string& name, double value) {
        const auto fail = [&](const std::string& what, const std::string& hint) {
            throw model::Error(model::ErrorKind::usage, fmt::format("pose of the joint '{}': {}", name, what), hint);
        };
        const auto found = index_.find(name);
        if (found == index_.end()) fail("there is no such joint", scene::suggestion(name, names(), "joints"));
        Coordinate& c = made_[found->second];
        if (c.leader != none) fail("it mimics another", "pose '" + robot_.joints[c.leader].name + "'");
        if (!c.moves) fail("it does not move", "revolute, continuous and prismatic joints do");
        if (!(value >= c.lower && value <= c.upper))
            fail(fmt::format("{:g} lies outside its limits [{:g}, {:g}]", value, c.lower, c.upper), {});
        c.start = value;
    }

    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const RobotJoint& joint : robot_.joints) all.push_back(joint.name);
        return all;
    }

    const Robot& robot_;
    Notes& notes_;
    std::vector<Coordinate> made_;
    std::unordered_map<std::size_t, double> offset_;  ///< Of followers.
    std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace

std::vector<Coordinate> make_coordinates(const Robot& robot, const Pose& pose, Notes& notes) {
    return Builder(robot, notes).build(pose);
}

std::vector<Frame> place_links(const Robot& robot, const Tree& tree, const std::vector<Coordinate>& coordinates) {
    std::vector<Frame> frames(robot.links.size());
    for (const std::size_t link : tree.order) {
        const std::size_t j = tree.joint_above[link];
        if (j == none) continue;
        const RobotJoint& joint = robot.joints[j];
        Frame moved;
        if (joint.turns()) moved.rotation = model::from_axis_angle(joint.axis, coordinates[j].start);
        if (joint.slides()) moved.position = coordinates[j].start * joint.axis;
        Frame& frame = frames[link] = frames[tree.parent[j]] * joint.origin * moved;
        // Long chains of products drift from unit length.
        const model::Quat q = frame.rotation;
        const double n = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
        frame.rotation = {q.w / n, q.x / n, q.y / n, q.z / n};
    }
    return frames;
}

}  // namespace scree::urdf
