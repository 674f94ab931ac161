// SPDX-License-Identifier: BSD-3-Clause
// Sampling the sphere radii of a model::SizeDistribution.
#pragma once

#include "engine/model/source.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::geometry {

/// A size distribution by number, through its quantile function.
///
/// constant   r = radius.
/// uniform    r in [lower, upper].
/// normal     mean and deviation, cut at [lower, upper] and renormalised; lower = upper = 0 cuts at 3 deviations.
/// lognormal  ln r normal about ln(mean) (so `mean` is the median) with sigma = deviation; cut in the same way.
/// sieve      mass within a class is uniform in ln r, so the number density in a class is proportional to r^-4:
///            r(u) = a (1 - u (1 - (a/b)^3))^(-1/3) for a class [a, b], and a class with mass share w holds a share of
///            all spheres proportional to w (a^-3 - b^-3) / ln(b/a).
class RadiusSampler {
public:
    /// Throws model::Error (input) naming the parameter, its value and what is allowed.
    explicit RadiusSampler(const model::SizeDistribution& sizes);

    /// The radius [m] below which the share `u` in [0, 1] of all spheres (by number) lies. Never decreases with u.
    [[nodiscard]] double quantile(double u) const;

    [[nodiscard]] double smallest() const { return lower_; }  ///< [m]
    [[nodiscard]] double largest() const { return upper_; }   ///< [m]

    /// Mean volume of a sphere by number [m^3], to about 1e-6 (exact for constant, uniform and sieve).
    [[nodiscard]] double mean_volume() const;

private:
    model::SizeDistribution sizes_;
    double lower_ = 0.0, upper_ = 0.0;
    double share_below_ = 0.0, share_above_ = 1.0;  ///< normal and log-normal: the uncut shares at the bounds
    std::vector<double> class_end_;                 ///< sieve: cumulative number share at the end of each class
};

/// `count` radii [m] in random order. They are stratified: one radius from each of `count` equal shares of the
/// distribution, so that even a few thousand spheres follow a wide mass distribution closely.
/// Depends on the distribution, count and seed only.
[[nodiscard]] std::vector<double> sample_radii(const RadiusSampler& sampler, std::size_t count, std::uint64_t seed);

}  // namespace scree::geometry
