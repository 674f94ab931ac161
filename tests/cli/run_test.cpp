// SPDX-License-Identifier: BSD-3-Clause
#include "tests/cli/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace scree {
namespace {

using test::Json;
using test::Workplace;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Run, WritesWhatDesignAndDocsPromise) {
    const Workplace place;
    const auto outcome = place.run("out");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out + outcome.err, "");
    for (const char* file :
         {"summary.json", "series.csv", "particles.pvd", "particles_00000000.vtp", "particles_00000200.vtp",
          "walls.pvd", "walls_00000000.vtp", "contacts.pvd", "contacts_00000200.vtp", "checkpoint_00000200.h5"})
        EXPECT_TRUE(place.has(std::string("out/") + file)) << file;
    EXPECT_FALSE(place.has("out/checkpoint_00000050.h5"));  // Two are kept.
    const std::string series = place.series("out");
    EXPECT_THAT(series, StartsWith("time,step,bodies,removed,contacts,iterations,residual_rms,converged,"));
    EXPECT_EQ(std::count(series.begin(), series.end(), '\n'), 42);  // Header, t = 0, 40 intervals of 10 ms.
}

TEST(Run, WritesSurfacesOfSolidsAndContinuesThem) {
    const Workplace place(
        "time: {step: 1 ms, end: 40 ms}\noutput: {surfaces: true, interval: 10 ms, checkpoint_interval: 20 ms}\n"
        "materials: {m: {density: 1000}}\npairs: [{between: [m, m], friction: 0.5}]\n"
        "bodies: [{name: block, material: m, body: {position: [0, 0, 1], box: {half_extents: [5 cm, 5 cm, 5 cm]}}}]\n");
    ASSERT_EQ(place.run("whole").code, 0);
    ASSERT_EQ(place.run("part", {"--until", "25 ms"}).code, 0);
    ASSERT_TRUE(place.has("part/surfaces_00000025.vtp"));
    ASSERT_EQ(test::scree({"restart", place.folder("part"), "--quiet", "--until", "40 ms"}).code, 0);
    for (const char* file : {"surfaces.pvd", "surfaces_00000000.vtp", "surfaces_00000020.vtp", "surfaces_00000040.vtp"})
        EXPECT_EQ(test::content_of(place.folder("whole/" + std::string(file))),
                  test::content_of(place.folder("part/" + std::string(file))))
            << file;
    EXPECT_FALSE(place.has("part/surfaces_00000025.vtp"));
    ASSERT_EQ(place.run("whole", {"--force", "--set", "output.surfaces=false"}).code, 0);
    EXPECT_FALSE(place.has("whole/surfaces.pvd"));
    EXPECT_FALSE(place.has("whole/surfaces_00000000.vtp"));
}

/// Values of a column of series.csv.
std::vector<double> column(const std::string& series, const std::string& name) {
    std::istringstream lines(series);
    std::string line, cell;
    std::getline(lines, line);
    std::istringstream header(line);
    std::size_t place = 0;
    while (std::getline(header, cell, ',') && cell != name) ++place;
    std::vector<double> values;
    while (std::getline(lines, line)) {
        std::istringstream cells(line);
        for (std::size_t k = 0; k <= place; ++k) std::getline(cells, cell, ',');
        values.push_back(std::stod(cell));
    }
    return values;
}

TEST(Run, AveragesForcesOverTheStepsSinceTheLastRow) {
    const Workplace place(test::beads("  - {name: mean, kind: force, target: box, average: true}\n"));
    ASSERT_EQ(place.run("rows").code, 0);
    ASSERT_EQ(place.run("steps", {"--set", "output.series_interval=0"}).code, 0);
    const auto mean = column(place.series("rows"), "mean.fz"), load = column(place.series("steps"), "load.fz");
    EXPECT_EQ(column(place.series("steps"), "mean.fz"), load);
    ASSERT_EQ(load.size(), 201U);
    ASSERT_EQ(mean.size(), 41U);
    double largest = 0.0, apart = 0.0;
    for (std::size_t row = 1; row < mean.size(); ++row) {
        double sum = 0.0;
        for (std::size_t step = 5 * row - 4; step <= 5 * row; ++step) sum += load[step];
        EXPECT_NEAR(mean[row], sum / 5.0, 1e-12 + 1e-9 * std::abs(sum));
        largest = std::max(largest, std::abs(mean[row]));
        apart = std::max(apart, std::abs(mean[row] - load[5 * row]));
    }
    EXPECT_GT(largest, 0.0);
    EXPECT_GT(apart, 0.0);
}

