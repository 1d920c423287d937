// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/softsign.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::Softsign> {
  kachel::Softsign f = {};

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    return Kokkos::isinf(x) ? Kokkos::copysign(R(1), x) : x / (1 + Kokkos::abs(x));
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    const R sum = 1 + Kokkos::abs(x);
    return 1 / sum / sum;
  }
};

}  // namespace kachel_test
