// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f.check is expected to be callable, when const, with a std::string_view
#include <kachel/kachel.hpp>

struct Scale {
  float factor;

  KOKKOS_FUNCTION float operator()(float x) const { return factor * x; }
  void check() const;
};

void call(Kokkos::View<float*> y) { kachel::map(y, Scale{2}, y); }