TEST(Run, WarnsWhereStepsMissTheResidual) {
    const Workplace place;
    ASSERT_EQ(place.run("good").code, 0);
    EXPECT_THAT(place.summary("good")["warnings"].dump(), Not(HasSubstr("reached solver.tolerance")));
    ASSERT_EQ(place.run("poor", {"--set", "solver.max_iterations=1", "--set", "solver.tolerance=1e-8"}).code, 0);
    const Json warnings = place.summary("poor")["warnings"];
    ASSERT_GE(warnings.size(), 1U);
    EXPECT_THAT(warnings[0].get<std::string>(), HasSubstr("of the steps reached solver.tolerance"));
}

TEST(Run, WarnsWhereContactsAddEnergy) {
    const auto scene = [](const std::string& height) {
        return "time: {step: 1 ms, end: 0.1 s}\nsolver: {tolerance: 1e-4}\nmaterials: {m: {density: 1000}}\n"
               "pairs: [{between: [m, m], friction: 0.5}]\nboundaries: [{name: floor, material: m, plane: {}}]\n"
               "bodies: [{name: block, material: m, body: {position: [0, 0, " +
               height + "], box: {half_extents: [5 cm, 5 cm, 5 cm]}}}]\n";
    };
    const Workplace deep(scene("4 cm")), apart(scene("6 cm"));
    ASSERT_EQ(deep.run("out").code, 0);
    ASSERT_EQ(apart.run("out").code, 0);
    EXPECT_THAT(deep.summary("out")["warnings"].dump(), HasSubstr("contacts added"));
    EXPECT_THAT(apart.summary("out")["warnings"].dump(), Not(HasSubstr("contacts added")));
    EXPECT_GT(apart.summary("out")["energy"]["kinetic_max"].get<double>(), 0.0);
}

TEST(Run, SummaryHoldsEveryKeyThatScriptsRelyOn) {
    const Workplace place;
    ASSERT_EQ(place.run("out").code, 0);
    const Json s = place.summary("out");
    for (const char* key : {"/version",
                            "/commit",
                            "/build",
                            "/backend",
                            "/device",
                            "/threads",
                            "/precision",
                            "/status",
                            "/steps",
                            "/time",
                            "/wall_seconds",
                            "/cpu_seconds",
                            "/real_time_factor",
                            "/bodies/inserted",
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
                            "/energy/work/friction",
                            "/confidence/residual_rms/p99",
                            "/confidence/complementarity_gap/worst_step",
                            "/confidence/energy_defect/median",
                            "/confidence/worst_contact/residual",
                            "/memory/peak_bytes",
                            "/memory/bytes_per_body",
                            "/phases/cone_solve",
                            "/state_hash",
                            "/probes/load/fz",
                            "/settings/time/step",
                            "/settings/contact/stiffness"})
        EXPECT_TRUE(s.contains(Json::json_pointer(key))) << key;
    EXPECT_EQ(s["status"], "done");
    EXPECT_EQ(s["steps"], 200);
    EXPECT_EQ(s["bodies"]["inserted"], 81);
    EXPECT_EQ(s["bodies"]["final"], 81);
    EXPECT_EQ(s["bodies"]["lost"], 0);
    EXPECT_EQ(s["settings"]["backend"], "cpu");
    EXPECT_GT(s["settings"]["contact"]["stiffness"], 0.0);
    EXPECT_EQ(s["settings"]["solver"]["kind"], "gauss_seidel") << "what auto became";
    EXPECT_EQ(s["solver"]["name"], "gauss_seidel");
    EXPECT_EQ(s["state_hash"].get<std::string>().size(), 16U);
}

