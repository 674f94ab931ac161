// SPDX-License-Identifier: BSD-3-Clause
// What bodies and contacts put into the cells of a box: mass, momentum, velocity fluctuations, stress.
#pragma once

#include "engine/measure/solid_volumes.hpp"
#include "engine/model/probe.hpp"
#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace scree::measure {

/// A finite box in equal cells, numbered along x first, then y, then z.
struct CellGrid {
    model::ProbeBox box;
    std::array<std::size_t, 3> cells{1, 1, 1};

    [[nodiscard]] std::size_t count() const { return cells[0] * cells[1] * cells[2]; }
    [[nodiscard]] model::ProbeBox cell(std::size_t x, std::size_t y, std::size_t z) const;
    [[nodiscard]] model::Vec3 center(std::size_t k) const;
    /// The cell that holds a point; none outside the box.
    [[nodiscard]] std::optional<std::size_t> cell_of(model::Vec3 point) const;
    /// Of one cell [m^3].
    [[nodiscard]] double volume() const;
};

/// xx, yy, zz, xy, xz, yz.
using SymmetricTensor = std::array<double, 6>;

/// Sums over the free bodies, each by the share of its volume that lies in the cell.
struct CellSums {
    double count = 0.0;               ///< Bodies with centre in the cell, fixed ones included.
    double solid = 0.0;               ///< Volume of all bodies [m^3]; overlaps count twice.
    double mass = 0.0;                ///< [kg]
    model::Vec3 momentum;             ///< [kg m/s]
    model::Vec3 spin;                 ///< Mass times angular velocity [kg rad/s].
    SymmetricTensor momentum_flow{};  ///< Mass times velocity times velocity [J].
    SymmetricTensor
        virial{};  ///< Contact forces times the way between centres in the cell, positive under pressure [J].

    /// Mean velocity, by mass [m/s], and mean angular velocity [rad/s]; 0 without mass.
    [[nodiscard]] model::Vec3 velocity() const { return per_mass(momentum); }
    [[nodiscard]] model::Vec3 angular_velocity() const { return per_mass(spin); }
    /// Mass times the squares and products of the velocities' differences from their mean [J].
    [[nodiscard]] SymmetricTensor fluctuation() const;
    /// A third of the mean square of these differences [m^2/s^2]: the granular temperature.
    [[nodiscard]] double temperature() const;

private:
    [[nodiscard]] model::Vec3 per_mass(model::Vec3 sum) const {
        return mass > 0.0 ? (1.0 / mass) * sum : model::Vec3{};
    }
};

class CoarseGrain {
public:
    CoarseGrain(const model::Scene& scene, const CellGrid& grid);

    [[nodiscard]] const CellGrid& grid() const { return grid_; }
    /// One per cell. Reads the snapshot's contacts; those of sleeping bodies are not among them. A contact's force acts
    /// along the way from centre to contact to centre; the part of it inside a free body counts, by its share in the
    /// cell (Love and Weber's mean stress). Cost: linear in bodies and contacts, and in the cells that each meets.
    [[nodiscard]] std::vector<CellSums> sums(const model::Snapshot& snapshot) const;

private:
    void add_bodies(const model::Snapshot& snapshot, std::vector<CellSums>& sums) const;
    void add_contacts(const model::Snapshot& snapshot, std::vector<CellSums>& sums) const;
    void add_branch(model::Vec3 from, model::Vec3 way, model::Vec3 force, std::vector<CellSums>& sums) const;
    /// First and last cell along each axis that the extent may meet; false: it meets none.
    [[nodiscard]] bool cells_of(model::Vec3 lower, model::Vec3 upper, std::array<std::size_t, 3>& first,
                                std::array<std::size_t, 3>& last) const;
    template <class Visit>
    void for_each_cell(model::Vec3 lower, model::Vec3 upper, const Visit& visit) const;

    CellGrid grid_;
    std::array<model::PeriodicFaces, 3> periodic_;
    std::unique_ptr<SolidVolumes> solids_;  ///< Null: all bodies count as spheres.
};

}  // namespace scree::measure
