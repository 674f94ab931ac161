// SPDX-License-Identifier: BSD-3-Clause
// Which backend a run uses, and why, in words.
#pragma once

#include "engine/model/settings.hpp"

#include <string>

namespace scree::simulation {

struct BackendChoice {
    model::Backend backend = model::Backend::cpu;  ///< cpu or cuda
    std::string device;                            ///< Name of the processor, with its instruction set, or of the GPU.
    std::string reason;                            ///< One sentence for the log.
};

/// Resolves `auto`. Throws model::Error (environment) when cuda is asked for and not to be had, saying why.
[[nodiscard]] BackendChoice choose_backend(const model::Settings& settings);

/// Model name of this machine's processor.
[[nodiscard]] std::string processor_name();

/// Instruction set that the CPU backend uses here. Throws model::Error (environment) where the environment variable
/// SCREE_INSTRUCTION_SET asks for one that is not to be had.
[[nodiscard]] std::string instruction_set_name();

}  // namespace scree::simulation
