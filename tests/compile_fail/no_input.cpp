// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: expected 1 to 8 inputs after the functor
#include <kachel/kachel.hpp>

struct One {
  KOKKOS_FUNCTION float operator()() const { return 1; }
};

void call(Kokkos::View<float*> y) { kachel::map(y, One{}); }
