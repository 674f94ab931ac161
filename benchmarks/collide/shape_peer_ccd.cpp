// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/collide/shape_peers.hpp"

#include <ccd/ccd.h>

namespace scree::benchmarks {
namespace {

using kernels::ShapeKind;

/// libccd asks for farthest points and centres alone: ours serve.
void support_of(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* result) {
    const auto& p = *static_cast<const kernels::PlacedShape*>(object);
    const kernels::Vector3d d{direction->v[0], direction->v[1], direction->v[2]};
    std::int32_t corner;
    const kernels::Vector3d core = kernels::core_support(sample_shapes().list.view(), *p.shape, p.to_body(d), corner);
    const kernels::Vector3d at = p.position + p.scale * p.to_world_axes(core);
    ccdVec3Set(result, at.x, at.y, at.z);
}

void centre_of(const void* object, ccd_vec3_t* result) {
    const auto& p = *static_cast<const kernels::PlacedShape*>(object);
    ccdVec3Set(result, p.position.x, p.position.y, p.position.z);
}

class Ccd final : public PeerNarrowPhase {
public:
    explicit Ccd(const std::vector<ShapePair>& pairs) : pairs_(pairs) {
        CCD_INIT(&ccd_);
        ccd_.support1 = ccd_.support2 = support_of;
        ccd_.center1 = ccd_.center2 = centre_of;
        ccd_.max_iterations = 100;
        ccd_.epa_tolerance = 1e-6;
    }
    std::size_t look_at_all() override {
        std::size_t points = 0;
        for (const ShapePair& pair : pairs_) {
            ccd_real_t depth;
            ccd_vec3_t direction, position;
            if (ccdGJKPenetration(&pair.a, &pair.b, &ccd_, &depth, &direction, &position) == 0) ++points;
        }
        return points;
    }

private:
    std::vector<ShapePair> pairs_;
    ccd_t ccd_;
};

}  // namespace

Peer ccd_peer() {
    return {"libccd", [](ShapeKind kind) { return kind != ShapeKind::sphere && kind != ShapeKind::capsule; },
            [](const std::vector<ShapePair>& pairs) -> std::unique_ptr<PeerNarrowPhase> {
                return std::make_unique<Ccd>(pairs);
            }};
}

}  // namespace scree::benchmarks
