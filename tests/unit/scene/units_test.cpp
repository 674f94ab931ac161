// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/units.hpp"

#include "engine/scene/nearest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace scree::scene {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

double value_of(std::string_view text, Dimension dimension) {
    const auto quantity = read_quantity(text, dimension);
    EXPECT_THAT(quantity.problem, IsEmpty()) << text;
    return quantity.value;
}

TEST(SceneUnits, PlainNumbersAreInSiUnits) {
    EXPECT_EQ(value_of("0.25", Dimension::length), 0.25);
    EXPECT_EQ(value_of("-1e-3", Dimension::speed), -1e-3);
    EXPECT_EQ(value_of("+7", Dimension::mass), 7.0);
    EXPECT_EQ(value_of(".5", Dimension::none), 0.5);
    EXPECT_EQ(value_of("5.", Dimension::none), 5.0);
}

TEST(SceneUnits, EachUnitConverts) {
    constexpr double pi = std::numbers::pi;
    EXPECT_EQ(value_of("3 mm", Dimension::length), 0.003);  // the very double of the literal, not 3 * 0.001
    EXPECT_EQ(value_of("7 um", Dimension::length), 7e-6);
    EXPECT_EQ(value_of("7 \xC2\xB5m", Dimension::length), 7e-6);
    EXPECT_EQ(value_of("2 cm", Dimension::length), 0.02);
    EXPECT_EQ(value_of("2km", Dimension::length), 2000.0);
    EXPECT_DOUBLE_EQ(value_of("1 in", Dimension::length), 0.0254);
    EXPECT_EQ(value_of("0.5ms", Dimension::time), 0.0005);
    EXPECT_EQ(value_of("2 min", Dimension::time), 120.0);
    EXPECT_EQ(value_of("1 h", Dimension::time), 3600.0);
    EXPECT_DOUBLE_EQ(value_of("36 km/h", Dimension::speed), 10.0);
    EXPECT_DOUBLE_EQ(value_of("180 deg", Dimension::angle), pi);
    EXPECT_DOUBLE_EQ(value_of("60 rpm", Dimension::angular_speed), 2.0 * pi);
    EXPECT_DOUBLE_EQ(value_of("1 Hz", Dimension::angular_speed), 2.0 * pi);
    EXPECT_EQ(value_of("1 Hz", Dimension::frequency), 1.0);
    EXPECT_EQ(value_of("120 rpm", Dimension::frequency), 2.0);
    EXPECT_EQ(value_of("250 g", Dimension::mass), 0.25);
    EXPECT_EQ(value_of("2.5 g/cm^3", Dimension::density), 2500.0);
    EXPECT_EQ(value_of("2 kN", Dimension::force), 2000.0);
    EXPECT_EQ(value_of("2 kN/m", Dimension::stiffness), 2000.0);
    EXPECT_EQ(value_of("-1 g", Dimension::acceleration), -9.80665);
    EXPECT_EQ(value_of("20 %", Dimension::none), 0.2);
}

TEST(SceneUnits, AUnitOfAnotherDimensionIsNamed) {
    const auto quantity = read_quantity("5 kg", Dimension::length);
    EXPECT_THAT(quantity.problem, HasSubstr("'kg', a unit of mass where length is wanted"));
    EXPECT_THAT(quantity.hint, HasSubstr("mm"));
}

TEST(SceneUnits, BadNumbersAreProblems) {
    for (const auto* text :
         {"",    "  ",        "abc", "1e400", "1e-400", ".nan", "nan", "NaN", ".inf", "-inf",     "inf",    "0x10",
          "1,5", "1 furlong", "--1", "+-1",   "1 2",    "-",    "+",   ".",   "e5",   "1e308 km", "5 mm mm"})
        EXPECT_THAT(read_quantity(text, Dimension::length).problem, Not(IsEmpty())) << text;
}

TEST(SceneUnits, InfinityOnlyWhereItIsAllowed) {
    EXPECT_EQ(read_quantity("-.inf", Dimension::length, true).value, -std::numeric_limits<double>::infinity());
    EXPECT_THAT(read_quantity(".inf", Dimension::length, false).problem, HasSubstr("infinite"));
}

TEST(SceneUnits, NumbersReadBackBitForBit) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 2000; ++i) {
        const double value =
            std::ldexp(std::uniform_real_distribution(-1.0, 1.0)(random), static_cast<int>(random() % 1800) - 900);
        EXPECT_EQ(value_of(number_text(value), Dimension::none), value);
    }
}

TEST(SceneUnits, RangesSayWhatTheyAllow) {
    EXPECT_EQ(positive.text("m"), "> 0 m");
    EXPECT_EQ(unit_interval.text(), "in [0, 1]");
    EXPECT_EQ((Range{.low = 0.0, .high = 0.6, .low_open = true}.text()), "in (0, 0.6]");
    EXPECT_EQ(any_value.text(), "");
    EXPECT_FALSE(positive.holds(0.0));
    EXPECT_TRUE(not_negative.holds(0.0));
    EXPECT_FALSE(any_value.holds(std::nan("")));
}

TEST(SceneUnits, TheNearestWordHasTheLeastEditDistance) {
    const std::vector<std::string> words{"step", "end", "tolerance"};
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
    EXPECT_EQ(nearest("stpe", words), "step");
    EXPECT_EQ(nearest("tolerence", words), "tolerance");
    EXPECT_EQ(nearest("x", {}), "");
}

TEST(SceneUnits, QuotedTextStaysOnOneShortLine) {
    EXPECT_EQ(in_quotes("a\nb"), "'a?b'");
    EXPECT_EQ(in_quotes(std::string(100, 'x')), "'" + std::string(60, 'x') + "...'");
    EXPECT_EQ(in_quotes(std::string(59, 'x') + "\xC3\xA9tail"), "'" + std::string(59, 'x') + "...'");
}

}  // namespace
}  // namespace scree::scene
