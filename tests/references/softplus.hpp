// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/softplus.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::Softplus> {
  kachel::Softplus f = {};

  // Steeper and flatter, thresholds that show, and none.
  static constexpr kachel::Softplus cases[] = {
      {.beta = 3},       {.beta = 1.0 / 3}, {.threshold = 1}, {.threshold = -1}, {.beta = 0.1, .threshold = 1e300},
      {.beta = 0x1p-30}, {.beta = 0x1p60}};

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    const R z = R(f.beta) * x;
    if (z > R(f.threshold)) return x;
    if (z < R(-1e6)) return R(0);
    const R rest = Kokkos::isinf(z) ? R(0) : Kokkos::fma(R(f.beta), x, -z);
    const R e = Kokkos::exp(-Kokkos::abs(z)) * (1 + (z < 0 ? rest : -rest));
    return ((z > 0 ? z : R(0)) + Kokkos::log1p(e)) / R(f.beta);
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    const R z = R(f.beta) * x;
    if (z > R(f.threshold)) return R(1);
    if (z < R(-1e6)) return R(0);
    const R rest = Kokkos::isinf(z) ? R(0) : Kokkos::fma(R(f.beta), x, -z);
    return z < 0 ? Kokkos::exp(z) * (1 + rest) / (1 + Kokkos::exp(z)) : 1 / (1 + Kokkos::exp(-z));
  }
};

}  // namespace kachel_test
