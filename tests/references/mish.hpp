// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/mish.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::Mish> {
  kachel::Mish f = {};

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    if (Kokkos::isinf(x)) return x > 0 ? x : R(-0.0);
    const R e = Kokkos::exp(-Kokkos::abs(x));
    return x >= 0 ? x * (1 + 2 * e) / (1 + 2 * e + 2 * e * e) : x * e * (e + 2) / (2 + e * (e + 2));
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    if (Kokkos::abs(x) > R(11000)) return x > 0 ? R(1) : R(-0.0);
    const R e = Kokkos::exp(-Kokkos::abs(x));
    if (x >= 0) {
      const R sum = 1 + 2 * e + 2 * e * e;
      return (1 + e * (4 + e * (4 * x + 6 + e * (4 * x + 4)))) / (sum * sum);
    }
    // 4 (x + 1) + 4 e^2x + e^3x + e^x (4 x + 6), around its root a sum of two numbers of one sign.
    constexpr long double root = -0x98a19606896c21bfp-63L, root_low = -0xc64553688413b82fp-129L,
                          at_root = 0x9b621017e1f662dbp-65L;
    const R d = ((x - R(root)) - R(root - R(root))) - R(root_low), rise = Kokkos::expm1(d), a = R(at_root);
    const R first = 6 * a + 8 * a * a + 3 * a * a * a + 4 * R(root) * a, second = 4 * a * a + 3 * a * a * a;
    const R w = d * (4 + 4 * e) + rise * (first + rise * (second + rise * a * a * a)), sum = 2 + 2 * e + e * e;
    return e * w / (sum * sum);
  }
};

}  // namespace kachel_test
