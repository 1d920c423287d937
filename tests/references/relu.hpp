// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/relu.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::ReLU> {
  kachel::ReLU f = {};

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x < T(0) ? T(0) : x;
  }

  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T x) const {
    return x > T(0) ? dy : (x != x ? x : T(0));
  }

  template <class T>
  KOKKOS_FUNCTION Exact exact(T x) const {
    return {.a = x, .lower = 0};
  }
};

}  // namespace kachel_test
