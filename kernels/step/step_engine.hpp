// SPDX-License-Identifier: BSD-3-Clause
// What the engine holds: a world on some backend that can be stepped. Plain C++; nothing of CUDA, TBB or packets.
//
// The state stays on the backend between steps. The host decides poses of boundaries, reads reports, and downloads
// bodies or contacts only when it wants them.
#pragma once

#include "kernels/collide/body_parts.hpp"
#include "kernels/collide/boundary_set.hpp"
#include "kernels/collide/contact_law.hpp"
#include "kernels/cone/residual.hpp"
#include "kernels/joints/joint_rows.hpp"
#include "kernels/motion/motion_items.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace scree::kernels {

enum class SolverName : std::int32_t { apgd, projected_jacobi, conjugate, gauss_seidel };

struct ProblemDownload;

/// Everything constant over a run, SI units.
struct WorldDescription {
    // Bodies at the start, one entry each.
    std::vector<double> position;      ///< Rows of four: x y z radius.
    std::vector<double> orientation;   ///< Rows of four: w x y z.
    std::vector<double> velocity;      ///< Rows of six: v, w (world axes).
    std::vector<double> inverse_mass;  ///< Rows of two: 1/m, 1/I (of bodies with shapes not meaningful).
    std::vector<Index> material;
    std::vector<Index> id;
    /// Bodies of other shapes than spheres: then all bodies have parts, and the radius is that of the sphere around the
    /// centre of mass that holds the body. Empty: all are spheres.
    ShapeLibrary shapes;
    std::vector<BodyPart> body_parts;  ///< In the order of the bodies.
    std::vector<double> wrench;        ///< Rows of six: constant force and torque, world axes [N], [N m]; empty: none.
    std::vector<double> inertia;  ///< Rows of six (xx yy zz xy xz yz) about the centre of mass, body axes [kg m^2].

    JointDescription joints;  ///< Without any, bodies need no parts; with some, all have them.

    Index materials = 0;
    std::vector<PairLaw<double>> laws;  ///< [materials x materials]
    std::vector<BoundaryPart> parts;
    std::vector<MeshData> meshes;
    std::size_t boundaries = 0;
    std::vector<OutletPart> outlets;
    Periodic periodic;
    std::array<double, 3> gravity{0, 0, -9.81};

    ContactSettings contact;
    double envelope = -1.0;    ///< Margin [m]; negative: automatic.
    double sleep_speed = 0.0;  ///< Bodies whose points are slower may fall asleep [m/s]; 0: none does.
    double sleep_time = 0.0;   ///< After this time [s].
    SolverName solver = SolverName::conjugate;
    bool coulomb = true;
    double tolerance = 1e-2;  ///< Relative to g h.
    int max_iterations = 500;
    bool warm_start = true;
    /// Called for a cone solve of at most `fallback_contacts` contacts without rolling rows that missed the tolerance.
    /// May put other impulses into the problem and returns whether it did; the better of the two are kept.
    std::function<bool(ProblemDownload&)> fallback;
    Index fallback_contacts = 0;
    std::size_t threads = 0;  ///< CPU
    int device = 0;           ///< CUDA
};

/// Phases of a step, for timings.
enum class Phase : int { broad, contacts, free_velocity, solve, advance, remove, count };
inline constexpr std::array<const char*, std::size_t(Phase::count)> phase_names = {
    "broad_phase", "contact_set", "free_velocity", "cone_solve", "position_update", "removal"};

/// Work of the contact impulses of a step on the free bodies, by what asked for them [J].
struct ContactWork {
    double normal = 0.0;    ///< Springs and dampers of overlaps, gaps that close; with `rigid` feedback its push-out.
    double impact = 0.0;    ///< Normal impulses of impacts: what restitution does not give back.
    double friction = 0.0;  ///< Tangential impulses, those of impacts included.
    double rolling = 0.0, spinning = 0.0;  ///< Moments of resistance.
    double cohesion = 0.0;                 ///< The pull.
    double driven = 0.0;                   ///< What walls and bodies that move as prescribed put in.
    /// Impulses that no contact has: of joints, and of bodies that are stopped at what they would have passed
    /// (StepReport::held_back). By difference, and 0 where there are neither.
    double other = 0.0;

    [[nodiscard]] double sum() const {
        return normal + impact + friction + rolling + spinning + cohesion + driven + other;
    }
};

