// SPDX-License-Identifier: BSD-3-Clause
// The accelerations that rigid bodies in contact can have now: the acceleration-level model with Coulomb friction
// (papers/003, Pang and Trinkle). It may have one solution, several, or none (a Painleve configuration); analyse() says
// which, with a certificate, and never steps.
//
//   a = A c + b,  0 <= c_n _|_ a_n >= 0;  sliding contacts: c_t against the slip, |c_t| = mu c_n;
//   rolling contacts: |c_t| <= mu c_n, and c_t against a_t, |c_t| = mu c_n, where a_t is not zero.
#pragma once

#include "engine/reference/system.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scree::reference {

struct AnalysisSettings {
    /// Contacts with a gap of at most this are closed [m]. Too low: contacts of rounded coordinates are missed. Too
    /// high: bodies count as touching that are apart.
    double gap_tolerance = 1e-9;
    /// Normal and slip speeds of at most this are zero [m/s]. Too low: rounded rolling conditions count as sliding. Too
    /// high: slow slip counts as rolling.
    double speed_tolerance = 1e-9;
    /// Largest number of closed contacts; model::Error (input) beyond. Lemke's time grows with its cube.
    std::size_t max_contacts = 200;
    /// Boxes of modes that the search for all solutions may look at, per law. Too low: the search ends before it is
    /// complete (and says so). Too high: minutes for a dozen contacts.
    std::size_t max_boxes = 20000;
};

/// What a contact at zero gap does now.
enum class ContactState : std::uint8_t { rolling, sliding, separating, approaching };
/// What it does next (papers/003, eq. 13 to 17). `separating` is their "breaking".
enum class Transition : std::uint8_t {
    rolling_to_rolling,
    rolling_to_sliding,
    sliding_to_sliding,
    rolling_to_separating,
    sliding_to_separating,
};
[[nodiscard]] std::string_view name_of(ContactState state);
[[nodiscard]] std::string_view name_of(Transition transition);

struct ContactReport {
    Contact contact;
    ContactState state = ContactState::rolling;
    double normal_speed = 0.0;  ///< Rate of the gap [m/s]
    Eigen::VectorXd slip;       ///< Along the contact's tangents [m/s]
    double friction = 0.0;      ///< mu in force: of sticking where it rolls, at the slip speed where it slides
};

/// One solution. Entries are those of Analysis::active, in order.
struct AccelerationSolution {
    Eigen::VectorXd normal_force;          ///< c_n [N]
    Eigen::MatrixXd tangent_force;         ///< [tangents x contacts], along the contacts' tangents [N]
    Eigen::VectorXd normal_acceleration;   ///< a_n [m/s^2]
    Eigen::MatrixXd tangent_acceleration;  ///< a_t [m/s^2]
    std::vector<Transition> transitions;
    Eigen::VectorXd acceleration;  ///< dv/dt [nv]
    double residual = 0.0;         ///< Of the natural map, relative to the largest acceleration: the certificate.
    /// Directions, to first order and within the modes of this solution, in which the forces may change without the
    /// motion; 0: they are determined.
    Eigen::Index loose_forces = 0;
    /// And in which forces and motion may change together: this solution is one of a family.
    Eigen::Index loose_motions = 0;
};

enum class Existence : std::uint8_t {
    unique,   ///< One motion, and no other.
    several,  ///< More than one motion: the model does not determine it.
    none,     ///< No finite acceleration: an impulse (papers/004, section 1.3), or the relaxed law.
    some,     ///< At least one; the search for others is not complete.
    unknown,  ///< None was found, and the search is not complete.
};
[[nodiscard]] std::string_view name_of(Existence existence);

/// What one law of friction allows.
struct LawReport {
    Existence existence = Existence::unknown;
    std::vector<AccelerationSolution>
        solutions;              ///< With different motions; the first is one that holds most contacts.
    bool searched = false;      ///< All modes were to be searched (not too many contacts).
    std::size_t boxes = 0;      ///< Boxes of modes that were looked at.
    std::size_t refuted = 0;    ///< Of these, boxes that hold no solution, each by a Farkas vector that was checked.
    std::size_t undecided = 0;  ///< Boxes that were neither refuted nor solved at the finest width.
    double weakest_refutation = 0.0;  ///< Smallest distance from feasibility of a refuted box, relative. 0: none.
};

/// Condition (35) of papers/003, or (49) with sliding contacts: b . c >= 0 for all c in the friction cone with W c = 0.
enum class Condition : std::uint8_t {
    holds_by_rank,  ///< The curvature terms are in the range of the contact rows (corollary 1; always so at rest).
    holds,          ///< By a Farkas vector over a polyhedral cone around the friction cone.
    fails,          ///< `witness` breaks it.
    undecided,      ///< Too close to tell, or too many contacts.
};
[[nodiscard]] std::string_view name_of(Condition condition);
struct ExistenceCondition {
    Condition status = Condition::undecided;
    bool all_rolling = true;  ///< (35): a solution must exist (theorem 5). Else (49): one of the relaxed model.
    int sides = 0;            ///< Of the polyhedral cones that decided.
    double margin = 0.0;      ///< Distance that certifies, relative.
    Eigen::VectorXd witness;  ///< Forces [n, t(, o)] per contact, along the contacts' tangents; empty unless it fails.
};

/// The least-squares model (47): friction at sliding contacts may turn and weaken, as little as possible.
struct RelaxedModel {
    bool solved = false;
    bool complete = false;   ///< All modes were searched: `objective` is the least.
    double objective = 0.0;  ///< f of eq. 46 [N^2 m^2/s^2]
    AccelerationSolution solution;
};

enum class Fixture : std::uint8_t {
    not_at_rest,   ///< Parts move: no verdict.
    stable,        ///< At rest, and every solution stays there.
    may_collapse,  ///< One solution stays at rest, others do not.
    collapses,     ///< No solution stays at rest.
    may_rest,      ///< A solution stays at rest; others were not searched completely.
    unknown,
};
[[nodiscard]] std::string_view name_of(Fixture fixture);

struct Analysis {
    std::vector<ContactReport> contacts;  ///< All at zero gap.
    std::vector<std::size_t> active;      ///< Those of the acceleration-level problem: rolling and sliding.
    bool impact = false;  ///< A contact approaches: an impact comes first, and there is no acceleration-level problem.
    Eigen::VectorXd free_acceleration;  ///< Without contact forces [nv]
    double acceleration_scale = 0.0;    ///< What residuals are relative to [m/s^2]
    LawReport cone;                     ///< True Coulomb (theorem 2, eq. 33)
    LawReport pyramid;  ///< Four-sided pyramids at rolling contacts (theorem 1, eq. 30); in the plane the same as cone.
    std::string lemke;  ///< How Lemke's algorithm ended on the pyramid LCP: solved, ray, ...
    ExistenceCondition condition;
    RelaxedModel relaxed;  ///< Only where the cone law has no solution and contacts slide.
    Fixture fixture = Fixture::not_at_rest;
    std::vector<std::string> notes;  ///< What was left out, in plain sentences.
};

/// Throws model::Error (input) naming the value for states that are not finite, and for too many contacts.
[[nodiscard]] Analysis analyse(const System& system, const State& state, const AnalysisSettings& settings = {});

}  // namespace scree::reference
