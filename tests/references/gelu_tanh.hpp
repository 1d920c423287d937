// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/gelu_tanh.hpp>

#include <references/gates.hpp>
#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::GELUTanh> {
  kachel::GELUTanh f = {};

  // 2 sqrt(2 / pi), and the factor of the cube
  static constexpr long double linear = 1.59576912160573071175978423973752747L, cubic = 0.044715L;

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    if (Kokkos::isinf(x) || Kokkos::abs(x) > R(1000)) return x > 0 ? x : R(-0.0);
    const R square = R(cubic) * x * x, factor = R(linear) * (1 + square);
    const R z = factor * x;
    return gate(x, z, Kokkos::fma(factor, x, -z));
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    if (x > R(150)) return R(1);
    if (x < R(-150)) return R(-0.0);
    const R c = R(linear), z = c * x * (1 + R(cubic) * x * x), k = c * x * (1 + 3 * R(cubic) * x * x);
    const R e = Kokkos::exp(-Kokkos::abs(z));
    if (x >= R(-0.25)) {
      const R rising = x >= 0 ? e : 1 / e;
      return (1 + rising * (1 + k)) / ((1 + rising) * (1 + rising));
    }
    // Around the root a sum of two numbers of one sign.
    constexpr long double root = -0xc0a14fcf4bf26561p-64L, root_low = -0xb704a209091a64a0p-129L,
                          at_root = 0x957b274e242f6ec3p-65L;
    const R d = ((x - R(root)) - R(root - R(root))) - R(root_low), squares = x * x + x * R(root) + R(root) * R(root);
    const R k_rest = c * d * (1 + 3 * R(cubic) * squares), z_rest = c * d * (1 + R(cubic) * squares);
    const R slope = e * (k_rest + R(at_root) * Kokkos::expm1(z_rest)) / ((1 + e) * (1 + e));
    return x < R(-1) ? -Kokkos::abs(slope) : slope;  // also where it is 0
  }
};

}  // namespace kachel_test
