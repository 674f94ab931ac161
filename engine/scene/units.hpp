// SPDX-License-Identifier: BSD-3-Clause
// Quantities as text: "5 mm", "20 rpm", "2500 kg/m^3". A plain number is in SI units.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace scree::scene {

/// What kind of quantity a key holds; each has one SI unit and a list of units that may be written.
enum class Dimension : std::uint8_t {
    none,
    length,
    time,
    speed,
    acceleration,
    angle,
    angular_speed,
    frequency,
    mass,
    mass_rate,
    density,
    force,
    stiffness,
    specific_energy,
    torque,
    torsional_stiffness,
    damping,
    torsional_damping,
    inertia,
    pressure,
};

/// One way to write a dimension: SI value = number * numerator / denominator. Two factors, so that "3 mm" is the double
/// nearest to 0.003.
struct Unit {
    std::string_view name;
    Dimension dimension = Dimension::none;
    double numerator = 1.0;
    double denominator = 1.0;
};

/// All units, grouped by dimension, the SI unit first.
[[nodiscard]] std::span<const Unit> all_units();
/// "length", "angular speed", ...
[[nodiscard]] std::string_view dimension_name(Dimension dimension);
/// "m", "rad/s", ...; empty for plain numbers.
[[nodiscard]] std::string_view si_unit(Dimension dimension);
/// "m, mm, cm, ..." for messages; empty for a dimension without units.
[[nodiscard]] std::string unit_list(Dimension dimension);

/// The values that a key allows, in SI units.
struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool low_open = false;   ///< `low` itself is not allowed.
    bool high_open = false;  ///< `high` itself is not allowed.
    bool infinite = false;   ///< `.inf` (and `-.inf` when low is -infinity) may be written.

    [[nodiscard]] bool holds(double value) const;
    /// "> 0 m", "in [0, 1]"; empty when every finite value is allowed.
    [[nodiscard]] std::string text(std::string_view unit = {}) const;
};

inline constexpr Range any_value{};
inline constexpr Range positive{.low = 0.0, .low_open = true};
inline constexpr Range not_negative{.low = 0.0};
inline constexpr Range unit_interval{.low = 0.0, .high = 1.0};

/// The outcome of reading a quantity; `problem` is empty when it is valid.
struct Quantity {
    double value = 0.0;
    std::string problem;  ///< "has the unit 'kg' (mass), not a length", without the name of the key
    std::string hint;     ///< "units: m, mm, cm"
};

/// Reads "NUMBER [UNIT]". Never throws for bad text; NaN and numbers outside the range of double are problems, and so
/// is infinity unless `infinite`.
[[nodiscard]] Quantity read_quantity(std::string_view text, Dimension dimension, bool infinite = false);

/// The shortest decimal text that reads back as the same double; ".inf", "-.inf", ".nan" as YAML writes them.
[[nodiscard]] std::string number_text(double value);

}  // namespace scree::scene
