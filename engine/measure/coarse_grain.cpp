// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/coarse_grain.hpp"

#include "engine/geometry/periodic_images.hpp"
#include "engine/measure/box_region.hpp"
#include "engine/measure/sphere_box_overlap.hpp"
#include "engine/measure/sphere_images.hpp"
#include "engine/model/body_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace scree::measure {
namespace {

using model::Vec3;

constexpr std::array<double Vec3::*, 3> axes{&Vec3::x, &Vec3::y, &Vec3::z};
constexpr double infinity = std::numeric_limits<double>::infinity();

void add_product(SymmetricTensor& sum, double factor, Vec3 u, Vec3 v) {
    sum[0] += factor * u.x * v.x;
    sum[1] += factor * u.y * v.y;
    sum[2] += factor * u.z * v.z;
    sum[3] += 0.5 * factor * (u.x * v.y + u.y * v.x);
    sum[4] += 0.5 * factor * (u.x * v.z + u.z * v.x);
    sum[5] += 0.5 * factor * (u.y * v.z + u.z * v.y);
}

/// Share of the way from `from` that lies in the cell; of its faces only the lower ones belong to it.
double share_in(const model::ProbeBox& cell, Vec3 from, Vec3 way) {
    double begin = 0.0, end = 1.0;
    for (const auto axis : axes) {
        const double x = from.*axis, along = way.*axis, low = cell.lower.*axis, high = cell.upper.*axis;
        if (along == 0.0) {
            if (x < low || x >= high) return 0.0;
            continue;
        }
        const double in = ((along > 0.0 ? low : high) - x) / along, out = ((along > 0.0 ? high : low) - x) / along;
        begin = std::max(begin, in);
        end = std::min(end, out);
    }
    return std::max(0.0, end - begin);
}

}  // namespace

model::ProbeBox CellGrid::cell(std::size_t x, std::size_t y, std::size_t z) const {
    const std::array<std::size_t, 3> place{x, y, z};
    model::ProbeBox cell;
    for (std::size_t k = 0; k < 3; ++k) {
        const double low = box.lower.*axes[k], high = box.upper.*axes[k], n = double(cells[k]);
        const auto face = [&](std::size_t i) { return i == cells[k] ? high : low + (high - low) * (double(i) / n); };
        cell.lower.*axes[k] = face(place[k]);
        cell.upper.*axes[k] = face(place[k] + 1);
    }
    return cell;
}

Vec3 CellGrid::center(std::size_t k) const {
    const model::ProbeBox at = cell(k % cells[0], k / cells[0] % cells[1], k / (cells[0] * cells[1]));
    return 0.5 * (at.lower + at.upper);
}

std::optional<std::size_t> CellGrid::cell_of(Vec3 point) const {
    if (!contains(box, point)) return std::nullopt;
    std::array<std::size_t, 3> place{};
    for (std::size_t k = 0; k < 3; ++k) {
        const double low = box.lower.*axes[k], size = box.upper.*axes[k] - low;
        place[k] = std::min(std::size_t((point.*axes[k] - low) / size * double(cells[k])), cells[k] - 1);
    }
    return (place[2] * cells[1] + place[1]) * cells[0] + place[0];
}

double CellGrid::volume() const {
    const Vec3 size = box.upper - box.lower;
    return size.x * size.y * size.z / double(count());
}

SymmetricTensor CellSums::fluctuation() const {
    SymmetricTensor rest = momentum_flow;
    const Vec3 mean = velocity();
    add_product(rest, -mass, mean, mean);
    for (std::size_t k = 0; k < 3; ++k) rest[k] = std::max(rest[k], 0.0);
    return rest;
}

double CellSums::temperature() const {
    const SymmetricTensor rest = fluctuation();
    return mass > 0.0 ? (rest[0] + rest[1] + rest[2]) / (3.0 * mass) : 0.0;
}

CoarseGrain::CoarseGrain(const model::Scene& scene, const CellGrid& grid) : grid_(grid), periodic_(scene.periodic) {
    if (!scene.settings.planar && geometry::SourceSolids(scene).any()) solids_ = std::make_unique<SolidVolumes>(scene);
}

