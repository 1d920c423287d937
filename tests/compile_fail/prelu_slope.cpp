// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::prelu: w is expected to be a number or an array of one dimension
#include <kachel/kachel.hpp>

void call(Kokkos::View<float**> y, Kokkos::View<float**> w) { kachel::prelu(y, y, w); }
