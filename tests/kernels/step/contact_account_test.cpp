// SPDX-License-Identifier: BSD-3-Clause
// The one pass over contacts that tells what each law did and which contact is solved worst, against dense sums.
#include "kernels/step/contact_account.hpp"

#include "kernels/parallel/cpu.hpp"
#include "tests/support/engine_runs.hpp"
#include "tests/support/model_device.hpp"
#include "tests/support/packed_problem.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/sphere_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace scree::kernels {
namespace {

using test::ReferenceContact;
using test::ReferenceProblem;
using Vector = Eigen::VectorXd;

/// Any impulses in the cones, whatever they solve.
Vector some_impulses(const ReferenceProblem& p, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    Vector gamma(p.rows() * p.count());
    for (double& g : gamma) g = 0.1 * both(random);
    return gamma;
}

using Sums = std::array<double, AccountSum::count>;

/// What forces added to the velocities of free bodies [m/s].
const Eigen::Vector3d added(0.1, -0.2, 0.05);

/// From the formulas: gamma . (u(v) + u(v+)) / 2 by its parts. `pull` and `pushed_out` per contact.
Sums by_hand(const ReferenceProblem& p, const Vector& gamma, const std::vector<double>& pull,
             const std::vector<bool>& pushed_out) {
    Vector before = Eigen::Map<const Vector>(p.free_velocity.data(), 6 * p.bodies());
    for (int i = 0; i < p.bodies(); ++i)
        if (p.inverse_mass[std::size_t(2 * i)] > 0.0) before.segment<3>(6 * i) -= added;
    const Vector v = 0.5 * (before + velocity_after(p, gamma));
    Vector u = dense_jacobian(p) * v;
    Vector driven_velocity = v;
    for (int i = 0; i < p.bodies(); ++i)
        if (p.inverse_mass[std::size_t(2 * i)] > 0.0) driven_velocity.segment<6>(6 * i).setZero();
    Vector of_driven = dense_jacobian(p) * driven_velocity;
    Sums expected{};
    for (int c = 0; c < p.count(); ++c) {
        const ReferenceContact& k = p.contacts[std::size_t(c)];
        const int at = p.rows() * c;
        u.segment<3>(at) += k.wall_velocity;
        of_driven.segment<3>(at) += k.wall_velocity;
        if (p.rolling) {
            u.segment<3>(at + 3) += k.wall_spin;
            of_driven.segment<3>(at + 3) += k.wall_spin;
        }
        const Eigen::Vector3d g = gamma.segment<3>(at), w = u.segment<3>(at), d = of_driven.segment<3>(at);
        const double gn = g.dot(k.n), wn = w.dot(k.n);
        const bool impact = k.compliance <= 0.0 && k.bias <= 0.0 && !pushed_out[std::size_t(c)];
        expected[impact ? AccountSum::impact : AccountSum::normal] += gn * wn;
        expected[AccountSum::friction] += g.dot(w) - gn * wn;
        expected[AccountSum::cohesion] -= pull[std::size_t(c)] * wn;
        expected[AccountSum::impulse] += gn;
        expected[AccountSum::driven] -= g.dot(d) - pull[std::size_t(c)] * d.dot(k.n);
        if (!p.rolling) continue;
        const Eigen::Vector3d m = gamma.segment<3>(at + 3), spin = u.segment<3>(at + 3);
        expected[AccountSum::spinning] += m.dot(k.n) * spin.dot(k.n);
        expected[AccountSum::rolling] += m.dot(spin) - m.dot(k.n) * spin.dot(k.n);
        expected[AccountSum::driven] -= m.dot(of_driven.segment<3>(at + 3));
    }
    expected[AccountSum::gap] = reference_residual(p, gamma).gap;
    return expected;
}

template <class Backend, class R>
void expect_the_sums_of(const ReferenceProblem& p, Backend backend, double tolerance) {
    constexpr int W = Backend::tile;
    const Vector gamma = some_impulses(p, 5);
    std::mt19937 random(6);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    std::vector<double> pull;
    std::vector<bool> pushed_out;
    std::vector<R> cohesion, marks;
    for (int c = 0; c < p.count(); ++c) {
        pull.push_back(c % 3 == 0 ? 0.05 * unit(random) : 0.0);
        pushed_out.push_back(c % 5 == 0);
        cohesion.push_back(R(pull.back()));
        marks.push_back(pushed_out.back() ? R(-1) : R(0));
    }
    const Sums expected = by_hand(p, gamma, pull, pushed_out);

    const test::PackedProblem<Backend, R> packed(p);
    ConeSolution<Backend, R> solution;
    packed.set_impulses(gamma, solution);
    const ConeProblem<R, W>& view = packed.view();
    std::vector<R> rows(std::size_t(view.rows_of_velocity) * 8);
    Array<R, Backend> before, after, marks_there, cohesion_there, squared;
    std::copy_n(view.free_velocity, rows.size(), rows.begin());
    const Vector v = velocity_after(p, gamma);
    for (std::size_t i = 0; i < std::size_t(p.bodies()); ++i)
        for (std::size_t k = 0; k < 6; ++k) rows[8 * i + k + (k > 2 ? 1 : 0)] = R(v[Eigen::Index(6 * i + k)]);
    after.assign(rows);
    cohesion_there.assign(cohesion);
    marks_there.assign(marks);
    squared.resize_discard(view.contacts);

    const auto sums = with_row_kind(view.kind(), [&](auto kind) {
        constexpr RowKind K = decltype(kind)::value;
        const ResidualItem<R, W, K> solved{view, after.data(), solution.g.data(), solution.m.data()};
        const ContactAccountItem<R, W, K> item{solved,
                                               {view.free_velocity, {R(added.x()), R(added.y()), R(added.z())}},
                                               cohesion_there.data(),
                                               marks_there.data(),
                                               view.inverse_mass,
                                               true,
                                               squared.data(),
                                               packed.real_contacts()};
        return backend.template reduce_tiles<R, AccountSum::count, 1>(view.contacts, item);
    });

    double size = 0.0;
    for (const double sum : expected) size = std::max(size, std::abs(sum));
    for (int k = 0; k < AccountSum::count; ++k)
        EXPECT_NEAR(sums.sum[k], expected[std::size_t(k)], tolerance * size) << "sum " << k;
    // The natural map is that of the certificate, to the bit or nearly (another inlining).
    const ResidualReport certified =
        certify<R>(backend, view, packed.real_contacts(), after.data(), solution.g.data(), solution.m.data());
    EXPECT_NEAR(std::sqrt(sums.max[0]), certified.max, tolerance * certified.max);
    std::vector<R> each(std::size_t(view.contacts));
    squared.copy_to(each);
    each.resize(p.contacts.size());
    double sum = 0.0;
    for (const R one : each) sum += double(one);
    EXPECT_NEAR(std::sqrt(sum / double(each.size())), certified.rms, tolerance * certified.rms);
    const auto place = backend.template reduce<double, 0, 1>(
        packed.real_contacts(), FirstLargestItem<R>{squared.data(), R(sums.max[0]), packed.real_contacts()});
    EXPECT_EQ(std::ptrdiff_t(packed.real_contacts()) - std::ptrdiff_t(place.max[0]),
              std::max_element(each.begin(), each.end()) - each.begin());
}

class ContactAccount : public testing::TestWithParam<std::tuple<bool, bool, bool>> {
protected:
    /// Walls that move, fixed bodies that do, rows without compliance: everything at once.
    static ReferenceProblem problem(int contacts) {
        const auto [rolling, arms, coulomb] = GetParam();
        ReferenceProblem p = arms ? test::random_problem_with_arms(contacts / 2 + 1, contacts, 8, 1.0, rolling, coulomb)
                                  : test::random_problem(contacts / 2 + 1, contacts, 8, 1.0, rolling, coulomb);
        for (std::size_t c = 0; c < p.contacts.size(); c += 2) p.contacts[c].compliance = 0.0;
        for (std::size_t i = 0; i < std::size_t(p.bodies()); ++i)
            if (p.inverse_mass[2 * i] == 0.0)
                for (std::size_t k = 0; k < 6; ++k) p.free_velocity[6 * i + k] = 0.3 - 0.1 * double(k);
        return p;
    }
};
INSTANTIATE_TEST_SUITE_P(Kinds, ContactAccount, testing::Combine(testing::Bool(), testing::Bool(), testing::Bool()),
                         [](const auto& kinds) {
                             return std::string(std::get<0>(kinds.param) ? "Rolling" : "Sliding") +
                                    (std::get<1>(kinds.param) ? "Arms" : "Spheres") +
                                    (std::get<2>(kinds.param) ? "Coulomb" : "Associated");
                         });

TEST_P(ContactAccount, EqualsDenseSums) {
    // Less than a tile, several tiles with a rest, several blocks of a modelled grid.
    for (const int contacts : {1, 13, 300}) {
        const ReferenceProblem p = problem(contacts);
        // Sums of some hundred numbers of size 1 with roundings of 1e-16 (6e-8 in float, with cancellation in u).
        expect_the_sums_of<Cpu, double>(p, Cpu(1), 1e-13);
        expect_the_sums_of<Cpu, float>(p, Cpu(1), 2e-5);
        expect_the_sums_of<test::ModelDevice<test::LoopForm::host>, double>(p, {}, 1e-13);
        expect_the_sums_of<test::ModelDevice<test::LoopForm::host>, float>(p, {}, 2e-5);
    }
}

TEST(StepAccount, NamesTheWorstContactOfTheProblemItDownloads) {
    WorldDescription world = test::random_pile(120, 3, 0.2);
    world.max_iterations = 15;
    std::vector<Index> order(120);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(6));  // slots are not ids
    world = test::shuffled(world, order);
    const auto engine = make_cpu_engine(world, true);
    for (int step = 0; step < 5; ++step) {
        const StepReport report = engine->step(test::still_poses(world));
        ProblemDownload download;
        BodyDownload bodies;
        ContactDownload contacts;
        engine->download(download);
        engine->download(bodies);
        engine->download(contacts);
        const ReferenceProblem p = test::problem_of(download, true);
        const Vector gamma = Eigen::Map<const Vector>(download.impulse.data(), Eigen::Index(download.impulse.size()));
        const auto residual = reference_residual(p, gamma);
        const auto worst =
            std::size_t(std::max_element(residual.squared.begin(), residual.squared.end()) - residual.squared.begin());
        ASSERT_GT(residual.max, 1e-6) << "nothing to find: all is solved";
        EXPECT_NEAR(report.worst.residual, residual.max, 1e-12);
        EXPECT_EQ(report.worst.residual, report.residual.max);
        EXPECT_EQ(report.worst.body, bodies.id[std::size_t(contacts.a[worst])]);
        const Index partner = contacts.partner[worst];
        EXPECT_EQ(report.worst.partner, partner < 0 ? partner : bodies.id[std::size_t(partner)]);
        EXPECT_NEAR(report.complementarity_gap, residual.gap, 1e-12 * residual.gap + 1e-18);
    }
}

