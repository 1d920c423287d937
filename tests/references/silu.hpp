// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/silu.hpp>

#include <references/gates.hpp>
#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::SiLU> {
  kachel::SiLU f = {};

  // Steeper, flatter, falling, a slope with more digits than a product keeps, one that brings -1 to the minimum.
  static constexpr kachel::SiLU cases[] = {{1.702}, {-1}, {1.0 / 3}, {0x1p-20}, {3e5}, {1e6}, {1.2784645}};

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    return gate(x, R(f.beta) * x, rest(x));
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    return silu_slope(R(f.beta) * x, rest(x));
  }

 private:
  template <class R>
  KOKKOS_FUNCTION R rest(R x) const {
    const R product = R(f.beta) * x;
    return Kokkos::isinf(product) ? R(0) : Kokkos::fma(R(f.beta), x, -product);
  }
};

}  // namespace kachel_test
