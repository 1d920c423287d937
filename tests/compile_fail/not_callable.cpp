// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f is expected to be callable, when const, with one value of the compute type an input
#include <kachel/kachel.hpp>

struct OfTwo {
  KOKKOS_FUNCTION float operator()(float a, float b) const { return a + b; }
};

void call(Kokkos::View<float*> y, Kokkos::View<float*> x) { kachel::map(y, OfTwo{}, x); }
