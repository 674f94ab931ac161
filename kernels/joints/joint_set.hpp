// SPDX-License-Identifier: BSD-3-Clause
// The joints of a world in a backend's memory, and what the step does with them.
//
// Order within a step: locate() whenever slots have changed; move_free() after the free velocities of all bodies;
// view() goes into the cone problem; finish() after positions have moved.
#pragma once

#include "kernels/joints/island_motion.hpp"
#include "kernels/joints/island_projection.hpp"
#include "kernels/step/step_engine.hpp"

namespace scree::kernels {

/// member_of_slot[i] and its inverse.
struct LocateMembersItem {
    const Index* id;
    const Index* member_of_id;
    Index* member_of_slot;
    Index* slot_of_member;
    SCREE_HD void operator()(Index slot) const {
        const Index m = member_of_id[id[slot]];
        member_of_slot[slot] = m;
        if (m >= 0) slot_of_member[m] = slot;
    }
};
struct NoSlotItem {
    Index* slot_of_member;
    SCREE_HD void operator()(Index m) const { slot_of_member[m] = -1; }
};
/// Arm of B's frame at the start of the step, for readouts.
struct FrameArmItem {
    IslandView islands;
    MemberPoses poses;
    double* arm;  ///< Rows of three.
    SCREE_HD void operator()(Index f) const {
        const JointFrames& frames = islands.frames[f];
        double* row = arm + std::int64_t(3) * f;
        row[0] = row[1] = row[2] = 0.0;
        const Index m = frames.member[1];
        if (m >= 0 && islands.slot_of_member[m] < 0) return;
        const PlacedFrame b = PlacedFrame::of(frames, 1, poses.of(islands, m));
        row[0] = b.arm.x;
        row[1] = b.arm.y;
        row[2] = b.arm.z;
    }
};
template <class Backend, class R>
class JointSet {
public:
    /// `is_fixed` by id.
    void assign(Backend& backend, const JointDescription& joints, const std::vector<bool>& is_fixed,
                const BodyState<Backend, R>& bodies) {
        description_ = joints;
        structure_ = lay_out(joints, is_fixed);
        const JointStructure& s = structure_;
        const auto rows = Size(s.rows.size()), members = Size(s.member_id.size()), blocks = Size(s.block_member.size());
        std::vector<Index> member_of_id(is_fixed.size(), -1);
        for (std::size_t m = 0; m < s.member_id.size(); ++m) member_of_id[std::size_t(s.member_id[m])] = Index(m);
        member_of_id_.assign(member_of_id);
        member_start_.assign(s.member_start);
        frames_.assign(s.frames);
        row_.assign(s.rows);
        row_start_.assign(s.row_start);
        block_start_.assign(s.block_start);
        block_member_.assign(s.block_member);
        block_row_.assign(s.block_row);
        member_block_start_.assign(s.member_block_start);
        member_block_.assign(s.member_block);
        first_.assign(s.first);
        entry_.assign(s.entry);
        apart_start_.assign(s.apart_start);
        apart_.assign(s.apart);
        memory_.assign(joints.start);
        drive_.assign(std::vector<double>(std::size_t(joints.drives) + 1, 0.0));
        slot_of_member_.resize_discard(members);
        status_.resize_discard(rows);
        of_rows_.resize_discard(rows * row_arrays);
        last_.assign(std::vector<double>(std::size_t(rows), 0.0));
        before_.assign(std::vector<double>(std::size_t(rows), 0.0));
        jacobian_.assign(std::vector<double>(std::size_t(blocks) * 6, 0.0));
        jacobian_of_step_.resize_discard(blocks * 6);
        response_.resize_discard(blocks * 6);
        values_.resize_discard(Size(s.entries));
        factor_.resize_discard(Size(s.entries));
        of_members_.resize_discard(members * (6 + 6 + 4 + MemberMass::size));
        arm_.assign(std::vector<double>(s.frames.size() * 3, 0.0));
        has_rows_ = false;
        locate(backend, bodies);
    }
    [[nodiscard]] bool any() const { return !structure_.frames.empty(); }
    /// Members that do not collide with a member: rows of a list by member.
    [[nodiscard]] const Index* apart_start() const { return apart_start_.data(); }
    [[nodiscard]] const Index* apart() const { return apart_.data(); }

    /// Values of the drives for the coming step.
    void drive(std::span<const double> values) {
        if (!values.empty()) drive_.assign(values);
    }

