// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: an mdspan is expected to have the default accessor, or to be that of a View
#include <kachel/kachel.hpp>

struct Doubled : Kokkos::default_accessor<float> {
  using offset_policy = Doubled;
  float access(float* data, std::size_t i) const { return 2 * data[i]; }
};

void call(Kokkos::mdspan<float, Kokkos::dextents<int, 1>> y,
          Kokkos::mdspan<float, Kokkos::dextents<int, 1>, Kokkos::layout_right, Doubled> x) {
  kachel::hardtanh(Kokkos::DefaultHostExecutionSpace{}, y, x);
}
