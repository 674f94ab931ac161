// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/probe.hpp"

#include "engine/measure/probe_table.hpp"
#include "engine/model/error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace scree::measure {

namespace {

std::string file_of(const std::string& probe) { return table_stem + probe + ".csv"; }

}  // namespace

ProbeEvaluator::ProbeEvaluator(const model::Scene& scene) {
    for (const model::Probe& probe : scene.probes) {
        const ProbeKind& kind = probe_kind(probe.kind);
        auto measurement = kind.make(scene, probe);
        auto fields = measurement->fields();
        const std::size_t n = fields.size();
        entries_.push_back({probe.name, kind.name, std::move(measurement), std::move(fields), std::vector<Statistic>(n),
                            std::vector<double>(n, 0.0)});
    }
}

std::vector<std::string> ProbeEvaluator::columns() const {
    std::vector<std::string> names;
    for (const Entry& entry : entries_) {
        for (const std::string& field : entry.fields) names.push_back(entry.name + "." + field);
    }
    return names;
}

bool ProbeEvaluator::needs_contacts() const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [](const Entry& entry) { return entry.measurement->needs_contacts(); });
}

std::vector<ProbeEvaluator::Table> ProbeEvaluator::tables() const {
    std::vector<Table> tables;
    for (const Entry& entry : entries_)
        if (auto table = entry.measurement->table_columns(); !table.empty())
            tables.push_back({file_of(entry.name), std::move(table)});
    return tables;
}

std::vector<std::span<const double>> ProbeEvaluator::table_rows() const {
    std::vector<std::span<const double>> rows;
    for (const Entry& entry : entries_)
        if (!entry.measurement->table_columns().empty()) rows.push_back(entry.measurement->table());
    return rows;
}

std::vector<double> ProbeEvaluator::evaluate(const model::Snapshot& snapshot) {
    std::vector<double> row;
    for (Entry& entry : entries_) {
        entry.measurement->evaluate(snapshot, entry.last);
        for (std::size_t i = 0; i < entry.last.size(); ++i) entry.statistics[i].add(snapshot.time, entry.last[i]);
        row.insert(row.end(), entry.last.begin(), entry.last.end());
    }
    return row;
}

nlohmann::ordered_json ProbeEvaluator::summary() const {
    auto all = nlohmann::ordered_json::object();
    for (const Entry& entry : entries_) {
        nlohmann::ordered_json probe{{"kind", entry.kind}};
        if (!entry.measurement->table_columns().empty()) probe["table"] = file_of(entry.name);
        auto statistics = nlohmann::ordered_json::object();
        for (std::size_t i = 0; i < entry.fields.size(); ++i) {
            const Statistic& statistic = entry.statistics[i];
            if (!statistic.seen()) continue;
            probe[entry.fields[i]] = entry.last[i];
            statistics[entry.fields[i]] = {
                {"min", statistic.min()}, {"max", statistic.max()}, {"mean", statistic.mean()}};
        }
        if (!entry.fields.empty()) probe["statistics"] = std::move(statistics);
        all[entry.name] = std::move(probe);
    }
    return all;
}

std::vector<double> ProbeEvaluator::state() const {
    std::vector<double> state;
    for (const Entry& entry : entries_) {
        const auto own = entry.measurement->state();
        state.insert(state.end(), own.begin(), own.end());
        state.insert(state.end(), entry.last.begin(), entry.last.end());
        for (const Statistic& statistic : entry.statistics) statistic.save(state);
    }
    return state;
}

void ProbeEvaluator::restore(std::span<const double> state) {
    if (state.size() != this->state().size()) {
        throw model::Error(model::ErrorKind::input, "the probes of the checkpoint are not those of the scene",
                           "restart with the scene that wrote it");
    }
    const auto take = [&state](std::size_t n) {
        const auto part = state.first(n);
        state = state.subspan(n);
        return part;
    };
    for (Entry& entry : entries_) {
        entry.measurement->restore(take(entry.measurement->state().size()));
        const auto last = take(entry.last.size());
        std::copy(last.begin(), last.end(), entry.last.begin());
        for (Statistic& statistic : entry.statistics) statistic.restore(take(Statistic::state_size));
    }
}

}  // namespace scree::measure