    /// Bodies with larger ids than before, which no joint holds.
    void know_ids_to(Index largest) {
        const Size known = member_of_id_.size();
        if (any() && Size(largest) >= known)
            member_of_id_.append(std::vector<Index>(std::size_t(Size(largest) + 1 - known), -1));
    }

    /// Where the bodies are now.
    void locate(Backend& backend, const BodyState<Backend, R>& bodies) {
        member_of_slot_.resize_discard(Size(bodies.count) + 1);
        backend.for_each(Index(structure_.member_id.size()), NoSlotItem{slot_of_member_.data()});
        backend.for_each(bodies.count, LocateMembersItem{bodies.id.data(), member_of_id_.data(), member_of_slot_.data(),
                                                         slot_of_member_.data()});
    }

    [[nodiscard]] IslandView view() {
        IslandView v;
        if (!any()) return v;
        const auto rows = Size(structure_.rows.size()), members = Size(structure_.member_id.size());
        v.islands = structure_.islands();
        v.members = Index(members);
        v.free_members = structure_.free_members;
        v.rows = Index(rows);
        v.member_of_slot = member_of_slot_.data();
        v.slot_of_member = slot_of_member_.data();
        v.member_start = member_start_.data();
        v.row_start = row_start_.data();
        v.frames = frames_.data();
        v.row = row_.data();
        v.block_start = block_start_.data();
        v.block_member = block_member_.data();
        v.memory = memory_.data();
        v.drive = drive_.data();
        v.jacobian = jacobian_.data();
        v.response = response_.data();
        double* of_rows = of_rows_.data();
        double** const fields[row_arrays] = {&v.envelope.diagonal,
                                             &v.envelope.inverse_pivot,
                                             &v.compliance,
                                             &v.bias,
                                             &v.lower,
                                             &v.upper,
                                             &v.lambda,
                                             &v.base,
                                             &v.rate,
                                             &v.room};
        for (int k = 0; k < row_arrays; ++k) *fields[k] = of_rows + rows * k;
        v.envelope.first = first_.data();
        v.envelope.start = entry_.data();
        v.envelope.values = values_.data();
        v.envelope.factor = factor_.data();
        v.status = status_.data();
        v.change = of_members_.data();
        v.mass = of_members_.data() + members * 16;
        v.block_row = block_row_.data();
        v.member_block_start = member_block_start_.data();
        v.member_block = member_block_.data();
        v.last = last_.data();
        v.before = before_.data();
        return v;
    }

    /// The joints' share of the free motion; returns its work [J].
    double move_free(Backend& backend, BodyState<Backend, R>& bodies, R* free_velocity, const Periodic& periodic,
                     double step) {
        const IslandView v = view();
        const auto members = Size(v.members);
        const MemberPoses poses{bodies.position.data(), bodies.orientation.data(), periodic};
        backend.for_each(Index(structure_.frames.size()), FrameArmItem{v, poses, arm_.data()});
        const IslandMotionItem<R> motion{v,
                                         poses,
                                         bodies.inertia.data(),
                                         bodies.wrench.size() > 0 ? bodies.wrench.data() : nullptr,
                                         bodies.velocity.data(),
                                         free_velocity,
                                         bodies.inertia_rows.data(),
                                         of_members_.data() + members * 12,
                                         of_members_.data() + members * 6,
                                         step};
        // The forces tell the stiffness, which tells the forces: once round, where any body is stiff.
        for (const bool with_stiffness : {false, true}) {
            const auto stiff = backend.template reduce<double, 1, 0>(
                v.members, MemberMassItem<R>{v, poses, bodies.inertia.data(), bodies.inverse_mass.data(), free_velocity,
                                             step, with_stiffness});
            if (with_stiffness && stiff.sum[0] == 0.0) break;
            backend.for_each(v.rows, JointRowItem<R>{v, poses, bodies.velocity.data(), step});
            backend.for_each(v.rows, IslandMatrixItem{v});
            if (!with_stiffness) backend.for_each(v.islands, motion);
        }
        const auto sums = backend.template reduce<double, 2, 0>(v.islands, motion);
        linearised_ = Index(sums.sum[1]);
        return sums.sum[0];
    }
    /// Islands whose motion without contacts was not found in the last step: linear rows took its place.
    [[nodiscard]] Index linearised() const { return linearised_; }

    /// Largest gap that the last step left open [m or rad]; rounding, where all joints can close.
    [[nodiscard]] double gap() const { return gap_; }

