// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel: the first output has no execution space, expected one as the first argument
#include <kachel/kachel.hpp>

void call(Kokkos::mdspan<float, Kokkos::dextents<int, 1>> y, Kokkos::View<std::uint8_t*> mask) {
  kachel::hardtanh_with_mask(y, mask, y);
}
