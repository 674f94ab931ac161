// SPDX-License-Identifier: BSD-3-Clause
// What islands answer to contact impulses, against the conditions that make the answer the only one.
#include "kernels/joints/island_velocity.hpp"
#include "kernels/joints/joint_set.hpp"
#include "kernels/parallel/cpu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace scree::kernels {
namespace {

constexpr double step = 1e-2;

/// Random bodies, joints between neighbours in their list (a tree with some rings), contact impulses on some of them.
template <class R>
class RandomIslands {
public:
    static constexpr int W = Cpu::tile;

    RandomIslands(unsigned seed, Index bodies, Index fixed) : random_(seed) {
        make_bodies(bodies, fixed);
        make_joints(bodies);
        std::vector<bool> is_fixed(std::size_t(bodies) + 1, true);
        for (Index i = 0; i < bodies; ++i) is_fixed[std::size_t(i + 1)] = i < fixed;
        joints_.assign(cpu_, description_, is_fixed, state_);
        std::vector<double> drives(std::size_t(description_.drives), 0.0);
        for (double& drive : drives) drive = normal();
        joints_.drive(drives);
        free_ = std::vector<R>(velocity_);
        free_.resize(std::size_t(bodies + 1) * 8, R(0));
        state_.inertia_rows.resize_discard(Size(bodies) * InertiaRow::size);
        cpu_.for_each(bodies, [&](Index i) {
            Accumulator<double, 1, 0> work{};
            FreeRotationItem<R>{state_.orientation.data(),
                                state_.inertia.data(),
                                nullptr,
                                state_.velocity.data(),
                                state_.inverse_mass.data(),
                                free_.data(),
                                state_.inertia_rows.data(),
                                step}(i, work);
        });
        (void)joints_.move_free(cpu_, state_, free_.data(), {}, step);
        make_contacts(bodies);
    }

    /// V under the contact impulses times `scale`.
    std::vector<R> answer(double scale, IslandTask task) {
        std::vector<R> rows(impulse_rows_);
        for (R& value : rows) value *= R(scale);
        std::vector<R> velocity(free_);
        const ConeProblem<R, W> p = problem();
        move_islands<RowKind::arms, R>(cpu_, p, ImpulseRows<R>{rows.data(), nullptr}, task, velocity.data());
        impulses_ = rows;
        return velocity;
    }

    /// Every row: its rate against its impulse's place between the bounds. Also that V is what the impulses make it.
    void check(const std::vector<R>& velocity) {
        const IslandView v = joints_.view();
        std::vector<double> change(std::size_t(v.members) * 6, 0.0);
        double size = 1.0;
        for (Index m = 0; m < v.free_members; ++m)
            for (std::size_t c = 0; c < 6; ++c) {
                const std::size_t at = 8 * std::size_t(v.slot_of_member[m]) + (c < 3 ? c : c + 1);
                change[6 * std::size_t(m) + c] = double(velocity[at]) - double(free_[at]);
                size = std::max(size, std::abs(double(velocity[at])));
            }
        // Rows that hold the same motion may push against each other.
        for (Index k = 0; k < v.rows; ++k) size = std::max(size, std::abs(v.lambda[k]));
        const double noise = (sizeof(R) == 8 ? 1e-8 : 1e-3) * size;
        for (Index k = 0; k < v.rows; ++k) {
            const double rate = v.rate[k] + v.rate_of(k, change.data()) + v.compliance[k] * (v.lambda[k] - v.base[k]);
            const bool dependent = v.status[k] == RowStatus::free && v.envelope.inverse_pivot[k] == 0.0;
            if (!IslandView::bounded(v.row[k].role)) {
                if (v.row[k].role != RowRole::force && !dependent) {
                    EXPECT_NEAR(rate, 0.0, noise) << k;
                }
                continue;
            }
            EXPECT_GE(v.lambda[k], v.lower[k] - 1e-9) << k;
            EXPECT_LE(v.lambda[k], v.upper[k] + 1e-9) << k;
            if (v.lambda[k] < v.upper[k] - 1e-9) {
                EXPECT_GE(rate, -noise) << k;
            }
            if (v.lambda[k] > v.lower[k] + 1e-9) {
                EXPECT_LE(rate, noise) << k;
            }
        }
        // M^-1 (D gamma + J^T (lambda - base))
        std::vector<double> expected(change.size(), 0.0);
        const ConeProblem<R, W> p = problem();
        for (Index m = 0; m < v.free_members; ++m) {
            alignas(64) R sum[8];
            Lanes<typename Cpu::Row<R>>::store(
                sum, gather_impulses<typename Cpu::Row<R>, RowKind::arms>(p, ImpulseRows<R>{impulses_.data(), nullptr},
                                                                          v.slot_of_member[m]));
            const double impulse[6] = {double(sum[0]), double(sum[1]), double(sum[2]),
                                       double(sum[4]), double(sum[5]), double(sum[6])};
            v.respond(m, impulse, expected.data() + 6 * m);
        }
        for (Index k = 0; k < v.rows; ++k) v.add(k, v.lambda[k] - v.base[k], v.response, expected.data());
        for (std::size_t i = 0; i < change.size(); ++i) EXPECT_NEAR(change[i], expected[i], noise);
    }

private:
    double normal() { return std::normal_distribution<double>()(random_); }
    double uniform() { return std::uniform_real_distribution<double>()(random_); }

