// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f.name is expected to be a static constexpr std::string_view
#include <kachel/kachel.hpp>

struct Halve {
  static constexpr int name = 2;

  KOKKOS_FUNCTION float operator()(float x) const { return x / name; }
};

void call(Kokkos::View<float*> y) { kachel::map(y, Halve{}, y); }
