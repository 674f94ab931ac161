// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/units.hpp"

#include "engine/scene/nearest.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <system_error>

namespace scree::scene {
namespace {

using enum Dimension;

constexpr double pi = std::numbers::pi;
constexpr double standard_gravity = 9.80665;  // [m/s^2], CGPM 1901

constexpr std::array unit_table{
    Unit{"%", none, 1.0, 100.0},
    Unit{"m", length},
    Unit{"mm", length, 1.0, 1e3},
    Unit{"cm", length, 1.0, 1e2},
    Unit{"km", length, 1e3},
    Unit{"um", length, 1.0, 1e6},
    Unit{"\xC2\xB5m", length, 1.0, 1e6},  // micro sign
    Unit{"\xCE\xBCm", length, 1.0, 1e6},  // Greek mu
    Unit{"in", length, 254.0, 1e4},
    Unit{"s", time},
    Unit{"ms", time, 1.0, 1e3},
    Unit{"us", time, 1.0, 1e6},
    Unit{"min", time, 60.0},
    Unit{"h", time, 3600.0},
    Unit{"m/s", speed},
    Unit{"mm/s", speed, 1.0, 1e3},
    Unit{"cm/s", speed, 1.0, 1e2},
    Unit{"km/h", speed, 10.0, 36.0},
    Unit{"m/s^2", acceleration},
    Unit{"g", acceleration, standard_gravity},
    Unit{"rad", angle},
    Unit{"deg", angle, pi, 180.0},
    Unit{"rad/s", angular_speed},
    Unit{"deg/s", angular_speed, pi, 180.0},
    Unit{"rpm", angular_speed, pi, 30.0},
    Unit{"Hz", angular_speed, 2.0 * pi},
    Unit{"Hz", frequency},
    Unit{"1/s", frequency},
    Unit{"kHz", frequency, 1e3},
    Unit{"rpm", frequency, 1.0, 60.0},
    Unit{"kg", mass},
    Unit{"g", mass, 1.0, 1e3},
    Unit{"t", mass, 1e3},
    Unit{"kg/s", mass_rate},
    Unit{"g/s", mass_rate, 1.0, 1e3},
    Unit{"kg/h", mass_rate, 1.0, 3600.0},
    Unit{"t/h", mass_rate, 1e3, 3600.0},
    Unit{"kg/m^3", density},
    Unit{"g/cm^3", density, 1e3},
    Unit{"N", force},
    Unit{"kN", force, 1e3},
    Unit{"mN", force, 1.0, 1e3},
    Unit{"N/m", stiffness},
    Unit{"kN/m", stiffness, 1e3},
    Unit{"J/kg", specific_energy},
    Unit{"N m", torque},
    Unit{"N m/rad", torsional_stiffness},
    Unit{"N s/m", damping},
    Unit{"N m s/rad", torsional_damping},
    Unit{"kg m^2", inertia},
    Unit{"Pa", pressure},
    Unit{"kPa", pressure, 1e3},
    Unit{"MPa", pressure, 1e6},
    Unit{"GPa", pressure, 1e9},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
    for (const auto word : words) {
        if (text == word) return true;
    }
    return false;
}

Quantity unit_problem(std::string_view unit, Dimension dimension) {
    Quantity out;
    const std::string allowed = unit_list(dimension);
    out.hint = allowed.empty() ? "write a plain number" : "units: " + allowed;
    if (unit.starts_with(',')) out.hint = "write a decimal point, not a comma";
    for (const auto& known : unit_table) {
        if (known.name == unit) {
            out.problem = "has the unit " + in_quotes(unit) + ", a unit of " +
                          std::string(dimension_name(known.dimension)) + " where " +
                          std::string(dimension_name(dimension)) + " is wanted";
            return out;
        }
    }
    out.problem = "has the unknown unit " + in_quotes(unit);
    return out;
}

}  // namespace

std::span<const Unit> all_units() { return unit_table; }

std::string_view dimension_name(Dimension dimension) {
    switch (dimension) {
        case none:
            return "a plain number";
        case length:
            return "length";
        case time:
            return "time";
        case speed:
            return "speed";
        case acceleration:
            return "acceleration";
        case angle:
            return "angle";
        case angular_speed:
            return "angular speed";
        case frequency:
            return "frequency";
        case mass:
            return "mass";
        case mass_rate:
            return "mass per time";
        case density:
            return "density";
        case force:
            return "force";
        case stiffness:
            return "stiffness";
        case specific_energy:
            return "energy per mass";
        case torque:
            return "torque";
        case torsional_stiffness:
            return "torsional stiffness";
        case damping:
            return "damping";
        case torsional_damping:
            return "torsional damping";
        case inertia:
            return "moment of inertia";
        case pressure:
            return "pressure";
    }
    return "a plain number";
}

std::string_view si_unit(Dimension dimension) {
    if (dimension == none) return {};
    for (const auto& unit : unit_table) {
        if (unit.dimension == dimension) return unit.name;
    }
    return {};
}

std::string unit_list(Dimension dimension) {
    std::string out;
    for (const auto& unit : unit_table) {
        const bool ascii = static_cast<unsigned char>(unit.name.front()) < 0x80;
        if (unit.dimension != dimension || !ascii) continue;
        if (!out.empty()) out += ", ";
        out += unit.name;
    }
    return out;
}

bool Range::holds(double value) const {
    if (std::isnan(value)) return false;
    if (std::isinf(value)) return infinite && (value > 0.0 ? std::isinf(high) : std::isinf(low));
    return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
}

std::string Range::text(std::string_view unit) const {
    const std::string tail = unit.empty() ? std::string{} : " " + std::string(unit);
    if (std::isinf(low) && std::isinf(high)) return {};
    if (std::isinf(high)) return (low_open ? "> " : ">= ") + number_text(low) + tail;
    if (std::isinf(low)) return (high_open ? "< " : "<= ") + number_text(high) + tail;
    return std::string("in ") + (low_open ? "(" : "[") + number_text(low) + ", " + number_text(high) +
           (high_open ? ")" : "]") + tail;
}

Quantity read_quantity(std::string_view text, Dimension dimension, bool infinite) {
    text = trimmed(text);
    if (text.empty()) return {0.0, "is empty", "write a number"};
    if (is_one_of(text, {".nan", ".NaN", ".NAN", "nan", "NaN", "NAN"})) return {0.0, "is not a number (NaN)", {}};
    const bool negative = text.front() == '-';
    std::string_view digits = text;
    if (negative || text.front() == '+') digits.remove_prefix(1);
    if (is_one_of(digits, {".inf", ".Inf", ".INF", "inf", "Inf", "INF", "infinity"})) {
        if (!infinite || !digits.starts_with('.')) return {0.0, "is infinite", "write a finite number"};
        constexpr double inf = std::numeric_limits<double>::infinity();
        return {negative ? -inf : inf, {}, {}};
    }
    const bool starts_as_number =
        !digits.empty() && (is_digit(digits[0]) || (digits.size() > 1 && digits[0] == '.' && is_digit(digits[1])));
    if (!starts_as_number) {
        const std::string units = unit_list(dimension);
        return {0.0, "is not a number",
                units.empty() ? "write a plain number" : "write a number, or a number and a unit: " + units};
    }
    double value = 0.0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{})
        return {0.0, "does not fit a double-precision number", "its size must be 1e-307 to 1e308"};
    if (negative) value = -value;
    const auto unit = trimmed(digits.substr(static_cast<std::size_t>(end - digits.data())));
    if (!unit.empty()) {
        const Unit* found = nullptr;
        for (const auto& known : unit_table) {
            if (known.name == unit && known.dimension == dimension) found = &known;
        }
        if (found == nullptr) return unit_problem(unit, dimension);
        value = value * found->numerator / found->denominator;
    }
    if (!std::isfinite(value))
        return {0.0, "does not fit a double-precision number", "its size must be 1e-307 to 1e308"};
    return {value, {}, {}};
}

std::string number_text(double value) {
    if (std::isnan(value)) return ".nan";
    if (std::isinf(value)) return value > 0.0 ? ".inf" : "-.inf";
    std::array<char, 40> buffer{};
    const auto [end, error] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general);
    std::string text = error == std::errc{} ? std::string(buffer.data(), end) : std::string("0");
    // "1e+09" becomes "1e9", "1e-05" becomes "1e-5".
    if (const auto e = text.find('e'); e != std::string::npos) {
        const bool negative = text[e + 1] == '-';
        const auto digits = std::min(text.find_first_not_of("+-0", e + 1), text.size());
        text = text.substr(0, e + 1) + (negative ? "-" : "") + text.substr(digits);
    }
    return text;
}

}  // namespace scree::scene
