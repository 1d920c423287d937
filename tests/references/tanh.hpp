// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/tanh.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::Tanh> {
  kachel::Tanh f = {};

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    return Kokkos::tanh(x);
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    return 1 / (Kokkos::cosh(x) * Kokkos::cosh(x));
  }

  template <class R>
  R derivative_from_output(R y) const {
    return (1 - y) * (1 + y);
  }
};

}  // namespace kachel_test
