// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f cannot be called so, expected a function that takes a number for each input
#include <kachel/kachel.hpp>

struct OfTwo {
  KOKKOS_FUNCTION float operator()(float a, float b) const { return a + b; }
};

void call(Kokkos::View<float*> y, Kokkos::View<float*> x) { kachel::map(y, OfTwo{}, x); }
