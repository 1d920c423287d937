// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel: the mask is written to and cannot have const elements
#include <kachel/kachel.hpp>

void call(Kokkos::View<float*> y, Kokkos::View<const std::uint8_t*> mask, Kokkos::View<float*> x) {
  kachel::hardtanh_with_mask(y, mask, x);
}
