// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/quick_gelu.hpp>

#include <references/gates.hpp>
#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::QuickGELU> {
  kachel::QuickGELU f = {};

  static constexpr long double factor = 1.702L;

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    const R z = R(factor) * x;
    return gate(x, z, rest(x));
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    const R z = R(factor) * x;
    return silu_slope(z, rest(x));
  }

 private:
  template <class R>
  KOKKOS_FUNCTION static R rest(R x) {
    const R product = R(factor) * x;
    return Kokkos::isinf(product) ? R(0) : Kokkos::fma(R(factor), x, -product) + R(factor - R(factor)) * x;
  }
};

}  // namespace kachel_test
