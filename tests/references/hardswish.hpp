// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/hardswish.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::HardSwish> {
  kachel::HardSwish f = {};

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    return x <= -3 ? R(-0.0) : (x >= 3 ? x : x * (x + 3) / 6);
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    return x <= -3 ? 0 : (x >= 3 ? 1 : (2 * x + 3) / 6);
  }

  // The squares of 16-bit numbers, exact in a double. No wider type tells x (x + 3) from 3 x for the smallest x.
  KOKKOS_FUNCTION Exact exact(double x) const {
    if (x <= -3) return {.a = 0};
    if (x >= 3) return {.a = x};
    return {.a = x * x, .b = 3 * x, .denominator = 6};
  }
};

}  // namespace kachel_test
