// SPDX-License-Identifier: BSD-3-Clause
// Bodies that join an engine between two steps: the run is that of an engine that was given all of them as they are
// then.
#include "kernels/step/step_engine.hpp"
#include "tests/support/engine_runs.hpp"
#include "tests/support/require_gpu.hpp"
#include "tests/support/sphere_world.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace scree::kernels {
namespace {

using test::WorldDescription;

/// `count` spheres above a pile, falling; ids go on from `first`.
WorldDescription rain(Index first, Index count) {
    WorldDescription more = test::empty_world();
    for (Index i = 0; i < count; ++i)
        test::add_sphere(more, {0.01 + 0.025 * double(i % 4), 0.01 + 0.025 * double(i / 4 % 4), 0.2 + 0.03 * (i / 16)},
                         0.008 + 0.0002 * i, {0.0, 0.1, -1.5}, {3.0, 0.0, 1.0});
    for (Index& id : more.id) id += first;
    return more;
}

void join(WorldDescription& world, const WorldDescription& more) {
    const auto add = [](auto& all, const auto& some) { all.insert(all.end(), some.begin(), some.end()); };
    add(world.position, more.position);
    add(world.orientation, more.orientation);
    add(world.velocity, more.velocity);
    add(world.inverse_mass, more.inverse_mass);
    add(world.material, more.material);
    add(world.id, more.id);
}

/// The state with more bodies, which have no contacts.
EngineState with(EngineState state, const WorldDescription& more) {
    const auto add = [](auto& all, const auto& some) { all.insert(all.end(), some.begin(), some.end()); };
    add(state.position, more.position);
    add(state.orientation, more.orientation);
    for (std::size_t i = 0; i < more.id.size(); ++i)
        for (std::size_t k = 0; k < 8; ++k) {
            const double value = k % 4 == 3 ? 0.0 : more.velocity[6 * i + (k < 4 ? k : k - 1)];
            state.velocity.push_back(value);
            state.free_velocity.push_back(value);
            if (k < 4) state.motion.push_back(0.0F);
        }
    add(state.inverse_mass, more.inverse_mass);
    add(state.material, more.material);
    add(state.id, more.id);
    if (state.has_contacts) state.a_start.insert(state.a_start.end(), more.id.size(), state.a_start.back());
    return state;
}

/// Joins `more` after `before` steps, by append() and by a restored state; compares after as many again.
void expect_same(const WorldDescription& world, const WorldDescription& more, int before,
                 std::unique_ptr<StepEngine> (*make)(const WorldDescription&, bool), bool in_double) {
    SCOPED_TRACE(before);
    const auto poses = test::still_poses(world);
    const auto engine = make(world, in_double);
    for (int step = 0; step < before; ++step) (void)engine->step(poses);
    const EngineState state = engine->save();
    engine->append(more);
    EXPECT_EQ(engine->body_count(), std::int64_t(state.id.size() + more.id.size()));

    WorldDescription all = world;
    join(all, more);
    const auto other = make(all, in_double);
    other->restore(with(state, more));
    std::int64_t contacts = 0;
    for (int step = 0; step < 60; ++step) {
        (void)engine->step(poses);
        contacts += other->step(poses).contacts;
    }
    EXPECT_GT(contacts, 60);
    EXPECT_EQ(test::first_difference(engine->save(), other->save()), "");
}

class Append : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Both, Append, testing::Bool(),
                         [](const auto& precision) { return precision.param ? "Double" : "Mixed"; });

TEST_P(Append, IsAsIfTheBodiesHadBeenGiven) {
    for (const SolverName solver : {SolverName::gauss_seidel, SolverName::conjugate})
        for (const double rolling : {0.0, 1e-4}) {
            WorldDescription world = test::random_pile(150, 3, 0.1, {0.4, 0.3, rolling, rolling, 0.0, 1e5});
            world.solver = solver;
            // Before the first step, between steps, before and after the one that re-sorts.
            for (const int before : {1, 17, 39, 40, 41})
                expect_same(world, rain(150, 40), before, make_cpu_engine, GetParam());
        }
}

TEST_P(Append, ToAWorldWithoutBodies) {
    const WorldDescription pile = test::random_pile(150, 1);
    WorldDescription walls = test::empty_world();
    walls.parts = pile.parts;
    walls.boundaries = pile.boundaries;
    const auto poses = test::still_poses(walls);
    const auto engine = make_cpu_engine(walls, GetParam());
    // As many as leave the next one to re-sort, as the first one of a run does.
    for (int step = 0; step < 40; ++step) (void)engine->step(poses);
    const WorldDescription more = rain(0, 40);
    engine->append(more);
    WorldDescription all = walls;
    join(all, more);
    const auto other = make_cpu_engine(all, GetParam());
    std::int64_t contacts = 0;
    for (int step = 0; step < 150; ++step) {
        contacts += engine->step(poses).contacts;
        (void)other->step(poses);
    }
    EXPECT_GT(contacts, 100);
    EXPECT_EQ(test::largest_velocity_difference(*engine, *other), 0.0);
}

TEST_P(Append, OneByOneIsAsTogether) {
    const WorldDescription world = test::random_pile(80, 5);
    const auto poses = test::still_poses(world);
    const auto engine = make_cpu_engine(world, GetParam()), other = make_cpu_engine(world, GetParam());
    for (int step = 0; step < 5; ++step) {
        (void)engine->step(poses);
        (void)other->step(poses);
    }
    const WorldDescription more = rain(80, 20);
    engine->append(more);
    for (std::size_t i = 0; i < 20; ++i) {
        WorldDescription one = test::empty_world();
        const auto part = [&](const auto& rows, std::size_t width) {
            return std::vector(rows.begin() + std::ptrdiff_t(width * i),
                               rows.begin() + std::ptrdiff_t(width * (i + 1)));
        };
        one.position = part(more.position, 4);
        one.orientation = part(more.orientation, 4);
        one.velocity = part(more.velocity, 6);
        one.inverse_mass = part(more.inverse_mass, 2);
        one.material = part(more.material, 1);
        one.id = part(more.id, 1);
        other->append(one);
    }
    engine->append(test::empty_world());  // nothing
    for (int step = 0; step < 60; ++step) {
        (void)engine->step(poses);
        (void)other->step(poses);
    }
    EXPECT_EQ(test::first_difference(engine->save(), other->save()), "");
}

TEST(GpuAppend, SmallPileIsAsIfTheBodiesHadBeenGiven) {
    SCREE_SKIP_WITHOUT_GPU();
    for (const SolverName solver : {SolverName::gauss_seidel, SolverName::conjugate}) {
        WorldDescription world = test::random_pile(150, 3, 0.1, {0.4, 0.3, 0.0, 0.0, 0.0, 1e5});
        world.solver = solver;
        for (const int before : {1, 40}) expect_same(world, rain(150, 40), before, make_cuda_engine, true);
    }
}

}  // namespace
}  // namespace scree::kernels
