// SPDX-License-Identifier: BSD-3-Clause
#include "apps/scree/analysis_report.hpp"
#include "apps/scree/say.hpp"

#include <string>

namespace scree::app {
namespace {

using namespace reference;

/// Numbers of rounding are zeros to people.
std::string vector_text(const Eigen::Vector3d& v, double scale) {
    const auto clean = [&](double x) { return std::abs(x) <= 1e-9 * scale ? 0.0 : x; };
    return fmt::format("({:.5g}, {:.5g}, {:.5g})", clean(v[0]), clean(v[1]), clean(v[2]));
}

std::string pair_text(const World& world, const Contact& c) {
    return fmt::format("{} - {}", world.bodies[std::size_t(c.body_a)].name, world.bodies[std::size_t(c.body_b)].name);
}

void print_contacts(const World& world, const Analysis& analysis) {
    say("contacts    {} at zero gap\n", analysis.contacts.size());
    for (std::size_t i = 0; i < analysis.contacts.size(); ++i) {
        const ContactReport& c = analysis.contacts[i];
        say("  {:>3}  {:<28} {:<11} mu {:<6.4g} slip {:.4g} m/s, gap rate {:.4g} m/s\n", i, pair_text(world, c.contact),
            name_of(c.state), c.friction, c.slip.norm(), c.normal_speed);
    }
}

void print_solution(const World& world, const Analysis& analysis, const AccelerationSolution& s) {
    double force = 0.0;
    for (const double n : s.normal_force) force = std::max(force, std::abs(n));
    const double size =
        s.acceleration.size() > 0 ? std::max(s.acceleration.cwiseAbs().maxCoeff(), analysis.acceleration_scale) : 0.0;
    for (std::size_t k = 0; k < analysis.active.size(); ++k) {
        const auto i = Eigen::Index(k);
        const Contact& c = analysis.contacts[analysis.active[k]].contact;
        const Eigen::Vector3d all = s.normal_force[i] * c.direction + world_tangents(world, c) * s.tangent_force.col(i);
        say("  {:>3}  {:<24} force {:.5g} N, friction {:.5g} N, on {}: {} N\n", analysis.active[k],
            name_of(s.transitions[k]), std::abs(s.normal_force[i]) <= 1e-9 * force ? 0.0 : s.normal_force[i],
            s.tangent_force.col(i).norm() <= 1e-9 * force ? 0.0 : s.tangent_force.col(i).norm(),
            world.bodies[std::size_t(c.body_b)].name, vector_text(all, force));
    }
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
        if (world.bodies[b].fixed) continue;
        const auto all = world_acceleration(world, b, s.acceleration);
        say("       {:<24} acceleration {} m/s^2, angular {} rad/s^2\n", world.bodies[b].name,
            vector_text(all.head<3>(), size), vector_text(all.tail<3>(), size));
    }
    const auto loose = [](const char* what, Eigen::Index n) {
        return n == 0 ? fmt::format("the {} determined", what)
                      : fmt::format("the {} loose in {} direction{}", what, n, n == 1 ? "" : "s");
    };
    say("       residual {:.1e}; {}{}\n", s.residual, loose("forces are", s.loose_forces),
        s.loose_motions > 0 ? "; " + loose("motion is", s.loose_motions) + " (one of a family)" : std::string());
}

const char* meaning(Existence existence) {
    switch (existence) {
        case Existence::unique:
            return "one acceleration, and no other";
        case Existence::several:
            return "several accelerations: the model does not say which";
        case Existence::none:
            return "no finite acceleration: only an impulse can go on from here";
        case Existence::some:
            return "an acceleration; the search for others is not complete";
        case Existence::unknown:
            break;
    }
    return "no acceleration was found, and the search is not complete";
}

void print_law(const World& world, const Analysis& analysis, const char* name, const LawReport& law) {
    say("{:<11} {}\n", name, meaning(law.existence));
    if (law.searched)
        say("            {} boxes of modes, {} refuted{}{}\n", law.boxes, law.refuted,
            law.refuted > 0 ? fmt::format(" (weakest by {:.1e})", law.weakest_refutation) : std::string(),
            law.undecided > 0 ? fmt::format(", {} undecided", law.undecided) : std::string());
    else
        say("            too many contacts to search all modes: one solution by Lemke's algorithm and Newton steps\n");
    for (std::size_t i = 0; i < law.solutions.size(); ++i) {
        if (law.solutions.size() > 1) say("solution {}\n", i + 1);
        print_solution(world, analysis, law.solutions[i]);
    }
}

std::string condition_text(const ExistenceCondition& c) {
    const char* consequence = c.all_rolling ? "a solution exists" : "the relaxed law has a solution";
    switch (c.status) {
        case Condition::holds_by_rank:
            return fmt::format("holds by the rank of the contact rows: {}", consequence);
        case Condition::holds:
            return fmt::format("holds (Farkas vector, margin {:.1e}): {}", c.margin, consequence);
        case Condition::fails:
            return "fails: a set of forces that cancel works against the curvature terms";
        case Condition::undecided:
            break;
    }
    return "not decided";
}

const char* meaning(Fixture fixture) {
    switch (fixture) {
        case Fixture::not_at_rest:
            break;
        case Fixture::stable:
            return "stable: every solution stays at rest";
        case Fixture::may_collapse:
            return "may collapse: it can rest, and it can move";
        case Fixture::collapses:
            return "collapses: no solution stays at rest";
        case Fixture::may_rest:
            return "can rest; whether it can also move was not decided";
        case Fixture::unknown:
            return "not decided";
    }
    return "parts move: no verdict";
}

}  // namespace

