// SPDX-License-Identifier: BSD-3-Clause
// NcpStepper::memory and restore.
#include "engine/reference/ncp_stepper.hpp"
#include "engine/reference/stepper_memory.hpp"

#include <utility>

namespace scree::reference {

std::vector<double> NcpStepper::memory() const {
    MemoryWriter to;
    for (const auto& [identity, contact] : memories_) {
        const NearestPair& pair = contact.pair;
        to.identity(identity);
        to.vector(pair.on_a);
        to.vector(pair.on_b);
        to.vector(pair.normal);
        to.number(pair.gap);
        to.list(pair.faces.a);
        to.list(pair.faces.b);
        to.list(pair.multipliers_a);
        to.list(pair.multipliers_b);
        to.list(contact.impulses);
    }
    return to.take();
}

void NcpStepper::restore(const std::vector<double>& memory) {
    ContactMemories memories;
    for (MemoryReader from(memory); !from.is_empty();) {
        ContactMemory& contact = memories[from.identity()];
        NearestPair& pair = contact.pair;
        pair.on_a = from.vector();
        pair.on_b = from.vector();
        pair.normal = from.vector();
        pair.gap = from.number();
        pair.faces.a = from.indices();
        pair.faces.b = from.indices();
        pair.multipliers_a = from.list();
        pair.multipliers_b = from.list();
        contact.impulses = from.list();
    }
    memories_ = std::move(memories);
}

}  // namespace scree::reference
