// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f.wide is expected to be callable, when const, with a double an input, and to return a
#include <kachel/kachel.hpp>

struct Sum {
  KOKKOS_FUNCTION float operator()(float a, float b) const { return a + b; }
  KOKKOS_FUNCTION double wide(double a) const { return a; }
};

void call(Kokkos::View<kachel::half*> y) { kachel::map(y, Sum{}, y, y); }