    /// After positions have moved: closes the joints and counts their turns.
    void finish(Backend& backend, BodyState<Backend, R>& bodies, const Periodic& periodic) {
        const IslandView v = view();
        // Readouts are about the rows of the step; the projection may place them anew.
        Memory<Backend>::copy(jacobian_of_step_.data(), v.jacobian, std::size_t(jacobian_.size()) * sizeof(double));
        gap_ = backend
                   .template reduce<double, 0, 1>(
                       v.islands, IslandProjectionItem<R>{v, bodies.position.data(), bodies.orientation.data(),
                                                          bodies.inertia.data(), bodies.inverse_mass.data(), periodic})
                   .max[0];
        const MemberPoses poses{bodies.position.data(), bodies.orientation.data(), periodic};
        backend.for_each(Index(structure_.frames.size()), JointMemoryItem{v, poses, memory_.data()});
        // The impulses of the last evaluation are those of the step.
        has_rows_ = true;
        before_.swap(last_);
        Memory<Backend>::copy(last_.data(), v.lambda, std::size_t(v.rows) * sizeof(double));
    }

    /// By owner; see JointDescription.
    [[nodiscard]] std::vector<JointLoad> loads(const BodyState<Backend, R>& bodies, const Periodic& periodic,
                                               double step);

    /// Takes what joints answered to contacts out of the forces on bodies (rows of six by slot).
    void subtract_answers(std::vector<double>& load, double step);

    /// What the next step needs of this one and the one before: impulses, Jacobians, angles and ways.
    [[nodiscard]] std::vector<double> memory() const {
        std::vector<double> values;
        for (const auto* array : {&last_, &before_, &jacobian_}) {
            const auto part = host(*array);
            values.insert(values.end(), part.begin(), part.end());
        }
        for (const JointMemory& m : host(memory_)) values.insert(values.end(), {m.turn, m.way[0], m.way[1], m.way[2]});
        return values;
    }
    /// Bodies are in their slots again. Memory of another size is that of other joints: false.
    [[nodiscard]] bool restore(Backend& backend, const BodyState<Backend, R>& bodies, std::span<const double> values) {
        std::size_t sizes = 4 * std::size_t(memory_.size());
        for (const auto* array : {&last_, &before_, &jacobian_}) sizes += std::size_t(array->size());
        if (values.size() != sizes) return false;
        for (auto* array : {&last_, &before_, &jacobian_}) {
            const auto size = std::size_t(array->size());
            array->assign(values.first(size));
            values = values.subspan(size);
        }
        std::vector<JointMemory> of_joints(std::size_t(memory_.size()));
        for (JointMemory& m : of_joints) {
            m = {values[0], {values[1], values[2], values[3]}};
            values = values.subspan(4);
        }
        memory_.assign(of_joints);
        has_rows_ = false;
        locate(backend, bodies);
        return true;
    }
    /// By slot: the body's number among those that joints hold, -1 of others.
    [[nodiscard]] std::vector<Index> member_of_slot(Index bodies) const {
        std::vector<Index> members(std::size_t(bodies), -1);
        member_of_slot_.copy_to(members);
        return members;
    }

    [[nodiscard]] std::size_t bytes() const {
        return member_of_id_.bytes() + member_of_slot_.bytes() + slot_of_member_.bytes() + member_start_.bytes() +
               frames_.bytes() + row_.bytes() + row_start_.bytes() + block_start_.bytes() + block_member_.bytes() +
               first_.bytes() + entry_.bytes() + apart_start_.bytes() + apart_.bytes() + memory_.bytes() +
               drive_.bytes() + status_.bytes() + block_row_.bytes() + member_block_start_.bytes() +
               member_block_.bytes() + before_.bytes() + of_rows_.bytes() + last_.bytes() + jacobian_.bytes() +
               jacobian_of_step_.bytes() + response_.bytes() + values_.bytes() + factor_.bytes() + of_members_.bytes() +
               arm_.bytes();
    }

private:
    static constexpr int row_arrays = 10, base_array = 7;  ///< Of of_rows_; view() gives their order.

    template <class T>
    [[nodiscard]] static std::vector<T> host(const Array<T, Backend>& array) {
        std::vector<T> values(std::size_t(array.size()));
        array.copy_to(values);
        return values;
    }

