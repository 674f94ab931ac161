// SPDX-License-Identifier: BSD-3-Clause
#include "engine/urdf/read_urdf.hpp"

#include "engine/geometry/compound.hpp"
#include "engine/geometry/text_input.hpp"
#include "engine/urdf/mesh_hull.hpp"
#include "engine/urdf/parse_robot.hpp"
#include "engine/urdf/rigid_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace scree::urdf {
namespace {

constexpr double step = 1e-3, duration = 5.0, picture_interval = 0.02;  // s

class SceneMaker {
public:
    SceneMaker(const Robot& robot, const ImportOptions& options, Notes& notes)
        : robot_(robot),
          options_(options),
          notes_(notes),
          tree_(make_tree(robot)),
          coordinates_(make_coordinates(robot, options.pose, notes)),
          frames_(place_links(robot, tree_, coordinates_)),
          bodies_(make_rigid_bodies(robot, tree_, coordinates_, frames_, notes)) {}

    model::Scene scene() {
        begin();
        for (std::size_t b = 0; b < bodies_.bodies.size(); ++b) add_body(b);
        if (scene_.sources.empty())
            robot_.fail(robot_.links[tree_.root].line, "nothing of the robot moves or can be touched",
                        "--floating lets its root move");
        for (const RobotJoint& joint : robot_.joints) joint_names_.insert(joint.name);
        for (std::size_t j = 0; j < robot_.joints.size(); ++j) add_joint(j);
        for (std::size_t j = 0; j < robot_.joints.size(); ++j) add_coupling(j);
        return std::move(scene_);
    }

private:
    void begin() {
        scene_.name = robot_.name;
        scene_.path = robot_.path;
        scene_.materials.push_back({.name = "robot", .density = 1000.0});
        scene_.pairs.push_back({.first = 0, .second = 0, .friction = 0.5});
        scene_.settings.time.step = step;
        scene_.settings.time.end = duration;
        scene_.settings.output.interval = picture_interval;
        scene_.settings.precision = model::Precision::double_;
        if (!options_.floor) return;
        model::Boundary floor;
        floor.name = "floor";
        floor.shape = model::PlaneShape{{0, 0, *options_.floor}, {0, 0, 1}};
        scene_.boundaries.push_back(std::move(floor));
    }

    /// Names that joints can refer to.
    std::string unique_name(const std::string& link) {
        std::string name = link == "ground" ? "ground_link" : link;
        for (char& c : name)
            if (c == '[' || c == ']') c = '_';
        while (!names_.insert(name).second) name += '_';
        return name;
    }

    model::SolidPart part_of(const Collision& collision, const MeshGeometry& mesh, const Frame& origin) {
        try {
            const auto file = find_file(mesh.uri, robot_.path, options_.packages);
            MeshHull hull = hull_of_mesh(file, mesh.scale);
            for (const std::string& change : hull.changes)
                notes_.push_back(
                    {collision.line, fmt::format("the mesh {} {}", geometry::in_quotes(mesh.uri), change)});
            return {std::move(hull.polytope), origin.point(hull.center), origin.rotation};
        } catch (const model::Error& error) {
            if (error.kind() != model::ErrorKind::input) throw;
            const std::string place = error.line() > 0 ? fmt::format(":{}", error.line()) : "";
            robot_.fail(
                collision.line,
                fmt::format("mesh: {}{}{}{}", error.file(), place, error.file().empty() ? "" : ": ", error.message()),
                error.hint());
        }
    }

    /// The collision geometry of a body, in the frame of its top link.
    model::SolidCompound shape_of(const RigidBody& body) {
        model::SolidCompound compound;
        for (const std::size_t link : body.links)
            for (const Collision& collision : robot_.links[link].collisions) {
                const Frame origin = place_in(frames_, body.top, link) * collision.origin;
                if (const auto* mesh = std::get_if<MeshGeometry>(&collision.geometry)) {
                    const std::string extension = geometry::content_extension(mesh->uri);
                    if (extension == "stl" || extension == "obj")
                        compound.parts.push_back(part_of(collision, *mesh, origin));
                    else
                        notes_.push_back({collision.line,
                                          fmt::format("the mesh {} is left out: its format is not understood (known: "
                                                      "obj, stl)",
                                                      geometry::in_quotes(mesh->uri))});
                    continue;
                }
                model::SolidPart part{{}, origin.position, origin.rotation};
                std::visit(
                    [&]<class Shape>(const Shape& shape) {
                        if constexpr (!std::is_same_v<Shape, MeshGeometry>) part.shape = shape;
                    },
                    collision.geometry);
                compound.parts.push_back(std::move(part));
            }
        return compound;
    }

