// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/size_distribution.hpp"

#include "engine/geometry/mass.hpp"
#include "engine/geometry/random_stream.hpp"
#include "engine/model/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

namespace scree::geometry {
namespace {

using Kind = model::SizeDistribution::Kind;

/// Share of a standard normal below x.
double normal_share(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// The standard normal quantile for 0 < p < 1: Acklam's rational form (error 1e-9), then one Halley step.
double normal_quantile(double p) {
    constexpr std::array<double, 6> a{-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                                      1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    constexpr std::array<double, 5> b{-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                                      6.680131188771972e+01, -1.328068155288572e+01};
    constexpr std::array<double, 6> c{-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                                      -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    constexpr std::array<double, 4> d{7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                                      3.754408661907416e+00};
    constexpr double tail = 0.02425;
    double x = 0.0;
    if (p < tail || p > 1.0 - tail) {
        const double q = std::sqrt(-2.0 * std::log(std::min(p, 1.0 - p)));
        x = (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
            ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1.0);
        if (p > 0.5) x = -x;
    } else {
        const double q = p - 0.5, r = q * q;
        x = (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
            (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1.0);
    }
    const double error = normal_share(x) - p;
    const double step = error * std::sqrt(2.0 * std::numbers::pi) * std::exp(0.5 * x * x);
    return x - step / (1.0 + 0.5 * x * step);
}

/// Throws the errors of one distribution.
namespace check {
[[noreturn]] void fail(const std::string& what, const std::string& hint = {}) {
    throw model::Error(model::ErrorKind::input, "sizes: " + what, hint);
}
void positive(const char* what, double value) {
    if (!(value > 0.0) || !std::isfinite(value)) fail(fmt::format("{} is {}, allowed: > 0", what, value));
}
void ordered(double lower, double upper) {
    if (!(lower >= 0.0) || !std::isfinite(upper) || !(upper >= lower)) {
        fail(fmt::format("bounds are {} and {} m, allowed: 0 <= lower <= upper", lower, upper));
    }
}
}  // namespace check

void check_table(const std::vector<std::pair<double, double>>& passing) {
    if (passing.size() < 2) {
        check::fail(fmt::format("the sieve table has {} rows, at least 2 are wanted", passing.size()));
    }
    for (std::size_t i = 0; i < passing.size(); ++i) {
        const auto [radius, share] = passing[i];
        check::positive("a sieve opening", radius);
        if (i == 0) continue;
        if (!(radius > passing[i - 1].first)) {
            check::fail(fmt::format("sieve openings must increase: {} follows {} m", radius, passing[i - 1].first));
        }
        if (!(share >= passing[i - 1].second)) {
            check::fail(fmt::format("passing shares must not decrease: {} follows {}", share, passing[i - 1].second));
        }
    }
    if (passing.front().second != 0.0 || std::abs(passing.back().second - 1.0) > 1e-9) {
        check::fail(fmt::format("the sieve table passes {} to {} of the mass, wanted: 0 to 1", passing.front().second,
                                passing.back().second),
                    "add the opening that nothing passes and the one that all pass");
    }
}

/// Integral of r^-4 over a class, times 3.
double inverse_cubes(double a, double b) { return 1.0 / (a * a * a) - 1.0 / (b * b * b); }

}  // namespace

RadiusSampler::RadiusSampler(const model::SizeDistribution& sizes) : sizes_(sizes) {
    switch (sizes_.kind) {
        case Kind::constant:
            check::positive("radius", sizes_.radius);
            lower_ = upper_ = sizes_.radius;
            break;
        case Kind::uniform:
            check::positive("lower bound", sizes_.lower);
            check::ordered(sizes_.lower, sizes_.upper);
            lower_ = sizes_.lower;
            upper_ = sizes_.upper;
            break;
        case Kind::normal:
        case Kind::lognormal: {
            const bool is_normal = sizes_.kind == Kind::normal;
            check::positive(is_normal ? "mean" : "median (mean)", sizes_.mean);
            check::positive("deviation", sizes_.deviation);
            const auto reduced = [&](double r) {  // in deviations from the mean
                return (is_normal ? r - sizes_.mean : std::log(r / sizes_.mean)) / sizes_.deviation;
            };
            check::ordered(sizes_.lower, sizes_.upper);
            lower_ = sizes_.lower;
            upper_ = sizes_.upper;
            if (lower_ == 0.0 && upper_ == 0.0) {
                const double reach = 3.0 * sizes_.deviation;
                lower_ = is_normal ? sizes_.mean - reach : sizes_.mean * std::exp(-reach);
                upper_ = is_normal ? sizes_.mean + reach : sizes_.mean * std::exp(reach);
                if (!(lower_ > 0.0) || !std::isfinite(upper_)) {
                    check::fail(
                        fmt::format("mean {} m less 3 deviations of {} is not positive", sizes_.mean, sizes_.deviation),
                        "give bounds: lower, upper");
                }
            }
            check::positive("lower bound", lower_);
            share_below_ = normal_share(reduced(lower_));
            share_above_ = normal_share(reduced(upper_));
            if (!(share_above_ - share_below_ >= 1e-6)) {
                check::fail(fmt::format("only {:.1e} of the distribution lies between the bounds {} and {} m",
                                        share_above_ - share_below_, lower_, upper_),
                            "wanted: at least 1e-6");
            }
            break;
        }
        case Kind::sieve: {
            check_table(sizes_.passing);
            double total = 0.0;
            for (std::size_t i = 1; i < sizes_.passing.size(); ++i) {
                const auto [a, below] = sizes_.passing[i - 1];
                const auto [b, above] = sizes_.passing[i];
                total += (above - below) * inverse_cubes(a, b) / std::log(b / a);
                class_end_.push_back(total);
            }
            for (double& end : class_end_) end /= total;
            lower_ = sizes_.passing.front().first;
            upper_ = sizes_.passing.back().first;
            break;
        }
    }
}

double RadiusSampler::quantile(double u) const {
    u = std::clamp(u, 0.0, 1.0);
    double radius = lower_;
    switch (sizes_.kind) {
        case Kind::constant:
            break;
        case Kind::uniform:
            radius = lower_ + u * (upper_ - lower_);
            break;
        case Kind::normal:
        case Kind::lognormal: {
            if (u == 0.0) return lower_;
            if (u == 1.0) return upper_;
            const double p = std::clamp(share_below_ + u * (share_above_ - share_below_), 1e-300, 1.0 - 0x1.0p-53);
            const double x = sizes_.deviation * normal_quantile(p);
            radius = sizes_.kind == Kind::normal ? sizes_.mean + x : sizes_.mean * std::exp(x);
            break;
        }
        case Kind::sieve: {
            const auto end = std::upper_bound(class_end_.begin(), class_end_.end() - 1, u);
            const auto k = static_cast<std::size_t>(end - class_end_.begin());
            const double start = k == 0 ? 0.0 : class_end_[k - 1];
            const double a = sizes_.passing[k].first, b = sizes_.passing[k + 1].first;
            const double share = *end > start ? (u - start) / (*end - start) : 0.0;
            const double ratio = a / b;
            radius = a / std::cbrt(1.0 - share * (1.0 - ratio * ratio * ratio));
            break;
        }
    }
    return std::clamp(radius, lower_, upper_);
}

double RadiusSampler::mean_volume() const {
    if (sizes_.kind == Kind::constant) return sphere_volume(lower_);
    if (sizes_.kind == Kind::uniform) {  // (b^4 - a^4) / (4 (b - a)), without the cancellation
        const double a = lower_, b = upper_;
        return sphere_volume(1.0) * 0.25 * (a + b) * (a * a + b * b);
    }
    if (sizes_.kind == Kind::sieve) {
        double mean_cube = 0.0, start = 0.0;
        for (std::size_t k = 0; k < class_end_.size(); ++k) {
            const double a = sizes_.passing[k].first, b = sizes_.passing[k + 1].first;
            mean_cube += (class_end_[k] - start) * 3.0 * std::log(b / a) / inverse_cubes(a, b);
            start = class_end_[k];
        }
        return sphere_volume(1.0) * mean_cube;
    }
    constexpr std::size_t samples = 20000;  // midpoint rule over equal shares
    double sum = 0.0;
    for (std::size_t i = 0; i < samples; ++i) {
        sum += sphere_volume(quantile((static_cast<double>(i) + 0.5) / static_cast<double>(samples)));
    }
    return sum / static_cast<double>(samples);
}

std::vector<double> sample_radii(const RadiusSampler& sampler, std::size_t count, std::uint64_t seed) {
    RandomStream random(seed, 1);
    std::vector<double> radii(count);
    for (std::size_t i = 0; i < count; ++i) {
        radii[i] = sampler.quantile((static_cast<double>(i) + random.unit()) / static_cast<double>(count));
    }
    random.shuffle(radii);
    return radii;
}

}  // namespace scree::geometry