/// The contact with the largest residual of a step.
struct WorstContact {
    Index body = -1;        ///< Id of A; -1: there is no contact with a residual, or all are in limited clusters.
    Index partner = -1;     ///< Id of B, or -1 - boundary.
    double residual = 0.0;  ///< |r| [m/s], see ResidualReport::max.
};

/// One step, as it went.
struct StepReport {
    std::int64_t bodies = 0, contacts = 0;
    int iterations = 0, operator_products = 0, restarts = 0;
    double start_scale = 0.0, lambda = 0.0;
    bool converged = false;
    ResidualReport residual;                                   ///< [m/s]
    double tolerance = 0.0;                                    ///< [m/s]
    double overlap_max = 0.0;                                  ///< [m], at the start of the step
    double overlap_relative = 0.0;                             ///< relative to the smaller diameter
    double kinetic_translation = 0.0, kinetic_rotation = 0.0;  ///< [J], after the step
    /// Share of the impulses in the change of the bodies' kinetic energies [J]: the sum of `work` and `turning_work`.
    double contact_work = 0.0;
    /// What the impulses did on the velocities that forces gave in this step [J], which is the share of the forces: of
    /// bodies at rest, what these add and contacts undo. None with a reference stepper, where impulses have it.
    double force_work = 0.0;
    bool has_work_by_law = false;  ///< Whether `work`, `turning_work` and `worst` are known.
    ContactWork work;
    /// Energy that spins gain or lose because impulses see the inertia in the middle of the free motion and the bodies
    /// turn with the spins after the solve; none where inertia is that of a ball [J].
    double turning_work = 0.0;
    double gravity_work = 0.0;      ///< Sum of m g . way over the free bodies: what their potential energy loses [J].
    double gravity_momentum = 0.0;  ///< Sum of m g . v after the step, g as velocities get it [W].
    /// sum |gamma . u^| [J], and over the sum of gamma_n times the speed that the tolerance refers to [-]; like `worst`
    /// without the contacts of limited clusters, whose impulses are means of two solutions.
    double complementarity_gap = 0.0, complementarity_relative = 0.0;
    WorstContact worst;
    double other_work = 0.0;  ///< Work of applied and gyroscopic forces, gravity excepted [J].
    /// x+ = x + h v+, v+ = v* + what contacts add: the scheme whose energy ledger is known in closed form.
    bool moves_by_end_velocity = true;
    double joint_gap = 0.0;               ///< Largest gap of a joint that the step could not close [m or rad].
    std::int64_t linearised_islands = 0;  ///< Islands of joints that turned too far in the step for exact rows.
    bool fallback_tried = false, fallback_used = false;  ///< See WorldDescription::fallback.
    bool handed_over = false;           ///< A cone solve was left to another solver, see SolveReport::handed_over.
    bool relaxed = false;               ///< The impulses are those of the associated law: true friction was not found.
    double speed_max = 0.0;             ///< [m/s]
    std::int64_t sleeping = 0;          ///< Bodies asleep after the step,
    double sleeping_mass = 0.0;         ///< and during it, their mass [kg].
    std::int64_t held_back = 0;         ///< Pairs that held a body back (HoldBackItem).
    bool impacts = false;               ///< Surfaces met that did not press on each other.
    std::int64_t limited_clusters = 0;  ///< Clusters that rebound less, see ImpactLimit.
    std::int64_t removed = 0;           ///< Bodies taken by outlets in this step.
    /// Energies that these took with them [J] (potential: 0 at the origin), and their sum of m g . v [W].
    double removed_kinetic = 0.0, removed_potential = 0.0, removed_momentum = 0.0;
    /// The same of bodies that joined before the step; an engine leaves that to its caller.
    std::int64_t inserted = 0;
    double inserted_kinetic = 0.0, inserted_potential = 0.0, inserted_momentum = 0.0;
    std::array<double, std::size_t(Phase::count)> seconds{};
};

/// A body that an outlet took.
struct RemovedBody {
    Index id = 0;
    Index outlet = 0;
};

/// Bodies on the host, in slot order.
struct BodyDownload {
    std::vector<double> position, orientation;  ///< Rows of four.
    std::vector<double> velocity;               ///< Rows of six.
    std::vector<double> free_velocity;          ///< Rows of six: v* of the last step.
    std::vector<double> inverse_mass;           ///< Rows of two.
    std::vector<Index> material, id;
    std::vector<double>
        load;  ///< Rows of six: contact force [N] and torque [N m] of the last step; empty: m (v - v*) / h.
};

