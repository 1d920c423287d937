// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel: a mask is expected to be a View of rank 1 of std::uint8_t
#include <kachel/kachel.hpp>

void call(Kokkos::View<float*> y, Kokkos::View<int*> mask, Kokkos::View<float*> x) {
  kachel::hardtanh_with_mask(y, mask, x);
}
