// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f returns something else, expected a number, or for several outputs a Kokkos::Array
#include <kachel/kachel.hpp>

struct Pointers {
  KOKKOS_FUNCTION Kokkos::Array<const float*, 2> operator()(const float& x) const { return {&x, &x}; }
};

void call(Kokkos::View<bool*> v) { kachel::map(std::tuple(v, v), Pointers{}, Kokkos::View<float*>()); }
