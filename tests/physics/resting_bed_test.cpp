// SPDX-License-Identifier: BSD-3-Clause
// Settled beds of thousands of spheres between five planes stay at rest.
#include "engine/scene/load.hpp"
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace scree::test {
namespace {

Experiment bed(const std::string& name, std::vector<std::string> overrides = {}) {
    overrides.emplace_back("backend=cpu");
    return Experiment(scene::load_scene(std::string(SCREE_SOURCE_DIR) + "/scenes/" + name + ".yaml", overrides));
}

/// The file's overlaps are those of another contact law: with other dampers than the scene's the bed finds its own in
/// 0.1 s.
void relax(Experiment& run) { run.until(0.1); }

/// Largest kinetic energy [J] over the steps.
double largest_energy(Experiment& run, int steps) {
    double largest = 0.0;
    for (int k = 0; k < steps; ++k) {
        const kernels::StepReport& report = run.step();
        largest = std::max(largest, report.kinetic_translation + report.kinetic_rotation);
    }
    return largest;
}

// The scene's strong dampers let the bed find the overlaps of its own law without motion: it is at rest from the file
// on.
class LargeBed : public testing::TestWithParam<std::vector<std::string>> {};
INSTANTIATE_TEST_SUITE_P(Setting, LargeBed,
                         testing::Values(std::vector<std::string>{}, std::vector<std::string>{"time.step=0.5 ms"},
                                         std::vector<std::string>{"contact.stiffness=1e7"}));

TEST_P(LargeBed, Of8000SpheresStaysBelowTheLimitFromTheFirstStep) {
    Experiment run = bed("pile_8000", GetParam());
    EXPECT_LT(largest_energy(run, 500), 1e-2);
    EXPECT_EQ(run.simulation().body_count(), 8000);
}

TEST(LargeBedWithWeakDampers, Of8000SpheresStaysBelowTheLimitOnceItHasFoundItsOverlaps) {
    Experiment run = bed("pile_8000", {"contact.damping_time=auto", "contact.stiffness=1e7", "solver.tolerance=1e-2"});
    relax(run);
    EXPECT_LT(largest_energy(run, 500), 1e-2);
}

// The limit per mass of the 8000 bed, for its small sister: 1e-2 J x 1000 / 8000.
constexpr double small_limit = 1e-2 / 8.0;

class SmallBed : public testing::TestWithParam<std::vector<std::string>> {};
INSTANTIATE_TEST_SUITE_P(Setting, SmallBed,
                         testing::Values(std::vector<std::string>{}, std::vector<std::string>{"time.step=0.5 ms"},
                                         std::vector<std::string>{"precision=double"},
                                         std::vector<std::string>{"precision=double", "time.step=0.5 ms"},
                                         std::vector<std::string>{"contact.stiffness=1e7"},
                                         std::vector<std::string>{"contact.stiffness=1e8"},
                                         std::vector<std::string>{"contact.feedback=rigid"},
                                         std::vector<std::string>{"contact.feedback=rigid", "time.step=0.5 ms"},
                                         std::vector<std::string>{"solver.friction=associated"}));

TEST_P(SmallBed, StaysAtRest) {
    Experiment run = bed("pile_1000", GetParam());
    relax(run);
    EXPECT_LT(largest_energy(run, int(std::lround(0.3 / run.h()))), small_limit);
}

TEST(RestingBed, FloorAndWallsBearItsWeight) {
    for (const char* step : {"time.step=1 ms", "time.step=0.5 ms"}) {
        Experiment run = bed("pile_1000", {"solver.tolerance=1e-3", step});
        run.until(0.3);
        double vertical = 0.0;
        for (std::size_t wall = 0; wall < 5; ++wall) vertical += run.wall(wall).force.z;
        const double weight = run.simulation().free_mass() * gravity;
        EXPECT_NEAR(vertical, -weight, 1e-2 * weight) << step;
    }
}

}  // namespace
}  // namespace scree::test