    JointDescription description_;
    JointStructure structure_;
    Index linearised_ = 0;
    double gap_ = 0.0;
    bool has_rows_ = false;  ///< Of a step since the start or a restart.
    Array<Index, Backend> member_of_id_, member_of_slot_, slot_of_member_, member_start_, row_start_, block_start_,
        block_member_, block_row_, member_block_start_, member_block_, first_, apart_start_, apart_;
    Array<std::int64_t, Backend> entry_;
    Array<JointFrames, Backend> frames_;
    Array<JointRow, Backend> row_;
    Array<RowStatus, Backend> status_;
    Array<JointMemory, Backend> memory_;
    Array<double, Backend> drive_, of_rows_, last_, before_, jacobian_, jacobian_of_step_, response_, values_, factor_;
    Array<double, Backend> of_members_;  ///< change, velocities of the trial, spins, masses.
    Array<double, Backend> arm_;
};

template <class Backend, class R>
void JointSet<Backend, R>::subtract_answers(std::vector<double>& load, double step) {
    if (!has_rows_) return;
    const auto jacobian = host(jacobian_of_step_), last = host(last_), of_rows = host(of_rows_);
    const auto slot = host(slot_of_member_);
    const double* base = of_rows.data() + last.size() * base_array;
    for (std::size_t k = 0; k < last.size(); ++k)
        for (Index b = structure_.block_start[k]; b < structure_.block_start[k + 1]; ++b) {
            const Index m = structure_.block_member[std::size_t(b)];
            if (m < 0 || m >= structure_.free_members || slot[std::size_t(m)] < 0) continue;
            const std::size_t at = 6 * std::size_t(slot[std::size_t(m)]);
            for (std::size_t c = 0; c < 6; ++c)
                load[at + c] -= (last[k] - base[k]) / step * jacobian[6 * std::size_t(b) + c];
        }
}

template <class Backend, class R>
std::vector<JointLoad> JointSet<Backend, R>::loads(const BodyState<Backend, R>& bodies, const Periodic& periodic,
                                                   double step) {
    std::vector<JointLoad> loads(std::size_t(description_.owners));
    if (!any()) return loads;
    const auto jacobian = host(jacobian_of_step_), lambda = host(last_), arm = host(arm_);
    const auto memory = host(memory_);
    const auto position = host(bodies.position), orientation = host(bodies.orientation);
    const auto slot = host(slot_of_member_);
    for (std::size_t k = 0; has_rows_ && k < structure_.rows.size(); ++k) {
        const JointRow& row = structure_.rows[k];
        JointLoad& load = loads[std::size_t(row.owner)];
        const double force = lambda[k] / step;
        if (row.role == RowRole::speed || row.role == RowRole::position || row.role == RowRole::force) {
            double& motor = row.scalar[0].kind == ScalarKind::turn ? load.turn_motor : load.slide_motor;
            motor += force * row.scalar[0].weight;
        }
        for (int s = 0; s < row.scalars; ++s) {
            const std::size_t block = std::size_t(structure_.block_start[k]) + 2 * std::size_t(s) + 1;
            const double* j = jacobian.data() + 6 * block;
            const double* r = arm.data() + 3 * std::size_t(row.scalar[s].joint);
            const Vector3<double> f = force * Vector3<double>{j[0], j[1], j[2]};
            const Vector3<double> t =
                force * Vector3<double>{j[3], j[4], j[5]} - cross(Vector3<double>{r[0], r[1], r[2]}, f);
            const double add_force[3] = {f.x, f.y, f.z}, add_torque[3] = {t.x, t.y, t.z};
            for (int c = 0; c < 3; ++c) {
                load.force[c] += add_force[c];
                load.torque[c] += add_torque[c];
            }
        }
    }
    for (std::size_t owner = 0; owner < loads.size(); ++owner) {
        const Index f = description_.owner_frame[owner];
        if (f < 0) continue;
        const JointFrames& frames = structure_.frames[std::size_t(f)];
        BodyPose poses[2];
        bool gone = false;
        for (int side = 0; side < 2; ++side) {
            const Index m = frames.member[side];
            if (m >= 0 && slot[std::size_t(m)] < 0) gone = true;
            if (m >= 0 && !gone) poses[side] = BodyPose::of(position.data(), orientation.data(), slot[std::size_t(m)]);
        }
        if (gone) continue;
        const PlacedFrame a = PlacedFrame::of(frames, 0, poses[0]), b = PlacedFrame::of(frames, 1, poses[1]);
        const ScalarKind kind = description_.owner_distance[owner] ? ScalarKind::distance : ScalarKind::along;
        loads[owner].turn = memory[std::size_t(f)].turn;
        loads[owner].slide = scalar_value({kind, f, 2, 0, 1.0}, a, b, periodic, memory[std::size_t(f)]);
    }
    return loads;
}

}  // namespace scree::kernels
