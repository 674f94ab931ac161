// SPDX-License-Identifier: BSD-3-Clause
// What a geometrically implicit step begins with (ncp_stepper.hpp): velocities and impulses from a friction problem on
// linearised gaps, as the stepper lcp solves it, with the points of flat contacts drawn together into their centres of
// pressure; or what the step before knew.
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

    /// Velocities, impulses and contact points from gaps linearised about the start of the step or, with `about`, about
    /// where these velocities move the bodies; no gap shall end below its floor [m, <= 0] of `floors`.
    [[nodiscard]] NcpTrial predict(const std::vector<BodyPair>& pairs, const std::vector<double>& floors,
                                   const std::optional<Eigen::VectorXd>& about) const;

    /// What the last step knew of the contacts that bore load, all others as in `rest`. Empty where it knew none.
    [[nodiscard]] std::optional<NcpTrial> remembered(const std::vector<BodyPair>& pairs, NcpTrial rest) const;
    /// Did all of these bear load in the last step?
    [[nodiscard]] bool knows(const std::vector<BodyPair>& pairs) const;
    [[nodiscard]] bool knows(const BodyPair& pair) const;

private:
    struct Point;
    [[nodiscard]] std::vector<Point> points_of(const std::vector<BodyPair>& pairs,
                                               const std::optional<Eigen::VectorXd>& about) const;
    [[nodiscard]] NearestPair nearest(const BodyPair& pair, const Eigen::VectorXd& v,
                                      const Eigen::Vector3d& direction) const;

    const World& world_;
    const State& state_;
    double h_;
    const Eigen::LLT<Eigen::MatrixXd>& mass_;
    const Eigen::VectorXd& free_;
    const ContactMemories& memories_;
};

}  // namespace scree::reference
