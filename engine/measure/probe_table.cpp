// SPDX-License-Identifier: BSD-3-Clause
#include "engine/measure/probe_table.hpp"

#include "engine/measure/body.hpp"
#include "engine/measure/count.hpp"
#include "engine/measure/energy.hpp"
#include "engine/measure/field.hpp"
#include "engine/measure/flow.hpp"
#include "engine/measure/force.hpp"
#include "engine/measure/heights.hpp"
#include "engine/measure/mixing.hpp"
#include "engine/measure/packing.hpp"
#include "engine/measure/repose.hpp"
#include "engine/measure/stress.hpp"

#include <algorithm>
#include <stdexcept>

namespace scree::measure {
namespace {

template <class Kind>
std::unique_ptr<Measurement> make(const model::Scene& scene, const model::Probe& probe) {
    return std::make_unique<Kind>(scene, probe);
}

using enum model::Probe::Kind;

constexpr ProbeKind table[] = {
    {count, "count", make<Count>},    {packing, "packing", make<Packing>}, {heights, "heights", make<Heights>},
    {body, "body", make<Body>},       {force, "force", make<Force>},       {flow, "flow", make<Flow>},
    {energy, "energy", make<Energy>}, {stress, "stress", make<Stress>},    {field, "field", make<Field>},
    {mixing, "mixing", make<Mixing>}, {repose, "repose", make<Repose>},
};

}  // namespace

std::span<const ProbeKind> probe_kinds() { return table; }

const ProbeKind& probe_kind(model::Probe::Kind kind) {
    const auto entry =
        std::find_if(std::begin(table), std::end(table), [kind](const auto& k) { return k.kind == kind; });
    if (entry == std::end(table)) throw std::logic_error("this kind of probe is not in the table");
    return *entry;
}

}  // namespace scree::measure