bool CoarseGrain::cells_of(Vec3 lower, Vec3 upper, std::array<std::size_t, 3>& first,
                           std::array<std::size_t, 3>& last) const {
    for (std::size_t k = 0; k < 3; ++k) {
        const double low = grid_.box.lower.*axes[k], high = grid_.box.upper.*axes[k], n = double(grid_.cells[k]);
        if (!(upper.*axes[k] >= low && lower.*axes[k] < high)) return false;
        // A little farther: faces of cells are rounded otherwise.
        const double margin = 1e-9 * (high - low);
        const auto place = [&](double x) {
            return std::size_t(std::clamp(std::floor((x - low) / (high - low) * n), 0.0, n - 1.0));
        };
        first[k] = place(lower.*axes[k] - margin);
        last[k] = place(upper.*axes[k] + margin);
    }
    return true;
}

template <class Visit>
void CoarseGrain::for_each_cell(Vec3 lower, Vec3 upper, const Visit& visit) const {
    std::array<std::size_t, 3> first{}, last{};
    if (!cells_of(lower, upper, first, last)) return;
    for (std::size_t z = first[2]; z <= last[2]; ++z)
        for (std::size_t y = first[1]; y <= last[1]; ++y)
            for (std::size_t x = first[0]; x <= last[0]; ++x)
                visit((z * grid_.cells[1] + y) * grid_.cells[0] + x, grid_.cell(x, y, z));
}

void CoarseGrain::add_bodies(const model::Snapshot& s, std::vector<CellSums>& sums) const {
    for (const SphereImage& sphere : spheres_near(s, periodic_, grid_.box, 0.0)) {
        const std::size_t i = sphere.body, source = s.source[i];
        const bool is_free = std::isfinite(s.mass[i]);
        SolidVolumes::Placed placed;
        double whole = 4.0 / 3.0 * std::numbers::pi * sphere.radius * sphere.radius * sphere.radius;
        if (solids_ != nullptr) {
            placed = solids_->placed(s, i, sphere.center);
            constexpr Vec3 everywhere{infinity, infinity, infinity};
            whole = solids_->volume_in_box(placed, source, -everywhere, everywhere);
        }
        const Vec3 reach{sphere.radius, sphere.radius, sphere.radius};
        for_each_cell(sphere.center - reach, sphere.center + reach, [&](std::size_t k, const model::ProbeBox& cell) {
            CellSums& sum = sums[k];
            if (contains(cell, sphere.center)) sum.count += 1.0;
            const double part = solids_ != nullptr
                                    ? solids_->volume_in_box(placed, source, cell.lower, cell.upper)
                                    : sphere_box_overlap(sphere.center, sphere.radius, cell.lower, cell.upper);
            if (!(part > 0.0)) return;
            sum.solid += part;
            if (!is_free) return;
            const double mass = s.mass[i] * (part / whole);
            sum.mass += mass;
            sum.momentum = sum.momentum + mass * s.velocity[i];
            sum.spin = sum.spin + mass * s.angular_velocity[i];
            add_product(sum.momentum_flow, mass, s.velocity[i], s.velocity[i]);
        });
    }
}

void CoarseGrain::add_branch(Vec3 from, Vec3 way, Vec3 force, std::vector<CellSums>& sums) const {
    const Vec3 to = from + way;
    const Vec3 lower{std::min(from.x, to.x), std::min(from.y, to.y), std::min(from.z, to.z)};
    const Vec3 upper{std::max(from.x, to.x), std::max(from.y, to.y), std::max(from.z, to.z)};
    for_each_cell(lower, upper, [&](std::size_t k, const model::ProbeBox& cell) {
        add_product(sums[k].virial, share_in(cell, from, way), force, way);
    });
}

void CoarseGrain::add_contacts(const model::Snapshot& s, std::vector<CellSums>& sums) const {
    for (const model::ContactRecord& contact : s.contacts) {
        const std::size_t a = model::index_of_body(s, contact.id_a).value();
        const Vec3 to_point = geometry::shortest_way(s.position[a], contact.point, periodic_);
        const auto along = [&](Vec3 start) {
            if (std::isfinite(s.mass[a])) add_branch(start, to_point, contact.force, sums);
            if (contact.boundary >= 0) return;
            const std::size_t b = model::index_of_body(s, contact.id_b).value();
            if (!std::isfinite(s.mass[b])) return;
            const Vec3 from_point = geometry::shortest_way(contact.point, s.position[b], periodic_);
            add_branch(start + to_point, from_point, contact.force, sums);
        };
        geometry::for_each_image(s.position[a], periodic_, [&](Vec3 start, bool) { along(start); });
    }
}

std::vector<CellSums> CoarseGrain::sums(const model::Snapshot& snapshot) const {
    std::vector<CellSums> sums(grid_.count());
    add_bodies(snapshot, sums);
    add_contacts(snapshot, sums);
    return sums;
}

}  // namespace scree::measure
