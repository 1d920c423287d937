// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f.wide is expected to be callable, when const, with a double an input, and to return a double
#include <kachel/kachel.hpp>

struct Halve {
  KOKKOS_FUNCTION float operator()(float x) const { return x / 2; }
  KOKKOS_FUNCTION float wide(double x) const { return static_cast<float>(x / 2); }
};

void call(Kokkos::View<kachel::half*> y) { kachel::map(y, Halve{}, y); }
