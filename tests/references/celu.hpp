// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/celu.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::CELU> {
  kachel::CELU f = {};

  // Limits of any size, among them half way between two 16-bit numbers.
  static constexpr kachel::CELU cases[] = {{0.3}, {2}, {1.00048828125}, {1.00390625}, {1e25}, {1e-25}};

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    return x >= 0 ? x : R(f.alpha) * Kokkos::max(Kokkos::expm1(x / R(f.alpha)), R(-1 + 0x1p-63L));
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    return x > 0 ? R(1) : Kokkos::exp(x / R(f.alpha));
  }

  template <class R>
  R derivative_from_output(R y) const {
    return y > 0 ? R(1) : (y + R(f.alpha)) / R(f.alpha);
  }
};

}  // namespace kachel_test
