// SPDX-License-Identifier: BSD-3-Clause
#include "engine/model/snapshot.hpp"

#include <cstring>

namespace scree::model {
namespace {

class Fnv1a {
public:
    void add(std::uint64_t word) {
        for (int byte = 0; byte < 8; ++byte) {
            state_ ^= (word >> (8 * byte)) & 0xffU;
            state_ *= 0x100000001b3ULL;
        }
    }
    void add(double value) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        add(bits);
    }
    void add(Vec3 v) {
        add(v.x);
        add(v.y);
        add(v.z);
    }
    [[nodiscard]] std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace

double rotational_energy(const Snapshot& s, std::size_t i) {
    if (s.inertia.empty()) {
        const double inertia = 0.4 * s.mass[i] * s.radius[i] * s.radius[i];
        return 0.5 * inertia * dot(s.angular_velocity[i], s.angular_velocity[i]);
    }
    const Vec3 w = rotate(conjugate(s.orientation[i]), s.angular_velocity[i]), inertia = s.inertia[i];
    return 0.5 * (inertia.x * w.x * w.x + inertia.y * w.y * w.y + inertia.z * w.z * w.z);
}

std::uint64_t state_hash(const Snapshot& s) {
    Fnv1a hash;
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        hash.add(s.id[i]);
        hash.add(s.position[i]);
        hash.add(s.orientation[i].w);
        hash.add(Vec3{s.orientation[i].x, s.orientation[i].y, s.orientation[i].z});
        hash.add(s.velocity[i]);
        hash.add(s.angular_velocity[i]);
    }
    return hash.value();
}

}  // namespace scree::model
