// SPDX-License-Identifier: BSD-3-Clause
// Bodies that join during a run (model::FeedSource): which come, when they are due, and where there is room for them.
//
// Invariants
//  1. What the k-th body of a feed is depends on the scene and k alone, and bodies join in their order. How far a feed
//     is is therefore one number, and the sizes that have joined are those of the distribution, whatever had to wait.
//  2. Where it joins depends on the scene, the step and the bodies that are there.
#pragma once

#include "engine/geometry/expected_bodies.hpp"
#include "engine/geometry/region_space.hpp"
#include "engine/geometry/scene_shapes.hpp"
#include "engine/geometry/size_distribution.hpp"
#include "engine/geometry/solid.hpp"
#include "engine/model/scene.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace scree::geometry {

/// One feed of a scene, and how far it is. Scene and solids must outlive the object.
class Feed {
public:
    /// Throws model::Error (input) for sizes and regions that make no sense, and for a region that does not hold the
    /// largest body.
    Feed(const model::Scene& scene, const SourceSolids& solids, std::size_t source);

    [[nodiscard]] std::size_t source() const { return source_; }
    [[nodiscard]] const model::FeedSource& settings() const { return feed_; }
    [[nodiscard]] const RegionSpace& region() const { return region_; }
    [[nodiscard]] std::size_t joined() const { return joined_; }
    /// The k-th body, from 0, without id; its place is the middle of the region.
    [[nodiscard]] model::Sphere body(std::size_t k);
    /// When the next body is due [s]; infinite: no more.
    [[nodiscard]] double next_due() const;
    /// The next body has joined.
    void advance();
    /// Bodies that are due at `time`, those that have joined included; about, where masses are asked for.
    [[nodiscard]] double due(double time) const;
    /// Those that can have joined by time.end.
    [[nodiscard]] double due_by_end() const;
    /// The last step up to `step` at whose start bodies may join; negative: none.
    [[nodiscard]] std::int64_t last_chance(std::int64_t step) const;
    /// Whether bodies join at the start of a step, if there is room.
    [[nodiscard]] bool acts(std::int64_t step) const;
    [[nodiscard]] double mean_mass() const { return mean_mass_; }               ///< [kg]
    [[nodiscard]] double smallest_radius() const { return sizes_.smallest(); }  ///< [m]
    [[nodiscard]] double largest_radius() const { return sizes_.largest(); }    ///< [m]

private:
    const model::Scene& scene_;
    const SourceSolids& solids_;
    std::size_t source_;
    const model::FeedSource& feed_;
    RegionSpace region_;
    RadiusSampler sizes_;
    double mean_mass_ = 0.0;
    std::size_t joined_ = 0;
    double joined_mass_ = 0.0;   ///< [kg]
    std::vector<double> radii_;  ///< Of one batch.
    std::size_t batch_ = 0;      ///< Its number, from 1.
};

/// All feeds of a scene. Owns what it needs of the scene.
class Feeder {
public:
    /// Throws model::Error (input) naming the source.
    explicit Feeder(const model::Scene& scene);
    Feeder(const Feeder&) = delete;
    Feeder& operator=(const Feeder&) = delete;

    [[nodiscard]] bool any() const { return !feeds_.empty(); }
    [[nodiscard]] const std::vector<Feed>& feeds() const { return feeds_; }
    [[nodiscard]] const SourceSolids& solids() const { return solids_; }
    [[nodiscard]] const SceneShapes* shapes() const { return shapes_.get(); }  ///< Null: all bodies are spheres.
    [[nodiscard]] const model::Scene& scene() const { return scene_; }         ///< Without its boundaries.
    /// Of a body that may join [m].
    [[nodiscard]] double largest_radius() const;

    /// Whether a body is to join at the start of step `step`, if there is room.
    [[nodiscard]] bool acts(std::int64_t step) const;
    /// The bodies that join, without ids. `places`: rows of four, centre and radius, of the bodies that are there;
    /// `body(i)`: the i-th of them.
    [[nodiscard]] std::vector<model::Sphere> join(std::int64_t step, std::span<const double> places,
                                                  const std::function<model::Sphere(std::size_t)>& body);
    /// Bodies that joined before, by their sources in order: the feeds are as after that. Places are not known.
    [[nodiscard]] std::vector<model::Sphere> joined_before(std::span<const std::uint32_t> sources);

    /// What will have joined by time.end, at random places of the regions.
    [[nodiscard]] ExpectedBodies expected() const;

private:
    void join(Feed& feed, std::int64_t step, std::span<const double> places,
              const std::function<model::Sphere(std::size_t)>& body, std::vector<model::Sphere>& joined);

    model::Scene scene_;
    SourceSolids solids_;
    std::unique_ptr<SceneShapes> shapes_;  ///< Only where there are other bodies than spheres.
    std::vector<Feed> feeds_;
};

}  // namespace scree::geometry
