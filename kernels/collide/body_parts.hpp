// SPDX-License-Identifier: BSD-3-Clause
// Bodies of any shape, as the broad phase sees them: by their convex parts, each with a sphere around it.
//
// A body has one part (a box), several (a clump, a compound) or, of a sphere, one that is the sphere. Grid and
// neighbour search work on the parts' spheres as they work on bodies that are spheres: position and radius, velocity of
// the centre, agitation.
//
// Invariants
//  1. Parts stand in the order of their bodies: those of body i are start[i] .. start[i + 1] - 1.
//  2. `previous` gives a part's place in the last step's lists, -1 when it was in none.
#pragma once

#include "kernels/collide/body_state.hpp"
#include "kernels/items/convex_shape.hpp"
#include "kernels/items/symmetric3.hpp"

#include <span>
#include <vector>

namespace scree::kernels {

/// One convex part, fixed to its body.
struct BodyPart {
    Index body = 0;                     ///< Slot.
    Index shape = 0;                    ///< Of the library.
    Index collides = 1;                 ///< 0: no pair has it.
    double scale = 1.0;                 ///< Multiplies the shape's lengths.
    double offset[3] = {0, 0, 0};       ///< From the body's centre of mass to the shape's origin, body axes [m].
    double rotation[4] = {1, 0, 0, 0};  ///< w x y z, shape axes to body axes.
};

/// Convex shapes as the host hands them over; the arrays are those of ShapeView.
struct ShapeLibrary {
    std::vector<ConvexShape> shapes;
    std::vector<double> vertices, vertex_blocks;
    std::vector<std::int32_t> first_neighbour, neighbours;
    std::vector<double> planes, plane_blocks, ways;
    std::vector<std::int32_t> first_corner, corners, face_beyond;
};

/// Shape library in a backend's memory.
template <class Backend>
class ShapeStore {
public:
    void assign(const ShapeLibrary& library) {
        shapes_.assign(library.shapes);
        vertices_.assign(library.vertices);
        vertex_blocks_.assign(library.vertex_blocks);
        first_neighbour_.assign(library.first_neighbour);
        neighbours_.assign(library.neighbours);
        planes_.assign(library.planes);
        first_corner_.assign(library.first_corner);
        corners_.assign(library.corners);
        plane_blocks_.assign(library.plane_blocks);
        face_beyond_.assign(library.face_beyond);
        ways_.assign(library.ways);
    }
    [[nodiscard]] ShapeView view() const {
        return {shapes_.data(),       vertices_.data(),    vertex_blocks_.data(), first_neighbour_.data(),
                neighbours_.data(),   planes_.data(),      first_corner_.data(),  corners_.data(),
                plane_blocks_.data(), face_beyond_.data(), ways_.data()};
    }
    [[nodiscard]] std::size_t bytes() const {
        return shapes_.bytes() + vertices_.bytes() + vertex_blocks_.bytes() + first_neighbour_.bytes() +
               neighbours_.bytes() + planes_.bytes() + first_corner_.bytes() + corners_.bytes() +
               plane_blocks_.bytes() + face_beyond_.bytes() + ways_.bytes();
    }

private:
    Array<ConvexShape, Backend> shapes_;
    Array<double, Backend> vertices_, vertex_blocks_, planes_, plane_blocks_, ways_;
    Array<std::int32_t, Backend> first_neighbour_, neighbours_, first_corner_, corners_, face_beyond_;
};

/// What the broad phase works on: bodies that are spheres, or the parts of bodies.
template <class R>
struct Colliders {
    Index count = 0;
    const double* position = nullptr;  ///< Rows of four: centre, radius [m].
    const R* velocity = nullptr;       ///< Rows of eight: of the centre, before the step.
    const R* free_velocity = nullptr;  ///< Rows of eight: of the centre.
    float* motion = nullptr;           ///< Rows of four: free velocity of the centre, agitation [m/s].
};

/// Thread p: where part p is and how it moves.
template <class R>
struct PlacePartItem {
    const BodyPart* parts;
    const ConvexShape* shapes;
    const double* body_position;
    const double* body_orientation;
    const R* body_velocity;
    const R* body_free_velocity;
    const float* body_motion;
    Periodic periodic;
    PlacedShape* placed;
    double* position;
    R* velocity;
    R* free_velocity;
    float* motion;
    double step;

