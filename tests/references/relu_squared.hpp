// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/relu_squared.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::ReLUSquared> {
  kachel::ReLUSquared f = {};

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x <= T(0) ? T(0) : x * x;
  }

  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T x) const {
    return x > T(0) ? dy * (T(2) * x) : (x != x ? x : T(0));
  }

  template <class T>
  KOKKOS_FUNCTION Exact exact(T x) const {
    if (x <= T(0)) return {.a = 0};
    const double number = x, square = number * number;
    return {.a = square, .b = Kokkos::isinf(square) ? 0 : Kokkos::fma(number, number, -square)};
  }
};

}  // namespace kachel_test
