// SPDX-License-Identifier: BSD-3-Clause
// A row of dominoes. Reference: the model of van Leeuwen, "The domino effect" (American Journal of Physics 78, 2010),
// without friction between the dominoes. Each turns about its lower edge, which does not slip; those that fell lean on
// the next, so that the row has one degree of freedom and keeps its energy; a head that meets the next domino does so
// plastically. Solved here in its own coordinates.
#include "tests/support/scene_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace scree::test {
namespace {

// Thickness d, height, width; the clear distance to the next.
constexpr double thickness = 0.008, height = 0.045, width = 0.024, clear = 0.02;

/// Angles of all fallen dominoes from that of the foremost: the head of one, the corner that was up and in front, lies
/// on the back of the next.
class LeaningRow {
public:
    /// Times [s] at which the head of domino 1, 2 ... meets the next.
    [[nodiscard]] std::vector<double> arrivals(std::size_t count, double first_spin) const {
        std::vector<double> times;
        double time = 0.0, spin = first_spin;
        for (std::size_t n = 1; n <= count; ++n) {
            // Domino n turns from upright to where it meets the next.
            const double energy = 0.5 * inertia() * inertia_of_row(0.0, n) * spin * spin + potential(0.0, n);
            const double end = std::asin(clear / height);
            constexpr int parts = 400;
            const auto speed = [&](double angle) {
                return std::sqrt(2.0 * (energy - potential(angle, n)) / (inertia() * inertia_of_row(angle, n)));
            };
            for (int k = 0; k < parts; ++k) time += end / parts / speed((k + 0.5) * end / parts);
            times.push_back(time);
            // The row of n + 1 with the foremost upright: its mode's momentum is kept.
            const std::vector<double> rates = rates_of(0.0, n + 1);
            double before = 0.0, after = 0.0;
            const double own = speed(end);
            const std::vector<double> old = rates_of(end, n);
            for (std::size_t k = 0; k < n; ++k) before += own * old[k] * rates[k + 1];
            for (const double r : rates) after += r * r;
            spin = before / after;
        }
        return times;
    }

private:
    // Of one domino of 1 kg about its lower edge.
    static double inertia() { return (thickness * thickness + height * height) / 3.0; }
    static double next_outward(double angle) {
        return angle + std::asin(((clear + thickness) * std::cos(angle) - thickness) / height);
    }
    static double slope(double angle) {
        const double s = ((clear + thickness) * std::cos(angle) - thickness) / height;
        return 1.0 - (clear + thickness) * std::sin(angle) / height / std::sqrt(1.0 - s * s);
    }
    /// d theta_k / d theta_foremost, foremost first.
    static std::vector<double> rates_of(double angle, std::size_t n) {
        std::vector<double> rates{1.0};
        for (std::size_t k = 1; k < n; ++k) {
            rates.push_back(rates.back() * slope(angle));
            angle = next_outward(angle);
        }
        return rates;
    }
    static double inertia_of_row(double angle, std::size_t n) {
        double sum = 0.0;
        for (const double r : rates_of(angle, n)) sum += r * r;
        return sum;
    }
    static double potential(double angle, std::size_t n) {
        double sum = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            sum += gravity * 0.5 * (height * std::cos(angle) + thickness * std::sin(angle));
            angle = next_outward(angle);
        }
        return sum;
    }
};

/// Times at which dominoes 2, 3 ... begin to turn.
std::vector<double> toppled(double h, std::size_t count, double first_spin) {
    SceneMaker scene(h);
    scene.exact(1e-6).law({}).wall_law({.friction = 2.0});
    scene.plane();
    for (std::size_t k = 0; k < count; ++k) {
        const Vec3 centre{double(k) * (clear + thickness), 0, height / 2};
        SolidSpec spec{.position = centre};
        if (k == 0) {
            spec.angular_velocity = {0, first_spin, 0};
            spec.velocity = cross(spec.angular_velocity, Vec3{-thickness / 2, 0, height / 2});
        }
        scene.solid(model::SolidBox{{thickness / 2, width / 2, height / 2}}, spec);
    }
    Experiment run(scene);
    std::vector<double> times;
    while (times.size() + 1 < count && run.time() < 3.0) {
        run.step();
        const model::Snapshot& s = run.now();
        while (times.size() + 1 < count && s.angular_velocity[times.size() + 1].y > 0.2) times.push_back(run.time());
    }
    return times;
}

TEST(Dominoes, FallOneAfterAnotherAtTheSpeedOfTheModel) {
    constexpr std::size_t count = 30, ran_in = 14;
    const std::vector<double> reference = LeaningRow{}.arrivals(count, 6.0);
    const double spacing = clear + thickness, way = double(count - 2 - ran_in) * spacing;
    const double expected = way / (reference[count - 2] - reference[ran_in]);
    double coarse = 1e300;
    for (const double h : {4e-4, 2e-4, 1e-4}) {
        const std::vector<double> times = toppled(h, count, 6.0);
        ASSERT_EQ(times.size(), count - 1);
        const double speed = way / (times.back() - times[ran_in]);
        EXPECT_NEAR(speed, expected, 0.005 * expected) << h;
        // Each of the 29 meetings is seen a step late at most, and contacts are not quite rigid.
        const double late = times.back() - reference[count - 2];
        EXPECT_GT(late, 0.0) << h;
        EXPECT_LT(late, 0.004 * reference[count - 2]) << h;
        EXPECT_LT(late, coarse) << h;
        coarse = late;
    }
    // Steady from about the tenth on, near 1.7 sqrt(g height).
    EXPECT_NEAR(expected / std::sqrt(gravity * height), 1.71, 0.01);
}

}  // namespace
}  // namespace scree::test
