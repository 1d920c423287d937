// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f.input_names is expected to be a static array of const std::string_view, one an input
#include <kachel/kachel.hpp>

struct Sum {
  static constexpr std::string_view input_names[] = {"a"};

  KOKKOS_FUNCTION float operator()(float a, float b) const { return a + b; }
};

void call(Kokkos::View<float*> y) { kachel::map(y, Sum{}, y, y); }