    void make_bodies(Index n, Index fixed) {
        std::vector<double> position, orientation, inertia;
        std::vector<R> inverse;
        std::vector<Index> id;
        for (Index i = 0; i < n; ++i) {
            position.insert(position.end(), {0.5 * i + 0.1 * normal(), 0.1 * normal(), 0.1 * normal(), 0.1});
            double q[4] = {normal(), normal(), normal(), normal()};
            const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            for (const double c : q) orientation.push_back(c / length);
            const double mass = std::exp(normal()), size = 1.0 + uniform();
            const double a = 0.01 * mass * size;
            inertia.insert(inertia.end(), {a, 1.2 * a, 1.5 * a, 0, 0, 0});
            inverse.insert(inverse.end(), {i < fixed ? R(0) : R(1.0 / mass), R(0)});
            for (int c = 0; c < 8; ++c) velocity_.push_back(i < fixed || c == 3 || c == 7 ? R(0) : R(0.3 * normal()));
            id.push_back(i + 1);
        }
        state_.count = n;
        state_.position.assign(position);
        state_.orientation.assign(orientation);
        state_.inertia.assign(inertia);
        state_.inverse_mass.assign(inverse);
        state_.velocity.assign(velocity_);
        state_.id.assign(id);
    }

    void row(RowRole role, JointScalar scalar, double value, double bound) {
        JointRow r;
        r.role = role;
        r.scalar[0] = scalar;
        r.value = value;
        r.bound = bound;
        r.stiffness = std::exp(3.0 * normal());
        r.damping = uniform() < 0.5 ? 0.0 : std::exp(normal());
        if (role == RowRole::speed || role == RowRole::position || role == RowRole::force)
            r.drive = description_.drives++;
        description_.rows.push_back(r);
    }

    void make_joints(Index n) {
        for (Index i = 0; i < n + n / 3; ++i) {
            // To the one before, or anywhere; the ground is 0.
            const Index b = i < n ? i + 1 : Index(random_() % unsigned(n)) + 1;
            const Index a = i < n && uniform() < 0.8 ? i : Index(random_() % unsigned(n + 1));
            if (a == b) continue;
            JointFrames f;
            f.member[0] = a;
            f.member[1] = b;
            // One point and the same axes at the start.
            const Vector3d at =
                center_of(state_.position.data(), b - 1) + Vector3d{0.1 * normal(), 0.1 * normal(), 0.1};
            for (int side = 0; side < 2; ++side) {
                const Index body = f.member[side] - 1;
                Vector3d p = at;
                if (body >= 0) {
                    const double* q = state_.orientation.data() + 4 * body;
                    p = Axes::of(q).to_body(at - center_of(state_.position.data(), body));
                    f.rotation[side][0] = q[0];
                    for (int c = 1; c < 4; ++c) f.rotation[side][c] = -q[c];
                }
                f.point[side][0] = p.x, f.point[side][1] = p.y, f.point[side][2] = p.z;
            }
            const Index j = Index(description_.frames.size());
            description_.frames.push_back(f);
            description_.start.emplace_back();
            for (int axis = 0; axis < 3; ++axis)
                row(RowRole::rigid, {ScalarKind::along, j, axis, 0, 1.0}, 0.0, unbounded);
            const bool hinge = uniform() < 0.7;
            if (!hinge) continue;
            row(RowRole::rigid, {ScalarKind::cosine, j, 2, 0, 1.0}, 0.0, unbounded);
            row(RowRole::rigid, {ScalarKind::cosine, j, 2, 1, 1.0}, 0.0, unbounded);
            const JointScalar turn{ScalarKind::turn, j, 0, 0, 1.0};
            constexpr RowRole roles[] = {RowRole::limit, RowRole::spring,   RowRole::speed,
                                         RowRole::force, RowRole::friction, RowRole::position};
            for (int more = 0; more < 2; ++more) {
                const RowRole role = roles[random_() % 6];
                const double slack = 1e-3 * uniform(), bound = 0.3 * uniform();
                row(role, turn, role == RowRole::limit ? -slack : 0.0, bound);
            }
        }
    }

