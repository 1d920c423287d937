// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/sigmoid.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::Sigmoid> {
  kachel::Sigmoid f = {};

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    return 1 / (1 + Kokkos::exp(-x));
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    return 1 / ((1 + Kokkos::exp(-x)) * (1 + Kokkos::exp(x)));
  }

  template <class R>
  R derivative_from_output(R y) const {
    return y * (1 - y);
  }
};

}  // namespace kachel_test
