// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: expected 1 to 4 outputs
#include <kachel/kachel.hpp>

struct Five {
  KOKKOS_FUNCTION Kokkos::Array<float, 5> operator()(float x) const { return {x, x, x, x, x}; }
};

void call(Kokkos::View<float*> v) { kachel::map(std::tuple(v, v, v, v, v), Five{}, v); }