TEST(Run, GivesTheSameStateForEveryNumberOfThreads) {
    const Workplace place;
    for (const char* threads : {"1", "2", "3"})
        ASSERT_EQ(place.run(threads, {"--threads", threads}).code, 1) << "a flag twice is an error";
    for (const char* threads : {"1", "2", "3"})
        ASSERT_EQ(
            test::scree({"run", place.scene(), "-o", place.folder(threads), "--quiet", "--threads", threads}).code, 0);
    EXPECT_EQ(place.hash("1"), place.hash("2"));
    EXPECT_EQ(place.hash("1"), place.hash("3"));
    EXPECT_EQ(place.series("1"), place.series("3"));
}

TEST(Run, FlagsWinOverTheScene) {
    const Workplace place;
    ASSERT_EQ(
        place.run("out", {"--set", "time.step=1ms", "--precision", "double", "--backend", "cpu", "--until", "20 ms"})
            .code,
        0);
    const Json s = place.summary("out");
    EXPECT_EQ(s["steps"], 20);
    EXPECT_EQ(s["precision"], "double");
    EXPECT_EQ(s["threads"], 1);
    ASSERT_EQ(place.run("steps", {"--steps", "7"}).code, 0);
    EXPECT_EQ(place.summary("steps")["steps"], 7);
}

TEST(Run, DoesNotOverwriteAnEarlierRunUnlessForced) {
    const Workplace place;
    ASSERT_EQ(place.run("out", {"--steps", "5"}).code, 0);
    const auto again = place.run("out", {"--steps", "3"});
    EXPECT_EQ(again.code, 1);
    EXPECT_THAT(again.err, HasSubstr("--force"));
    EXPECT_EQ(place.summary("out")["steps"], 5);
    EXPECT_EQ(place.run("out", {"--steps", "3", "--force"}).code, 0);
    EXPECT_EQ(place.summary("out")["steps"], 3);
    EXPECT_FALSE(place.has("out/checkpoint_00000005.h5"));
}

