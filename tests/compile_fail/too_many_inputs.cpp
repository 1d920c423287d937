// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: expected 1 to 8 inputs after the functor
#include <kachel/kachel.hpp>

struct First {
  template <class T, class... Rest>
  KOKKOS_FUNCTION T operator()(T first, Rest...) const {
    return first;
  }
};

void call(Kokkos::View<float*> v) { kachel::map(v, First{}, v, v, v, v, v, v, v, v, v); }
