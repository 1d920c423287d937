// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/gelu.hpp>

#include <references/gates.hpp>
#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::GELU> {
  kachel::GELU f = {};

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    if (Kokkos::isinf(x)) return x > 0 ? x : R(-0.0);
    if (Kokkos::abs(x) < R(0x1p-33)) return x * beside_half(x * R(0.398942280401432677939946059934381868L));
    return x * (Kokkos::erfc(-x * R(0.707106781186547524400844362104849039L)) / 2);
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    constexpr long double root = -0xc07568cbf8059eecp-64L, root_low = -0xc59d39a92be9a2b5p-131L,
                          density_at_0 = 0.398942280401432677939946059934381868L;
    if (x < R(-150)) return R(-0.0);
    if (x > R(150)) return R(1);
    const R d = ((x - R(root)) - R(root - R(root))) - R(root_low);
    if (Kokkos::abs(d) > R(0.25)) {
      const R density = R(density_at_0) * Kokkos::exp(-x * x / 2);
      const R slope = Kokkos::erfc(-x * R(0.707106781186547524400844362104849039L)) / 2 + x * density;
      return x < R(-1) ? -Kokkos::abs(slope) : slope;  // also where it is 0
    }
    // Taylor's series around the root: the k-th derivative of x Phi(x) by those of the density.
    const R at = R(root);
    R before = R(density_at_0) * Kokkos::exp(-at * at / 2), present = -at * before, power = d, sum = 0;
    for (int k = 1; k < 40; ++k) {
      sum += ((k + 1) * before + at * present) * power;
      const R next = -at * present - k * before;
      before = present;
      present = next;
      power *= d / (k + 1);
    }
    return sum;
  }
};

}  // namespace kachel_test
