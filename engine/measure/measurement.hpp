// SPDX-License-Identifier: BSD-3-Clause
// What one kind of probe does. A new kind is one new file with a class like this, and one line in probe_table.cpp.
#pragma once

#include "engine/model/snapshot.hpp"

#include <span>
#include <string>
#include <vector>

namespace scree::measure {

/// One probe of a scene while a run goes on. Classes are built from (const model::Scene&, const model::Probe&) and keep
/// what they need of both.
class Measurement {
public:
    virtual ~Measurement() = default;

    /// Names of the values, in order; the same for the whole run.
    [[nodiscard]] virtual std::vector<std::string> fields() const = 0;
    /// Fills one value per field; all are finite. Calls come in order of time.
    virtual void evaluate(const model::Snapshot& snapshot, std::span<double> values) = 0;
    /// Whether evaluations read Snapshot::contacts.
    [[nodiscard]] virtual bool needs_contacts() const { return false; }
    /// Names of the columns of a table beside series.csv, the time not among them; the same for the whole run. Empty:
    /// the kind has none.
    [[nodiscard]] virtual std::vector<std::string> table_columns() const { return {}; }
    /// The rows of the last evaluation, one after another.
    [[nodiscard]] virtual std::span<const double> table() const { return {}; }
    /// What the next evaluation needs from earlier ones, for checkpoints; always of the same length.
    [[nodiscard]] virtual std::vector<double> state() const { return {}; }
    virtual void restore(std::span<const double> /*state*/) {}
};

}  // namespace scree::measure
