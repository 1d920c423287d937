// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f.output_names is expected to be a static array of const std::string_view, one an output
#include <kachel/kachel.hpp>

#include <array>

struct Halve {
  static constexpr std::array<std::string_view, 1> output_names = {"half"};

  KOKKOS_FUNCTION float operator()(float x) const { return x / 2; }
};

void call(Kokkos::View<float*> y) { kachel::map(y, Halve{}, y); }