    SCREE_HD void operator()(Index p) const {
        const BodyPart& part = parts[p];
        const std::int64_t body = part.body;
        const Axes axes = Axes::of(body_orientation + 4 * body), own = Axes::of(part.rotation);
        const Vector3d offset = axes.to_world({part.offset[0], part.offset[1], part.offset[2]});
        const Vector3d center = center_of(body_position, part.body) + offset;
        PlacedShape& shape = placed[p];
        shape.shape = shapes + part.shape;
        shape.axis[0] = axes.to_world(own.x);
        shape.axis[1] = axes.to_world(own.y);
        shape.axis[2] = axes.to_world(own.z);
        shape.scale = part.scale;
        shape.position = {periodic.inside(center.x, 0), periodic.inside(center.y, 1), periodic.inside(center.z, 2)};
        double* row = position + std::int64_t(4) * p;
        row[0] = shape.position.x;
        row[1] = shape.position.y;
        row[2] = shape.position.z;
        row[3] = shape.bounding_radius();
        move(body_velocity + 8 * body, offset, velocity + std::int64_t(8) * p);
        move(body_free_velocity + 8 * body, offset, free_velocity + std::int64_t(8) * p);
        // A turning surface comes nearer than its centre does; that of a sphere does not.
        const R* w = body_free_velocity + 8 * body + 4;
        const double spin = norm(Vector3d{double(w[0]), double(w[1]), double(w[2])});
        double turning = shape.shape->kind == ShapeKind::sphere ? 0.0 : spin * row[3];
        // A part beside the centre leaves the straight way that its velocity gives.
        turning += spin * norm(offset) * smaller(2.0, 0.5 * step * spin);
        motion[std::int64_t(4) * p + 3] = body_motion[4 * body + 3] + float(turning);
    }

private:
    /// Velocity of the body's point at `offset`.
    SCREE_HD static void move(const R* body, Vector3d offset, R* row) {
        const Vector3d w{double(body[4]), double(body[5]), double(body[6])};
        const Vector3d by_spin = cross(w, offset);
        row[0] = body[0] + R(by_spin.x);
        row[1] = body[1] + R(by_spin.y);
        row[2] = body[2] + R(by_spin.z);
        row[3] = R(0);
        for (int k = 4; k < 8; ++k) row[k] = body[k];
    }
};

/// Parts of the bodies of new slots: count, then copy.
struct PartCountItem {
    const Index* from;
    const Index* old_start;
    Index* count;
    SCREE_HD void operator()(Index i) const { count[i] = old_start[from[i] + 1] - old_start[from[i]]; }
};
struct MovePartsItem {
    const Index* from;
    const Index* old_start;
    const BodyPart* old_parts;
    const Index* old_previous;
    const Index* start;
    BodyPart* parts;
    Index* previous;
    SCREE_HD void operator()(Index i) const {
        const Index first = old_start[from[i]];
        for (Index k = 0; k < start[i + 1] - start[i]; ++k) {
            parts[start[i] + k] = old_parts[first + k];
            parts[start[i] + k].body = i;
            previous[start[i] + k] = old_previous[first + k];
        }
    }
};
/// flag[place] = 1 where the part at this place of the grid's order is the first of its body.
struct FirstPartItem {
    const Index* order;
    const BodyPart* parts;
    const Index* start;
    Index* flag;
    SCREE_HD void operator()(Index place) const {
        const Index p = order[place];
        flag[place] = start[parts[p].body] == p ? 1 : 0;
    }
};
struct BodyOrderItem {
    const Index* order;
    const BodyPart* parts;
    const Index* start;
    const Index* rank;
    Index* bodies;
    SCREE_HD void operator()(Index place) const {
        const Index p = order[place];
        if (start[parts[p].body] == p) bodies[rank[place]] = parts[p].body;
    }
};
struct CountUpItem {
    Index* values;
    SCREE_HD void operator()(Index i) const { values[i] = i; }
};

template <class Backend, class R>
class BodyParts {
public:
    /// `parts` in the order of their bodies, at least one each.
    void assign(const ShapeLibrary& library, std::span<const BodyPart> parts, Index bodies) {
        store_.assign(library);
        std::vector<Index> start(std::size_t(bodies) + 1, 0), previous(parts.size(), -1);
        for (const BodyPart& part : parts) ++start[std::size_t(part.body) + 1];
        for (std::size_t i = 0; i < std::size_t(bodies); ++i) start[i + 1] += start[i];
        parts_.assign(parts);
        start_.assign(start);
        previous_.assign(previous);
        count_ = Index(parts.size());
    }
    /// Of bodies behind those that are there, in their order, `BodyPart::body` their slots.
    void append(std::span<const BodyPart> parts, Index bodies) {
        std::vector<Index> start(std::size_t(bodies), 0);
        const Index first = Index(start_.size()) - 1;
        for (const BodyPart& part : parts) ++start[std::size_t(part.body - first)];
        Index end = count_;
        for (Index& value : start) value = end += value;
        parts_.append(parts);
        start_.append(start);
        previous_.append(std::vector<Index>(parts.size(), -1));
        count_ = end;
    }
    [[nodiscard]] bool any() const { return count_ > 0; }
    [[nodiscard]] Index count() const { return count_; }
    [[nodiscard]] ShapeView shapes() const { return store_.view(); }
    [[nodiscard]] const Array<BodyPart, Backend>& parts() const { return parts_; }
    [[nodiscard]] const Array<Index, Backend>& start() const { return start_; }
    [[nodiscard]] const Index* previous() const { return previous_.data(); }
    [[nodiscard]] const PlacedShape* placed() const { return placed_.data(); }

