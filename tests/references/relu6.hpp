// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/relu6.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::ReLU6> {
  kachel::ReLU6 f = {};

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x < T(0) ? T(0) : (x > T(6) ? T(6) : x);
  }

  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T x) const {
    return x > T(0) && x < T(6) ? dy : (x != x ? x : T(0));
  }

  template <class T>
  KOKKOS_FUNCTION Exact exact(T x) const {
    return {.a = x, .lower = 0, .upper = 6};
  }
};

}  // namespace kachel_test
