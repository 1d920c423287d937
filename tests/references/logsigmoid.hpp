// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/logsigmoid.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::LogSigmoid> {
  kachel::LogSigmoid f = {};

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    return x < 0 ? x - Kokkos::log1p(Kokkos::exp(x)) : -Kokkos::log1p(Kokkos::exp(-x));
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    return 1 / (1 + Kokkos::exp(x));
  }
};

}  // namespace kachel_test
