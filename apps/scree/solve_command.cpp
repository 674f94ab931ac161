// SPDX-License-Identifier: BSD-3-Clause
// scree solve FILE: one complementarity problem from a file, by any of the reference solvers.
#include "apps/scree/command.hpp"
#include "apps/scree/number_range.hpp"
#include "apps/scree/say.hpp"
#include "engine/complementarity/lemke.hpp"
#include "engine/complementarity/problem_file.hpp"
#include "engine/model/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

namespace scree::app {
namespace {

using Json = nlohmann::ordered_json;
using namespace complementarity;

struct SolveArguments {
    std::string file, solver = "auto", friction = "coulomb";
    double tolerance = 1e-8;
    std::size_t max_iterations = 0;
    bool json = false;
};

/// What any solver answers.
struct Answer {
    std::string solver, meaning, status;
    double residual = 0.0, seconds = 0.0, cpu_seconds = 0.0;  ///< Seconds on the wall's clock and of the process.
    std::size_t iterations = 0, products = 0;
    std::vector<double> history;
    std::vector<std::pair<std::string, Eigen::VectorXd>> vectors;
};

constexpr auto solved = "solved";

template <class Work>
Answer timed(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t processor = std::clock();
    Answer answer = work();
    answer.cpu_seconds = double(std::clock() - processor) / CLOCKS_PER_SEC;
    answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return answer;
}

Answer solve_one(const LinearProblem& problem, const SolveArguments& arguments, std::string_view solver) {
    return timed([&] {
        LemkeSettings settings;
        settings.tolerance = arguments.tolerance;
        settings.max_pivots = arguments.max_iterations;
        const LemkeResult result = solve_lemke(problem, settings);
        Answer answer;
        answer.solver = solver;
        answer.meaning = "Lemke's algorithm";
        answer.status = name_of(result.status);
        answer.residual = natural_residual(problem, result.z);
        if (result.status == LinearStatus::ill_conditioned) answer.status = "stalled";
        answer.iterations = result.pivots;
        answer.vectors = {{"z", result.z}, {"w", result.w}};
        if (result.status == LinearStatus::ray) answer.vectors.emplace_back("ray", result.ray);
        return answer;
    });
}

Answer solve_one(const FrictionProblem& problem, const SolveArguments& arguments, std::string_view solver) {
    return timed([&] {
        const auto all = friction_solvers();
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.name == solver; });
        FrictionSettings settings;
        settings.tolerance = arguments.tolerance;
        settings.max_iterations = arguments.max_iterations;
        settings.friction = arguments.friction == "coulomb" ? Friction::coulomb : Friction::associated;
        FrictionResult result = found->solve(problem, settings);
        Answer answer;
        answer.solver = found->name;
        answer.meaning = found->meaning;
        answer.status = name_of(result.status);
        answer.residual = result.residual;
        answer.iterations = result.iterations;
        answer.products = result.operator_products;
        answer.history = std::move(result.history);
        answer.vectors = {{"r", std::move(result.r)}, {"u", std::move(result.u)}};
        return answer;
    });
}

std::vector<std::string> solver_names(const LinearProblem&) { return {"auto", "lemke"}; }
std::vector<std::string> solver_names(const FrictionProblem&) {
    std::vector<std::string> names;
    for (const FrictionSolver& solver : friction_solvers()) names.emplace_back(solver.name);
    return names;
}

bool coulomb_only(const std::string& name) {
    const auto all = friction_solvers();
    return std::any_of(all.begin(), all.end(), [&](const auto& s) { return s.name == name && s.coulomb_only; });
}

std::string description(const LinearProblem& problem) {
    return fmt::format("LCP with {} unknown{}", problem.size(), problem.size() == 1 ? "" : "s");
}
std::string description(const FrictionProblem& problem) {
    return fmt::format("friction, {} contact{} in {} dimensions, {} entries of W", problem.contacts(),
                       problem.contacts() == 1 ? "" : "s", problem.dimension, problem.W.nonZeros());
}

Json json_of(const Answer& answer) {
    Json object{{"status", answer.status},         {"residual", answer.residual},
                {"iterations", answer.iterations}, {"operator_products", answer.products},
                {"seconds", answer.seconds},       {"cpu_seconds", answer.cpu_seconds},
                {"solver", answer.solver},         {"history", answer.history}};
    for (const auto& [name, vector] : answer.vectors)
        object[name] = std::vector<double>(vector.data(), vector.data() + vector.size());
    return object;
}

