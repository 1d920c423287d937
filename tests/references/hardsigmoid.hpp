// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/hardsigmoid.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::HardSigmoid> {
  kachel::HardSigmoid f = {};

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    const T t = x + T(3);
    return (t < T(0) ? T(0) : (t > T(6) ? T(6) : t)) / T(6);
  }

  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T x) const {
    return x > T(-3) && x < T(3) ? dy * T(1.0 / 6) : (x != x ? x : T(0));
  }

  template <class T>
  KOKKOS_FUNCTION Exact exact(T x) const {
    return {.a = x, .b = 3, .denominator = 6, .lower = 0, .upper = 1};
  }
};

}  // namespace kachel_test