    void make_contacts(Index n) {
        // One contact of each body as a finder, padded to whole tiles.
        contacts_ = padded(n, W);
        a_start_.resize(std::size_t(n) + 1);
        b_start_.assign(std::size_t(n) + 1, 0);
        for (Index i = 0; i <= n; ++i) a_start_[std::size_t(i)] = i;
        impulse_rows_.assign(std::size_t(contacts_) * 16, R(0));
        for (std::size_t i = 0; i < std::size_t(n); ++i)
            for (std::size_t c = 0; c < 8; ++c)
                if (c % 4 != 3) impulse_rows_[8 * i + c] = R((c < 4 ? 1.0 : 0.05) * normal());
    }
    ConeProblem<R, W> problem() {
        ConeProblem<R, W> p;
        p.contacts = contacts_;
        p.bodies = state_.count;
        p.a_start = a_start_.data();
        p.b_start = b_start_.data();
        p.inverse_mass = state_.inverse_mass.data();
        p.inertia = state_.inertia_rows.data();
        p.free_velocity = free_.data();
        p.islands = joints_.view();
        return p;
    }

    std::mt19937 random_;
    Cpu cpu_{1};
    BodyState<Cpu, R> state_;
    JointDescription description_;
    JointSet<Cpu, R> joints_;
    std::vector<R> velocity_, free_, impulse_rows_, impulses_;
    std::vector<Index> a_start_, b_start_;
    Index contacts_ = 0;
};

TEST(Islands, AnswerContactsWithImpulsesWithinTheirBoundsAndNoRateWhereTheyAreFree) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        RandomIslands<double> islands(seed, Index(1 + seed % 12), Index(seed % 3 == 0 ? 1 : 0));
        for (const double scale : {0.0, 1e-3, 0.1, 1.0, -0.5, 30.0})
            islands.check(islands.answer(scale, IslandTask::velocity));
    }
}

TEST(Islands, DoSoInSinglePrecision) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        SCOPED_TRACE(seed);
        RandomIslands<float> islands(seed, Index(1 + seed % 12), 0);
        for (const double scale : {0.1, 1.0, -0.5}) islands.check(islands.answer(scale, IslandTask::velocity));
    }
}

TEST(Islands, AnswerDoesNotDependOnWhatWasAskedBefore) {
    RandomIslands<double> one(7, 10, 1), two(7, 10, 1);
    (void)two.answer(-40.0, IslandTask::velocity);
    (void)two.answer(3.0, IslandTask::velocity);
    const auto a = one.answer(1.0, IslandTask::velocity), b = two.answer(1.0, IslandTask::velocity);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-9);
}

TEST(Islands, ProductIsLinearInTheImpulses) {
    RandomIslands<double> islands(11, 12, 0);
    (void)islands.answer(1.0, IslandTask::velocity);  // some active set
    const auto once = islands.answer(1.0, IslandTask::product), thrice = islands.answer(-3.0, IslandTask::product);
    for (std::size_t i = 0; i < once.size() - 8; ++i)
        EXPECT_NEAR(thrice[i], -3.0 * once[i], 1e-9 * (1.0 + std::abs(once[i])));
}

TEST(JointLayout, OrdersAChainIntoANarrowEnvelopeAndKeepsIslandsApart) {
    JointDescription chain;
    const Index links = 50;
    for (Index k = 0; k < 2 * links; ++k) {
        JointFrames f;
        f.member[0] = k == 0 || k == links ? 0 : k;  // two chains
        f.member[1] = k + 1;
        chain.frames.push_back(f);
        chain.start.emplace_back();
        for (int i = 0; i < 3; ++i) {
            JointRow row;
            row.scalar[0] = {ScalarKind::along, k, i, 0, 1.0};
            chain.rows.push_back(row);
        }
    }
    const JointStructure s = lay_out(chain, std::vector<bool>(std::size_t(2 * links) + 1, false));
    ASSERT_EQ(s.islands(), 2);
    EXPECT_EQ(s.rows.size(), std::size_t(6 * links));
    EXPECT_EQ(s.free_members, 2 * links);
    // Rows of one joint and of the one before.
    EXPECT_LE(s.entries, std::int64_t(6 * links) * 6);
    for (std::size_t k = 0; k < s.rows.size(); ++k)
        EXPECT_GE(s.first[k], s.row_start[k < std::size_t(3 * links) ? 0 : 1]);
}

}  // namespace
}  // namespace scree::kernels
