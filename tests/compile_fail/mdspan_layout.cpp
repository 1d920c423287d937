// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: an mdspan is expected to have a layout of strides
#include <kachel/kachel.hpp>

struct Scattered {
  template <class Extents>
  struct mapping : Kokkos::layout_right::mapping<Extents> {
    using layout_type = Scattered;
    static constexpr bool is_always_strided() { return false; }
  };
};

void call(Kokkos::mdspan<float, Kokkos::dextents<int, 1>, Scattered> y) {
  kachel::hardtanh(Kokkos::DefaultHostExecutionSpace{}, y, y);
}
