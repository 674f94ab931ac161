// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/compare.hpp"

#include "engine/measure/heights.hpp"

#include <algorithm>
#include <cmath>

namespace scree::measure {
namespace {

using Components = std::array<double, 4>;

Components components(model::Vec3 v) { return {v.x, v.y, v.z, 0.0}; }
Components components(model::Quat q) { return {q.w, q.x, q.y, q.z}; }

Components value_of(const model::Snapshot& s, std::size_t i, Field field) {
    switch (field) {
        case Field::position:
            return components(s.position[i]);
        case Field::orientation:
            return components(s.orientation[i]);
        case Field::velocity:
            return components(s.velocity[i]);
        case Field::angular_velocity:
            return components(s.angular_velocity[i]);
    }
    return {};
}

double length(const Components& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]); }

Difference difference(const model::Snapshot& a, std::size_t i, const model::Snapshot& b, std::size_t j, Field field) {
    Difference d{a.id[i], field, value_of(a, i, field), value_of(b, j, field), 0.0};
    if (field == Field::orientation) {
        double cosine = 0.0;
        for (std::size_t k = 0; k < 4; ++k) cosine += d.a[k] * d.b[k];
        if (cosine < 0.0) {
            for (double& component : d.b) component = -component;
        }
    }
    Components delta{};
    // Equal infinities differ by nothing, though their difference is not a number.
    for (std::size_t k = 0; k < 4; ++k) delta[k] = d.a[k] == d.b[k] ? 0.0 : d.a[k] - d.b[k];
    d.distance = length(delta);
    return d;
}

/// "Greater" that ranks not-a-number above all numbers.
bool exceeds(double x, double limit) { return std::isnan(x) ? !std::isnan(limit) : x > limit; }

DisplacementStatistics statistics_of(std::vector<double>& values) {
    DisplacementStatistics result;
    if (values.empty()) return result;
    const auto n = static_cast<double>(values.size());
    for (const double value : values) result.mean += value / n;
    for (const double value : values) result.deviation += (value - result.mean) * (value - result.mean) / n;
    result.deviation = std::sqrt(result.deviation);
    result.max = *std::max_element(values.begin(), values.end());
    result.p50 = percentile(values, 0.50);
    result.p99 = percentile(values, 0.99);
    return result;
}

}  // namespace

const char* name_of(Field field) {
    switch (field) {
        case Field::position:
            return "position";
        case Field::orientation:
            return "orientation";
        case Field::velocity:
            return "velocity";
        case Field::angular_velocity:
            return "angular velocity";
    }
    return "";
}

Comparison compare_snapshots(const model::Snapshot& a, const model::Snapshot& b, Tolerance tolerance) {
    Comparison result;
    std::vector<double> displacements;
    const auto compare_body = [&](std::size_t i, std::size_t j) {
        bool differs = false;
        for (std::size_t k = 0; k < result.largest.size(); ++k) {
            const Difference d = difference(a, i, b, j, static_cast<Field>(k));
            const double limit = tolerance.absolute + tolerance.relative * std::max(length(d.a), length(d.b));
            auto& largest = result.largest[k];
            if (!largest || exceeds(d.distance, largest->distance)) largest = d;
            if (k == 0 && std::isfinite(d.distance)) displacements.push_back(d.distance / (2.0 * a.radius[i]));
            if (d.distance == 0.0 || d.distance <= limit) continue;
            if (!result.first) result.first = d;
            differs = true;
        }
        if (differs) ++result.differing;
        ++result.common;
    };
    for (std::size_t i = 0, j = 0; i < a.id.size() || j < b.id.size();) {
        if (j == b.id.size() || (i < a.id.size() && a.id[i] < b.id[j])) {
            result.only_a.push_back(a.id[i++]);
        } else if (i == a.id.size() || b.id[j] < a.id[i]) {
            result.only_b.push_back(b.id[j++]);
        } else {
            compare_body(i++, j++);
        }
    }
    result.displacement = statistics_of(displacements);
    return result;
}

}  // namespace scree::measure
