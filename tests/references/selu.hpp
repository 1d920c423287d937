// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/selu.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::SELU> {
  kachel::SELU f = {};

  static constexpr long double gamma = 1.0507009873554804934193349852946L, alpha = 1.6732632423543772848170429916717L;

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    return x >= 0 ? R(gamma) * x : R(gamma * alpha) * Kokkos::expm1(x);
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    return x > 0 ? R(gamma) : R(gamma * alpha) * Kokkos::exp(x);
  }

  template <class R>
  R derivative_from_output(R y) const {
    // gamma alpha as two numbers, since the sum can be near 0
    return y > 0 ? R(gamma) : (y + R(0x1.c212cc640f031p+0)) + R(1.4153519380084498780903291e-17L);
  }
};

}  // namespace kachel_test
