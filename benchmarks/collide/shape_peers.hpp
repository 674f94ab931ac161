// SPDX-License-Identifier: BSD-3-Clause
// Other codes' narrow phases, each in a source of its own that the build adds where the library was found.
#pragma once

#include "benchmarks/collide/shape_samples.hpp"

#include <memory>

namespace scree::benchmarks {

struct Peer {
    std::string name;
    bool (*knows)(kernels::ShapeKind);
    std::unique_ptr<PeerNarrowPhase> (*make)(const std::vector<ShapePair>&);
};

#ifdef SCREE_HAVE_BULLET
Peer bullet_peer();
#endif
#ifdef SCREE_HAVE_FCL
Peer fcl_peer();
#endif
#ifdef SCREE_HAVE_CCD
Peer ccd_peer();
#endif

inline std::vector<Peer> peers_found() {
    std::vector<Peer> peers;
#ifdef SCREE_HAVE_BULLET
    peers.push_back(bullet_peer());
#endif
#ifdef SCREE_HAVE_FCL
    peers.push_back(fcl_peer());
#endif
#ifdef SCREE_HAVE_CCD
    peers.push_back(ccd_peer());
#endif
    return peers;
}

/// Vertices of a polyhedron [body axes].
inline std::vector<kernels::Vector3d> vertices_of(const kernels::ConvexShape& s) {
    const double* v = sample_shapes().list.view().vertices + 3 * s.first_vertex;
    std::vector<kernels::Vector3d> list;
    for (int k = 0; k < s.vertex_count; ++k) list.push_back({v[3 * k], v[3 * k + 1], v[3 * k + 2]});
    return list;
}

}  // namespace scree::benchmarks