TEST(StepAccount, HasTheSameBitsForAnyNumberOfThreads) {
    WorldDescription world = test::random_pile(6000, 9, 0.2, {0.5, 0.3, 1e-4, 1e-4, 1e-3, 1e6});
    const auto report_on = [&](std::size_t threads) {
        world.threads = threads;
        return make_cpu_engine(world, false)->step(test::still_poses(world));
    };
    const StepReport one = report_on(1), three = report_on(3);
    ASSERT_GT(one.contacts, 2 * Cpu::reduction_block);
    EXPECT_EQ(one.work.normal, three.work.normal);
    EXPECT_EQ(one.work.impact, three.work.impact);
    EXPECT_EQ(one.work.friction, three.work.friction);
    EXPECT_EQ(one.work.rolling, three.work.rolling);
    EXPECT_EQ(one.work.spinning, three.work.spinning);
    EXPECT_EQ(one.work.cohesion, three.work.cohesion);
    EXPECT_EQ(one.complementarity_gap, three.complementarity_gap);
    EXPECT_EQ(one.worst.body, three.worst.body);
    EXPECT_EQ(one.worst.partner, three.worst.partner);
    EXPECT_EQ(one.gravity_work, three.gravity_work);
}

TEST(StepAccount, OfAWorldWithoutContactsHasNoWorstOne) {
    WorldDescription world = test::empty_world();
    test::add_sphere(world, {0, 0, 1}, 0.01);
    const auto engine = make_cpu_engine(world, true);
    const StepReport report = engine->step({});
    EXPECT_TRUE(report.has_work_by_law);
    EXPECT_EQ(report.worst.body, -1);
    EXPECT_EQ(report.work.sum(), 0.0);
    EXPECT_EQ(report.complementarity_gap, 0.0);
}

}  // namespace
}  // namespace scree::kernels
