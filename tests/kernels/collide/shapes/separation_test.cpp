// SPDX-License-Identifier: BSD-3-Clause
// The narrow phase of every kind of pair against the sequential reference, on random and on degenerate placements.
#include "kernels/collide/shapes/find_manifold.hpp"

#include "engine/reference/separation.hpp"
#include "tests/support/placed_shapes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

namespace scree::kernels {
namespace {

using reference::Pose;
using reference::Shape;
using reference::testing::ShapePairs;

constexpr std::size_t kinds = 6;
constexpr const char* names[kinds] = {"Sphere", "Box", "Ellipsoid", "Superquadric", "Cylinder", "Polyhedron"};
constexpr double everywhere = 1e3;

/// Shapes of one kind with their counterparts; polyhedra hold their origin.
struct Pool {
    geometry::ConvexShapes shapes;
    std::array<std::vector<Shape>, kinds> of_kind;
    std::array<std::vector<std::int32_t>, kinds> number;

    Pool(unsigned seed, std::size_t count) {
        ShapePairs random(seed, false);
        for (std::size_t kind = 0; kind < kinds; ++kind)
            while (of_kind[kind].size() < count) {
                const Shape shape = random.shape(kind);
                if (const auto* p = std::get_if<reference::Polytope>(&shape);
                    p != nullptr && *std::min_element(p->offsets.begin(), p->offsets.end()) < 0.02)
                    continue;
                number[kind].push_back(test::add(shapes, shape));
                of_kind[kind].push_back(shape);
            }
    }
};

const Pool& pool() {
    static const Pool made(7, 40);
    return made;
}

struct Placement {
    std::size_t kind_a, kind_b, a, b;
    Pose pose_a, pose_b;
    [[nodiscard]] const Shape& shape_a() const { return pool().of_kind[kind_a][a]; }
    [[nodiscard]] const Shape& shape_b() const { return pool().of_kind[kind_b][b]; }
    [[nodiscard]] PlacedShape placed_a() const { return test::placed(pool().shapes, pool().number[kind_a][a], pose_a); }
    [[nodiscard]] PlacedShape placed_b() const { return test::placed(pool().shapes, pool().number[kind_b][b], pose_b); }
};

Manifold manifold_of(const Placement& p, double reach = everywhere) {
    Manifold found;
    Vector3d axis{0, 0, 0};
    find_manifold(pool().shapes.view(), p.placed_a(), p.placed_b(), reach, axis, found);
    return found;
}

double smallest_gap(const Manifold& m) {
    double least = 1e300;
    for (int k = 0; k < m.count; ++k) least = std::min(least, m.point[k].gap);
    return least;
}

/// The separating function of the kernels' shapes: no gap can be larger than its maximum, so a gap that the direction
/// attains and that is not below the reference's is right.
double separating(const Placement& p, Vector3d d) {
    const ShapeView view = pool().shapes.view();
    return dot(d, support(view, p.placed_b(), negative(d))) - dot(d, support(view, p.placed_a(), d));
}

class Pairs : public ::testing::TestWithParam<std::pair<std::size_t, std::size_t>> {
protected:
    [[nodiscard]] std::size_t kind_a() const { return GetParam().first; }
    [[nodiscard]] std::size_t kind_b() const { return GetParam().second; }
    [[nodiscard]] bool corners_alone() const { return flat(kind_a()) && flat(kind_b()); }
    static bool flat(std::size_t kind) { return kind == 0 || kind == 1 || kind == 5; }

