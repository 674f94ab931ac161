// SPDX-License-Identifier: BSD-3-Clause
// What a geometrically implicit step begins with (ncp_stepper.hpp): the nearest points where the bodies are about to
// go, and velocities and impulses from one friction problem on these; or what the step before knew.
#pragma once

#include "engine/reference/nearest_pair.hpp"
#include "engine/reference/system.hpp"
#include "engine/reference/world.hpp"

#include <Eigen/Cholesky>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace scree::reference {

using BodyPair = std::pair<std::size_t, std::size_t>;

/// The same for a pair from step to step: World::contacts() has it with feature 0.
[[nodiscard]] std::uint64_t identity_of(const BodyPair& pair);

/// Of the friction ellipsoid: e_t, and in space e_o and, with torsion, e_r [m]. Empty without friction.
[[nodiscard]] Eigen::VectorXd friction_extents(const World& world, const BodyPair& pair);

/// Rows of a contact's impulses (p_n, y_t, y_o, y_r); those that a contact does not have are zero.
inline constexpr Eigen::Index impulse_rows = 4;

/// A guess of the end of a step, or the end itself.
struct NcpTrial {
    Eigen::VectorXd v;
    std::vector<NearestPair> pairs;
    std::vector<Eigen::VectorXd> impulses;  ///< [impulse_rows] of each pair
    std::vector<bool> loaded;               ///< p_n > 0: friction takes part
};

/// A contact of the step before: its pair in the axes of a free body of it, and its impulses.
struct ContactMemory {
    NearestPair pair;
    Eigen::VectorXd impulses;
};
using ContactMemories = std::map<std::uint64_t, ContactMemory>;

/// `pair` as it is kept at the end of a step.
[[nodiscard]] ContactMemory memory_of(const World& world, const BodyPair& bodies, double time, const Eigen::VectorXd& q,
                                      const NearestPair& pair, const Eigen::VectorXd& impulses);

class NcpGuess {
public:
    /// All arguments are kept by reference. `free_velocities`: v + h M^-1 k.
    NcpGuess(const World& world, const State& state, double h, const Eigen::LLT<Eigen::MatrixXd>& mass,
             const Eigen::VectorXd& free_velocities, const ContactMemories& memories)
        : world_(world), state_(state), h_(h), mass_(mass), free_(free_velocities), memories_(memories) {}

    /// Nearest points where `v` moves the bodies; where these overlap too much, where they are now; empty where none
    /// are found.
    [[nodiscard]] std::optional<NearestPair> nearest(const BodyPair& pair, const Eigen::VectorXd& v) const;

    /// Velocities and impulses from the gaps of trial.pairs, linearised about the places where trial.v moves the
    /// bodies.
    void predict(const std::vector<BodyPair>& pairs, NcpTrial& trial) const;

    /// The trial with what the last step knew of contacts that bore load; empty where it knew none.
    [[nodiscard]] std::optional<NcpTrial> remembered(const std::vector<BodyPair>& pairs, NcpTrial trial) const;

private:
    const World& world_;
    const State& state_;
    double h_;
    const Eigen::LLT<Eigen::MatrixXd>& mass_;
    const Eigen::VectorXd& free_;
    const ContactMemories& memories_;
};

}  // namespace scree::reference
