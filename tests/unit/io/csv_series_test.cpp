// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/csv_series.hpp"

#include "engine/io/number.hpp"
#include "tests/unit/io/child_process.hpp"
#include "tests/unit/io/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace scree::io {
namespace {

using test::content_of;
using test::TemporaryDirectory;

void append(CsvSeries& series, double time, double value) { series.append(std::array{time, value}); }

TEST(Number, ReadsBackToTheSameBits) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 100000; ++i) {
        const auto value = std::bit_cast<double>(random());
        if (std::isnan(value)) continue;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(to_number(to_text(value)).value()), std::bit_cast<std::uint64_t>(value));
    }
    using Limits = std::numeric_limits<double>;
    for (const double value : {0.0, -0.0, 0.1, 1e5, -1e15, 1e22, Limits::min(), Limits::denorm_min(), Limits::max(),
                               Limits::infinity(), -Limits::infinity()}) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(to_number(to_text(value)).value()), std::bit_cast<std::uint64_t>(value));
    }
}

TEST(Number, WritesWholeNumbersWithoutExponent) {
    EXPECT_EQ(to_text(100000.0), "100000");
    EXPECT_EQ(to_text(-32000.0), "-32000");
    EXPECT_EQ(to_text(0.001), "0.001");
    EXPECT_EQ(to_number("1e5x"), std::nullopt);
    EXPECT_EQ(to_number(""), std::nullopt);
}

TEST(CsvSeries, HasAHeaderAndEachRowOnDiskAtOnce) {
    const TemporaryDirectory directory;
    CsvSeries series(directory / "series.csv", {"time", "a,\"b\""});
    EXPECT_EQ(content_of(directory / "series.csv"), "time,\"a,\"\"b\"\"\"\n");
    append(series, 0.1, 1.0 / 3.0);
    EXPECT_EQ(content_of(directory / "series.csv"), "time,\"a,\"\"b\"\"\"\n0.1,0.3333333333333333\n");
    EXPECT_THROW(series.append(std::array{1.0}), std::invalid_argument);
}

TEST(CsvSeries, ReplacesATableThatIsNotContinued) {
    const TemporaryDirectory directory;
    test::put(directory / "series.csv", "something else\n");
    const CsvSeries series(directory / "series.csv", {"time"});
    EXPECT_EQ(content_of(directory / "series.csv"), "time\n");
}

TEST(CsvSeries, DropsRowsLaterThanTheRestart) {
    const TemporaryDirectory directory;
    {
        CsvSeries series(directory / "series.csv", {"time", "v"});
        for (int i = 0; i <= 10; ++i) append(series, 0.1 * i, i);
    }
    auto series = CsvSeries::resume(directory / "series.csv", {"time", "v"}, 0.1 * 3);
    append(series, 9.0, 9.0);
    EXPECT_EQ(content_of(directory / "series.csv"), "time,v\n0,0\n0.1,1\n0.2,2\n0.30000000000000004,3\n9,9\n");
}

TEST(CsvSeries, DropsATornLastRow) {
    const TemporaryDirectory directory;
    test::put(directory / "series.csv", "time,v\n0,1\n0.1,2\n0.2,");
    auto series = CsvSeries::resume(directory / "series.csv", {"time", "v"}, 1.0);
    append(series, 0.2, 3.0);
    EXPECT_EQ(content_of(directory / "series.csv"), "time,v\n0,1\n0.1,2\n0.2,3\n");
}

TEST(CsvSeries, StartsAnewWhenThereIsNothingToContinue) {
    const TemporaryDirectory directory;
    test::put(directory / "torn.csv", "tim");
    static_cast<void>(CsvSeries::resume(directory / "torn.csv", {"time"}, 1.0));
    static_cast<void>(CsvSeries::resume(directory / "missing.csv", {"time"}, 1.0));
    EXPECT_EQ(content_of(directory / "torn.csv"), "time\n");
    EXPECT_EQ(content_of(directory / "missing.csv"), "time\n");
}

TEST(CsvSeries, RefusesToContinueOtherColumns) {
    const TemporaryDirectory directory;
    test::put(directory / "series.csv", "time,other\n0,1\n");
    EXPECT_THROW(static_cast<void>(CsvSeries::resume(directory / "series.csv", {"time", "v"}, 1.0)), model::Error);
    EXPECT_EQ(content_of(directory / "series.csv"), "time,other\n0,1\n");
}

TEST(CsvSeries, ReportsAFullDevice) {
    try {
        CsvSeries series("/dev/full", {"time"});
        FAIL() << "no error";
    } catch (const model::Error& error) {
        EXPECT_EQ(error.kind(), model::ErrorKind::environment);
    }
}

TEST(CsvSeries, LeavesNoHalfRowOnAFullDisk) {
    const TemporaryDirectory directory;
    const auto outcome = test::with_file_size_limit(1000, [&] {
        CsvSeries series(directory / "series.csv", {"time", "v"});
        for (int i = 0; i < 1000; ++i) append(series, i, 1.0 / 3.0);
    });
    EXPECT_EQ(outcome, test::Outcome::environment_error);
    const std::string content = content_of(directory / "series.csv");
    EXPECT_GT(content.size(), 900U);
    EXPECT_EQ(content.back(), '\n');
}

}  // namespace
}  // namespace scree::io
