// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/log.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::Log> {
  kachel::Log f = {};

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    return Kokkos::log(x);
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    return 1 / x;
  }

  template <class R>
  R derivative_from_output(R y) const {
    return std::exp(-y);
  }
};

}  // namespace kachel_test
