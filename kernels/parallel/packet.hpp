// SPDX-License-Identifier: BSD-3-Clause
// Packets: N lanes of float or double in one (or two) vector registers, by the compiler's vector extension.
// CPU only; no .cu file includes this header.
#pragma once

#include "kernels/items/real.hpp"

#ifdef __AVX__
#include <immintrin.h>
#endif

#include <cmath>
#include <cstring>
#include <type_traits>

namespace scree::kernels {

template <class R, int N>
struct PacketMask {
    using Word = std::conditional_t<sizeof(R) == 4, std::int32_t, std::int64_t>;
    typedef Word Vector __attribute__((vector_size(sizeof(R) * N)));
    Vector v;
    friend PacketMask operator&(PacketMask a, PacketMask b) { return {a.v & b.v}; }
    friend PacketMask operator|(PacketMask a, PacketMask b) { return {a.v | b.v}; }
};

template <class R, int N>
struct Packet {
    typedef R Vector __attribute__((vector_size(sizeof(R) * N)));
    using Mask = PacketMask<R, N>;
    Vector v;

    Packet() = default;
    Packet(R scalar) : v(Vector{} + scalar) {}  // NOLINT(google-explicit-constructor): a scalar broadcasts
    /// From a raw vector. (A constructor would clash: GCC sees the scalar type in a dependent vector type.)
    template <class RawVector>
    static Packet of(RawVector vector) {
        Packet p;
        p.v = vector;
        return p;
    }

    friend Packet operator+(Packet a, Packet b) { return Packet::of(a.v + b.v); }
    friend Packet operator-(Packet a, Packet b) { return Packet::of(a.v - b.v); }
    friend Packet operator*(Packet a, Packet b) { return Packet::of(a.v * b.v); }
    friend Packet operator/(Packet a, Packet b) { return Packet::of(a.v / b.v); }
    friend Packet operator-(Packet a) { return Packet::of(-a.v); }
    friend Mask operator>(Packet a, Packet b) { return {a.v > b.v}; }
    friend Mask operator<(Packet a, Packet b) { return {a.v < b.v}; }
    friend Mask operator<=(Packet a, Packet b) { return {a.v <= b.v}; }
    friend Mask operator>=(Packet a, Packet b) { return {a.v >= b.v}; }
    Packet& operator+=(Packet b) { return *this = *this + b; }
    Packet& operator-=(Packet b) { return *this = *this - b; }

    /// Sum of the lanes, always in the same (pairwise) order.
    [[nodiscard]] R sum() const {
        R lane[N];
        std::memcpy(lane, &v, sizeof v);
        for (int width = N / 2; width > 0; width /= 2)
            for (int i = 0; i < width; ++i) lane[i] += lane[i + width];
        return lane[0];
    }
    [[nodiscard]] R maximum() const {
        R largest = v[0];
        for (int i = 1; i < N; ++i) largest = v[i] > largest ? v[i] : largest;
        return largest;
    }
};

template <class R, int N>
Packet<R, N> select(PacketMask<R, N> take_first, Packet<R, N> a, Packet<R, N> b) {
    return Packet<R, N>::of(take_first.v ? a.v : b.v);
}
template <class R, int N>
unsigned lane_bits(PacketMask<R, N> mask) {
#ifdef __AVX__
    if constexpr (sizeof(R) == 8 && N == 4) {
        __m256d raw;
        std::memcpy(&raw, &mask.v, sizeof raw);
        return unsigned(_mm256_movemask_pd(raw));
    }
#endif
    unsigned bits = 0;
    for (int i = 0; i < N; ++i) bits |= unsigned(mask.v[i] & 1) << unsigned(i);
    return bits;
}
template <class R, int N>
Packet<R, N> larger(Packet<R, N> a, Packet<R, N> b) {
    return Packet<R, N>::of(a.v > b.v ? a.v : b.v);
}
template <class R, int N>
Packet<R, N> smaller(Packet<R, N> a, Packet<R, N> b) {
    return Packet<R, N>::of(a.v < b.v ? a.v : b.v);
}
template <class R, int N>
Packet<R, N> square_root(Packet<R, N> a) {
    Packet<R, N> result;
    for (int i = 0; i < N; ++i) result.v[i] = std::sqrt(a.v[i]);
    return result;
}

template <class R, int N>
struct LaneTraits<Packet<R, N>> {
    using Scalar = R;
    static constexpr int lanes = N;
};

template <class R, int N>
struct Lanes<Packet<R, N>> {
    /// In memory, at any place. (GCC makes some copies by memcpy go over the stack.)
    typedef R Placed __attribute__((vector_size(sizeof(R) * N), aligned(alignof(R)), may_alias));
    static Packet<R, N> load(const R* from) { return Packet<R, N>::of(*reinterpret_cast<const Placed*>(from)); }
    static void store(R* to, Packet<R, N> value) { *reinterpret_cast<Placed*>(to) = value.v; }
};

}  // namespace scree::kernels
