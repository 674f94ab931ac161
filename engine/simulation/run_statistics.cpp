// SPDX-License-Identifier: BSD-3-Clause
#include "engine/simulation/run_statistics.hpp"

#include "engine/model/error.hpp"

#include <algorithm>
#include <cmath>

namespace scree::simulation {
namespace {

constexpr const char* counts_name = "run/counts";
constexpr const char* reals_name = "run/reals";
constexpr const char* ledger_name = "run/ledger";
constexpr const char* histories_name = "run/histories";
constexpr const char* fallback_name = "run/fallback";
constexpr const char* relaxed_name = "run/relaxed";
constexpr const char* solves_name = "run/solves";
constexpr const char* joints_name = "run/joints";
constexpr const char* still_name = "run/still";
constexpr const char* rest_name = "run/rest";
constexpr const char* deepest_name = "run/deepest";

/// The members in the order of the checkpoint; `visit` reads or writes each.
template <class Totals, class Last, class Visit>
void each_count(Totals& t, Last& l, Visit visit) {
    for (auto* member : {&t.steps, &t.converged, &t.contacts, &t.contacts_max, &t.iterations, &l.bodies, &l.contacts,
                         &l.iterations, &l.converged})
        visit(*member);
}

template <class Totals, class Last, class Visit>
void each_real(Totals& t, Last& l, Visit visit) {
    for (auto* member : {&t.residual_max, &t.overlap_max, &t.overlap_relative_max, &l.residual, &l.overlap,
                         &l.overlap_relative, &l.kinetic_translation, &l.kinetic_rotation, &l.speed_max})
        visit(*member);
}

template <class Histories, class Visit>
void each_history(Histories& h, Visit visit) {
    for (auto* history : {&h.residual_rms, &h.residual_max, &h.complementarity, &h.energy_defect}) visit(*history);
}

template <class T>
const std::vector<T>& array_of(const io::Checkpoint& checkpoint, const char* name, std::size_t size) {
    const auto found = checkpoint.arrays.find(name);
    const auto* values = found == checkpoint.arrays.end() ? nullptr : std::get_if<std::vector<T>>(&found->second);
    if (values == nullptr || values->size() != size)
        throw model::Error(
            model::ErrorKind::input,
            std::string("the checkpoint has no array '") + name + "' of " + std::to_string(size) + " values",
            "it was written by another version");
    return *values;
}

}  // namespace

double residual_scale(const kernels::StepReport& report, double tolerance_setting) {
    return report.tolerance / tolerance_setting;
}

double relative_residual(const kernels::StepReport& report, double tolerance_setting) {
    const double scale = residual_scale(report, tolerance_setting);
    return scale > 0.0 ? report.residual.rms / scale : 0.0;
}

RunStatistics::RunStatistics(const model::Scene& scene) : tolerance_(scene.settings.solver.tolerance), energy_(scene) {}

void RunStatistics::start(const model::Snapshot& s) {
    energy_.start(s);
    last_.bodies = s.id.size();
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        last_.speed_max = std::max(last_.speed_max, norm(s.velocity[i]));
        if (!std::isfinite(s.mass[i])) continue;
        last_.kinetic_translation += 0.5 * s.mass[i] * dot(s.velocity[i], s.velocity[i]);
        last_.kinetic_rotation += model::rotational_energy(s, i);
    }
}

