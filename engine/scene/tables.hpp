// SPDX-License-Identifier: BSD-3-Clause
// The tables of all sections of a scene, one source file per section.
#pragma once

#include "engine/model/scene.hpp"
#include "engine/scene/table.hpp"

#include <array>

namespace scree::scene {

// settings_tables.cpp
[[nodiscard]] const Table<model::TimeSettings>& time_table();
[[nodiscard]] const Table<model::StopSettings>& stop_table();
[[nodiscard]] const Table<model::SolverSettings>& solver_table();
[[nodiscard]] const Table<model::ContactSettings>& contact_table();
[[nodiscard]] const Table<model::SleepSettings>& sleep_table();
[[nodiscard]] const Table<model::OutputSettings>& output_table();
// stepper_tables.cpp
[[nodiscard]] const Table<model::LcpStepperSettings>& lcp_table();
[[nodiscard]] const Table<model::NcpStepperSettings>& ncp_table();
[[nodiscard]] const Table<model::CompliantStepperSettings>& compliant_table();
// material_tables.cpp
[[nodiscard]] const Table<model::Material>& material_table();
[[nodiscard]] const Table<model::MaterialPair>& pair_table();
// source_tables.cpp
[[nodiscard]] const Table<model::Source>& source_table();
// body_table.cpp: one body of any shape, bound to its source (whose velocity it may hold)
[[nodiscard]] const Table<model::Source>& body_table();
/// The solid that a source copies.
[[nodiscard]] const Table<model::Source>& shape_table();
/// name, velocity and angular_velocity, which stand at the source or inside its only body.
void add_common_keys(Table<model::Source>& table);
/// The same, read inside the body but written at the source.
void add_inner_common_keys(Table<model::Source>& table);
// random_tables.cpp
[[nodiscard]] const Table<model::RandomSource>& random_table();
[[nodiscard]] const Table<model::FeedSource>& feed_table();
// boundary_tables.cpp
[[nodiscard]] const Table<model::Boundary>& boundary_table();
// joint_tables.cpp
[[nodiscard]] const Table<model::Joint>& joint_table();
// measurement_tables.cpp
using PeriodicAxes = std::array<model::PeriodicFaces, 3>;
[[nodiscard]] const Table<model::Outlet>& outlet_table();
[[nodiscard]] const Table<PeriodicAxes>& periodic_table();
[[nodiscard]] const Table<model::Probe>& probe_table();
// scene_table.cpp
[[nodiscard]] const Table<model::Scene>& scene_table();

}  // namespace scree::scene
