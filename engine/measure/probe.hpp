// SPDX-License-Identifier: BSD-3-Clause
// Evaluates the probes that a scene declares.
#pragma once

#include "engine/measure/measurement.hpp"
#include "engine/measure/statistic.hpp"
#include "engine/model/scene.hpp"
#include "engine/model/snapshot.hpp"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace scree::measure {

inline constexpr const char* table_stem = "field_";

/// All probes of one run. Each call of evaluate() is one row of series.csv; summary() goes into summary.json; state()
/// goes into checkpoints, so that a continued run measures what the uninterrupted one would have.
class ProbeEvaluator {
public:
    /// Throws model::Error (input) for a probe whose target the scene does not have.
    explicit ProbeEvaluator(const model::Scene& scene);

    /// "probe.field" for every value, as in "floor.fx", in the order of the scene.
    [[nodiscard]] std::vector<std::string> columns() const;
    /// Whether evaluations read Snapshot::contacts.
    [[nodiscard]] bool needs_contacts() const;
    /// A table that a probe fills beside series.csv.
    struct Table {
        std::string file;                  ///< Its name in the run's folder: table_stem, the probe's name, ".csv".
        std::vector<std::string> columns;  ///< Without the time.
    };
    [[nodiscard]] std::vector<Table> tables() const;
    /// Rows of the last evaluation, one after another, of each of tables().
    [[nodiscard]] std::vector<std::span<const double>> table_rows() const;
    /// One finite value per column. Calls must come in order of time.
    std::vector<double> evaluate(const model::Snapshot& snapshot);
    /// Per probe: "kind", each field with its last value, and "statistics": {field: {"min", "max", "mean"}} over the
    /// evaluations so far (the mean over time). Fields are absent before the first evaluation. Of a probe with a table
    /// "kind" and "table", the name of its file.
    [[nodiscard]] nlohmann::ordered_json summary() const;

    [[nodiscard]] std::vector<double> state() const;
    /// Takes the state() of an evaluator of the same scene; model::Error (input) if its length does not fit.
    void restore(std::span<const double> state);

private:
    struct Entry {
        std::string name, kind;
        std::unique_ptr<Measurement> measurement;
        std::vector<std::string> fields;
        std::vector<Statistic> statistics;  ///< Per field.
        std::vector<double> last;           ///< Per field.
    };
    std::vector<Entry> entries_;
};

}  // namespace scree::measure
