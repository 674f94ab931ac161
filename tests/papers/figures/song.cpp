// SPDX-License-Identifier: BSD-3-Clause
// papers/000, figures 4 and 5.
#include "tests/papers/figures/figure.hpp"
#include "tests/support/song_ellipse.hpp"

#include <array>

namespace scree::figures {
namespace {

using test::SongEllipse;
using Samples = std::vector<SongEllipse::Sample>;

constexpr std::array names{"element 1 (left)", "element 2", "element 3 (right)"};

/// One value of the samples over time, every `stride` steps of [from, to).
template <class Value>
Series over_time(const char* name, const Samples& samples, Value value, std::size_t stride = 20, std::size_t from = 0,
                 std::size_t to = SongEllipse::steps) {
    Series series{name, {}, {}};
    for (std::size_t k = from; k < std::min(to, samples.size()); k += stride)
        series.add(samples[k].time, value(samples[k]));
    return series;
}

double used(const SongEllipse::Sample& sample, std::size_t i) {
    const double bound = SongEllipse::friction * sample.element_normal[i];
    return bound > 0.0 ? sample.element_along[i] / bound : 0.0;
}

/// The first step from which all elements slide.
std::size_t sliding_begins(const Samples& samples) {
    for (std::size_t k = 0; k < samples.size(); ++k) {
        bool all = true;
        for (std::size_t i = 0; i < 3; ++i) all = all && std::abs(used(samples[k], i)) > 1.0 - 1e-9;
        if (all) return k;
    }
    return samples.size();
}

Series outline(const SongEllipse::Sample& sample, const char* name) {
    Series series{name, {}, {}};
    for (int k = 0; k <= 48; ++k) {
        const double at = 2.0 * std::numbers::pi * k / 48, x = 0.1 * std::cos(at), z = 0.05 * std::sin(at);
        series.add(sample.x + x * std::cos(sample.angle) - z * std::sin(sample.angle),
                   sample.z + x * std::sin(sample.angle) + z * std::cos(sample.angle));
    }
    return series;
}

}  // namespace

Panels song_figure_4() {
    const Samples samples = SongEllipse::run(1e-10);
    Panel normal{"(a) normal forces of the elements", "time [s]", "force [N]", {}, false};
    Panel friction{"(b) friction forces of the elements", "time [s]", "force [N]", {}, false};
    Panel state{"(c) friction over its bound: 1 slides", "time [s]", "lambda_t / (mu lambda_n)", {}, false};
    Panel slip{"(c) the first transition: microslip from the right", "time [s]", "lambda_t / (mu lambda_n)", {}, false};
    const std::size_t begins = sliding_begins(samples);
    for (std::size_t i = 0; i < 3; ++i) {
        normal.series.push_back(over_time(names[i], samples, [&](const auto& s) { return s.element_normal[i]; }));
        friction.series.push_back(over_time(names[i], samples, [&](const auto& s) { return s.element_along[i]; }));
        state.series.push_back(over_time(names[i], samples, [&](const auto& s) { return used(s, i); }));
        slip.series.push_back(over_time(
            names[i], samples, [&](const auto& s) { return used(s, i); }, 5, 0, begins + begins / 4));
    }
    return {normal, friction, state, slip};
}

Panels song_figure_5() {
    struct Run {
        const char* name;
        double epsilon;
    };
    Panel motion{"(a) snapshots, every 0.1 s to 0.4 s", "x [m]", "z [m]", {}, true};
    Panel height{"(b) height of the centre of mass", "time [s]", "z [m]", {}, false};
    Panel normal{"(c) sum of the normal forces", "time [s]", "force [N]", {}, false};
    Panel friction{"(d) sum of the friction forces", "time [s]", "force [N]", {}, false};
    Panel distance{"(b) distance of this height from the rigid run's", "time [s]", "log10 |dz / m|", {}, false};
    const Samples rigid = SongEllipse::run(0.0);
    for (const Run& run :
         {Run{"eps = 1e-9", 1e-9}, Run{"eps = 1e-10", 1e-10}, Run{"eps = 1e-11", 1e-11}, Run{"rigid", 0.0}}) {
        const Samples samples = run.epsilon > 0.0 ? SongEllipse::run(run.epsilon) : rigid;
        height.series.push_back(over_time(run.name, samples, [](const auto& s) { return s.z; }));
        normal.series.push_back(over_time(run.name, samples, [](const auto& s) { return s.normal; }));
        friction.series.push_back(over_time(run.name, samples, [](const auto& s) { return s.along; }));
        if (run.epsilon > 0.0) {
            distance.series.push_back({run.name, {}, {}});
            for (std::size_t k = 0; k < samples.size(); k += 20)
                distance.series.back().add(samples[k].time,
                                           std::log10(std::max(1e-9, std::abs(samples[k].z - rigid[k].z))));
            continue;
        }
        for (const std::size_t k : {0U, 999U, 1999U, 2999U, 3999U}) motion.series.push_back(outline(samples[k], ""));
    }
    return {motion, height, distance, normal, friction};
}

}  // namespace scree::figures