TEST(Run, SpeaksJsonLinesToMachines) {
    const Workplace place;
    const auto outcome =
        test::scree({"run", place.scene(), "-o", place.folder("out"), "--json", "--threads", "1", "--until", "0.1"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto lines = test::json_lines(outcome.out);
    ASSERT_GE(lines.size(), 3U);
    EXPECT_EQ(lines.front()["event"], "start");
    EXPECT_EQ(lines.front()["sources"][0]["inserted"], 80);
    EXPECT_EQ(lines[1]["event"], "progress");
    for (const char* key :
         {"step", "time", "wall_seconds", "remaining_seconds", "bodies", "inserted", "removed", "lost", "contacts",
          "iterations", "residual_rms", "penetration_relative", "body_steps_per_second", "real_time_factor"})
        EXPECT_TRUE(lines[1].contains(key)) << key;
    EXPECT_EQ(lines.back()["event"], "end");
    EXPECT_EQ(lines.back()["summary"]["status"], "done");
}

TEST(Run, TellsTheStoryInText) {
    const Workplace place;
    const auto outcome =
        test::scree({"run", place.scene(), "-o", place.folder("out"), "--threads", "1", "--until", "0.1"});
    ASSERT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    for (const char* part :
         {"80 requested, 80 inserted, 0 rejected", "cpu: ", "stiffness", "gauss_seidel (auto)", "cone_solve",
          "done: 50 steps", "81 inserted = 0 removed + 0 lost + 81 present", "output in"})
        EXPECT_THAT(outcome.out, HasSubstr(part));
}

TEST(Run, DumpsConeProblems) {
    const Workplace place;
    ASSERT_EQ(place.run("out", {"--steps", "120", "--dump-problem", "step=100"}).code, 0);
    const Json p = Json::parse(test::content_of(place.folder("out") + "/problem_100.json"));
    const auto contacts = p["contacts"].get<std::size_t>(), bodies = p["bodies"].get<std::size_t>();
    EXPECT_EQ(p["step"], 100);
    EXPECT_EQ(bodies, 81U);
    EXPECT_GT(contacts, 81U);
    for (const char* key : {"a", "b", "lever_a", "lever_b", "bias", "friction", "compliance"})
        EXPECT_EQ(p[key].size(), contacts) << key;
    for (const char* key : {"normal", "impulse", "wall_velocity"}) EXPECT_EQ(p[key].size(), 3 * contacts) << key;
    EXPECT_EQ(p["free_velocity"].size(), 6 * bodies);
    EXPECT_EQ(p["inverse_mass"].size(), 2 * bodies);
}

TEST(Run, EnergyBalanceClosesInFreeFall) {
    const Workplace place;
    ASSERT_EQ(place
                  .run("out", {"--steps", "4", "--set", "bodies.0.random.count=1", "--set",
                               "bodies.ball.position=[2.5 cm, 2.5 cm, 3 m]"})
                  .code,
              0);
    // Velocities are rounded to float in every step.
    EXPECT_LT(std::abs(place.summary("out")["energy"]["balance_relative"].get<double>()), 1e-6);
}

TEST(Run, EndsWithExitCode3WhenNumbersFail) {
    const Workplace place;
    const auto outcome = place.run("out", {"--set", "gravity=[0, 0, -1e45]"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, StartsWith("error: "));
    EXPECT_THAT(outcome.err, HasSubstr("step 1"));
    const Json s = place.summary("out");
    EXPECT_EQ(s["status"], "failed");
    EXPECT_THAT(s["reason"].get<std::string>(), HasSubstr("not a number"));
}

TEST(Run, EndsAtTheFirstStepThatReachesItsTime) {
    const Workplace place;
    ASSERT_EQ(place.run("short", {"--until", "1e-9"}).code, 0);
    EXPECT_EQ(place.summary("short")["steps"], 1);
    // More steps than can be counted are as many as can be.
    ASSERT_EQ(place.run("long", {"--until", "1e300", "--set", "stop.wall_clock=1e-6"}).code, 0);
    EXPECT_EQ(place.summary("long")["status"], "stopped");
}

TEST(Run, LeavesAFolderToTheRunThatWritesThere) {
    const Workplace place;
    test::Launcher first({"run", place.scene(), "-o", place.folder("out"), "--quiet", "--until", "1e6"});
    ASSERT_TRUE(test::wait_until([&] { return place.has("out/checkpoint_00000050.h5"); }));
    const auto second = place.run("out", {"--steps", "3", "--force"});
    EXPECT_EQ(second.code, 1);
    EXPECT_THAT(second.err, HasSubstr("another run is writing"));
    EXPECT_EQ(test::scree({"restart", place.folder("out"), "--steps", "3", "--quiet"}).code, 1);
    first.send(SIGTERM);
    EXPECT_EQ(first.wait().code, 130);
    EXPECT_EQ(place.summary("out")["status"], "interrupted");
    EXPECT_EQ(test::scree({"restart", place.folder("out"), "--steps", "3", "--quiet"}).code, 0);
}

TEST(Run, TellsWhatItLeftOutAlsoInTheSummary) {
    const Workplace place;
    ASSERT_EQ(place
                  .run("out", {"--steps", "1", "--set", "bodies.0.random.count=600", "--set",
                               "bodies.0.random.attempts=5", "--set", "bodies.ball.position=[2.5 cm, 2.5 cm, 0]"})
                  .code,
              0);
    const auto summary = place.summary("out");
    const std::string warnings = summary["warnings"].dump();
    EXPECT_THAT(warnings, HasSubstr("bodies found no place and are left out (the first of source 'beads')"));
    EXPECT_THAT(warnings, HasSubstr("in step 1 (t = "));
    const auto& deepest = summary["penetration"]["deepest"];
    EXPECT_EQ(deepest["step"], 1);
    EXPECT_NE(deepest["boundary"].is_null(), deepest["other_body"].is_null());
}

TEST(Run, EnergyBalanceCountsThePullOfCohesion) {
    const Workplace place;
    ASSERT_EQ(place.run("out", {"--set", "pairs.glass-glass.cohesion=0.05"}).code, 0);
    // Velocities are rounded to float in every step.
    const Json energy = place.summary("out")["energy"];
    EXPECT_LT(std::abs(energy["balance_relative"].get<double>()), 1e-4);
    EXPECT_NE(energy["work"]["cohesion"], 0.0);
}

}  // namespace
}  // namespace scree
