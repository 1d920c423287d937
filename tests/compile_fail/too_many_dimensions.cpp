// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: expected arrays of at most 8 dimensions
#include <kachel/kachel.hpp>

void call(Kokkos::mdspan<float, Kokkos::dextents<int, 9>> y) {
  kachel::hardtanh(Kokkos::DefaultHostExecutionSpace{}, y, y);
}
