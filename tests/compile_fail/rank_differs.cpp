// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: every operand is expected to have the rank and the static extents of y
#include <kachel/kachel.hpp>

void call(Kokkos::View<float**> y, Kokkos::View<float*> x) { kachel::hardtanh(y, x); }
