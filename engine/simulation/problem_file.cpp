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
#include <cmath>
#include <fstream>
#include <string_view>
#include <utility>

namespace scree::simulation {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "scree-cone-problem-1";
/// Of any number in a problem: solvers work in float, and with squares.
constexpr double largest = 1e15;

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

namespace {

/// What no cone problem can have; empty: nothing.
std::string fault_of(const ProblemFile& file) {
    const kernels::ProblemDownload& p = file.problem;
    if (!(file.velocity_scale >= 0.0) || !std::isfinite(file.velocity_scale))
        return fmt::format("velocity_scale = {:g} is out of range (allowed: >= 0)", file.velocity_scale);
    const std::pair<const char*, const std::vector<double>*> positive[] = {
        {"friction", &p.friction},
        {"compliance", &p.compliance},
        {"inverse_mass", &p.inverse_mass},
    };
    for (const auto& [name, values] : positive)
        for (std::size_t i = 0; i < values->size(); ++i)
            if (!((*values)[i] >= 0.0 && (*values)[i] <= largest))
                return fmt::format("{}[{}] = {:g} is out of range (allowed: 0 to {:g})", name, i, (*values)[i],
                                   largest);
    const std::pair<const char*, const std::vector<double>*> any[] = {
        {"bias", &p.bias},       {"lever_a", &p.lever_a},
        {"lever_b", &p.lever_b}, {"free_velocity", &p.free_velocity},
        {"normal", &p.normal},   {"wall_velocity", &p.wall_velocity},
    };
    for (const auto& [name, values] : any)
        for (std::size_t i = 0; i < values->size(); ++i)
            if (!(std::abs((*values)[i]) <= largest))
                return fmt::format("{}[{}] = {:g} is out of range (allowed: -{:g} to {:g})", name, i, (*values)[i],
                                   largest, largest);
    for (std::size_t c = 0; c < p.a.size(); ++c) {
        const double* n = p.normal.data() + 3 * c;
        const double length = std::hypot(n[0], n[1], n[2]);
        if (std::abs(length - 1.0) > 1e-3)
            return fmt::format("the normal of contact {} has the length {:g}", c, length);
        if (p.a[c] == p.b[c]) return fmt::format("contact {} is of body {} with itself", c, p.a[c]);
        const auto still = [&](kernels::Index body) {
            return body < 0 || p.inverse_mass[2 * std::size_t(body)] == 0.0;
        };
        if (still(p.a[c]) && still(p.b[c])) return fmt::format("contact {} is between two fixed bodies", c);
    }
    return {};
}

}  // namespace

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
        for (const char* bodies : {"a", "b"})
            for (const Json& body : json.at(bodies))
                if (!body.is_number_integer()) fail(std::string(bodies) + " names the body " + body.dump());
        for (const auto* bodies : {&problem.a, &problem.b})
            for (const kernels::Index body : *bodies)
                if (body < (bodies == &problem.a ? 0 : -1) || body >= problem.bodies)
                    fail("names the body " + std::to_string(body));
        if (!std::is_sorted(problem.a.begin(), problem.a.end())) fail("does not list its contacts by body a");
        if (const std::string fault = fault_of(content); !fault.empty()) fail(fault);
    } catch (const Json::exception& error) {
        // "[json.exception.out_of_range.403] key 'step' not found"
        const std::string_view what = error.what();
        fail("is not a complete cone problem: " + std::string(what.substr(std::min(what.size(), what.find(']') + 2))));
    }
    return content;
}

}  // namespace scree::simulation
