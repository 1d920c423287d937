// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f is expected to return a number for one output, a Kokkos::Array of one an output for several
#include <kachel/kachel.hpp>

struct Pointers {
  KOKKOS_FUNCTION Kokkos::Array<const float*, 2> operator()(const float& x) const { return {&x, &x}; }
};

void call(Kokkos::View<bool*> v) { kachel::map(std::tuple(v, v), Pointers{}, Kokkos::View<float*>()); }
