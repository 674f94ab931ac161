// SPDX-License-Identifier: BSD-3-Clause
// From the sources of a scene to bodies, with an account of what was inserted.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/model/source.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace scree::geometry {

/// What one source was asked for and what it gave; requested = inserted + rejected.
struct SourceReport {
    std::string name;
    std::size_t requested = 0, inserted = 0, rejected = 0;
    std::size_t too_large = 0;  ///< Of the rejected: no place in the region could hold them.
    std::size_t overlaps = 0;   ///< Pairs that overlap by more than 10 % of the smaller radius, see make_bodies().
    std::size_t wrapped = 0;  ///< Bodies that lay outside the periodic faces and were put at their image between them.
    double mass = 0.0;        ///< Of the free bodies inserted [kg].
    double radius_min = 0.0, radius_mean = 0.0, radius_max = 0.0;  ///< Of the bodies inserted, by number [m].
    /// Plain sentences: solid fraction reached, mass distribution, ignored columns, overlaps with earlier bodies.
    std::vector<std::string> notes;
};

struct BodySet {
    std::vector<model::Sphere> bodies;  ///< In order of the sources; id = index + 1.
    std::vector<SourceReport> reports;  ///< As Scene::sources.
};

/// Most bodies a scene can hold: body indices are 32-bit with room for a sentinel.
inline constexpr std::size_t max_bodies = 2147483646;

/// Speeds of bodies and of their surfaces, given or made by a push within one step, are at most this [m/s]: squares of
/// them are numbers of the solver's precision.
inline constexpr double fastest_speed = 1e15;

/// Makes the bodies of all sources, in order. The result depends on the scene only (own random generator, seeds from
/// the scene). Relative paths of file sources are relative to the folder of Scene::path (when that is not empty).
/// Random sources overlap no body made before them, periodic images included; other sources are taken as given, and
/// pairs that overlap by more than 10 % of the smaller radius are noted with the source of the later body.
///
/// Throws model::Error (input) naming the source, with the scene's file and line, or the particle file and line; also
/// for bodies with which the arithmetic of the scene cannot compute (masses beyond its precision, places too far away).
[[nodiscard]] BodySet make_bodies(const model::Scene& scene);

}  // namespace scree::geometry
