// SPDX-License-Identifier: BSD-3-Clause
#include "engine/query/contact_index.hpp"

#include "engine/geometry/periodic_images.hpp"
#include "engine/model/body_index.hpp"
#include "engine/model/error.hpp"
#include "engine/scene/nearest.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::query {
namespace {

using model::ContactRecord;
using model::Vec3;

}  // namespace

ContactIndex::ContactIndex(const model::Scene& scene, const model::Snapshot& snapshot)
    : scene_(scene), snapshot_(snapshot) {
    const std::size_t bodies = snapshot.id.size();
    starts_.assign(bodies + scene.boundaries.size() + 1, 0);
    const auto rows_of = [&](const ContactRecord& contact) {
        return std::array<std::size_t, 2>{place_of(contact.id_a), contact.boundary >= 0
                                                                      ? bodies + checked(std::size_t(contact.boundary))
                                                                      : place_of(contact.id_b)};
    };
    for (const ContactRecord& contact : snapshot.contacts)
        for (const std::size_t row : rows_of(contact)) ++starts_[row + 1];
    for (std::size_t row = 1; row < starts_.size(); ++row) starts_[row] += starts_[row - 1];
    places_.resize(2 * snapshot.contacts.size());
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t c = 0; c < snapshot.contacts.size(); ++c)
        for (const std::size_t row : rows_of(snapshot.contacts[c])) places_[next[row]++] = std::uint32_t(c);
}

std::size_t ContactIndex::place_of(std::uint64_t id) const {
    if (const auto index = model::index_of_body(snapshot_, id)) return *index;
    throw model::Error(model::ErrorKind::input,
                       fmt::format("no body has the id {} (the snapshot at t = {:g} s has {} bodies)", id,
                                   snapshot_.time, snapshot_.id.size()),
                       "ids count from 1 in the order of the scene; an outlet may have taken it");
}

std::size_t ContactIndex::checked(std::size_t boundary) const {
    if (boundary >= scene_.boundaries.size() || boundary >= snapshot_.boundaries.size())
        throw model::Error(model::ErrorKind::input,
                           fmt::format("no boundary {} (the scene has {})", boundary, scene_.boundaries.size()),
                           "they count from 0 in the order of the scene; query::boundary_named() finds them by name");
    return boundary;
}

std::span<const std::uint32_t> ContactIndex::of_body(std::uint64_t id) const {
    const std::size_t row = place_of(id);
    return std::span(places_).subspan(starts_[row], starts_[row + 1] - starts_[row]);
}

std::span<const std::uint32_t> ContactIndex::of_boundary(std::size_t boundary) const {
    const std::size_t row = snapshot_.id.size() + checked(boundary);
    return std::span(places_).subspan(starts_[row], starts_[row + 1] - starts_[row]);
}

std::vector<std::uint32_t> ContactIndex::between_bodies(std::uint64_t a, std::uint64_t b) const {
    (void)place_of(b);
    std::vector<std::uint32_t> found;
    for (const std::uint32_t c : of_body(a)) {
        const ContactRecord& contact = snapshot_.contacts[c];
        if (contact.boundary < 0 && (contact.id_a == a ? contact.id_b : contact.id_a) == b) found.push_back(c);
    }
    return found;
}

std::vector<std::uint32_t> ContactIndex::between_body_and_boundary(std::uint64_t id, std::size_t boundary) const {
    const auto wanted = std::int32_t(checked(boundary));
    std::vector<std::uint32_t> found;
    for (const std::uint32_t c : of_body(id))
        if (snapshot_.contacts[c].boundary == wanted) found.push_back(c);
    return found;
}

Load ContactIndex::sum_on(std::uint64_t id, std::span<const std::uint32_t> places) const {
    const Vec3 center = snapshot_.position[place_of(id)];
    Load load;
    load.contacts = places.size();
    for (const std::uint32_t c : places) {
        const ContactRecord& contact = snapshot_.contacts[c];
        const Vec3 force = contact.id_a == id ? -contact.force : contact.force;
        load.force = load.force + force;
        load.torque = load.torque + cross(geometry::shortest_way(center, contact.point, scene_.periodic), force);
    }
    return load;
}

Load ContactIndex::on_body(std::uint64_t id) const {
    const std::size_t i = place_of(id);
    if (!std::isfinite(snapshot_.mass[i])) return sum_on(id, of_body(id));
    return {snapshot_.force[i], snapshot_.torque[i], of_body(id).size()};
}

Load ContactIndex::on_boundary(std::size_t boundary) const {
    const model::BoundaryState& state = snapshot_.boundaries[checked(boundary)];
    return {state.force, state.torque, of_boundary(boundary).size()};
}

Load ContactIndex::on_body_by_body(std::uint64_t id, std::uint64_t other) const {
    return sum_on(id, between_bodies(id, other));
}

Load ContactIndex::on_body_by_boundary(std::uint64_t id, std::size_t boundary) const {
    return sum_on(id, between_body_and_boundary(id, boundary));
}

std::size_t boundary_named(const model::Scene& scene, std::string_view name) {
    std::vector<std::string> known;
    for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
        if (scene.boundaries[b].name == name) return b;
        known.push_back(scene.boundaries[b].name);
    }
    throw model::Error(model::ErrorKind::input, "no boundary is named " + scene::in_quotes(name),
                       known.empty() ? "the scene has no boundaries" : scene::suggestion(name, known, "boundaries"));
}

}  // namespace scree::query