/// At most `most` values, the first and the last among them.
std::string history_text(const std::vector<double>& history, std::size_t most) {
    std::string text;
    const std::size_t count = std::min(most, history.size());
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t at = count == 1 ? 0 : k * (history.size() - 1) / (count - 1);
        text += fmt::format("{}{:.1e}", k > 0 ? " " : "", history[at]);
    }
    return text;
}

template <class Problem>
int solve(const Problem& problem, const SolveArguments& arguments) {
    std::vector<std::string> names = solver_names(problem);
    if (arguments.solver == "all") {
        names.erase(names.begin());
        if (arguments.friction != "coulomb") std::erase_if(names, coulomb_only);
    } else if (std::find(names.begin(), names.end(), arguments.solver) == names.end()) {
        throw model::Error(model::ErrorKind::usage,
                           "--solver = '" + arguments.solver + "' is no solver of this problem",
                           fmt::format("solvers: {}, all", fmt::join(names, ", ")));
    } else if (arguments.friction != "coulomb" && coulomb_only(arguments.solver)) {
        throw model::Error(model::ErrorKind::usage,
                           "--solver = '" + arguments.solver + "' is for --friction coulomb only");
    } else {
        names = {arguments.solver};
    }
    if (!arguments.json) {
        say("problem     {}: {}\n", arguments.file, description(problem));
        if (names.size() > 1)
            say("{:<17} {:<16} {:>9} {:>10} {:>10} {:>10}\n", "solver", "status", "residual", "iterations", "products",
                "seconds");
    }
    Json all = Json::array();
    bool any_solved = false;
    for (const std::string& name : names) {
        const Answer answer = solve_one(problem, arguments, name);
        any_solved = any_solved || answer.status == solved;
        if (arguments.json) {
            all.push_back(json_of(answer));
        } else if (names.size() > 1) {
            say("{:<17} {:<16} {:>9.1e} {:>10} {:>10} {:>10.4f}\n", answer.solver, answer.status, answer.residual,
                answer.iterations, answer.products, answer.seconds);
        } else {
            say("solver      {}: {}; tolerance {:g}\n", answer.solver, answer.meaning, arguments.tolerance);
            if (!answer.history.empty()) say("history     {}\n", history_text(answer.history, 12));
            say("status      {}: residual {:.2e} after {} iterations, {} products, {:.4g} s\n", answer.status,
                answer.residual, answer.iterations, answer.products, answer.seconds);
        }
    }
    if (arguments.json) say("{}\n", (names.size() > 1 ? all : all.front()).dump());
    return any_solved ? 0 : int(model::ErrorKind::numerics);
}

int execute(const SolveArguments& arguments) {
    const ProblemFile problem = read_problem(arguments.file);
    return std::visit([&](const auto& p) { return solve(p, arguments); }, problem);
}

}  // namespace

Command add_solve(CLI::App& launcher) {
    auto arguments = std::make_shared<SolveArguments>();
    CLI::App* parser = launcher.add_subcommand("solve", "Solve a complementarity problem from a file");
    parser->add_option("file", arguments->file, "LCP or friction problem (text, may be .gz; FCLIB's HDF5)")
        ->required()
        ->type_name("FILE");
    parser->add_option("--solver", arguments->solver, "Name of a solver, or all: a table of them")
        ->capture_default_str();
    parser->add_option("--tolerance", arguments->tolerance, "Relative residual to reach")
        ->check(in_range(1e-300, 1e300))
        ->check([](const std::string& text) {  // a range lets NaN pass
            return std::isnan(std::strtod(text.c_str(), nullptr)) ? "a number is wanted, not " + text : std::string();
        })
        ->capture_default_str();
    parser->add_option("--friction", arguments->friction, "Law of friction")
        ->check(CLI::IsMember({"coulomb", "associated"}))
        ->capture_default_str();
    parser->add_option("--max-iterations", arguments->max_iterations, "Limit of iterations; 0: the solver's own")
        ->check(CLI::Range(std::size_t(0), std::size_t(1000000000)))
        ->capture_default_str();
    parser->add_flag("--json", arguments->json, "The answer as JSON");
    return {parser, [arguments] { return execute(*arguments); }};
}

}  // namespace scree::app
