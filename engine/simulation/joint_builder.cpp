// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/joint_builder.hpp"

#include "engine/model/error.hpp"
#include "engine/scene/joint_check.hpp"
#include "engine/simulation/motor_range.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

namespace scree::simulation {
namespace {

using kernels::JointFrames;
using kernels::JointRow;
using kernels::JointScalar;
using kernels::RowRole;
using kernels::ScalarKind;
using model::Joint;
using model::JointAxis;
using model::Quat;
using model::Vec3;

/// The rotation that turns the z axis to `z` and the x axis near `x`.
Quat axes_with(Vec3 z, Vec3 x) {
    const Vec3 y = model::normalized(cross(z, x));
    const Vec3 own = cross(y, z);
    // Columns own, y, z.
    const double trace = own.x + y.y + z.z;
    Quat q;
    if (trace > 0.0) {
        const double s = 2.0 * std::sqrt(1.0 + trace);
        q = {0.25 * s, (y.z - z.y) / s, (z.x - own.z) / s, (own.y - y.x) / s};
    } else if (own.x > y.y && own.x > z.z) {
        const double s = 2.0 * std::sqrt(1.0 + own.x - y.y - z.z);
        q = {(y.z - z.y) / s, 0.25 * s, (y.x + own.y) / s, (z.x + own.z) / s};
    } else if (y.y > z.z) {
        const double s = 2.0 * std::sqrt(1.0 + y.y - own.x - z.z);
        q = {(z.x - own.z) / s, (y.x + own.y) / s, 0.25 * s, (z.y + y.z) / s};
    } else {
        const double s = 2.0 * std::sqrt(1.0 + z.z - own.x - y.y);
        q = {(own.y - y.x) / s, (z.x + own.z) / s, (z.y + y.z) / s, 0.25 * s};
    }
    return q;
}
Vec3 across(Vec3 axis) {
    const Vec3 a{std::abs(axis.x), std::abs(axis.y), std::abs(axis.z)};
    const Vec3 other = a.x <= a.y && a.x <= a.z ? Vec3{1, 0, 0} : a.y <= a.z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    return model::normalized(other - dot(other, axis) * axis);
}
Quat axes_about(Vec3 z) { return axes_with(z, across(z)); }

class Builder {
public:
    Builder(const model::Scene& scene, const std::vector<model::Sphere>& bodies) : scene_(scene), bodies_(bodies) {
        for (std::size_t i = 0; i < bodies.size(); ++i) of_source_[bodies[i].source].push_back(i);
    }

    BuiltJoints build() {
        auto& d = out_.description;
        d.owners = kernels::Index(scene_.joints.size());
        d.owner_frame.assign(scene_.joints.size(), -1);
        d.owner_distance.assign(scene_.joints.size(), false);
        for (owner_ = 0; owner_ < scene_.joints.size(); ++owner_)
            if (!joint().couples()) std::visit([&](const auto& kind) { add(kind); }, joint().kind);
        for (owner_ = 0; owner_ < scene_.joints.size(); ++owner_)
            if (joint().couples()) std::visit([&](const auto& kind) { add(kind); }, joint().kind);
        d.drives = kernels::Index(out_.drives.size());
        return std::move(out_);
    }

private:
    [[nodiscard]] const Joint& joint() const { return scene_.joints[owner_]; }
    [[noreturn]] void fail(const std::string& what, const std::string& hint) const {
        throw model::Error(model::ErrorKind::input, "joint '" + joint_name(scene_, owner_) + "': " + what, hint,
                           scene_.path, joint().line);
    }

    /// Null: the ground.
    [[nodiscard]] const model::Sphere* body(const std::string& text) const {
        if (text == "ground") return nullptr;
        const scene::BodyReference reference = scene::read_body_reference(text, scene_);
        for (std::size_t s = 0; s < scene_.sources.size(); ++s) {
            if (scene_.sources[s].name != reference.source) continue;
            const auto found = of_source_.find(s);
            const std::size_t count = found == of_source_.end() ? 0 : found->second.size();
            const std::size_t index = reference.index.value_or(0);
            if (index >= count)
                fail(fmt::format("there is no body '{}': the source made {} bodies", text, count), "they count from 0");
            return &bodies_[found->second[index]];
        }
        fail("'" + text + "' is the name of no body source", "bodies are named by 'name'");
    }

    void place(JointFrames& frames, int side, const model::Sphere* body, Vec3 point, Quat axes) const {
        frames.member[side] = body == nullptr ? 0 : kernels::Index(body->id);
        const Quat back = body == nullptr ? Quat{} : model::conjugate(body->orientation);
        const Vec3 p = body == nullptr ? point : model::rotate(back, point - body->position);
        const Quat q = back * axes;
        frames.point[side][0] = p.x, frames.point[side][1] = p.y, frames.point[side][2] = p.z;
        frames.rotation[side][0] = q.w, frames.rotation[side][1] = q.x;
        frames.rotation[side][2] = q.y, frames.rotation[side][3] = q.z;
    }

