// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::BackwardFromOutput: F has no member backward_from_output
#include <kachel/kachel.hpp>

void call(Kokkos::View<float*> dx, Kokkos::View<float*> y) {
  kachel::PointwiseBackward<kachel::GELU, kachel::Saved::output>{}(dx, dx, y);
}
