// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: every input is expected to be a View, a DynRankView, an mdspan or a number
#include <kachel/kachel.hpp>

#include <vector>

void call(Kokkos::View<float*> dx, std::vector<float> dy, Kokkos::View<float*> x) {
  kachel::hardtanh_backward(Kokkos::DefaultExecutionSpace{}, dx, dy, x);
}
