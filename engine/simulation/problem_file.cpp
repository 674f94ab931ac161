// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/problem_file.hpp"

#include "engine/complementarity/fclib_file.hpp"
#include "engine/complementarity/problem_file.hpp"
#include "engine/io/atomic_file.hpp"
#include "engine/model/error.hpp"
#include "engine/simulation/contact_problem.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace scree::simulation {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "scree-cone-problem-1";

/// All arrays with their names and the number of values per contact or body.
template <class Problem, class Visit>
void each_array(Problem& p, Visit visit) {
    visit("a", p.a, 1, true);
    visit("b", p.b, 1, true);
    visit("normal", p.normal, 3, true);
    visit("lever_a", p.lever_a, 1, true);
    visit("lever_b", p.lever_b, 1, true);
    visit("bias", p.bias, 1, true);
    visit("friction", p.friction, 1, true);
    visit("compliance", p.compliance, 1, true);
    visit("wall_velocity", p.wall_velocity, 3, true);
    visit("impulse", p.impulse, 3, true);
    visit("inverse_mass", p.inverse_mass, 2, false);
    visit("free_velocity", p.free_velocity, 6, false);
}

}  // namespace

void write_problem(const std::filesystem::path& path, const ProblemFile& content) {
    // One array after the other: a tree of the whole problem would take many times its size.
    io::AtomicFile file(path);
    std::string head = Json{{"format", format_name},
                            {"step", content.step},
                            {"time", content.time},
                            {"velocity_scale", content.velocity_scale},
                            {"bodies", content.problem.bodies},
                            {"contacts", content.problem.a.size()}}
                           .dump();
    head.pop_back();
    file.write(head);
    each_array(content.problem, [&](const char* name, const auto& values, int, bool) {
        file.write(std::string(",\n\"") + name + "\": " + Json(values).dump());
    });
    file.write("}\n");
    file.commit();
}

void write_contact_problem(const std::filesystem::path& path, const ProblemFile& file, model::FrictionLaw law) {
    const complementarity::FrictionProblem problem = contact_problem(file.problem);
    const std::string title = fmt::format("step {} of a run of scree, t = {:.9g} s", file.step, file.time);
    const std::string meaning = law == model::FrictionLaw::coulomb
                                    ? "Coulomb's law: u^_n = u_n + mu |u_t| (De Saxce)"
                                    : "associated friction: u^ = u (scree solve --friction associated)";
    if (path.extension() == ".hdf5") {
        complementarity::write_fclib(path, problem, {title, meaning, "", contact_impulses(file.problem)});
    } else {
        io::write_atomically(path, complementarity::to_text(problem) + "# " + title + "; " + meaning + "\n");
    }
}

ProblemFile read_problem(const std::filesystem::path& path) {
    const auto fail = [&](const std::string& what) -> void {
        throw model::Error(model::ErrorKind::input, what, "scree run --dump-problem step=N writes such files",
                           path.string());
    };
    std::ifstream file(path);
    if (!file) fail("cannot be opened");
    const Json json = Json::parse(file, nullptr, false);
    if (!json.is_object() || !json.contains("format") || json["format"] != format_name) fail("is not a cone problem");
    ProblemFile content;
    kernels::ProblemDownload& problem = content.problem;
    try {
        content.step = json.at("step").get<std::int64_t>();
        content.time = json.at("time").get<double>();
        content.velocity_scale = json.at("velocity_scale").get<double>();
        problem.bodies = json.at("bodies").get<kernels::Index>();
        const auto contacts = json.at("contacts").get<std::int64_t>();
        if (problem.bodies < 0 || contacts < 0) fail("has a negative number of bodies or contacts");
        each_array(problem, [&](const char* name, auto& values, int width, bool per_contact) {
            values = json.at(name).get<std::decay_t<decltype(values)>>();
            const std::size_t rows = per_contact ? std::size_t(contacts) : std::size_t(problem.bodies);
            if (values.size() != rows * std::size_t(width))
                fail(std::string(name) + " has " + std::to_string(values.size()) + " values, not " +
                     std::to_string(rows * std::size_t(width)));
        });
        for (const auto* bodies : {&problem.a, &problem.b})
            for (const kernels::Index body : *bodies)
                if (body < (bodies == &problem.a ? 0 : -1) || body >= problem.bodies)
                    fail("names the body " + std::to_string(body));
        if (!std::is_sorted(problem.a.begin(), problem.a.end())) fail("does not list its contacts by body a");
    } catch (const Json::exception& error) {
        fail(std::string("is not a complete cone problem: ") + error.what());
    }
    return content;
}

}  // namespace scree::simulation
