// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/bench_measure.hpp"

#include "apps/scree/copy_bandwidth.hpp"
#include "engine/simulation/problem_file.hpp"
#include "engine/simulation/run_statistics.hpp"
#include "engine/simulation/run_summary.hpp"
#include "kernels/cone/pass_bytes.hpp"
#include "kernels/parallel/devices.hpp"
#include "kernels/step/cpu_engine.hpp"
#include "scree_version.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

namespace scree::app {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;
using kernels::Phase;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Sums over the measured steps.
struct Sums {
    double steps = 0.0, seconds = 0.0, bodies = 0.0, contacts = 0.0, iterations = 0.0, contact_iterations = 0.0,
           bytes = 0.0, residual = 0.0, penetration = 0.0;
    std::array<double, std::size_t(Phase::count)> phases{};
    kernels::StepReport last;
    [[nodiscard]] double phase(Phase p) const { return phases[std::size_t(p)] / steps; }
};

Sums run_steps(simulation::Simulation& simulation, const BenchPlan& plan) {
    const model::Settings& settings = simulation.scene().settings;
    const std::size_t real = settings.precision == model::Precision::double_ ? 8 : 4;
    for (std::int64_t i = 0; i < plan.warm_up; ++i) simulation.step();
    Sums sums;
    const auto begin = Clock::now();
    while (sums.steps < double(plan.least_steps) || since(begin) < plan.seconds) {
        const auto step_begin = Clock::now();
        const kernels::StepReport r = simulation.step();
        sums.seconds += since(step_begin);
        sums.steps += 1.0;
        sums.last = r;
        sums.bodies += double(r.bodies);
        sums.contacts += double(r.contacts);
        sums.iterations += double(r.iterations);
        sums.contact_iterations += double(r.contacts) * double(r.iterations);
        sums.bytes += double(r.iterations) * kernels::PassBytes{real, double(r.contacts), double(r.bodies)}.iteration();
        sums.residual = std::max(sums.residual, simulation::relative_residual(r, settings.solver.tolerance));
        sums.penetration = std::max(sums.penetration, r.overlap_relative);
        for (std::size_t p = 0; p < sums.phases.size(); ++p) sums.phases[p] += r.seconds[p];
    }
    return sums;
}

constexpr int pass_repeats = 10;

/// Of the memory that the solver works in; `passes` holds a copy where there were contacts.
double copy_bandwidth(const simulation::Simulation& simulation, const std::vector<kernels::PassTime>& passes) {
    if (simulation.backend().backend == model::Backend::cpu) return measure_copy_bandwidth(simulation.threads());
    for (const kernels::PassTime& pass : passes)
        if (pass.name == "copy") return pass.bytes / pass.seconds;
    return 0.0;
}

void add_machine(Json& row, const simulation::Simulation& simulation) {
    row["backend"] = simulation::name_of(simulation.backend().backend);
    row["device"] = simulation.backend().device;
    row["threads"] = simulation.threads();
    row["precision"] = simulation::name_of(simulation.scene().settings.precision);
    row["build"] = build_type;
}

constexpr std::array<std::pair<const char*, kernels::SolverName>, 4> solver_names = {{
    {"conjugate", kernels::SolverName::conjugate},
    {"apgd", kernels::SolverName::apgd},
    {"projected_jacobi", kernels::SolverName::projected_jacobi},
    {"gauss_seidel", kernels::SolverName::gauss_seidel},
}};
constexpr std::array<double, 3> trial_tolerances = {1e-2, 1e-4, 1e-6};
constexpr int trial_iterations = 2000;

void add_traffic(Json& row, double bytes_per_second, double copy) {
    row["bytes_per_second"] = bytes_per_second;
    row["copy_bytes_per_second"] = copy;
    row["fraction_of_copy"] = copy > 0.0 ? bytes_per_second / copy : 0.0;
}

/// What the trials of one problem have in common.
struct TrialPlace {
    double bodies, contacts, bytes_per_iteration, copy;
};

/// One row per solver: its rate, and how long it takes from zero to each residual. `solve` answers a SolverTrial.
template <class Solve>
void add_trials(Json& rows, const TrialPlace& place, const Json& machine, const Solve& solve) {
    for (const auto& [name, solver] : solver_names) {
        double seconds = 0.0, iterations = 0.0;
        Json reached = Json::array();
        for (const double tolerance : trial_tolerances) {
            const kernels::SolverOutcome o = solve(kernels::SolverTrial{solver, tolerance, trial_iterations});
            seconds += o.seconds;
            iterations += o.iterations;
            reached.push_back({{"tolerance", tolerance},
                               {"converged", o.converged},
                               {"residual", o.residual},
                               {"operator_products", o.operator_products},
                               {"seconds", o.seconds}});
            if (!o.converged) break;  // nor will it get farther
        }
        Json row{{"name", name},
                 {"n", std::uint64_t(place.bodies)},
                 {"seconds", iterations > 0.0 ? seconds / iterations : 0.0},
                 {"contacts", std::uint64_t(place.contacts)}};
        row["contact_iterations_per_second"] = seconds > 0.0 ? place.contacts * iterations / seconds : 0.0;
        add_traffic(row, seconds > 0.0 ? place.bytes_per_iteration * iterations / seconds : 0.0, place.copy);
        row["from_zero"] = std::move(reached);
        row.update(machine);
        rows.push_back(std::move(row));
    }
}

}  // namespace