    /// Frames at two points with their axes; the same twice where they coincide at the start.
    kernels::Index frames(Vec3 point_a, Quat axes_a, Vec3 point_b, Quat axes_b) {
        auto& d = out_.description;
        const std::array<const model::Sphere*, 2> held{body(joint().bodies[0]), body(joint().bodies[1])};
        const auto moves = [](const model::Sphere* b) { return b != nullptr && !b->fixed; };
        if (!moves(held[0]) && !moves(held[1]))
            fail("neither body can move", "fixed bodies and the ground need no joint");
        if (held[0] == held[1]) fail("joins a body with itself", "name two bodies");
        JointFrames f;
        place(f, 0, held[0], point_a, axes_a);
        place(f, 1, held[1], point_b, axes_b);
        d.frames.push_back(f);
        const Vec3 way = point_b - point_a;
        d.start.push_back({0.0, {way.x, way.y, way.z}});
        if (held[0] != nullptr && held[1] != nullptr && !joint().collide)
            d.apart.emplace_back(kernels::Index(held[0]->id), kernels::Index(held[1]->id));
        const auto index = kernels::Index(d.frames.size() - 1);
        d.owner_frame[owner_] = index;
        return index;
    }
    kernels::Index frames(Vec3 point, Quat axes) { return frames(point, axes, point, axes); }

    JointRow& row(RowRole role, JointScalar scalar) {
        JointRow r;
        r.role = role;
        r.scalar[0] = scalar;
        r.owner = kernels::Index(owner_);
        out_.description.rows.push_back(r);
        return out_.description.rows.back();
    }
    void along(kernels::Index f, std::initializer_list<int> axes) {
        for (const int i : axes) row(RowRole::rigid, {ScalarKind::along, f, i, 0, 1.0});
    }
    /// Axis i of A stays at a right angle to axis j of B.
    void across(kernels::Index f, std::initializer_list<std::pair<int, int>> axes) {
        for (const auto& [i, j] : axes) row(RowRole::rigid, {ScalarKind::cosine, f, i, j, 1.0});
    }

    void add(const model::FixedJoint&) {
        const auto* b = body(joint().bodies[1]);
        const auto* a = body(joint().bodies[0]);
        const auto f = frames(b != nullptr ? b->position : a != nullptr ? a->position : Vec3{}, Quat{});
        along(f, {0, 1, 2});
        across(f, {{0, 1}, {1, 2}, {2, 0}});
    }
    void add(const model::SphericalJoint& j) { along(frames(j.point, Quat{}), {0, 1, 2}); }
    void add(const model::RevoluteJoint& j) {
        const auto f = frames(j.point, axes_about(j.axis));
        along(f, {0, 1, 2});
        across(f, {{2, 0}, {2, 1}});
        act(joint().turn, {ScalarKind::turn, f, 0, 0, 1.0});
    }
    void add(const model::PrismaticJoint& j) {
        const auto f = frames(j.point, axes_about(j.axis));
        along(f, {0, 1});
        across(f, {{0, 1}, {1, 2}, {2, 0}});
        act(joint().slide, {ScalarKind::along, f, 2, 0, 1.0});
    }
    void add(const model::CylindricalJoint& j) { (void)cylinder(j.point, j.axis); }
    void add(const model::ScrewJoint& j) {
        const auto f = cylinder(j.point, j.axis);
        couple({ScalarKind::along, f, 2, 0, 1.0}, {ScalarKind::turn, f, 0, 0, 1.0}, j.pitch / (2.0 * std::numbers::pi));
    }
    kernels::Index cylinder(Vec3 point, Vec3 axis) {
        const auto f = frames(point, axes_about(axis));
        along(f, {0, 1});
        across(f, {{2, 0}, {2, 1}});
        act(joint().turn, {ScalarKind::turn, f, 0, 0, 1.0});
        act(joint().slide, {ScalarKind::along, f, 2, 0, 1.0});
        return f;
    }
    void add(const model::UniversalJoint& j) {
        const auto f = frames(j.point, axes_about(j.axis_a), j.point, axes_about(j.axis_b));
        along(f, {0, 1, 2});
        row(RowRole::rigid, {ScalarKind::cosine, f, 2, 2, 1.0}).value = dot(j.axis_a, j.axis_b);
    }
    void add(const model::PlanarJoint& j) {
        const auto f = frames(j.point, axes_about(j.normal));
        along(f, {2});
        across(f, {{2, 0}, {2, 1}});
    }
    void add(const model::DistanceJoint& j) {
        const auto f = points(j.point_a, j.point_b);
        row(RowRole::rigid, {ScalarKind::distance, f, 0, 0, 1.0}).value = norm(j.point_b - j.point_a);
    }
    void add(const model::SpringJoint& j) {
        act(joint().slide, {ScalarKind::distance, points(j.point_a, j.point_b), 0, 0, 1.0});
    }
    kernels::Index points(Vec3 a, Vec3 b) {
        if (!(norm(b - a) > 0.0)) fail("its two points are one", "use a spherical joint, or move them apart");
        out_.description.owner_distance[owner_] = true;
        return frames(a, Quat{}, b, Quat{});
    }
    void add(const model::GearJoint& j) {
        const bool slides = scene::gear_slides(scene_, j.first);
        couple(coordinate(j.second, slides), coordinate(j.first, slides), j.ratio);
    }
    void add(const model::RackJoint& j) { couple(coordinate(j.second, true), coordinate(j.first, false), j.ratio); }

