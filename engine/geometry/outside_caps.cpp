// SPDX-License-Identifier: BSD-3-Clause
#include "engine/geometry/outside_caps.hpp"

#include "engine/geometry/covered_arcs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace scree::geometry {
namespace {

using model::Vec3;
constexpr double pi = std::numbers::pi;

/// Exponents (a, b, c) of n_x^a n_y^b n_z^c, all up to degree 3.
struct Exponents {
    std::size_t a, b, c;
};
constexpr std::size_t monomials = 20;
constexpr auto exponents = [] {
    std::array<Exponents, monomials> all{};
    std::size_t at = 0;
    for (std::size_t degree = 0; degree <= 3; ++degree)
        for (std::size_t a = 0; a <= degree; ++a)
            for (std::size_t b = 0; a + b <= degree; ++b) all[at++] = {a, b, degree - a - b};
    return all;
}();
using Integrals = std::array<double, monomials>;

constexpr std::size_t place_of(Exponents e) {
    for (std::size_t k = 0; k < monomials; ++k)
        if (exponents[k].a == e.a && exponents[k].b == e.b && exponents[k].c == e.c) return k;
    return monomials;
}

/// Antiderivatives of cos^a sin^b at an angle, [a][b] with a + b <= 3.
using Trigonometric = std::array<std::array<double, 4>, 4>;
Trigonometric antiderivatives(double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    Trigonometric f{};
    f[0][0] = angle;
    f[1][0] = s;
    f[0][1] = -c;
    f[2][0] = 0.5 * (angle + s * c);
    f[1][1] = 0.5 * s * s;
    f[0][2] = 0.5 * (angle - s * c);
    f[3][0] = s - s * s * s / 3.0;
    f[2][1] = -c * c * c / 3.0;
    f[1][2] = s * s * s / 3.0;
    f[0][3] = -c + c * c * c / 3.0;
    return f;
}

/// A cap with what its cut with circles of latitude needs.
struct LatitudeCap {
    Cap cap;
    double across;     ///< Length of the axis's part across z.
    double longitude;  ///< Of the axis [rad].
    double low, high;  ///< The heights that its rim reaches.
};

/// Half the opening angle.
double opening(const Cap& cap) { return std::acos(std::clamp(cap.height, -1.0, 1.0)); }
double angle_between(Vec3 a, Vec3 b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

/// Those that cover something and lie in no other one, largest first.
std::vector<LatitudeCap> without_inner(std::span<const Cap> caps) {
    std::vector<Cap> sorted;
    for (const Cap& cap : caps)
        if (cap.height < 1.0) sorted.push_back(cap);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Cap& a, const Cap& b) { return a.height < b.height; });
    std::vector<LatitudeCap> kept;
    for (const Cap& cap : sorted) {
        const bool inner = std::any_of(kept.begin(), kept.end(), [&](const LatitudeCap& outer) {
            return angle_between(outer.cap.axis, cap.axis) + opening(cap) <= opening(outer.cap);
        });
        if (inner) continue;
        const double across = std::hypot(cap.axis.x, cap.axis.y);
        const double middle = cap.height * cap.axis.z;
        const double reach = std::sqrt(std::max(0.0, 1.0 - cap.height * cap.height)) * across;
        kept.push_back({cap, across, std::atan2(cap.axis.y, cap.axis.x), middle - reach, middle + reach});
    }
    return kept;
}

/// Visits the points in which two rims meet, or, by rounding, nearly touch.
template <class Visit>
void for_each_meeting(const Cap& one, const Cap& two, Visit&& visit) {
    const Vec3 normal = cross(one.axis, two.axis);
    const double sine2 = dot(normal, normal), cosine = dot(one.axis, two.axis);
    if (sine2 == 0.0) return;
    const double a = (one.height - cosine * two.height) / sine2, b = (two.height - cosine * one.height) / sine2;
    const Vec3 middle = a * one.axis + b * two.axis;
    const double rest = 1.0 - dot(middle, middle);
    // Rims that miss each other by less than rounding put into `rest` still bend the integrand as if they touched.
    if (rest < -1e-9) return;
    const Vec3 arm = std::sqrt(std::max(0.0, rest) / sine2) * normal;
    visit(middle + arm);
    visit(middle - arm);
}

class Outside {
public:
    explicit Outside(std::span<const Cap> caps) : caps_(without_inner(caps)) {}

    [[nodiscard]] Integrals integrate() {
        Integrals sum{};
        if (!caps_.empty() && caps_.front().cap.height <= -1.0) return sum;
        const std::vector<double> heights = kinks();
        for (std::size_t k = 0; k + 1 < heights.size(); ++k) between(heights[k], heights[k + 1], sum);
        return sum;
    }

private:
    /// Heights at which the integrand is not analytic, with -1 and 1: the ends of rims and the points in which they
    /// meet, but for those that another cap covers.
    [[nodiscard]] std::vector<double> kinks() const {
        std::vector<double> heights{-1.0, 1.0};
        const auto add = [&](Vec3 n, std::size_t i, std::size_t j) {
            for (std::size_t k = 0; k < caps_.size(); ++k)
                if (k != i && k != j && dot(caps_[k].cap.axis, n) > caps_[k].cap.height + 1e-9) return;
            heights.push_back(std::clamp(n.z, -1.0, 1.0));
        };
        for (std::size_t i = 0; i < caps_.size(); ++i) {
            const LatitudeCap& one = caps_[i];
            heights.push_back(std::clamp(one.low, -1.0, 1.0));
            heights.push_back(std::clamp(one.high, -1.0, 1.0));
            for (std::size_t j = 0; j < i; ++j) for_each_meeting(one.cap, caps_[j].cap, [&](Vec3 n) { add(n, i, j); });
        }
        std::sort(heights.begin(), heights.end());
        heights.erase(std::unique(heights.begin(), heights.end()), heights.end());
        return heights;
    }