Eigen::Matrix<double, 6, 1> world_acceleration(const World& world, std::size_t body,
                                               const Eigen::VectorXd& acceleration) {
    return world.twist(body, acceleration);  // a free body's twist is read from its place in the vector
}

Eigen::Matrix3Xd world_tangents(const World& world, const Contact& contact) {
    Eigen::Matrix3Xd tangents(3, contact.tangent.rows());
    const bool b_moves = !world.bodies[std::size_t(contact.body_b)].fixed;
    const Eigen::Index slot = world.slot(std::size_t(b_moves ? contact.body_b : contact.body_a));
    for (Eigen::Index r = 0; r < tangents.cols(); ++r) {
        // The part of the row for the velocity of the body: (x, z) in planar worlds.
        const Eigen::RowVectorXd row = (b_moves ? 1.0 : -1.0) * contact.tangent.row(r);
        if (world.planar)
            tangents.col(r) << row[3 * slot], 0.0, row[3 * slot + 1];
        else
            tangents.col(r) = row.segment<3>(6 * slot).transpose();
    }
    return tangents;
}

void print_analysis(const World& world, const Analysis& analysis) {
    print_contacts(world, analysis);
    for (const std::string& note : analysis.notes) say("note        {}\n", note);
    if (analysis.impact) {
        say("impact      a contact closes at a finite speed: an impact comes first, no acceleration is defined\n");
        return;
    }
    print_law(world, analysis, "cone", analysis.cone);
    if (!analysis.active.empty()) {
        say("pyramid     {}; {} solution{}, Lemke's algorithm: {}\n", meaning(analysis.pyramid.existence),
            analysis.pyramid.solutions.size(), analysis.pyramid.solutions.size() == 1 ? "" : "s", analysis.lemke);
        say("condition   ({}) {}\n", analysis.condition.all_rolling ? 35 : 49, condition_text(analysis.condition));
    }
    if (analysis.relaxed.solved) {
        say("relaxed     friction off Coulomb's law by {:.4g} N m/s (root of the least sum of squares{})\n",
            std::sqrt(analysis.relaxed.objective), analysis.relaxed.complete ? "" : " found");
        print_solution(world, analysis, analysis.relaxed.solution);
    }
    say("fixture     {}\n", meaning(analysis.fixture));
}

}  // namespace scree::app
