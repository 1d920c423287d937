// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/elu.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::ELU> {
  kachel::ELU f = {};

  // Limits of any size, of the other sign, and such that they, or products by them, lie half way between 16-bit
  // numbers.
  static constexpr kachel::ELU cases[] = {{0.3}, {-2},  {0},      {1.00048828125}, {1.00390625},
                                          {1.5}, {1e6}, {0x1p30}, {-0x1p-60}};

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    // Never -1 nor x, which the nearest numbers of R are.
    constexpr R epsilon = Kokkos::Experimental::epsilon_v<R>;
    const R expm1_x = x > -4 * epsilon ? x * (1 - epsilon) : Kokkos::max(Kokkos::expm1(x), R(-1 + 0x1p-63L));
    return x >= 0 ? x : R(f.alpha) * expm1_x;
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    return x > 0 ? R(1) : R(f.alpha) * Kokkos::exp(x);
  }

  /// Whether the derivative is 0 by definition, and not as a limit.
  template <class R>
  KOKKOS_FUNCTION bool stops(R x_or_y) const {
    return f.alpha == 0 && x_or_y <= 0;
  }

  template <class R>
  R derivative_from_output(R y) const {
    return y > 0 ? R(1) : y + R(f.alpha);
  }
};

}  // namespace kachel_test