    Placement random_placement(ShapePairs& random) const {
        const auto any = [&] { return std::size_t(random.uniform(0.0, 39.999)); };
        return {kind_a(),
                kind_b(),
                any(),
                any(),
                {Eigen::Vector3d::Zero(), random.orientation()},
                {random.uniform(0.0, 2.4) * random.direction(), random.orientation()}};
    }
};

/// How the kernels' gaps compare with the reference's.
struct Comparison {
    int worse = 0, deep_worse = 0;
    double worst = 0.0, worst_deep = 0.0;
};

/// Tolerance: of shapes with corners alone both sides end on exact faces, 1e-12 of the sizes from rounding. Of round
/// ones the reference is exact to 1e-11 apart and where the overlap is less than half of the thinner shape
/// (separation.hpp), and Newton's method ends where steps no longer gain 1e-15; superquadrics with exponents near 0 or
/// 2 have corners that are all but sharp, which both resolve to 1e-8 only. Deep overlaps of round shapes have many ways
/// out that are all but equal: the hull of 64 points tells those apart that differ by 1e-3 of the sizes.
Comparison compare(const std::vector<Placement>& placements, double tolerance) {
    Comparison result;
    for (const Placement& p : placements) {
        const reference::Separation expected = reference::separation({p.shape_a(), p.pose_a}, {p.shape_b(), p.pose_b});
        const double size = p.placed_a().bounding_radius() + p.placed_b().bounding_radius();
        const Manifold found = manifold_of(p);
        EXPECT_GE(found.count, 1);
        EXPECT_NEAR(norm(found.normal), 1.0, 1e-12);
        const double gap = smallest_gap(found);
        // What the normal claims is what it attains.
        EXPECT_NEAR(gap, separating(p, found.normal), 1e-9 * size);
        const double error = (gap - expected.gap) / size;
        const bool deep = expected.gap < -0.1 * size;
        if (error > -tolerance) continue;  // a larger separation than the reference's is a better one
        if (deep) {
            ++result.deep_worse;
            result.worst_deep = std::min(result.worst_deep, error);
        } else {
            ++result.worse;
            result.worst = std::min(result.worst, error);
        }
    }
    return result;
}

TEST_P(Pairs, HaveTheGapOfTheReference) {
    ShapePairs random(unsigned(100 + 10 * kind_a() + kind_b()), false);
    std::vector<Placement> placements;
    for (int k = 0; k < 10'000; ++k) placements.push_back(random_placement(random));
    const bool superquadric = kind_a() == 3 || kind_b() == 3;
    const double tolerance = corners_alone() ? 1e-12 : (superquadric ? 1e-8 : 1e-10);
    const Comparison seen = compare(placements, tolerance);
    EXPECT_EQ(seen.worse, 0) << seen.worst;
    if (corners_alone()) {
        EXPECT_EQ(seen.deep_worse, 0) << seen.worst_deep;
    }
    EXPECT_LE(seen.deep_worse, 5) << seen.worst_deep;
    EXPECT_GT(seen.worst_deep, -1e-3);
}

TEST_P(Pairs, HaveTheGapOfTheReferenceWhereFacesEdgesAndCentresCoincide) {
    test::DegeneratePoses poses(unsigned(500 + 10 * kind_a() + kind_b()));
    std::vector<Placement> placements;
    for (int k = 0; k < 1000; ++k) {
        Placement p{kind_a(),        kind_b(),       std::size_t(poses.choose(40)), std::size_t(poses.choose(40)),
                    poses.pose(0.0), poses.pose(1.5)};
        if (k % 4 == 0 && kind_a() == kind_b()) p.b = p.a;
        if (k % 20 == 0) p.pose_b = p.pose_a;  // one in the other
        placements.push_back(p);
    }
    const bool superquadric = kind_a() == 3 || kind_b() == 3;
    const double tolerance = corners_alone() ? 1e-12 : (superquadric ? 1e-8 : 1e-10);
    const Comparison seen = compare(placements, tolerance);
    EXPECT_EQ(seen.worse, 0) << seen.worst;
    EXPECT_GT(seen.worst_deep, -1e-3);
}

TEST_P(Pairs, GiveTheSameContactsWhenSwapped) {
    ShapePairs random(unsigned(200 + 10 * kind_a() + kind_b()), false);
    int compared = 0;
    for (int k = 0; k < 1000; ++k) {
        const Placement p = random_placement(random);
        const Placement q{p.kind_b, p.kind_a, p.b, p.a, p.pose_b, p.pose_a};
        const Manifold one = manifold_of(p, 0.05), other = manifold_of(q, 0.05);
        const double size = p.placed_a().bounding_radius() + p.placed_b().bounding_radius();
        if (one.count == 0 || other.count == 0) {
            EXPECT_EQ(one.count, other.count);
            continue;
        }
        if (smallest_gap(one) < -0.1 * size) continue;  // ties between ways out of a deep overlap
        ++compared;
        EXPECT_NEAR(smallest_gap(one), smallest_gap(other), 1e-8 * size);
    }
    EXPECT_GT(compared, 50);
}

TEST_P(Pairs, DoNotDependOnTheFrame) {
    ShapePairs random(unsigned(300 + 10 * kind_a() + kind_b()), false);
    for (int k = 0; k < 1000; ++k) {
        const Placement p = random_placement(random);
        Placement q = p;
        const Pose by{10.0 * random.direction(), random.orientation()};
        q.pose_a = test::moved(p.pose_a, by);
        q.pose_b = test::moved(p.pose_b, by);
        const Manifold one = manifold_of(p, 0.05), other = manifold_of(q, 0.05);
        const double size = p.placed_a().bounding_radius() + p.placed_b().bounding_radius();
        if (one.count == 0 || other.count == 0) continue;
        if (smallest_gap(one) < -0.1 * size) continue;
        EXPECT_NEAR(smallest_gap(one), smallest_gap(other), 1e-8 * size);
    }
}

TEST_P(Pairs, AreApartAlongTheLastDirectionAtOnce) {
    ShapePairs random(unsigned(400 + 10 * kind_a() + kind_b()), false);
    for (int k = 0; k < 200; ++k) {
        Placement p = random_placement(random);
        p.pose_b.position *= 2.0;
        Manifold found;
        Vector3d axis{0, 0, 0};
        const ShapeView view = pool().shapes.view();
        find_manifold(view, p.placed_a(), p.placed_b(), 0.01, axis, found);
        const int before = found.count;
        Vector3d again = axis;
        find_manifold(view, p.placed_a(), p.placed_b(), 0.01, again, found);
        EXPECT_EQ(found.count, before);
        if (before == 0 && norm(axis) > 0.0) {
            EXPECT_GT(separating(p, axis), 0.0);
        }
    }
}

std::vector<std::pair<std::size_t, std::size_t>> all_pairs() {
    std::vector<std::pair<std::size_t, std::size_t>> list;
    for (std::size_t a = 0; a < kinds; ++a)
        for (std::size_t b = a; b < kinds; ++b) list.emplace_back(a, b);
    return list;
}

INSTANTIATE_TEST_SUITE_P(All, Pairs, ::testing::ValuesIn(all_pairs()), [](const auto& pair) {
    return std::string(names[pair.param.first]) + names[pair.param.second];
});

}  // namespace
}  // namespace scree::kernels
