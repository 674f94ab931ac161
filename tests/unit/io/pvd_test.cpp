// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/pvd.hpp"

#include "engine/model/error.hpp"
#include "tests/unit/io/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scree::io {
namespace {

using test::content_of;
using test::TemporaryDirectory;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(PvdSeries, ListsEveryFrame) {
    const TemporaryDirectory directory;
    PvdSeries series(directory / "particles.pvd");
    series.append(0.0, "particles_0.vtp");
    series.append(0.1, "particles_1.vtp");
    const std::string content = content_of(directory / "particles.pvd");
    EXPECT_THAT(content, HasSubstr("<VTKFile type=\"Collection\""));
    EXPECT_THAT(content, HasSubstr("<DataSet timestep=\"0\" part=\"0\" file=\"particles_0.vtp\"/>"));
    EXPECT_THAT(content, HasSubstr("<DataSet timestep=\"0.1\" part=\"0\" file=\"particles_1.vtp\"/>"));
    EXPECT_TRUE(content.ends_with("</Collection>\n</VTKFile>\n"));
}

TEST(PvdSeries, ContinuesWithoutTheFramesAfterTheRestart) {
    const TemporaryDirectory directory;
    {
        PvdSeries series(directory / "a.pvd");
        for (int i = 0; i < 5; ++i) series.append(0.1 * i, "odd <name> & \"" + std::to_string(i) + "\".vtp");
    }
    auto series = PvdSeries::resume(directory / "a.pvd", 0.1 * 2);
    EXPECT_THAT(series.entries(), ElementsAre(PvdSeries::Entry{0.0, "odd <name> & \"0\".vtp"},
                                              PvdSeries::Entry{0.1, "odd <name> & \"1\".vtp"},
                                              PvdSeries::Entry{0.2, "odd <name> & \"2\".vtp"}));
    series.append(0.2, "odd <name> & \"2\".vtp");
    EXPECT_EQ(series.entries().size(), 3U);
}

TEST(PvdSeries, StartsAnewFromAMissingOrForeignFile) {
    const TemporaryDirectory directory;
    test::put(directory / "foreign.pvd", "<DataSet timestep=\"x\" file=\"a\"/><DataSet timestep=\"1");
    EXPECT_TRUE(PvdSeries::resume(directory / "missing.pvd", 1.0).entries().empty());
    EXPECT_TRUE(PvdSeries::resume(directory / "foreign.pvd", 1.0).entries().empty());
}

TEST(PvdSeries, ReportsAMissingDirectory) {
    const TemporaryDirectory directory;
    PvdSeries series(directory / "missing" / "a.pvd");
    EXPECT_THROW(series.append(0.0, "a.vtp"), model::Error);
}

}  // namespace
}  // namespace scree::io
