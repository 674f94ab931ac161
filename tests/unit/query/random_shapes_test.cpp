// SPDX-License-Identifier: BSD-3-Clause
// Rays and regions against the equations of random solids, sampled densely: the slow way to the same answers.
#include "engine/query/scene_query.hpp"
#include "tests/support/scene_maker.hpp"
#include "tests/support/solid_equations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace scree::query {
namespace {

using model::Quat;
using model::Vec3;
using test::SceneMaker;

Vec3 random_point(geometry::RandomStream& random, double size) {
    const double x = random.between(-size, size), y = random.between(-size, size), z = random.between(-size, size);
    return {x, y, z};
}

/// Solids with their places, and the query that must see them.
class RandomScene {
public:
    RandomScene(int kind, std::size_t count, double spread, geometry::RandomStream& random) {
        SceneMaker maker(1e-3);
        for (std::size_t k = 0; k < count; ++k) {
            solids_.push_back(test::random_solid(kind >= 0 ? kind : int(random.index(test::solid_kinds)), random));
            places_.push_back(random_point(random, spread));
            turns_.push_back(model::from_axis_angle(random_point(random, 1.0), random.between(0.0, 6.0)));
            maker.solid(solids_.back().solid, {.position = places_.back(), .orientation = turns_.back()});
        }
        scene_ = maker.scene();
        query_.emplace(scene_, simulation::Simulation(scene_).snapshot(false));
    }

