// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/exp.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::Exp> {
  kachel::Exp f = {};

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    return Kokkos::exp(x);
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    return Kokkos::exp(x);
  }

  template <class R>
  R derivative_from_output(R y) const {
    return y;
  }
};

}  // namespace kachel_test
