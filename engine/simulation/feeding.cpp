// SPDX-License-Identifier: BSD-3-Clause
// Bodies that join a Simulation during the run.
#include "engine/geometry/feed.hpp"
#include "engine/simulation/simulation.hpp"

#include <algorithm>
#include <cmath>

namespace scree::simulation {

using model::Vec3;

void Simulation::feed(kernels::StepReport& report) {
    if (!feeder_->acts(step_)) return;
    kernels::PlaceDownload places;
    engine_->download(places);
    const auto body_at = [&](std::size_t i) {
        model::Sphere body;
        const double *x = places.position.data() + 4 * i, *q = places.orientation.data() + 4 * i;
        body.position = {x[0], x[1], x[2]};
        body.radius = x[3];
        body.orientation = {q[0], q[1], q[2], q[3]};
        body.source = facts_[std::size_t(places.id[i] - 1)].source;
        return body;
    };
    std::vector<model::Sphere> bodies = feeder_->join(step_, places.position, body_at);
    if (bodies.empty()) return;
    for (model::Sphere& body : bodies) {
        body.id = facts_.size() + std::size_t(&body - bodies.data()) + 1;
        fed_.push_back(std::uint32_t(body.source));
    }
    const std::size_t first = facts_.size();
    add_facts(bodies, feeder_->solids());
    engine_->append(describe(*feeder_, bodies));
    count_joined(bodies);
    report.inserted = std::int64_t(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const model::Sphere& body = bodies[i];
        const double mass = facts_[first + i].mass;
        const Vec3 spin = model::rotate(model::conjugate(body.orientation), body.angular_velocity);
        const Vec3 inertia = feeder_->solids().facts(body).inertia;
        report.inserted_kinetic += 0.5 * (mass * dot(body.velocity, body.velocity) + inertia.x * spin.x * spin.x +
                                          inertia.y * spin.y * spin.y + inertia.z * spin.z * spin.z);
        report.inserted_potential -= mass * dot(scene_.gravity, body.position);
        report.inserted_momentum += mass * dot(scene_.gravity, body.velocity);
    }
}

void Simulation::count_joined(const std::vector<model::Sphere>& bodies) {
    for (const model::Sphere& body : bodies) {
        const auto& feeds = feeder_->feeds();
        const auto feed = std::find_if(feeds.begin(), feeds.end(),
                                       [&](const geometry::Feed& one) { return one.source() == body.source; });
        Joined& joined = joined_[std::size_t(feed - feeds.begin())];
        joined.radius_min = joined.count > 0 ? std::min(joined.radius_min, body.radius) : body.radius;
        joined.radius_max = std::max(joined.radius_max, body.radius);
        joined.radii += body.radius;
        joined.mass += feeder_->solids().mass(body);
        ++joined.count;
    }
}

void Simulation::restore_feeds(const std::vector<std::uint32_t>& sources) {
    feeder_ = std::make_unique<geometry::Feeder>(scene_);
    std::vector<model::Sphere> bodies = feeder_->joined_before(sources);
    for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i].id = at_start_ + i + 1;
    facts_.resize(at_start_);
    if (!shapes_.empty()) shapes_.resize(at_start_);
    add_facts(bodies, feeder_->solids());
    joined_.assign(joined_.size(), {});
    count_joined(bodies);
    // The engine knows those that joined since this object began.
    if (bodies.size() > fed_.size())
        engine_->append(describe(*feeder_, {bodies.begin() + std::ptrdiff_t(fed_.size()), bodies.end()}));
    fed_ = sources;
}

std::vector<FeedReport> Simulation::feeds() const {
    std::vector<FeedReport> reports;
    if (!feeder_) return reports;
    for (std::size_t i = 0; i < joined_.size(); ++i) {
        const geometry::Feed& feed = feeder_->feeds()[i];
        const Joined& joined = joined_[i];
        FeedReport& report = reports.emplace_back();
        report.name = scene_.sources[feed.source()].name;
        if (report.name.empty()) report.name = "bodies[" + std::to_string(feed.source()) + "]";
        report.joined = joined.count;
        const std::int64_t last = feed.last_chance(step_ - 1);
        if (last >= 0) report.due = std::uint64_t(feed.due(double(last) * scene_.settings.time.step));
        report.due = std::max(report.due, report.joined);
        report.expected = feed.due_by_end();
        report.expected_mass = report.expected * feed.mean_mass();
        report.mass = joined.mass;
        report.radius_min = joined.radius_min;
        report.radius_max = joined.radius_max;
        // Rounding must not put the mean of equal radii outside their range.
        if (joined.count > 0)
            report.radius_mean = std::clamp(joined.radii / double(joined.count), joined.radius_min, joined.radius_max);
    }
    return reports;
}

bool Simulation::is_feeding() const {
    return feeder_ && std::any_of(feeder_->feeds().begin(), feeder_->feeds().end(),
                                  [](const geometry::Feed& feed) { return std::isfinite(feed.next_due()); });
}

model::Snapshot Simulation::fed_sample() const {
    model::Snapshot sample;
    if (!feeder_) return sample;
    sample.step_size = scene_.settings.time.step;
    const geometry::SourceSolids& solids = feeder_->solids();
    for (const model::Sphere& body : feeder_->expected().bodies) {
        const geometry::SolidFacts facts = solids.facts(body);
        sample.id.push_back(sample.id.size() + 1);
        sample.position.push_back(body.position);
        sample.orientation.push_back(body.orientation);
        sample.velocity.push_back(body.velocity);
        sample.angular_velocity.push_back(body.angular_velocity);
        sample.radius.push_back(body.radius);
        sample.mass.push_back(facts.mass);
        sample.material.push_back(std::uint32_t(body.material));
        sample.source.push_back(std::uint32_t(body.source));
        if (!solids.any()) continue;
        const model::Solid* solid = solids.solid(body.source);
        sample.shape.push_back(solid != nullptr ? std::uint8_t(solid->index()) : std::uint8_t(0));
        sample.semi_axes.push_back(facts.half_extents);
        sample.inertia.push_back(facts.inertia);
    }
    return sample;
}

}  // namespace scree::simulation