    /// The integrand at height z, of all monomials, added to `sum` times `weight`.
    void at_height(double z, double weight, Integrals& sum) {
        const double s = std::sqrt(std::max(0.0, (1.0 - z) * (1.0 + z)));
        arcs_.clear();
        for (const LatitudeCap& c : caps_) {
            const double over = c.cap.height - z * c.cap.axis.z, most = s * c.across;
            if (over >= most) continue;
            if (over <= -most) return;
            arcs_.cover(c.longitude, over / most);
        }
        Trigonometric around{};
        arcs_.for_each_gap([&](double begin, double end) {
            const Trigonometric from = antiderivatives(begin), to = antiderivatives(end);
            for (std::size_t a = 0; a < 4; ++a)
                for (std::size_t b = 0; a + b < 4; ++b) around[a][b] += to[a][b] - from[a][b];
        });
        const double s_power[4] = {1.0, s, s * s, s * s * s}, z_power[4] = {1.0, z, z * z, z * z * z};
        for (std::size_t k = 0; k < monomials; ++k) {
            const auto [a, b, c] = exponents[k];
            sum[k] += weight * s_power[a + b] * z_power[c] * around[a][b];
        }
    }

    /// z = middle + half sin(t) makes the square roots at the ends of the interval analytic in t.
    void between(double low, double high, Integrals& sum) {
        refine({0.5 * (low + high), 0.5 * (high - low)}, -0.5 * pi, 0.5 * pi, most_halvings, sum);
    }

    struct Interval {
        double middle, half;
    };
    void refine(const Interval& z, double from, double to, int halvings, Integrals& sum) {
        Integrals gauss{}, kronrod{};
        for (std::size_t k = 0; k < nodes.size(); ++k)
            for (const double side : {-1.0, 1.0}) {
                if (nodes[k] == 0.0 && side > 0.0) continue;
                const double t = 0.5 * (from + to) + 0.5 * (to - from) * side * nodes[k];
                Integrals value{};
                at_height(z.middle + z.half * std::sin(t), 0.5 * (to - from) * z.half * std::cos(t), value);
                for (std::size_t m = 0; m < monomials; ++m) {
                    kronrod[m] += kronrod_weights[k] * value[m];
                    gauss[m] += gauss_weights[k] * value[m];
                }
            }
        double difference = 0.0;
        for (std::size_t m = 0; m < monomials; ++m) difference = std::max(difference, std::abs(kronrod[m] - gauss[m]));
        if (difference > most_difference && halvings > 0) {
            const double middle = 0.5 * (from + to);
            refine(z, from, middle, halvings - 1, sum);
            refine(z, middle, to, halvings - 1, sum);
            return;
        }
        for (std::size_t m = 0; m < monomials; ++m) sum[m] += kronrod[m];
    }

    static constexpr double most_difference = 1e-11;
    static constexpr int most_halvings = 40;  ///< To 1e-12 of an interval.
    // Gauss and Kronrod on [-1, 1] (QUADPACK, qk15); Gauss's weights are 0 at the nodes that Kronrod adds.
    static constexpr std::array<double, 8> nodes{
        0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
        0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
        0.586087235467691130294144691693141, 0.405845151377397166906606412076961,
        0.207784955007898467600689403773245, 0.0};
    static constexpr std::array<double, 8> kronrod_weights{
        0.022935322010529224963732008058970, 0.063092092629978553290700663189204, 0.104790010322250183839876322541518,
        0.140653259715525918745189590510238, 0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
        0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
    static constexpr std::array<double, 8> gauss_weights{
        0.0, 0.129484966168869693270611432679082, 0.0, 0.279705391489276667901467771423780,
        0.0, 0.381830050505118944950369775488975, 0.0, 0.417959183673469387755102040816327};

    std::vector<LatitudeCap> caps_;
    CoveredArcs arcs_;
};

}  // namespace

SphericalMoments moments_outside_caps(std::span<const Cap> caps) {
    const Integrals found = Outside(caps).integrate();
    const auto of = [&](std::initializer_list<std::size_t> axes) {
        std::array<std::size_t, 3> power{};
        for (const std::size_t axis : axes) ++power[axis];
        return found[place_of({power[0], power[1], power[2]})];
    };
    SphericalMoments moments;
    moments.area = of({});
    for (std::size_t k = 0; k < 3; ++k) {
        moments.first[k] = of({k});
        for (std::size_t l = 0; l < 3; ++l) {
            moments.second[k][l] = of({k, l});
            for (std::size_t m = 0; m < 3; ++m) moments.third[k][l][m] = of({k, l, m});
        }
    }
    return moments;
}

}  // namespace scree::geometry