void RunStatistics::add(const kernels::StepReport& r, double free_mass) {
    const double residual = relative_residual(r, tolerance_);
    ++totals_.steps;
    totals_.converged += r.converged ? 1 : 0;
    totals_.contacts += std::uint64_t(r.contacts);
    totals_.contacts_max = std::max(totals_.contacts_max, std::uint64_t(r.contacts));
    totals_.iterations += std::uint64_t(r.iterations);
    totals_.fallback_tried += r.fallback_tried ? 1 : 0;
    totals_.fallback_used += r.fallback_used ? 1 : 0;
    totals_.relaxed += r.relaxed ? 1 : 0;
    totals_.handed_over += r.handed_over ? 1 : 0;
    totals_.limited_clusters += std::uint64_t(r.limited_clusters);
    totals_.joint_gap_max = std::max(totals_.joint_gap_max, r.joint_gap);
    totals_.linearised += r.linearised_islands > 0 ? 1 : 0;
    totals_.held_back += std::uint64_t(r.held_back);
    totals_.sleeping = std::uint64_t(r.sleeping);
    totals_.sleeping_max = std::max(totals_.sleeping_max, totals_.sleeping);
    totals_.residual_max = std::max(totals_.residual_max, residual);
    totals_.overlap_max = std::max(totals_.overlap_max, r.overlap_max);
    totals_.overlap_relative_max = std::max(totals_.overlap_relative_max, r.overlap_relative);
    last_ = {std::uint64_t(r.bodies),
             std::uint64_t(r.contacts),
             std::uint64_t(r.iterations),
             r.converged ? 1U : 0U,
             residual,
             r.overlap_max,
             r.overlap_relative,
             r.kinetic_translation,
             r.kinetic_rotation,
             r.speed_max,
             0.0,
             r.complementarity_gap,
             r.worst};
    ++process_.steps;
    process_.body_steps += double(r.bodies);
    process_.contact_iterations += double(r.contacts) * double(r.iterations);
    for (std::size_t p = 0; p < process_.seconds.size(); ++p) process_.seconds[p] += r.seconds[p];
    process_.bodies_max = std::max(process_.bodies_max, std::uint64_t(r.bodies));
    energy_.add(r, free_mass);
    const double scale = residual_scale(r, tolerance_);
    last_.residual_max = scale > 0.0 ? r.residual.max / scale : 0.0;
    histories_.residual_rms.add(totals_.steps, residual);
    histories_.residual_max.add(totals_.steps, last_.residual_max);
    histories_.complementarity.add(totals_.steps, r.complementarity_relative);
    if (const auto defect = energy_.relative_defect()) histories_.energy_defect.add(totals_.steps, std::abs(*defect));
    const double worst = scale > 0.0 ? r.worst.residual / scale : 0.0;
    if (r.worst.body >= 0 && (worst_.step == 0 || worst > worst_.residual)) worst_ = {r.worst, worst, totals_.steps};
}

bool RunStatistics::wants_deepest_overlap() const {
    const double found = last_.overlap_relative;
    return found > much_overlap && found > 1.05 * looked_at_;
}

void RunStatistics::note_deepest_overlap(const std::optional<DeepestOverlap>& overlap) {
    looked_at_ = last_.overlap_relative;
    if (!overlap) return;
    deepest_ = overlap;
    deepest_->relative = looked_at_;  // of solids it may be told by other diameters
}

void RunStatistics::note_rest(bool slow, double time) {
    if (!slow)
        slow_since_ = std::numeric_limits<double>::infinity();
    else if (!std::isfinite(slow_since_))
        slow_since_ = time;
}

void RunStatistics::save(io::Checkpoint& checkpoint) const {
    std::vector<std::uint64_t> counts;
    std::vector<double> reals;
    each_count(totals_, last_, [&](std::uint64_t value) { counts.push_back(value); });
    each_real(totals_, last_, [&](double value) { reals.push_back(value); });
    checkpoint.arrays[counts_name] = counts;
    checkpoint.arrays[reals_name] = reals;
    checkpoint.arrays[ledger_name] = energy_.state();
    std::vector<double> histories{double(worst_.contact.body), double(worst_.contact.partner), worst_.contact.residual,
                                  worst_.residual, double(worst_.step)};
    each_history(histories_, [&](const ValueHistory& history) {
        const auto state = history.state();
        histories.insert(histories.end(), state.begin(), state.end());
    });
    checkpoint.arrays[histories_name] = histories;
    checkpoint.arrays[fallback_name] = std::vector<std::uint64_t>{totals_.fallback_tried, totals_.fallback_used};
    checkpoint.arrays[relaxed_name] = std::vector<std::uint64_t>{totals_.relaxed};
    checkpoint.arrays[solves_name] = std::vector<std::uint64_t>{totals_.handed_over, totals_.limited_clusters};
    checkpoint.arrays[joints_name] = std::vector<double>{double(totals_.linearised), totals_.joint_gap_max};
    checkpoint.arrays[still_name] =
        std::vector<std::uint64_t>{totals_.held_back, totals_.sleeping, totals_.sleeping_max};
    checkpoint.arrays[rest_name] = std::vector<double>{slow_since_};
    if (deepest_)
        checkpoint.arrays[deepest_name] =
            std::vector<double>{double(deepest_->id_a), double(deepest_->id_b), double(deepest_->boundary),
                                deepest_->relative,     double(deepest_->step), deepest_->time};
}

