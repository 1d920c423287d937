// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f.is_valid is expected to be callable, when const, to return a bool, and to stand beside a
// contract
#include <kachel/kachel.hpp>

struct Scale {
  float factor;

  KOKKOS_FUNCTION float operator()(float x) const { return factor * x; }
  KOKKOS_FUNCTION bool is_valid() const { return factor > 0; }
};

void call(Kokkos::View<float*> y) { kachel::map(y, Scale{2}, y); }