    /// The turn or slide of another joint.
    [[nodiscard]] JointScalar coordinate(const std::string& name, bool slides) const {
        for (std::size_t k = 0; k < scene_.joints.size(); ++k) {
            const Joint& other = scene_.joints[k];
            const auto f = out_.description.owner_frame[k];
            if (other.name != name || f < 0 || !(slides ? other.has_slide() : other.has_turn())) continue;
            if (!slides) return {ScalarKind::turn, f, 0, 0, 1.0};
            return {out_.description.owner_distance[k] ? ScalarKind::distance : ScalarKind::along, f, 2, 0, 1.0};
        }
        fail("'" + name + "' is the name of no joint that " + (slides ? "slides" : "turns"), "name one of this scene");
    }
    /// The first = ratio x the second, from where both start.
    void couple(JointScalar first, JointScalar second, double ratio) {
        JointRow& r = row(RowRole::rigid, first);
        r.scalars = 2;
        second.weight = -ratio;
        r.scalar[1] = second;
        if (first.kind == ScalarKind::distance) r.value = length_at_start(first.joint);
    }
    [[nodiscard]] double length_at_start(kernels::Index frame) const {
        for (std::size_t k = 0; k < scene_.joints.size(); ++k)
            if (out_.description.owner_frame[k] == frame)
                if (const auto* spring = std::get_if<model::SpringJoint>(&scene_.joints[k].kind))
                    return norm(spring->point_b - spring->point_a);
        return 0.0;
    }

    void act(const JointAxis& axis, JointScalar scalar) {
        const double start = scalar.kind == ScalarKind::distance ? length_at_start(scalar.joint) : 0.0;
        if (!(axis.lower <= start && start <= axis.upper))
            fail(fmt::format("its {} starts at {:g}, outside its limits [{:g}, {:g}]",
                             scalar.kind == ScalarKind::turn ? "turn" : "slide", start, axis.lower, axis.upper),
                 scalar.kind == ScalarKind::distance ? "move a point, or the limits"
                                                     : "turns and slides count from where the bodies stand at t = 0");
        if (std::isfinite(axis.lower)) row(RowRole::limit, scalar).value = axis.lower;
        if (std::isfinite(axis.upper)) {
            JointScalar other = scalar;
            other.weight = -1.0;
            row(RowRole::limit, other).value = -axis.upper;
        }
        if (axis.stiffness > 0.0 || axis.damping > 0.0) {
            JointRow& r = row(RowRole::spring, scalar);
            r.stiffness = axis.stiffness;
            r.damping = axis.damping;
            r.value = axis.rest;
        }
        if (axis.friction > 0.0) row(RowRole::friction, scalar).bound = axis.friction;
        if (axis.motor == JointAxis::Motor::none) return;
        const bool by_position = axis.motor == JointAxis::Motor::position;
        JointRow& r = row(by_position                             ? RowRole::position
                          : axis.motor == JointAxis::Motor::speed ? RowRole::speed
                                                                  : RowRole::force,
                          scalar);
        r.bound = axis.motor_limit;
        r.drive = kernels::Index(out_.drives.size());
        const bool turns = scalar.kind == ScalarKind::turn;
        if (!solids_) solids_.emplace(scene_);
        const double largest = largest_target(axis.motor, turns, {body(joint().bodies[0]), body(joint().bodies[1])},
                                              *solids_, scene_.settings.time.step);
        if (const auto beyond = target_beyond(axis, turns, largest))
            fail("its motor's " + *beyond, "bodies are no faster than 1e15 m/s");
        out_.drives.push_back({scene::CourseFunction(axis.target), by_position, owner_, turns, largest, {}});
    }

    const model::Scene& scene_;
    const std::vector<model::Sphere>& bodies_;
    std::map<std::size_t, std::vector<std::size_t>> of_source_;
    std::optional<geometry::SourceSolids> solids_;  ///< Made for the first motor.
    std::size_t owner_ = 0;
    BuiltJoints out_;
};

}  // namespace

BuiltJoints build_joints(const model::Scene& scene, const std::vector<model::Sphere>& bodies) {
    if (scene.joints.empty()) return {};
    return Builder(scene, bodies).build();
}

std::string joint_name(const model::Scene& scene, std::size_t joint) {
    const std::string& name = scene.joints[joint].name;
    return name.empty() ? fmt::format("joints[{}]", joint) : name;
}

}  // namespace scree::simulation
