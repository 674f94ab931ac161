// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/step/cpu_engine.hpp"

#include "kernels/parallel/error.hpp"
#include "scree_instruction_sets.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace scree::kernels {

#define SCREE_DECLARE_ENGINE(set)                                                                            \
    std::unique_ptr<StepEngine> make_cpu_engine_##set(const WorldDescription& world, bool double_precision); \
    std::unique_ptr<ProblemTrials> make_cpu_problem_##set(const ProblemDownload& problem, std::size_t threads);
SCREE_INSTRUCTION_SETS(SCREE_DECLARE_ENGINE)
#undef SCREE_DECLARE_ENGINE

namespace {

// The features that GCC and Clang assume under the flags of cmake/ScreeInstructionSets.cmake.
[[maybe_unused]] bool has_sse2() { return true; }
[[maybe_unused]] bool has_native() { return true; }
[[maybe_unused]] bool has_generic() { return true; }
#if defined(__x86_64__) && defined(__clang__)  // Clang 14 does not know the names of the levels.
[[maybe_unused]] bool has_avx2() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
}
[[maybe_unused]] bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#elif defined(__x86_64__)
[[maybe_unused]] bool has_avx2() { return __builtin_cpu_supports("x86-64-v3"); }
[[maybe_unused]] bool has_avx512() { return __builtin_cpu_supports("x86-64-v4"); }
#endif

/// The entries of one form.
struct Form {
    std::unique_ptr<StepEngine> (*engine)(const WorldDescription&, bool);
    std::unique_ptr<ProblemTrials> (*problem)(const ProblemDownload&, std::size_t);
};

const Form& form() {
#define SCREE_FORM(set) Form{make_cpu_engine_##set, make_cpu_problem_##set},
    static constexpr std::array forms{SCREE_INSTRUCTION_SETS(SCREE_FORM)};
#undef SCREE_FORM
    return forms[std::size_t(&instruction_set() - instruction_sets().data())];
}

}  // namespace

std::span<const InstructionSet> instruction_sets() {
#define SCREE_SET(set) InstructionSet{#set, has_##set()},
    static const std::array sets{SCREE_INSTRUCTION_SETS(SCREE_SET)};
#undef SCREE_SET
    return sets;
}

const InstructionSet& instruction_set() {
    const auto sets = instruction_sets();
    const auto names = [&] {
        std::string text;
        for (const InstructionSet& set : sets)
            if (set.runs_here) text += (text.empty() ? "" : ", ") + std::string(set.name);
        return text;
    };
    const char* wanted = std::getenv("SCREE_INSTRUCTION_SET");
    if (wanted && *wanted) {
        const auto named =
            std::find_if(sets.begin(), sets.end(), [&](const auto& set) { return wanted == std::string(set.name); });
        if (named == sets.end() || !named->runs_here)
            throw DeviceError("environment variable SCREE_INSTRUCTION_SET: " + std::string(wanted) +
                              (named == sets.end() ? " is not in this build" : " does not run on this processor") +
                              " (to be had: " + names() + ")");
        return *named;
    }
    const auto widest = std::find_if(sets.rbegin(), sets.rend(), [](const auto& set) { return set.runs_here; });
    if (widest == sets.rend())
        throw DeviceError("the CPU backend was built for instruction sets that this processor does not have (" +
                          std::string(sets.front().name) + " and wider)");
    return *widest;
}

std::unique_ptr<StepEngine> make_cpu_engine(const WorldDescription& world, bool double_precision) {
    return form().engine(world, double_precision);
}
std::unique_ptr<ProblemTrials> make_cpu_problem(const ProblemDownload& problem, std::size_t threads) {
    return form().problem(problem, threads);
}

}  // namespace scree::kernels
