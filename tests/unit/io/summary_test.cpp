// SPDX-License-Identifier: BSD-3-Clause
#include "engine/io/summary.hpp"

#include "tests/unit/io/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace scree::io {
namespace {

using test::TemporaryDirectory;

TEST(Summary, HasTheNamesThatScriptsRelyOn) {
    const auto json = to_json(RunSummary{});
    for (const char* name :
         {"version",     "commit", "build",        "backend",     "device",           "threads", "precision", "status",
          "steps",       "time",   "wall_seconds", "cpu_seconds", "real_time_factor", "bodies",  "contacts",  "solver",
          "penetration", "energy", "memory",       "phases",      "state_hash",       "probes"}) {
        EXPECT_TRUE(json.contains(name)) << name;
    }
    for (const char* path : {"/bodies/inserted",
                             "/bodies/removed",
                             "/bodies/lost",
                             "/bodies/final",
                             "/contacts/final",
                             "/contacts/mean",
                             "/contacts/max",
                             "/solver/name",
                             "/solver/friction",
                             "/solver/iterations_mean",
                             "/solver/residual_rms_max",
                             "/solver/residual_rms_final",
                             "/solver/converged_fraction",
                             "/solver/contact_iterations_per_second",
                             "/penetration/max",
                             "/penetration/max_relative",
                             "/penetration/final_relative",
                             "/energy/kinetic_final",
                             "/energy/kinetic_max",
                             "/energy/balance_relative",
                             "/energy/work",
                             "/confidence/worst_contact",
                             "/memory/peak_bytes",
                             "/memory/bytes_per_body"}) {
        EXPECT_TRUE(json.contains(nlohmann::ordered_json::json_pointer(path))) << path;
    }
}

TEST(Summary, ReadsBackFromDisk) {
    const TemporaryDirectory directory;
    RunSummary summary;
    summary.state_hash = 0xabcULL;
    summary.time = 0.1;
    summary.phases = {{"solve", 1.5}, {"broad phase", 0.5}};
    summary.device = "\xff not UTF-8";
    summary.energy.balance_relative = std::numeric_limits<double>::quiet_NaN();
    write_summary(directory / "summary.json", summary);
    const auto json = nlohmann::ordered_json::parse(test::content_of(directory / "summary.json"));
    EXPECT_EQ(json["state_hash"], "0000000000000abc");
    EXPECT_EQ(json["time"].get<double>(), 0.1);
    EXPECT_EQ(json["phases"].begin().key(), "solve");
    EXPECT_EQ(json["phases"]["broad phase"], 0.5);
    EXPECT_TRUE(json["energy"]["balance_relative"].is_null());
    EXPECT_TRUE(json["warnings"].is_array());
    EXPECT_TRUE(json["bodies"].is_object());
}

TEST(Summary, NamesTheWorstContactByBodyOrBoundary) {
    RunSummary summary;
    EXPECT_TRUE(to_json(summary)["confidence"]["worst_contact"].is_null());
    summary.confidence.worst_contact = {12, 3, 4, "", 1e-3, 0.5};
    auto json = to_json(summary)["confidence"]["worst_contact"];
    EXPECT_EQ(json["step"], 12);
    EXPECT_EQ(json["body"], 3);
    EXPECT_EQ(json["other_body"], 4);
    EXPECT_TRUE(json["boundary"].is_null());
    summary.confidence.worst_contact.boundary = "floor";
    json = to_json(summary)["confidence"]["worst_contact"];
    EXPECT_EQ(json["boundary"], "floor");
    EXPECT_TRUE(json["other_body"].is_null());
}

TEST(Summary, TellsWhoseOverlapWasTheDeepest) {
    RunSummary summary;
    EXPECT_TRUE(to_json(summary)["penetration"]["deepest"].is_null());
    summary.penetration.deepest = {12, 0.012, 3, 4, ""};
    const auto json = to_json(summary)["penetration"]["deepest"];
    EXPECT_EQ(json["step"], 12);
    EXPECT_EQ(json["time"], 0.012);
    EXPECT_EQ(json["body"], 3);
    EXPECT_EQ(json["other_body"], 4);
    EXPECT_TRUE(json["boundary"].is_null());
}

TEST(Summary, TellsHistoriesAndWorksByName) {
    RunSummary summary;
    summary.energy.work = {{"friction", -1.5}};
    summary.confidence.histories = {{"residual_rms", {0.1, 0.5, 7, 0.2, 0.4}}};
    const auto json = to_json(summary);
    EXPECT_EQ(json["energy"]["work"]["friction"], -1.5);
    const auto& history = json["confidence"]["residual_rms"];
    EXPECT_EQ(history["last"], 0.1);
    EXPECT_EQ(history["worst"], 0.5);
    EXPECT_EQ(history["worst_step"], 7);
    EXPECT_EQ(history["median"], 0.2);
    EXPECT_EQ(history["p99"], 0.4);
}

}  // namespace
}  // namespace scree::io
