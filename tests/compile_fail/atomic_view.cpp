// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: atomic Views are not supported
#include <kachel/kachel.hpp>

void call(Kokkos::View<float*, Kokkos::MemoryTraits<Kokkos::Atomic>> y, Kokkos::View<float*> x) {
  kachel::hardtanh(y, x);
}
