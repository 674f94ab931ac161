// SPDX-License-Identifier: BSD-3-Clause
// Where the spheres of a scene come from. engine/geometry turns sources into bodies.
#pragma once

#include "engine/model/math.hpp"
#include "engine/model/motion.hpp"
#include "engine/model/solid.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace scree::model {

/// Distribution of sphere radii [m].
struct SizeDistribution {
    enum class Kind : std::uint8_t { constant, uniform, normal, lognormal, sieve };
    Kind kind = Kind::constant;
    double radius = 0.0;              ///< constant
    double lower = 0.0, upper = 0.0;  ///< uniform; bounds for normal and log-normal (resampled outside; 0, 0 = 3 sigma)
    double mean = 0.0;                ///< normal: mean radius; log-normal: median radius
    double deviation = 0.0;           ///< normal: standard deviation [m]; log-normal: sigma of ln r [-]
    /// sieve: (sieve opening as a radius [m], cumulative mass fraction passing in [0, 1]), increasing in both;
    /// inside a class mass is uniform in ln r.
    std::vector<std::pair<double, double>> passing;
};

/// A region that random sources fill.
struct Region {
    enum class Kind : std::uint8_t { box, cylinder, sphere };
    Kind kind = Kind::box;
    Vec3 lower, upper;                  ///< box [m]
    Vec3 start, axis{0, 0, 1};          ///< cylinder: centre of the base, direction
    double length = 0.0, radius = 0.0;  ///< cylinder length, cylinder or sphere radius [m]
    Vec3 center;                        ///< sphere
};

/// What all bodies of one source share.
struct SourceCommon {
    std::string name;
    std::size_t material = 0;
    Vec3 velocity;          ///< [m/s]
    Vec3 angular_velocity;  ///< [rad/s], world axes
    /// Of single bodies, which are then fixed: they go where these say, whatever meets them. Stepper ccp only.
    std::vector<Motion> motions;
    /// What files, lattices, random sources and feeds make: copies of a solid, scaled so that their radius is that of
    /// the smallest sphere about the centre of mass that holds it. None: spheres.
    std::optional<Solid> shape;
    bool turned_at_random = false;   ///< Each copy its own way, uniformly; false: as the solid is given.
    std::uint64_t turning_seed = 1;  ///< Of these turns.
    std::size_t line = 0;            ///< Line in the scene file, for messages; 0 if none.
};

/// One sphere.
struct SphereSource {
    Vec3 position;
    double radius = 0.0;
    bool fixed = false;  ///< Infinite mass, moves with `velocity` only.
};

/// Spheres from a text file: CSV or white space; a header names the columns, else `columns` gives their order.
struct FileSource {
    std::string path;
    /// Names among id, x, y, z, radius, diameter, vx, vy, vz, wx, wy, wz, skip; empty: take them from the header.
    std::vector<std::string> columns;
    double radius = 0.0;  ///< For files without a radius column [m].
    double scale = 1.0;   ///< Multiplies lengths (unit of the file in metres).
    Vec3 translation;
    /// Only rows with a radius in this interval are taken (selects a species).
    double radius_min = 0.0, radius_max = std::numeric_limits<double>::infinity();
    bool fixed = false;
    std::size_t max_rows = 0;  ///< Read only this many rows of data (a footer may follow them); 0: all.
};

/// Spheres on lattice points inside a box.
struct LatticeSource {
    enum class Kind : std::uint8_t { sc, fcc, hcp };
    Kind kind = Kind::sc;
    Vec3 lower, upper;     ///< Box that holds the centres' spheres entirely [m].
    double radius = 0.0;   ///< [m]
    double spacing = 0.0;  ///< Distance of nearest neighbours [m]; 0: 2 radius.
    double jitter = 0.0;   ///< Uniform random displacement per axis, at most this [m].
    std::uint64_t seed = 1;
    std::size_t count = 0;  ///< Stop after this many; 0: fill the box.
};

/// Random, non-overlapping spheres in a region.
struct RandomSource {
    Region region;
    SizeDistribution sizes;
    std::size_t count = 0;  ///< Number wanted; 0: as `fraction` says.
    double fraction = 0.0;  ///< Solid volume fraction wanted in (0, 0.6].
    double gap = 0.0;       ///< Least distance between surfaces [m].
    std::uint64_t seed = 1;
    std::size_t attempts = 0;  ///< Tries per sphere before it counts as rejected; 0: automatic.
};

/// Bodies that join during the run, at random places of a region where nothing is in their way.
struct FeedSource {
    Region region;
    SizeDistribution sizes;
    double rate = 0.0;                                     ///< Bodies per second, or
    double mass_rate = 0.0;                                ///< [kg/s]; exactly one of the two.
    double start = 0.0;                                    ///< The first body is due then [s],
    double end = std::numeric_limits<double>::infinity();  ///< and none from then on.
    std::size_t count = 0;                                 ///< None after so many; 0: no limit.
    double interval = 0.0;   ///< Bodies that are due join together, once in this time [s]; 0: every ten steps.
    double gap = 0.0;        ///< Least distance to other bodies when they join [m].
    std::uint64_t seed = 1;  ///< Of sizes and places.
};

/// One body of any shape.
struct BodySource {
    Solid shape;
    Vec3 position;      ///< Of the centre of mass [m].
    Quat orientation;   ///< Turns the shape about its centre of mass.
    double mass = 0.0;  ///< [kg]; 0: from the material's density.
    Vec3 inertia;       ///< Principal moments [kg m^2], in axes of the shape; all 0: a homogeneous solid of the mass.
    /// Where the mass is no homogeneous solid's, both against the axes that the shape is given in (those of its
    /// half extents, vertices or parts), and only with `inertia`. None: those of the homogeneous solid.
    std::optional<Vec3> center_of_mass;  ///< [m]
    std::optional<Quat> inertia_axes;    ///< Turns the axes of `inertia` into those of the shape.
    bool fixed = false;                  ///< Infinite mass, moves with its velocities only.
    bool collide = true;                 ///< False: touches nothing, but moves, and joints hold it.
    Vec3 force, torque;                  ///< Applied all the time, world axes, about the centre of mass [N], [N m].
};

struct Source : SourceCommon {
    std::variant<SphereSource, FileSource, LatticeSource, RandomSource, BodySource, FeedSource> what;
};

/// What the source feeds into the run; null: it makes all its bodies before.
[[nodiscard]] inline const FeedSource* feed_of(const Source& source) { return std::get_if<FeedSource>(&source.what); }

/// Whether bodies of the source touch anything.
[[nodiscard]] inline bool collides(const Source& source) {
    const auto* body = std::get_if<BodySource>(&source.what);
    return body == nullptr || body->collide;
}

/// One body as the step sees it when it is made: a sphere, or the smallest sphere about the centre of mass that holds
/// the solid of its source.
struct Sphere {
    Vec3 position, velocity, angular_velocity;
    Quat orientation;
    double radius = 0.0;
    std::size_t material = 0;
    std::size_t source = 0;  ///< Index into Scene::sources.
    bool fixed = false;
    std::uint64_t id = 0;  ///< Unique, in order of creation from 1.
};

}  // namespace scree::model