    void add_body(std::size_t b) {
        const RigidBody& body = bodies_.bodies[b];
        const Link& top = robot_.links[body.top];
        const Frame& frame = frames_[body.top];
        const bool fixed = b == 0 && !options_.floating;
        model::SolidCompound compound = shape_of(body);
        name_of_.emplace_back("ground");
        if (fixed && compound.parts.empty()) return;
        if (!fixed && !body.mass)
            robot_.fail(top.line, fmt::format("link '{}' moves but has no <inertial>", top.name),
                        b == 0 ? "give one, or leave out --floating" : "give one, or fix the joint that carries it");
        if (!fixed && !(std::min({body.mass->moments.x, body.mass->moments.y, body.mass->moments.z}) > 0.0))
            robot_.fail(top.line, fmt::format("link '{}' moves but has no moment of inertia about one axis", top.name),
                        "give all three");
        name_of_.back() = unique_name(top.name);

        model::Source source;
        source.name = name_of_.back();
        source.line = top.line;
        model::BodySource what;
        what.orientation = frame.rotation;
        what.fixed = fixed;
        if (fixed) {
            what.position = frame.point(geometry::make_compound(compound, 1.0).center_of_mass);
        } else {
            const Mass& mass = *body.mass;
            what.position = frame.point(mass.center);
            what.mass = mass.mass;
            what.inertia = mass.moments;
            what.inertia_axes = mass.axes;
            if (!compound.parts.empty()) what.center_of_mass = mass.center;
        }
        if (!compound.parts.empty()) {
            what.shape = std::move(compound);
        } else {
            // A ball of the same mean moment stands for it.
            const model::Vec3 i = body.mass->moments;
            what.shape = model::SolidSphere{std::sqrt(2.5 * (i.x + i.y + i.z) / 3.0 / body.mass->mass)};
            what.collide = false;
            notes_.push_back({top.line, fmt::format("link '{}' has no collision geometry: it touches nothing, and a "
                                                    "ball stands for it",
                                                    top.name)});
        }
        source.what = std::move(what);
        scene_.sources.push_back(std::move(source));
    }

    void add_joint(std::size_t j) {
        const RobotJoint& given = robot_.joints[j];
        const Coordinate& c = coordinates_[j];
        const bool planar = given.type == JointType::planar;
        if (!planar && !c.moves) return;
        const Frame& frame = frames_[tree_.child[j]];
        const model::Vec3 axis = model::rotate(frame.rotation, given.axis);
        model::Joint joint;
        joint.name = given.name;
        joint.line = given.line;
        joint.bodies = {name_of_[bodies_.of_link[tree_.parent[j]]], name_of_[bodies_.of_link[tree_.child[j]]]};
        model::JointAxis along;
        along.lower = c.lower - c.start;
        along.upper = c.upper - c.start;
        along.damping = given.damping;
        along.friction = given.friction;
        if (planar) {
            joint.kind = model::PlanarJoint{frame.position, axis};
        } else if (given.turns()) {
            joint.kind = model::RevoluteJoint{frame.position, axis};
            joint.turn = along;
        } else {
            joint.kind = model::PrismaticJoint{frame.position, axis};
            joint.slide = along;
        }
        scene_.joints.push_back(std::move(joint));
    }

    void add_coupling(std::size_t j) {
        const Coordinate& c = coordinates_[j];
        if (!c.moves || c.leader == none) return;
        const RobotJoint &leader = robot_.joints[c.leader], &follower = robot_.joints[j];
        model::Joint joint;
        joint.name = follower.name + "_mimic";
        while (!joint_names_.insert(joint.name).second) joint.name += '_';
        joint.line = follower.mimic->line;
        if (leader.turns() == follower.turns())
            joint.kind = model::GearJoint{leader.name, follower.name, c.multiplier};
        else if (leader.turns())
            joint.kind = model::RackJoint{leader.name, follower.name, c.multiplier};
        else
            joint.kind = model::RackJoint{follower.name, leader.name, 1.0 / c.multiplier};
        scene_.joints.push_back(std::move(joint));
    }

    const Robot& robot_;
    const ImportOptions& options_;
    Notes& notes_;
    Tree tree_;
    std::vector<Coordinate> coordinates_;
    std::vector<Frame> frames_;
    RigidBodies bodies_;
    model::Scene scene_;
    std::set<std::string> names_;        ///< Of bodies.
    std::set<std::string> joint_names_;  ///< Of the robot's joints, and of couplings so far.
    std::vector<std::string> name_of_;   ///< By body: what joints call it.
};

}  // namespace

Import read_urdf(const std::filesystem::path& file, const ImportOptions& options) {
    Import import;
    const Robot robot = parse_robot(file, import.notes);
    import.links = robot.links.size();
    import.joints = robot.joints.size();
    import.scene = SceneMaker(robot, options, import.notes).scene();
    std::stable_sort(import.notes.begin(), import.notes.end(),
                     [](const Note& a, const Note& b) { return a.line < b.line; });
    return import;
}

}  // namespace scree::urdf