    [[nodiscard]] const SceneQuery& query() const { return *query_; }
    /// Least value of all equations at a point.
    [[nodiscard]] double at(Vec3 p) const {
        double least = 1e300;
        for (std::size_t k = 0; k < solids_.size(); ++k) least = std::min(least, value(k, p));
        return least;
    }
    [[nodiscard]] double value(std::size_t k, Vec3 p) const {
        return solids_[k].at(rotate(conjugate(turns_[k]), p - places_[k]));
    }
    [[nodiscard]] std::size_t size() const { return solids_.size(); }

private:
    std::vector<test::KnownSolid> solids_;
    std::vector<Vec3> places_;
    std::vector<Quat> turns_;
    model::Scene scene_;
    std::optional<SceneQuery> query_;
};

TEST(RandomShapes, AHitLiesOnTheSurfaceAndNothingLiesBeforeIt) {
    geometry::RandomStream random(3);
    for (int kind = 0; kind < test::solid_kinds; ++kind) {
        int hits = 0;
        for (int scene = 0; scene < 40; ++scene) {
            const RandomScene solids(kind, 1, 0.3, random);
            for (int k = 0; k < 20; ++k) {
                const Vec3 from = 4.0 * normalized(random_point(random, 1.0));
                const Vec3 way = normalized(random_point(random, 1.0) - from);
                const auto hit = solids.query().cast({.origin = from, .direction = way});
                const double end = hit ? hit->distance : 8.0;
                constexpr int samples = 400;
                for (int i = 0; i < samples; ++i) {
                    const double at = (end - 1e-9) * i / samples;
                    ASSERT_GT(solids.at(from + at * way), -1e-10) << "kind " << kind << ": passed at " << at;
                }
                if (!hit) continue;
                ++hits;
                // Round shapes to 1e-10 of their size along the normal; the equation of a superquadric may be steeper
                // or flatter than a distance by some powers of ten where its exponents are far from 1.
                EXPECT_NEAR(solids.at(hit->point), 0.0, kind == 4 ? 1e-7 : 1e-9) << "kind " << kind;
                EXPECT_LE(dot(hit->normal, way), 1e-9);
                // The equation grows along the normal and falls against it.
                EXPECT_GT(solids.at(hit->point + 1e-5 * hit->normal), 0.0) << "kind " << kind;
                EXPECT_LT(solids.at(hit->point - 1e-4 * hit->normal), 1e-9) << "kind " << kind;
            }
        }
        EXPECT_GT(hits, 100) << "kind " << kind;
    }
}

TEST(RandomShapes, OfManyTheFirstIsHit) {
    geometry::RandomStream random(5);
    const RandomScene solids(-1, 150, 6.0, random);
    for (int k = 0; k < 200; ++k) {
        const Vec3 from = 14.0 * normalized(random_point(random, 1.0));
        const Vec3 way = normalized(random_point(random, 4.0) - from);
        const auto hit = solids.query().cast({.origin = from, .direction = way});
        const double end = hit ? hit->distance : 28.0;
        constexpr int samples = 1000;
        for (int i = 0; i < samples; ++i) {
            const double at = (end - 1e-9) * i / samples;
            ASSERT_GT(solids.at(from + at * way), -1e-9) << k;
        }
        if (hit) {
            EXPECT_NEAR(solids.value(hit->body - 1, hit->point), 0.0, 1e-7) << k;
        }
    }
}

TEST(RandomShapes, AThousandBallsAreHitAsTheQuadraticSays) {
    geometry::RandomStream random(13);
    SceneMaker maker(1e-3);
    std::vector<Vec3> centers;
    std::vector<double> radii;
    for (int k = 0; k < 1000; ++k) {
        centers.push_back(random_point(random, 5.0));
        radii.push_back(random.between(0.05, 0.3));
        maker.sphere(  // of one density: a scene has 256 materials at most
            {.position = centers.back(), .radius = radii.back(), .mass = test::mass_of(1000.0, radii.back())});
    }
    simulation::Simulation simulation(maker.scene());
    const SceneQuery query(simulation.scene(), simulation.snapshot(false));
    for (int k = 0; k < 2000; ++k) {
        const Vec3 from = 12.0 * normalized(random_point(random, 1.0));
        const Vec3 way = normalized(random_point(random, 4.0) - from);
        std::uint64_t id = 0;
        double nearest = 1e300;
        for (std::size_t b = 0; b < centers.size(); ++b) {
            const double middle = dot(centers[b] - from, way);
            const Vec3 away = from + middle * way - centers[b];
            const double square = radii[b] * radii[b] - dot(away, away);
            if (square < 0.0 || middle - std::sqrt(square) >= nearest) continue;
            nearest = middle - std::sqrt(square);
            id = b + 1;
        }
        const auto hit = query.cast({.origin = from, .direction = way});
        ASSERT_EQ(hit.has_value(), id > 0) << k;
        if (!hit) continue;
        EXPECT_EQ(hit->body, id) << k;
        EXPECT_NEAR(hit->distance, nearest, 1e-12) << k;
    }
}

TEST(RandomShapes, RegionsHoldEveryBodyOfWhichASampleLiesInside) {
    geometry::RandomStream random(17);
    int found_by_samples = 0, found = 0;
    for (int scene = 0; scene < 10; ++scene) {
        const RandomScene solids(-1, 60, 3.0, random);
        for (int k = 0; k < 20; ++k) {
            const Vec3 center = random_point(random, 3.0);
            const double radius = random.between(0.1, 1.0);
            const Vec3 half{random.between(0.1, 0.7), random.between(0.1, 0.7), random.between(0.1, 0.7)};
            const auto in_ball = solids.query().bodies_in_sphere(center, radius);
            const auto in_box = solids.query().bodies_in_box(center - half, center + half);
            found += int(in_ball.size() + in_box.size());
            for (std::size_t b = 0; b < solids.size(); ++b) {
                bool ball = false, box = false;
                for (int sample = 0; sample < 2000; ++sample) {
                    const Vec3 unit = random_point(random, 1.0);
                    if (norm(unit) <= 1.0) ball = ball || solids.value(b, center + radius * unit) < 0.0;
                    box =
                        box || solids.value(b, center + Vec3{half.x * unit.x, half.y * unit.y, half.z * unit.z}) < 0.0;
                }
                const auto holds = [&](const std::vector<std::uint64_t>& ids) {
                    return std::binary_search(ids.begin(), ids.end(), std::uint64_t(b + 1));
                };
                found_by_samples += int(ball) + int(box);
                ASSERT_TRUE(!ball || holds(in_ball)) << scene << " " << k << " " << b;
                ASSERT_TRUE(!box || holds(in_box)) << scene << " " << k << " " << b;
            }
        }
    }
    // Samples miss bodies of which less than some 2000th of the region is inside; they are few.
    EXPECT_GT(found_by_samples, 500);
    EXPECT_LT(found, found_by_samples * 1.15);
}

}  // namespace
}  // namespace scree::query