Json measure_steps(simulation::Simulation& simulation, const BenchPlan& plan) {
    const Sums s = run_steps(simulation, plan);
    const double bodies = s.bodies / s.steps, contacts = s.contacts / s.steps, per_step = s.seconds / s.steps;
    const double solve = s.phase(Phase::solve);
    const bool cuda = simulation.backend().backend == model::Backend::cuda;
    std::vector<kernels::PassTime> passes;
    if (plan.passes || (plan.solver && cuda)) passes = simulation.time_passes(pass_repeats);
    const double copy = plan.solver || plan.passes ? copy_bandwidth(simulation, passes) : 0.0;
    Json rows = Json::array();
    const auto start = [&](const char* name, double seconds) {
        return Json{{"name", name},
                    {"n", std::uint64_t(bodies)},
                    {"seconds", seconds},
                    {"contacts", std::uint64_t(contacts)},
                    {"measured_steps", std::uint64_t(s.steps)}};
    };
    if (plan.step) {
        Json row = start("step", per_step);
        row["body_steps_per_second"] = bodies / per_step;
        row["contact_iterations_per_second"] = s.contact_iterations / s.steps / per_step;
        row["solver"] = simulation::solver_name(simulation);
        row["iterations"] = s.iterations / s.steps;
        row["residual"] = s.residual;
        row["penetration_relative"] = s.penetration;
        row["bytes_per_body"] = double(simulation.bytes()) / bodies;
        Json phases = Json::object();
        for (std::size_t p = 0; p < s.phases.size(); ++p) phases[kernels::phase_names[p]] = s.phases[p] / s.steps;
        row["phases"] = phases;
        add_machine(row, simulation);
        rows.push_back(std::move(row));
    }
    if (plan.solver) {
        Json row = start("solver", solve);
        row["solver"] = simulation::solver_name(simulation);
        row["iterations"] = s.iterations / s.steps;
        row["contact_iterations_per_second"] = solve > 0.0 ? s.contact_iterations / s.steps / solve : 0.0;
        add_traffic(row, solve > 0.0 ? s.bytes / s.steps / solve : 0.0, copy);
        row["residual"] = s.residual;
        add_machine(row, simulation);
        rows.push_back(std::move(row));
    }
    if (plan.trials) {
        Json machine = Json::object();
        add_machine(machine, simulation);
        const kernels::StepReport& last = s.last;
        const std::size_t real = simulation.scene().settings.precision == model::Precision::double_ ? 8 : 4;
        const kernels::PassBytes bytes{real, double(last.contacts), double(last.bodies)};
        add_trials(rows, {double(last.bodies), double(last.contacts), bytes.iteration(), copy}, machine,
                   [&](const kernels::SolverTrial& trial) { return simulation.try_solver(trial); });
    }
    if (plan.broadphase) {
        const double broad = s.phase(Phase::broad);
        Json row = start("broadphase", broad);
        row["bodies_per_second"] = broad > 0.0 ? bodies / broad : 0.0;
        row["contact_set_seconds"] = s.phase(Phase::contacts);
        row["contacts_per_second"] =
            broad + s.phase(Phase::contacts) > 0.0 ? contacts / (broad + s.phase(Phase::contacts)) : 0.0;
        add_machine(row, simulation);
        rows.push_back(std::move(row));
    }
    if (plan.passes)
        for (const kernels::PassTime& pass : passes) {
            if (pass.name == "copy") continue;
            Json row = start(pass.name.c_str(), pass.seconds);
            row["bytes"] = pass.bytes;
            add_traffic(row, pass.bytes / pass.seconds, copy);
            add_machine(row, simulation);
            rows.push_back(std::move(row));
        }
    return rows;
}

Json measure_problem(const std::filesystem::path& path, std::size_t threads, int iterations, const BenchPlan& plan) {
    const simulation::ProblemFile file = simulation::read_problem(path);
    const auto problem = kernels::make_cpu_problem(file.problem, threads);
    const double scale = file.velocity_scale > 0.0 ? file.velocity_scale : 1.0;
    const auto solve = [&](kernels::SolverTrial trial) {
        trial.tolerance *= scale;
        kernels::SolverOutcome outcome = problem->try_solver(trial);
        outcome.residual /= scale;
        return outcome;
    };
    const kernels::SolverTrial all_iterations{kernels::SolverName::conjugate, 0.0, iterations};
    double solves = 0.0, seconds = 0.0, done = 0.0, residual = 0.0;
    while (solves < double(plan.least_steps) || seconds < plan.seconds) {
        const kernels::SolverOutcome outcome = solve(all_iterations);
        solves += 1.0;
        seconds += outcome.seconds;
        done += outcome.iterations;
        residual = outcome.residual;
    }
    const auto contacts = file.problem.a.size();
    const kernels::PassBytes bytes{sizeof(float), double(contacts), double(file.problem.bodies)};
    const double copy = measure_copy_bandwidth(problem->threads());
    Json row{{"name", "solver"},
             {"n", std::uint64_t(file.problem.bodies)},
             {"seconds", seconds / solves},
             {"contacts", std::uint64_t(contacts)},
             {"measured_solves", std::uint64_t(solves)},
             {"solver", "conjugate"},
             {"iterations", done / solves},
             {"contact_iterations_per_second", double(contacts) * done / seconds}};
    add_traffic(row, bytes.iteration() * done / seconds, copy);
    row["residual"] = residual;
    const Json machine{{"backend", "cpu"},
                       {"device", simulation::processor_name() + " (" + simulation::instruction_set_name() + ")"},
                       {"threads", problem->threads()},
                       {"precision", "mixed"},
                       {"build", build_type}};
    row.update(machine);
    Json rows = Json::array({std::move(row)});
    add_trials(rows, {double(file.problem.bodies), double(contacts), bytes.iteration(), copy}, machine, solve);
    return rows;
}

}  // namespace scree::app
