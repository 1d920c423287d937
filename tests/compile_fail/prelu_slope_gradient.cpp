// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::prelu_backward: dw is expected to be an array of one dimension
#include <kachel/kachel.hpp>

void call(Kokkos::View<float**> x, Kokkos::View<float> dw) { kachel::prelu_backward(x, dw, x, x, 0.5); }
