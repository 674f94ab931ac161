// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/compare_report.hpp"
#include "apps/scree/say.hpp"

#include <fmt/format.h>

namespace scree::app {
namespace {

using Json = nlohmann::ordered_json;
using measure::Difference;
using measure::Field;

std::size_t components_of(Field field) { return field == Field::orientation ? 4 : 3; }

/// The bodies in the given units, so that one tolerance serves all fields.
model::Snapshot scaled(const model::Snapshot& s, const CompareUnits& units) {
    if (units.length == 1.0 && units.speed == 1.0 && units.rate == 1.0) return s;
    model::Snapshot out = s;
    for (auto& x : out.position) x = (1.0 / units.length) * x;
    for (auto& r : out.radius) r /= units.length;
    for (auto& v : out.velocity) v = (1.0 / units.speed) * v;
    for (auto& w : out.angular_velocity) w = (1.0 / units.rate) * w;
    return out;
}

std::string key_of(Field field) {
    return field == Field::angular_velocity ? "angular_velocity" : measure::name_of(field);
}

Json components(const std::array<double, 4>& values, std::size_t count, double unit) {
    Json list = Json::array();
    for (std::size_t k = 0; k < count; ++k) list.push_back(values[k] * unit);
    return list;
}

}  // namespace

CompareUnits relative_units(const model::Snapshot& bodies, double step_size) {
    double diameter = 0.0;
    for (const double radius : bodies.radius) diameter += 2.0 * radius / double(bodies.radius.size());
    if (!(diameter > 0.0)) diameter = 1.0;
    return {diameter, diameter / step_size, 1.0 / step_size, true};
}

void CompareReport::add(const model::Snapshot& a, const model::Snapshot& b) {
    last_ = measure::compare_snapshots(scaled(a, units_), scaled(b, units_), {tolerance_, 0.0});
    last_step_ = a.step;
    ++steps_;
    if (!last_.equal() && !first_step_) {
        first_step_ = a.step;
        first_ = last_;
    }
    for (std::size_t k = 0; k < largest_.size(); ++k) {
        const auto& found = last_.largest[k];
        auto& kept = largest_[k];
        // Not a number outranks all numbers, so "not smaller or equal" is meant.
        if (found && (!kept.difference || !(found->distance <= kept.difference->distance))) kept = {found, a.step};
    }
}

double CompareReport::unit_of(Field field) const {
    switch (field) {
        case Field::position:
            return units_.length;
        case Field::velocity:
            return units_.speed;
        case Field::angular_velocity:
            return units_.rate;
        case Field::orientation:
            break;
    }
    return 1.0;
}

std::string CompareReport::unit_name(Field field) const {
    switch (field) {
        case Field::position:
            return " m";
        case Field::velocity:
            return " m/s";
        case Field::angular_velocity:
            return " rad/s";
        case Field::orientation:
            break;
    }
    return "";
}

Json CompareReport::json() const {
    const auto difference_json = [&](const Difference& d, std::uint64_t step) {
        const double unit = unit_of(d.field);
        const std::size_t n = components_of(d.field);
        return Json{{"step", step},
                    {"id", d.id},
                    {"field", key_of(d.field)},
                    {"a", components(d.a, n, unit)},
                    {"b", components(d.b, n, unit)},
                    {"distance", d.distance * unit},
                    {"judged", d.distance}};
    };
    Json largest = Json::object();
    for (const Largest& entry : largest_)
        if (entry.difference) largest[key_of(entry.difference->field)] = difference_json(*entry.difference, entry.step);
    Json first = nullptr;
    if (first_step_) {
        first = first_.first ? difference_json(*first_.first, *first_step_) : Json{{"step", *first_step_}};
        first["differing_bodies"] = first_.differing;
        first["only_a"] = first_.only_a.size();
        first["only_b"] = first_.only_b.size();
    }
    const auto& d = last_.displacement;
    return {{"equal", equal()},
            {"steps_compared", steps_},
            {"last_step", last_step_},
            {"tolerance", tolerance_},
            {"relative", units_.relative},
            {"units", {{"position", units_.length}, {"velocity", units_.speed}, {"angular_velocity", units_.rate}}},
            {"first", first},
            {"largest", largest},
            {"bodies", last_.common},
            {"differing_bodies", last_.differing},
            {"displacement_in_diameters",
             {{"mean", d.mean}, {"deviation", d.deviation}, {"p50", d.p50}, {"p99", d.p99}, {"max", d.max}}}};
}

std::string CompareReport::text_of(const Difference& d) const {
    const double unit = unit_of(d.field);
    const auto list = [&](const std::array<double, 4>& values) {
        std::string text;
        for (std::size_t k = 0; k < components_of(d.field); ++k)
            text += fmt::format("{}{:.9g}", k > 0 ? ", " : "", values[k] * unit);
        return text;
    };
    return fmt::format("body {}, {}: ({}) against ({}), {:.3g}{} apart", d.id, measure::name_of(d.field), list(d.a),
                       list(d.b), d.distance * unit, unit_name(d.field));
}

void CompareReport::print() const {
    say("tolerance   {:g}{}\n", tolerance_,
        units_.relative ? fmt::format(" diameters ({:.3g} m), diameters a step ({:.3g} m/s), radians a step "
                                      "({:.3g} rad/s)",
                                      units_.length, units_.speed, units_.rate)
                        : std::string(" m, m/s, rad/s"));
    say("compared    {} step{}, the last is {}; {} bodies\n", steps_, steps_ == 1 ? "" : "s", last_step_, last_.common);
    if (first_step_) {
        say("first       step {}: {} of {} bodies differ", *first_step_, first_.differing, first_.common);
        if (!first_.only_a.empty())
            say(", {} only in A (the first is {})", first_.only_a.size(), first_.only_a.front());
        if (!first_.only_b.empty())
            say(", {} only in B (the first is {})", first_.only_b.size(), first_.only_b.front());
        say("\n");
        if (first_.first) say("            {}\n", text_of(*first_.first));
    }
    for (const Largest& entry : largest_)
        if (entry.difference && !(entry.difference->distance == 0.0))
            say("largest     step {}: {}\n", entry.step, text_of(*entry.difference));
    const auto& d = last_.displacement;
    if (d.max > 0.0)
        say("positions   at step {}, in diameters: mean {:.3g}, median {:.3g}, 99 % below {:.3g}, at most {:.3g}\n",
            last_step_, d.mean, d.p50, d.p99, d.max);
    say("{}\n", equal() ? "equal within the tolerance" : "DIFFERENT");
}

}  // namespace scree::app
