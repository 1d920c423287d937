// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel: an activation's parameters are expected in braces, each by its name
#include <kachel/kachel.hpp>

void call(Kokkos::View<float*> y, Kokkos::View<std::uint8_t*> mask) {
  kachel::leaky_relu_with_mask(Kokkos::DefaultExecutionSpace{}, y, mask, y, 0.1);
}
