// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/tanhshrink.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::TanhShrink> {
  kachel::TanhShrink f = {};

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    // The series where the difference cancels; where it is x - 1, on its side of that.
    const R a = Kokkos::abs(x), w = x * x;
    if (a < R(0.25)) {
      constexpr long double terms[] = {1.0L / 3,
                                       -2.0L / 15,
                                       17.0L / 315,
                                       -62.0L / 2835,
                                       1382.0L / 155925,
                                       -21844.0L / 6081075,
                                       929569.0L / 638512875,
                                       -6404582.0L / 10854718875,
                                       443861162.0L / 1856156927625,
                                       -18888466084.0L / 194896477400625,
                                       113927491862.0L / 2900518163668125,
                                       -58870668456604.0L / 3698160658676859375};
      R sum = 0;
      for (int i = 11; i >= 0; --i) sum = sum * w + R(terms[i]);
      return x == 0 ? R(0) : x * w * sum;
    }
    const R rest = a > 40 ? a * R(0x1p-62) : 2 / (1 + Kokkos::exp(2 * a));
    return Kokkos::copysign(Kokkos::isinf(a) ? a : (a - 1) + rest, x);
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    const R y = Kokkos::tanh(x);
    return y * y;
  }
};

}  // namespace kachel_test
