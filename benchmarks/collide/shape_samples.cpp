// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/collide/shape_samples.hpp"

#include <random>

namespace scree::benchmarks {
namespace {

using kernels::Vector3d;

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
    std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }
    Vector3d direction() {
        std::normal_distribution<double> normal;
        for (;;) {
            const Vector3d d{normal(engine_), normal(engine_), normal(engine_)};
            if (kernels::norm(d) > 1e-3) return kernels::unit(d);
        }
    }
    void turn(kernels::PlacedShape& shape) {
        shape.axis[0] = direction();
        shape.axis[1] = kernels::unit(kernels::cross(shape.axis[0], direction()));
        shape.axis[2] = kernels::cross(shape.axis[0], shape.axis[1]);
    }

private:
    std::mt19937 engine_;
};

}  // namespace

SampleShapes::SampleShapes() {
    Random random(1);
    const auto size = [&] { return random.uniform(0.3, 0.7); };
    const auto add = [&](kernels::ShapeKind kind, std::int32_t number) { of_kind[int(kind)].push_back(number); };
    for (int k = 0; k < 20; ++k) {
        add(kernels::ShapeKind::sphere, list.add_sphere(size()));
        add(kernels::ShapeKind::capsule, list.add_capsule(0.5 * size(), size()));
        add(kernels::ShapeKind::box, list.add_box({size(), size(), size()}));
        add(kernels::ShapeKind::cylinder, list.add_cylinder(size(), size()));
        add(kernels::ShapeKind::cone, list.add_cone(size(), 2.0 * size()));
        add(kernels::ShapeKind::ellipsoid, list.add_ellipsoid({size(), size(), size()}));
        add(kernels::ShapeKind::superquadric,
            list.add_superquadric({size(), size(), size()}, random.uniform(0.3, 1.5), random.uniform(0.3, 1.5)));
        const std::size_t corners = 16 + random.below(17);
        std::vector<model::Vec3> points;
        for (std::size_t c = 0; c < corners; ++c) {
            const Vector3d p = 0.6 * random.direction();
            points.push_back({p.x, p.y, p.z});
        }
        add(kernels::ShapeKind::polyhedron, list.add_polyhedron(points));
    }
}

const SampleShapes& sample_shapes() {
    static const SampleShapes made;
    return made;
}

std::vector<ShapePair> sample_pairs(kernels::ShapeKind kind_a, kernels::ShapeKind kind_b, Nearness nearness) {
    const SampleShapes& samples = sample_shapes();
    const kernels::ShapeView view = samples.list.view();
    Random random(unsigned(10 * int(kind_a) + int(kind_b) + 1));
    std::vector<ShapePair> pairs(1000);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        ShapePair& pair = pairs[k];
        const auto pick = [&](kernels::ShapeKind kind) {
            const auto& all = samples.of_kind[int(kind)];
            return &samples.list.shapes()[std::size_t(all[random.below(all.size())])];
        };
        pair.a.shape = pick(kind_a);
        pair.b.shape = pick(kind_b);
        random.turn(pair.a);
        random.turn(pair.b);
        if (k % 2 == 0)
            for (int axis = 0; axis < 3; ++axis) pair.b.axis[axis] = pair.a.axis[axis];
        pair.b.position = 3.0 * random.direction();
        // Moved along the direction of separation until the gap is right.
        for (int round = 0; round < 8; ++round) {
            kernels::Manifold manifold;
            Vector3d axis{0, 0, 0};
            kernels::find_manifold(view, pair.a, pair.b, 1e9, axis, manifold);
            double gap = 1e300;
            for (int p = 0; p < manifold.count; ++p) gap = kernels::smaller(gap, manifold.point[p].gap);
            pair.axis = axis;
            pair.b.position += (gap_of(nearness) - gap) * manifold.normal;
        }
    }
    return pairs;
}

}  // namespace scree::benchmarks
