// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f returns something else, expected a number, or for several outputs a Kokkos::Array
#include <kachel/kachel.hpp>

struct Three {
  KOKKOS_FUNCTION Kokkos::Array<float, 3> operator()(float x) const { return {x, x, x}; }
};

void call(Kokkos::View<float*> v) { kachel::map(std::tuple(v, v), Three{}, v); }