/// Where bodies are, in slot order.
struct PlaceDownload {
    std::vector<double> position, orientation;  ///< Rows of four: x y z radius; w x y z.
    std::vector<Index> id;
};

/// Contacts of the last step on the host, in order; impulses without the cohesive shift.
struct ContactDownload {
    std::vector<Index> a;         ///< Slot of A.
    std::vector<Index> partner;   ///< Slot of B, or -1 - boundary.
    std::vector<double> impulse;  ///< Rows of three: on B [N s], world axes.
    std::vector<double> moment;   ///< Rows of three: of rolling and spinning resistance, on B [N m s]; empty without.
    std::vector<double> normal;   ///< Rows of three: from A to B.
    std::vector<double> lever_a;  ///< [m]
    std::vector<double> gap;      ///< At the start of the last step [m].
    std::vector<double> point;    ///< Rows of three [m]; empty: lever_a along the normal from the centre of A.
};

/// Sum of the last step's impulses on a boundary.
struct BoundaryLoad {
    std::array<double, 3> force{}, torque{};  ///< [N], [N m] about the pose's reference point.
};

/// A fixed body whose motion is prescribed, at the start of a step.
struct PrescribedBody {
    Index id = 0;
    double position[3] = {}, orientation[4] = {1, 0, 0, 0};
    double velocity[3] = {}, angular_velocity[3] = {};  ///< Mean over the step.
};

/// A force on a body's centre of mass and a torque, besides those of WorldDescription::wrench.
struct AppliedWrench {
    Index id = 0;
    double force[3] = {}, torque[3] = {};  ///< World axes [N], [N m].
};

/// What a free body is to go on with.
struct ImposedVelocity {
    Index id = 0;
    double velocity[3] = {}, angular_velocity[3] = {};  ///< World axes [m/s], [rad/s].
};

/// What a joint does, means over the last step.
struct JointLoad {
    double turn = 0.0, slide = 0.0;  ///< Angle [rad] and way along the axis or distance [m], at the end of the step.
    double force[3] = {}, torque[3] = {};        ///< On body B, about B's point of the joint, world axes [N], [N m].
    double turn_motor = 0.0, slide_motor = 0.0;  ///< Of the motors [N m], [N].
};

/// The exact state between two steps: restoring it continues bit for bit.
struct EngineState {
    std::int64_t step = 0;
    std::vector<double> position, orientation;    ///< Rows of four, slot order.
    std::vector<double> velocity, free_velocity;  ///< Rows of eight; exact images of the solver's precision.
    std::vector<double> inverse_mass;
    std::vector<Index> material, id;
    std::vector<Index> a_start, partner;
    std::vector<double> g, m;   ///< Rows of three per contact.
    std::vector<float> motion;  ///< Rows of four: velocity, agitation [m/s].
    double solver_memory = 0.0;
    bool has_contacts = false;
    /// Of bodies with parts, see PartPairs. The parts themselves follow from the world and the ids.
    std::vector<Index> pair_start, pair_partner, pair_contacts, feature;  ///< See PartPairs.
    std::vector<float> pair_axis;
    std::vector<double> joints;  ///< See JointSet::memory().
    std::vector<double> memory;  ///< Of engines that remember more.
};

/// The whole cone problem of the last step in plain arrays, for dumps, references and benchmarks.
struct ProblemDownload {
    Index bodies = 0;
    std::vector<Index> a, b;     ///< Body slots; -1 for walls.
    std::vector<double> normal;  ///< Rows of three.
    std::vector<double> lever_a, lever_b, bias, friction, compliance;
    std::vector<double> arm_a, arm_b;     ///< Rows of three from the bodies' centres; empty: levers along the normal.
    std::vector<double> inverse_inertia;  ///< With arms: rows of six (xx yy zz xy xz yz), world axes [1/(kg m^2)].
    std::vector<double> inverse_mass;     ///< Rows of two.
    std::vector<double> free_velocity;    ///< Rows of six per body.
    std::vector<double> wall_velocity;    ///< Rows of three per contact; zero for body contacts.
    std::vector<double> impulse;          ///< Rows of three: the solution found.
    /// Rows of three: what impacts add to the tangential velocity, world axes [m/s]; empty when there is none.
    std::vector<double> offset;
    bool jointed = false;  ///< Joints connect bodies, by an operator that is not among these arrays.
    bool rolling = false;  ///< The contacts also resist rolling or spinning, by rows that are not among these arrays.
};

