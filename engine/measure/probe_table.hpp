// SPDX-License-Identifier: BSD-3-Clause
// The one table of probe kinds.
#pragma once

#include "engine/measure/measurement.hpp"
#include "engine/model/scene.hpp"

#include <memory>
#include <span>

namespace scree::measure {

struct ProbeKind {
    model::Probe::Kind kind;
    const char* name;  ///< As scenes spell it.
    std::unique_ptr<Measurement> (*make)(const model::Scene& scene, const model::Probe& probe);
};

[[nodiscard]] std::span<const ProbeKind> probe_kinds();

/// The entry of a kind. Throws std::logic_error for a kind without an entry.
[[nodiscard]] const ProbeKind& probe_kind(model::Probe::Kind kind);

}  // namespace scree::measure