    /// Where the parts are; `motion` is the bodies'.
    Colliders<R> place(Backend& backend, const BodyState<Backend, R>& bodies, const R* free_velocity,
                       const float* motion, const Periodic& periodic, double step) {
        placed_.resize_discard(count_);
        position_.resize_discard(Size(count_) * 4);
        velocity_.resize_discard(Size(count_) * 8);
        free_velocity_.resize_discard(Size(count_) * 8);
        motion_.resize_discard(Size(count_) * 4);
        backend.for_each(count_, PlacePartItem<R>{parts_.data(), store_.view().shapes, bodies.position.data(),
                                                  bodies.orientation.data(), bodies.velocity.data(), free_velocity,
                                                  motion, periodic, placed_.data(), position_.data(), velocity_.data(),
                                                  free_velocity_.data(), motion_.data(), step});
        return {count_, position_.data(), velocity_.data(), free_velocity_.data(), motion_.data()};
    }

    /// Parts are where the lists of this step say.
    void remember(Backend& backend) { backend.for_each(count_, CountUpItem{previous_.data()}); }

    /// Order of bodies (old slots) that follows an order of parts.
    void order_bodies(Backend& backend, const Index* order_of_parts, Index bodies, Array<Index, Backend>& order) {
        Array<Index, Backend> rank;
        rank.resize_discard(Size(count_) + 1);
        order.resize_discard(bodies);
        backend.for_each(count_, FirstPartItem{order_of_parts, parts_.data(), start_.data(), rank.data()});
        (void)backend.exclusive_scan(rank.data(), count_);
        backend.for_each(count_,
                         BodyOrderItem{order_of_parts, parts_.data(), start_.data(), rank.data(), order.data()});
        backend.synchronize();
    }

    /// New slot i is old slot from[i]; parts of bodies that no slot takes are gone.
    void permute(Backend& backend, const Index* from, Index bodies) {
        Array<Index, Backend> start, previous;
        Array<BodyPart, Backend> parts;
        start.resize_discard(Size(bodies) + 1);
        backend.for_each(bodies, PartCountItem{from, start_.data(), start.data()});
        const Index count = backend.exclusive_scan(start.data(), bodies);
        parts.resize_discard(count);
        previous.resize_discard(count);
        backend.for_each(bodies, MovePartsItem{from, start_.data(), parts_.data(), previous_.data(), start.data(),
                                               parts.data(), previous.data()});
        backend.synchronize();
        start_.swap(start);
        parts_.swap(parts);
        previous_.swap(previous);
        count_ = count;
    }

    [[nodiscard]] std::size_t bytes() const {
        return store_.bytes() + parts_.bytes() + start_.bytes() + previous_.bytes() + placed_.bytes() +
               position_.bytes() + velocity_.bytes() + free_velocity_.bytes() + motion_.bytes();
    }

private:
    ShapeStore<Backend> store_;
    Index count_ = 0;
    Array<BodyPart, Backend> parts_;
    Array<Index, Backend> start_, previous_;
    Array<PlacedShape, Backend> placed_;
    Array<double, Backend> position_;
    Array<R, Backend> velocity_, free_velocity_;
    Array<float, Backend> motion_;
};

}  // namespace scree::kernels
