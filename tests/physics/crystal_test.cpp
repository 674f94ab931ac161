// SPDX-License-Identifier: BSD-3-Clause
// Close-packed crystals under gravity stay put (validation C4). The crystals are periodic sideways, so that every
// sphere but those of the first layer has the neighbours of the infinite crystal.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <vector>

namespace scree::test {
namespace {

constexpr double radius = 0.01, diameter = 2.0 * radius;
using Kind = model::LatticeSource::Kind;

SceneMaker crystal(double h, Kind kind) {
    SceneMaker scene(h);
    scene.law({.friction = 0.5});
    scene.plane();
    // A period holds whole cells; the box of the source is one step of the lattice shorter.
    const double edge = std::numbers::sqrt2 * diameter, row = std::sqrt(3.0) * radius;
    const Vec3 period = kind == Kind::fcc ? Vec3{5 * edge, 5 * edge, 0} : Vec3{8 * diameter, 8 * row, 0};
    const Vec3 step = kind == Kind::fcc ? Vec3{0.5 * edge, 0.5 * edge, 0.5 * edge}
                                        : Vec3{radius, 2.0 * row / 3.0, std::sqrt(2.0 / 3.0) * diameter};
    const int layers = 8;
    model::LatticeSource lattice;
    lattice.kind = kind;
    lattice.radius = radius;
    lattice.upper = {period.x - step.x + diameter, period.y - step.y + diameter, (layers - 1) * step.z + diameter};
    model::Source source;
    source.material = scene.material(2500.0);
    source.what = lattice;
    scene.edit().sources.push_back(source);
    scene.periodic(0, 0.0, period.x).periodic(1, 0.0, period.y);
    return scene;
}

/// Largest displacement of a sphere since the start [m].
double largest_shift(Experiment& run, const std::vector<Vec3>& start) {
    double largest = 0.0;
    for (std::size_t i = 0; i < start.size(); ++i) {
        Vec3 d = run.now().position[i] - start[i];
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const auto& faces = run.simulation().scene().periodic[axis];
            double& x = axis == 0 ? d.x : d.y;
            x = std::remainder(x, faces.upper - faces.lower);
        }
        largest = std::max(largest, norm(d));
    }
    return largest;
}

class Crystal : public testing::TestWithParam<std::tuple<double, Kind>> {};
INSTANTIATE_TEST_SUITE_P(C4, Crystal,
                         testing::Combine(testing::Values(1e-3, 5e-4), testing::Values(Kind::fcc, Kind::hcp)));

// In the rigid limit nothing moves by more than 1e-4 d. Eight compliant layers sink by the sum of their overlaps, so
// the stiffness is that at which this is small.
TEST_P(Crystal, OfStiffSpheresStaysPut) {
    const auto [h, kind] = GetParam();
    SceneMaker scene = crystal(h, kind);
    scene.law({.friction = 0.5, .stiffness = 1e7});
    Experiment run(scene.solver(1e-3, 2000));
    const std::vector<Vec3> start = run.now().position;
    ASSERT_GE(start.size(), 350U);
    run.until(0.5);
    EXPECT_LT(largest_shift(run, start), 1e-4 * diameter);
}

TEST_P(Crystal, OfRigidSpheresStaysPut) {
    const auto [h, kind] = GetParam();
    Experiment run(crystal(h, kind).feedback(model::PositionFeedback::rigid).solver(1e-3, 2000));
    const std::vector<Vec3> start = run.now().position;
    run.until(0.5);
    EXPECT_LT(largest_shift(run, start), 1e-4 * diameter);
}

TEST_P(Crystal, InDoublePrecisionBearsItsWeight) {
    const auto [h, kind] = GetParam();
    Experiment run(crystal(h, kind).exact(1e-4));
    run.until(0.3);
    const double weight = run.simulation().free_mass() * gravity;
    EXPECT_NEAR(run.wall(0).force.z, -weight, 1e-3 * weight);
}

}  // namespace
}  // namespace scree::test
