// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f is expected to return a number for one output, a Kokkos::Array of one an output for several
#include <kachel/kachel.hpp>

struct Three {
  KOKKOS_FUNCTION Kokkos::Array<float, 3> operator()(float x) const { return {x, x, x}; }
};

void call(Kokkos::View<float*> v) { kachel::map(std::tuple(v, v), Three{}, v); }