/// One pass of the solver over the last step's problem, timed.
struct PassTime {
    std::string name;
    double seconds = 0.0;  ///< Of one pass, the best of several.
    double bytes = 0.0;  ///< That it must move, each byte once; rows of bodies that contacts gather count once a body.
};

/// One solver set on the last step's problem.
struct SolverTrial {
    SolverName solver = SolverName::apgd;
    double tolerance = 1e-2;    ///< Relative, as WorldDescription::tolerance.
    int max_iterations = 1000;  ///< Operator products at most, about.
};
/// How that went, from zero.
struct SolverOutcome {
    double seconds = 0.0;  ///< Of the solve, its memory at hand.
    int iterations = 0, operator_products = 0;
    bool converged = false;
    double residual = 0.0;  ///< Certified RMS, relative as the tolerance.
};

class StepEngine {
public:
    virtual ~StepEngine() = default;
    /// Advances by h. `poses`: one per boundary, at the start of the step. Throws NumericalError, DeviceError,
    /// OutOfMemory.
    virtual StepReport step(std::span<const BoundaryPose> poses) = 0;
    /// Fixed bodies that move as prescribed: where they are at the start of the coming step, and how fast.
    virtual void prescribe(std::span<const PrescribedBody> /*bodies*/) {}
    /// What acts on these bodies from the coming step on, until it is set anew; on others goes on what did. Wakes those
    /// whose wrench changes. Bodies that are gone are passed over. restore() takes all of it away.
    virtual void apply(std::span<const AppliedWrench> wrenches) = 0;
    /// Velocities between two steps, of free bodies. Wakes them; bodies that are gone are passed over.
    virtual void impose(std::span<const ImposedVelocity> velocities) = 0;
    /// Values of the joints' drives in the coming step (JointRow::drive).
    virtual void drive(std::span<const double> /*values*/) {}
    /// By owner, see JointDescription.
    virtual std::vector<JointLoad> joint_loads() { return {}; }
    /// Bodies removed since the last call.
    virtual std::vector<RemovedBody> take_removed() = 0;
    /// Bodies behind those that are there, with larger ids: the lists of bodies of a world (those at the start are in
    /// WorldDescription). Free bodies that no joint holds, and no others; of shapes that the library has.
    virtual void append(const WorldDescription& bodies) = 0;
    virtual void download(BodyDownload& bodies) = 0;
    virtual void download(PlaceDownload& places) = 0;
    virtual void download(ContactDownload& contacts) = 0;
    virtual void download(ProblemDownload& problem) = 0;
    /// What these boundaries bore in the last step; one entry per boundary of the world, zero for others.
    virtual std::vector<BoundaryLoad> boundary_loads(std::span<const std::size_t> of) = 0;
    /// Mean net force over mean contact force of the last step [-]; 0 without contacts.
    virtual double unbalanced_force() = 0;
    /// Times the solver's passes, each `repeats` times, and a copy inside the backend's memory. Changes nothing of the
    /// state. Empty where there are no such passes: without contacts, or after a restart that has not stepped yet.
    virtual std::vector<PassTime> time_passes(int /*repeats*/) { return {}; }
    /// Solves the last step's problem anew. Changes nothing of the state. Nothing to solve: zeros, converged.
    virtual SolverOutcome try_solver(const SolverTrial& /*trial*/) { return {}; }
    virtual EngineState save() = 0;
    virtual void restore(const EngineState& state) = 0;
    /// Memory of all arrays on the backend [bytes].
    [[nodiscard]] virtual std::size_t bytes() const = 0;
    [[nodiscard]] virtual std::int64_t body_count() const = 0;
    [[nodiscard]] virtual std::size_t threads() const = 0;
};

/// Worlds on the CPU, in mixed precision (float solver) or double.
std::unique_ptr<StepEngine> make_cpu_engine(const WorldDescription& world, bool double_precision);
/// The same on a CUDA device. Throws DeviceError where there is none or the build has no CUDA.
std::unique_ptr<StepEngine> make_cuda_engine(const WorldDescription& world, bool double_precision);

}  // namespace scree::kernels
