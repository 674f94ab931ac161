// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/bodies.hpp"

#include "engine/geometry/body_range.hpp"
#include "engine/geometry/lattice.hpp"
#include "engine/geometry/mass.hpp"
#include "engine/geometry/overlaps.hpp"
#include "engine/geometry/particle_file.hpp"
#include "engine/geometry/periodic_images.hpp"
#include "engine/geometry/random_packing.hpp"
#include "engine/geometry/random_stream.hpp"
#include "engine/geometry/random_turn.hpp"
#include "engine/geometry/region_space.hpp"
#include "engine/geometry/scene_shapes.hpp"
#include "engine/geometry/text_input.hpp"
#include "engine/model/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <utility>

namespace scree::geometry {
namespace {

using model::Error;
using model::ErrorKind;

[[noreturn]] void fail(const std::string& what, const std::string& hint = {}) {
    throw Error(ErrorKind::input, what, hint);
}

bool is_finite(model::Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

/// Adds the bodies of one source to the set.
class Inserter {
public:
    Inserter(const model::Scene& scene, const SourceSolids& solids, std::size_t index, BodySet& set)
        : scene_(scene),
          solids_(solids),
          source_(scene.sources[index]),
          index_(index),
          set_(set),
          turns_(source_.turning_seed),
          first_(set.bodies.size()) {
        report_.name = source_.name;
        if (source_.material >= scene.materials.size()) {
            fail(fmt::format("material {} of {}", source_.material, scene.materials.size()));
        }
        if (!is_finite(source_.velocity) || !is_finite(source_.angular_velocity)) fail("a velocity is not finite");
    }

    void insert() {
        std::visit([this](const auto& what) { add(what); }, source_.what);
        summarise();
        set_.reports.push_back(std::move(report_));
    }

private:
    [[nodiscard]] std::size_t room() const { return max_bodies - set_.bodies.size(); }

    model::Sphere& add_sphere(model::Vec3 position, double radius, bool fixed) {
        model::Sphere body;
        body.position = image_inside(position, scene_.periodic);
        if (body.position != position) ++report_.wrapped;
        body.velocity = source_.velocity;
        body.angular_velocity = source_.angular_velocity;
        body.radius = radius;
        body.material = source_.material;
        body.source = index_;
        body.fixed = fixed;
        body.id = set_.bodies.size() + 1;
        if (source_.shape) {
            body.orientation = solids_.of_source(index_).orientation;
            if (source_.turned_at_random) body.orientation = turn_at_random(turns_) * body.orientation;
        }
        return set_.bodies.emplace_back(body);
    }

    void add(const model::SphereSource& sphere) {
        if (!is_finite(sphere.position)) fail("the position is not finite");
        if (!(sphere.radius > 0.0) || !std::isfinite(sphere.radius)) {
            fail(fmt::format("radius is {}, allowed: > 0", sphere.radius));
        }
        if (room() == 0) fail(fmt::format("the scene has more than {} bodies", max_bodies));
        report_.requested = 1;
        add_sphere(sphere.position, sphere.radius, sphere.fixed);
    }

    void add(const model::BodySource& source) {
        if (!is_finite(source.position)) fail("the position is not finite");
        if (room() == 0) fail(fmt::format("the scene has more than {} bodies", max_bodies));
        report_.requested = 1;
        const SolidFacts& facts = solids_.of_source(index_);
        add_sphere(source.position, facts.radius, source.fixed).orientation = facts.orientation;
    }

    void add(const model::FileSource& file) {
        const ParticleTable table = read_particles(file, std::filesystem::path(scene_.path).parent_path());
        if (table.rows.size() > room()) {
            fail(fmt::format("{} spheres from the file, room for {}", table.rows.size(), room()));
        }
        report_.requested = table.rows.size();
        set_.bodies.reserve(set_.bodies.size() + table.rows.size());
        for (const ParticleRow& row : table.rows) {
            model::Sphere& body = add_sphere(row.position, row.radius, file.fixed);
            body.velocity = body.velocity + row.velocity;
            body.angular_velocity = body.angular_velocity + row.angular_velocity;
        }
        if (table.rows.size() < table.rows_read) {
            report_.notes.push_back(
                fmt::format("{} of {} rows selected by radius", table.rows.size(), table.rows_read));
        }
        if (!table.ignored_columns.empty()) {
            report_.notes.push_back(fmt::format("columns ignored: {}", comma_separated(table.ignored_columns)));
        }
    }

    void add(const model::LatticeSource& lattice) {
        double volume = 0.0;
        if (source_.shape && lattice.radius > 0.0) {
            model::Sphere copy;
            copy.radius = lattice.radius;
            copy.material = source_.material;
            copy.source = index_;
            volume = solids_.mass(copy) / scene_.materials[source_.material].density;
        }
        const std::vector<model::Vec3> centers = make_lattice(lattice, room(), volume);
        report_.requested = std::max(lattice.count, centers.size());
        set_.bodies.reserve(set_.bodies.size() + centers.size());
        for (const model::Vec3 center : centers) add_sphere(center, lattice.radius, false);
        if (centers.size() < report_.requested) {
            report_.notes.push_back(fmt::format("the box holds only {} spheres", centers.size()));
        }
    }

    void add(const model::RandomSource& random) {
        const Packing packing = pack_randomly(random, set_.bodies, scene_.periodic, room());
        report_.requested = packing.balls.size() + packing.rejected.size();
        set_.bodies.reserve(set_.bodies.size() + packing.balls.size());
        for (const Ball& ball : packing.balls) add_sphere(ball.position, ball.radius, false);
        report_.notes.push_back(fraction_note(random, packing));
        if (random.sizes.kind != model::SizeDistribution::Kind::constant && !packing.balls.empty()) {
            report_.notes.push_back(fmt::format("10, 50, 90 % of the mass is in radii below {:.4g}, {:.4g}, {:.4g} m",
                                                packing.quantiles.at(0), packing.quantiles.at(1),
                                                packing.quantiles.at(2)));
        }
        if (packing.rejected.empty()) return;
        std::string note = fmt::format("{} spheres found no place, radii {:.4g} to {:.4g} m", packing.rejected.size(),
                                       packing.rejected.back(), packing.rejected.front());
        report_.too_large = packing.too_large;
        if (packing.too_large > 0)
            note += fmt::format("; {} are larger than the region, which holds {:.4g} m", packing.too_large,
                                RegionSpace(random.region).largest_radius());
        if (packing.not_tried > 0) {
            note += fmt::format("; {} were not tried after many failures at their size", packing.not_tried);
        }
        report_.notes.push_back(note);
    }

    /// Its bodies come later, see Feeder.
    void add(const model::FeedSource&) {}

    /// A `fraction` is wanted of the spheres around copies of a shape, which fill more than the copies do.
    [[nodiscard]] std::string fraction_note(const model::RandomSource& random, const Packing& packing) const {
        const std::string wanted = random.count == 0 ? fmt::format(", wanted {:.4f}", random.fraction) : "";
        if (!source_.shape || scene_.settings.planar)
            return fmt::format("solid fraction {:.4f} of the region{}", packing.solid_fraction, wanted);
        model::Sphere copy;
        copy.radius = solids_.of_source(index_).radius;
        copy.material = source_.material;
        copy.source = index_;
        const double share =
            solids_.mass(copy) / scene_.materials[source_.material].density / sphere_volume(copy.radius);
        return fmt::format("solid fraction {:.4f} of the region; the spheres around the bodies fill {:.4f}{}",
                           share * packing.solid_fraction, packing.solid_fraction, wanted);
    }

    void summarise() {
        report_.inserted = set_.bodies.size() - first_;
        report_.rejected = report_.requested - report_.inserted;
        if (report_.inserted == 0) return;
        report_.radius_min = std::numeric_limits<double>::infinity();
        double sum = 0.0;
        for (std::size_t i = first_; i < set_.bodies.size(); ++i) {
            const model::Sphere& body = set_.bodies[i];
            check_range(scene_, solids_, body);
            if (!body.fixed) report_.mass += solids_.mass(body);
            report_.radius_min = std::min(report_.radius_min, body.radius);
            report_.radius_max = std::max(report_.radius_max, body.radius);
            sum += body.radius;
        }
        // Rounding must not put the mean of equal radii outside their range.
        report_.radius_mean =
            std::clamp(sum / static_cast<double>(report_.inserted), report_.radius_min, report_.radius_max);
    }

    const model::Scene& scene_;
    const SourceSolids& solids_;
    const model::Source& source_;
    std::size_t index_;
    BodySet& set_;
    RandomStream turns_;  ///< Of the bodies of this source.
    std::size_t first_;
    SourceReport report_;
};

/// True when the bodies of the source overlap nothing made before them.
bool is_clean(const model::Scene& scene, std::size_t source) {
    const auto& what = scene.sources[source].what;
    const bool alone =
        source == 0 && !scene.periodic[0].active && !scene.periodic[1].active && !scene.periodic[2].active;
    const auto* lattice = std::get_if<model::LatticeSource>(&what);
    const bool spheres_overlap =
        lattice != nullptr && lattice->spacing > 0.0 && lattice->spacing < 2.0 * lattice->radius * (1.0 - 1e-12);
    return std::holds_alternative<model::RandomSource>(what) || (lattice != nullptr && alone && !spheres_overlap);
}

/// Which pairs of bodies never touch: bodies that touch nothing, and those of a joint.
class Apart {
public:
    explicit Apart(const model::Scene& scene) : scene_(scene) {
        const auto source_of = [&](const std::string& name) {
            const auto found = std::find_if(scene.sources.begin(), scene.sources.end(),
                                            [&](const model::Source& source) { return source.name == name; });
            return std::size_t(found - scene.sources.begin());
        };
        for (const model::Joint& joint : scene.joints) {
            if (joint.collide || joint.couples()) continue;
            const std::size_t a = source_of(joint.bodies[0]), b = source_of(joint.bodies[1]);
            jointed_.insert({std::min(a, b), std::max(a, b)});
        }
    }
    [[nodiscard]] bool operator()(const model::Sphere& a, const model::Sphere& b) const {
        return !model::collides(scene_.sources[a.source]) || !model::collides(scene_.sources[b.source]) ||
               jointed_.count({std::min(a.source, b.source), std::max(a.source, b.source)}) > 0;
    }

private:
    const model::Scene& scene_;
    std::set<std::pair<std::size_t, std::size_t>> jointed_;  ///< Sources of one body each.
};

void note_overlaps(const model::Scene& scene, const SourceSolids& solids, BodySet& set) {
    // Reference steppers have a check of their own, walls included.
    if (solids.any() && scene.settings.stepper != model::Stepper::ccp) return;
    std::vector<bool> clean(scene.sources.size());
    bool all_clean = true;
    for (std::size_t s = 0; s < clean.size(); ++s) {
        clean[s] = is_clean(scene, s);
        all_clean = all_clean && clean[s];
    }
    if (all_clean) return;
    const auto is_free = [&](std::size_t i) { return clean[set.bodies[i].source]; };
    std::vector<Overlaps> overlaps;
    if (solids.any()) {
        const SceneShapes shapes(scene, solids);
        const Apart apart(scene);
        overlaps =
            find_overlaps(set.bodies, scene.sources.size(), scene.periodic, is_free,
                          [&](std::size_t i, std::size_t j, model::Vec3 position) {
                              const model::Sphere &a = set.bodies[i], &b = set.bodies[j];
                              if (apart(a, b)) return 0.0;
                              return overlap_of(shapes, shapes.placed(a, a.position), shapes.placed(b, position));
                          });
    } else {
        overlaps = find_overlaps(set.bodies, scene.sources.size(), scene.periodic, is_free);
    }
    for (std::size_t s = 0; s < overlaps.size(); ++s) {
        const Overlaps& found = overlaps[s];
        if (found.count == 0) continue;
        set.reports[s].overlaps = found.count;
        const model::Sphere &a = set.bodies[found.first], &b = set.bodies[found.second];
        set.reports[s].notes.push_back(
            fmt::format("{} pair{} by more than 10 % of the smaller radius; worst: bodies {} and {}, {:.1f} %, at "
                        "({:.6g}, {:.6g}, {:.6g})",
                        found.count, found.count == 1 ? " overlaps" : "s overlap", a.id, b.id, 100.0 * found.worst,
                        b.position.x, b.position.y, b.position.z));
    }
}

}  // namespace

BodySet make_bodies(const model::Scene& scene) {
    BodySet set;
    const SourceSolids solids(scene);
    for (std::size_t s = 0; s < scene.sources.size(); ++s) {
        try {
            Inserter(scene, solids, s, set).insert();
        } catch (const Error& error) {
            if (!error.file().empty()) throw;  // already says where, in a particle file
            throw error_of_source(scene, s, error);
        }
    }
    note_overlaps(scene, solids, set);
    return set;
}

}  // namespace scree::geometry
