// SPDX-License-Identifier: BSD-3-Clause
// Section bodies: one body of any convex shape, and the shape that other sources copy.
#include "engine/scene/mesh_table.hpp"
#include "engine/scene/nearest.hpp"
#include "engine/scene/tables.hpp"

#include <algorithm>

namespace scree::scene {

using namespace model;

namespace {

/// More corners than this make no better shape and slow contacts.
constexpr std::size_t most_vertices = 1000;
/// Pairs of bodies look at all pairs of their parts that are near.
constexpr std::size_t most_parts = 1000;

BodySource& body_of(Source& source) { return std::get<BodySource>(source.what); }
/// The defaults where the source is of another kind.
const BodySource& body_of(const Source& source) {
    static const BodySource defaults;
    const auto* body = std::get_if<BodySource>(&source.what);
    return body != nullptr ? *body : defaults;
}

Solid& copied_by(Source& source) { return *source.shape; }
const Solid& copied_by(const Source& source) {
    static const Solid none;
    return source.shape ? *source.shape : none;
}

KeyInfo length_key(std::string name, std::string meaning) {
    return {.name = std::move(name),
            .meaning = std::move(meaning),
            .dimension = Dimension::length,
            .range = positive,
            .required = true};
}

KeyInfo rounding_key(std::string meaning) {
    return {.name = "rounding",
            .meaning = std::move(meaning) + " Stepper ccp only.",
            .dimension = Dimension::length,
            .range = not_negative,
            .omit_default = true};
}
void check_rounding(const Reader& in, double rounding, double least) {
    if (rounding < least) return;
    in.find("rounding")
        ->fail("= " + number_text(rounding) + " m leaves nothing of the shape (allowed: below " + number_text(least) +
               " m)");
}

const Table<SolidSphere>& sphere_shape() {
    static const auto table = [] {
        Table<SolidSphere> t("sphere", "A sphere.");
        t.quantity(&SolidSphere::radius, length_key("radius", "Radius."));
        return t;
    }();
    return table;
}
const Table<SolidBox>& box_shape() {
    static const auto table = [] {
        Table<SolidBox> t("box", "A box; in planar scenes its rectangle in the x-z plane.");
        t.vector(&SolidBox::half_extents, length_key("half_extents", "Half the edge lengths along the body's axes."));
        t.quantity(&SolidBox::rounding, rounding_key("Radius of edges and corners, inside the half extents."));
        t.check = [](const Reader& in, SolidBox& box) {
            const Vec3 h = box.half_extents;
            check_rounding(in, box.rounding, std::min({h.x, h.y, h.z}));
        };
        return t;
    }();
    return table;
}
const Table<SolidEllipsoid>& ellipsoid_shape() {
    static const auto table = [] {
        Table<SolidEllipsoid> t("ellipsoid", "An ellipsoid; in planar scenes its ellipse in the x-z plane.");
        t.vector(&SolidEllipsoid::semi_axes, length_key("semi_axes", "Semi-axes along the body's axes."));
        return t;
    }();
    return table;
}
const Table<SolidSuperquadric>& superquadric_shape() {
    static const auto table = [] {
        using Solid = SolidSuperquadric;
        const Range exponents{.low = 0.0, .high = 2.0, .low_open = true};
        Table<Solid> t(
            "superquadric",
            "((x/a)^(2/e2) + (y/b)^(2/e2))^(e2/e1) + (z/c)^(2/e1) = 1: from boxes with round edges (exponents "
            "near 0) over ellipsoids (1) to octahedra (2).");
        t.vector(&Solid::semi_axes, length_key("semi_axes", "a, b, c: half the extents along the body's axes."));
        t.quantity(&Solid::e1, {.name = "e1", .meaning = "Exponent along z.", .range = exponents});
        t.quantity(&Solid::e2, {.name = "e2", .meaning = "Exponent in the x-y plane.", .range = exponents});
        return t;
    }();
    return table;
}
const Table<SolidCylinder>& cylinder_shape() {
    static const auto table = [] {
        Table<SolidCylinder> t("cylinder", "A cylinder about the body's z axis.");
        t.quantity(&SolidCylinder::radius, length_key("radius", "Radius."));
        t.quantity(&SolidCylinder::half_length, length_key("half_length", "Half the length."));
        t.quantity(&SolidCylinder::rounding, rounding_key("Radius of the rims, inside the sizes."));
        t.check = [](const Reader& in, SolidCylinder& cylinder) {
            check_rounding(in, cylinder.rounding, std::min(cylinder.radius, cylinder.half_length));
        };
        return t;
    }();
    return table;
}
const Table<SolidCapsule>& capsule_shape() {
    static const auto table = [] {
        Table<SolidCapsule> t("capsule",
                              "A ball swept along the body's z axis: a cylinder with round ends. Stepper ccp only.");
        t.quantity(&SolidCapsule::radius, length_key("radius", "Radius."));
        t.quantity(&SolidCapsule::half_length,
                   length_key("half_length", "Half the length of the cylinder, without the ends."));
        return t;
    }();
    return table;
}
const Table<SolidCone>& cone_shape() {
    static const auto table = [] {
        Table<SolidCone> t("cone", "A cone about the body's z axis, its apex at +z. Stepper ccp only.");
        t.quantity(&SolidCone::radius, length_key("radius", "Radius of the base."));
        t.quantity(&SolidCone::height,
                   length_key("height", "From base to apex; the centre of mass is a quarter of it above the base."));
        return t;
    }();
    return table;
}

void read_vertices(const Reader& in, SolidPolytope& polytope) {
    const auto rows = in.items();
    if (rows.size() < 3 || rows.size() > most_vertices)
        in.fail("has " + std::to_string(rows.size()) + " points (allowed: 3 to " + std::to_string(most_vertices) + ")");
    for (const auto& row : rows) polytope.vertices.push_back(row.vector(Dimension::length));
}

const Table<SolidPolytope>& polytope_shape() {
    static const auto table = [] {
        Table<SolidPolytope> t(
            "polytope",
            "The convex hull of points: a polyhedron; in planar scenes (y = 0 for all) a polygon, the "
            "section of a prism 1 m long.");
        t.add({.name = "vertices",
               .meaning = "Points [x, y, z], in any axes: the body's place is that of its centre of mass.",
               .dimension = Dimension::length,
               .required = true,
               .type = ValueType::rows,
               .length = 3},
              read_vertices, [](const SolidPolytope& polytope, Names) -> std::optional<Node> {
                  Node out = sequence_node();
                  for (const auto& v : polytope.vertices) out.items.push_back(vector_node(v));
                  return out;
              });
        return t;
    }();
    return table;
}

/// The alternatives of a convex solid.
template <class T, class Shape>
void add_convex_shapes(Table<T>& t, const Shape& shape) {
    const auto key = [](const ObjectInfo& about) {
        return KeyInfo{.name = about.noun, .meaning = about.meaning, .group = "shape"};
    };
    t.template alternative<SolidSphere>(shape, sphere_shape(), key(sphere_shape().about));
    t.template alternative<SolidBox>(shape, box_shape(), key(box_shape().about));
    t.template alternative<SolidEllipsoid>(shape, ellipsoid_shape(), key(ellipsoid_shape().about));
    t.template alternative<SolidSuperquadric>(shape, superquadric_shape(), key(superquadric_shape().about));
    t.template alternative<SolidCylinder>(shape, cylinder_shape(), key(cylinder_shape().about));
    t.template alternative<SolidPolytope>(shape, polytope_shape(), key(polytope_shape().about));
    t.template alternative<SolidCapsule>(shape, capsule_shape(), key(capsule_shape().about));
    t.template alternative<SolidCone>(shape, cone_shape(), key(cone_shape().about));
}

/// `orientation` of whatever has one.
template <class T, class Access>
void add_orientation(Table<T>& t, const Access& orientation, const std::string& meaning) {
    t.add(
        {.name = "orientation", .meaning = meaning, .type = ValueType::orientation},
        [orientation](const Reader& in, T& into) { orientation(into) = in.orientation(); },
        [orientation](const T& from, Names) -> std::optional<Node> { return quaternion_node(orientation(from)); });
}

const Table<SolidPart>& part_table() {
    static const auto table = [] {
        Table<SolidPart> t("part", "A convex part of a compound body.");
        add_convex_shapes(t, &SolidPart::shape);
        t.vector(&SolidPart::position,
                 {.name = "position", .meaning = "Of the part's centre of mass.", .dimension = Dimension::length});
        add_orientation(
            t, [](auto& part) -> auto& { return part.orientation; },
            "Turns the part about its centre of mass: [w, x, y, z] or {axis, angle}.");
        return t;
    }();
    return table;
}

template <class Shape>
void add_shapes(Table<Source>& t, const Shape& shape) {
    add_convex_shapes(t, shape);
    t.add(
        {.name = "compound",
         .meaning =
             "Convex parts fixed to one another, in axes of their own: the body's place is that of its centre of "
             "mass. Spheres alone have the mass of their union; where other parts overlap both count. Stepper ccp "
             "only.",
         .group = "shape",
         .type = ValueType::object_list,
         .object = &part_table().about},
        [shape](const Reader& in, Source& source) {
            SolidCompound compound;
            for (const auto& item : in.objects(part_table().about.noun)) {
                compound.parts.emplace_back();
                read_object(item, part_table(), compound.parts.back());
            }
            if (compound.parts.empty() || compound.parts.size() > most_parts)
                in.fail("has " + std::to_string(compound.parts.size()) + " parts (allowed: 1 to " +
                        std::to_string(most_parts) + ")");
            shape(source) = std::move(compound);
        },
        [shape](const Source& source, Names names) -> std::optional<Node> {
            const auto* compound = std::get_if<SolidCompound>(&shape(source));
            if (compound == nullptr) return std::nullopt;
            Node out = sequence_node();
            for (const SolidPart& part : compound->parts) out.items.push_back(write_object(part_table(), part, names));
            return out;
        });
}

void add_mass(Table<Source>& t) {
    t.quantity([](auto& s) -> auto& { return body_of(s).mass; },
               {.name = "mass",
                .meaning = "Mass; without it, volume times the material's density.",
                .dimension = Dimension::mass,
                .range = positive,
                .fallback = "from the density",
                .omit_default = true});
    t.vector(
        [](auto& s) -> auto& { return body_of(s).inertia; },
        {.name = "inertia",
         .meaning = "Principal moments of inertia in the body's axes (for a polytope: its principal axes); without "
                    "it, those of a homogeneous solid of the mass.",
         .dimension = Dimension::inertia,
         .range = positive,
         .fallback = "homogeneous",
         .omit_default = true});
    t.add(
        {.name = "center_of_mass",
         .meaning = "Centre of mass of a body that is no homogeneous solid, in the axes that the shape is given in "
                    "(origin: the middle of a box, ...; those of a polytope's points, of a compound's parts). With "
                    "`inertia`. Stepper ccp only.",
         .dimension = Dimension::length,
         .fallback = "homogeneous",
         .type = ValueType::quantities,
         .length = 3},
        [](const Reader& in, Source& s) { body_of(s).center_of_mass = in.vector(Dimension::length); },
        [](const Source& s, Names) -> std::optional<Node> {
            const auto& given = body_of(s).center_of_mass;
            return given ? std::optional(vector_node(*given)) : std::nullopt;
        });
    t.add(
        {.name = "inertia_axes",
         .meaning = "Turns the axes of `inertia` into those that the shape is given in: [w, x, y, z] or {axis, angle}. "
                    "Stepper ccp only.",
         .fallback = "those of the homogeneous solid",
         .type = ValueType::orientation},
        [](const Reader& in, Source& s) { body_of(s).inertia_axes = in.orientation(); },
        [](const Source& s, Names) -> std::optional<Node> {
            const auto& given = body_of(s).inertia_axes;
            return given ? std::optional(quaternion_node(*given)) : std::nullopt;
        });
    t.flag([](auto& s) -> auto& { return body_of(s).collide; },
           {.name = "collide",
            .meaning = "Whether it can touch anything. false: it moves, and joints hold it, but nothing stops it. "
                       "Stepper ccp only.",
            .omit_default = true});
    t.flag([](auto& s) -> auto& { return body_of(s).fixed; },
           {.name = "fixed", .meaning = "Infinite mass: moves with its velocities only."});
    t.vector([](auto& s) -> auto& { return body_of(s).force; },
             {.name = "force",
              .meaning = "Force on the centre of mass, all the time, world axes.",
              .dimension = Dimension::force,
              .omit_default = true});
    t.vector([](auto& s) -> auto& { return body_of(s).torque; },
             {.name = "torque",
              .meaning = "Torque, all the time, world axes.",
              .dimension = Dimension::torque,
              .omit_default = true});
}

void check_body(const Reader& in, Source& source) {
    const BodySource& body = body_of(source);
    if (body.fixed && (!(body.force == Vec3{}) || !(body.torque == Vec3{})))
        in.fail(": a fixed body takes no force or torque");
    const Vec3 i = body.inertia;
    for (const char* key : {"center_of_mass", "inertia_axes"})
        if (const auto given = in.find(key); given && !in.find("inertia"))
            given->fail("is given without 'inertia'", "add the principal moments about the centre of mass");
    if (i.x + i.y < i.z || i.y + i.z < i.x || i.z + i.x < i.y)
        in.find("inertia")->fail("= " + print_inline(in.find("inertia")->node()) +
                                 ": each moment is at most the sum of the other two");
}

}  // namespace

const Table<Source>& body_table() {
    static const auto table = [] {
        Table<Source> t("body", "One body of any convex shape.");
        add_shapes(
            t, [](auto& source) -> auto& { return body_of(source).shape; });
        t.vector([](auto& s) -> auto& { return body_of(s).position; },
                 {.name = "position", .meaning = "Centre of mass.", .dimension = Dimension::length, .required = true});
        add_orientation(
            t, [](auto& source) -> auto& { return body_of(source).orientation; },
            "Turns the shape about its centre of mass: [w, x, y, z] or {axis, angle}.");
        add_mass(t);
        add_inner_common_keys(t);
        t.check = check_body;
        return t;
    }();
    return table;
}

const Table<Source>& shape_table() {
    static const auto table = [] {
        Table<Source> t(
            "shape",
            "What a file, a lattice, a random source or a feed makes in place of spheres: copies of this solid, scaled "
            "so that the smallest sphere about the centre of mass that holds one has the source's radius.");
        add_shapes(
            t, [](auto& source) -> auto& { return copied_by(source); });
        return t;
    }();
    return table;
}

}  // namespace scree::scene