void RunStatistics::restore(const io::Checkpoint& checkpoint) {
    std::size_t counts = 0, reals = 0;
    each_count(totals_, last_, [&](std::uint64_t) { ++counts; });
    each_real(totals_, last_, [&](double) { ++reals; });
    auto count = array_of<std::uint64_t>(checkpoint, counts_name, counts).begin();
    auto real = array_of<double>(checkpoint, reals_name, reals).begin();
    each_count(totals_, last_, [&](std::uint64_t& value) { value = *count++; });
    each_real(totals_, last_, [&](double& value) { value = *real++; });
    if (checkpoint.arrays.contains(ledger_name)) {
        energy_.restore(array_of<double>(checkpoint, ledger_name, EnergyBalance::state_size));
        const auto& histories = array_of<double>(checkpoint, histories_name, 5 + 4 * ValueHistory::state_size);
        worst_ = {{kernels::Index(histories[0]), kernels::Index(histories[1]), histories[2]},
                  histories[3],
                  std::uint64_t(histories[4])};
        std::span<const double> rest(histories);
        rest = rest.subspan(5);
        each_history(histories_, [&](ValueHistory& history) {
            history.restore(rest.first(ValueHistory::state_size));
            rest = rest.subspan(ValueHistory::state_size);
        });
    } else {
        energy_.give_up();  // written before there was one
    }
    if (checkpoint.arrays.contains(joints_name)) {
        const auto& joints = array_of<double>(checkpoint, joints_name, 2);
        totals_.linearised = std::uint64_t(joints[0]);
        totals_.joint_gap_max = joints[1];
    }
    if (checkpoint.arrays.contains(still_name)) {
        const auto& still = array_of<std::uint64_t>(checkpoint, still_name, 3);
        totals_.held_back = still[0];
        totals_.sleeping = still[1];
        totals_.sleeping_max = still[2];
    }
    if (checkpoint.arrays.contains(rest_name)) slow_since_ = array_of<double>(checkpoint, rest_name, 1)[0];
    if (checkpoint.arrays.contains(deepest_name)) {
        const auto& deepest = array_of<double>(checkpoint, deepest_name, 6);
        deepest_ = {std::uint64_t(deepest[0]), std::uint64_t(deepest[1]),
                    std::int32_t(deepest[2]),  deepest[3],
                    std::uint64_t(deepest[4]), deepest[5]};
        looked_at_ = deepest_->relative;
    }
    if (checkpoint.arrays.contains(relaxed_name))
        totals_.relaxed = array_of<std::uint64_t>(checkpoint, relaxed_name, 1)[0];
    if (checkpoint.arrays.contains(solves_name)) {
        const auto& solves = array_of<std::uint64_t>(checkpoint, solves_name, 2);
        totals_.handed_over = solves[0];
        totals_.limited_clusters = solves[1];
    }
    if (!checkpoint.arrays.contains(fallback_name)) return;  // written before there was one
    const auto& fallback = array_of<std::uint64_t>(checkpoint, fallback_name, 2);
    totals_.fallback_tried = fallback[0];
    totals_.fallback_used = fallback[1];
}

}  // namespace scree::simulation
