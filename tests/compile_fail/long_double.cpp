// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: every element type is expected to be float, double, a 16-bit floating-point type or an integer
#include <kachel/kachel.hpp>

void call(Kokkos::View<long double*> y) { kachel::hardtanh(y, y); }
