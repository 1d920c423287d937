// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f is expected to be callable, when const, with one value of the compute type an input
#include <kachel/kachel.hpp>

void call(Kokkos::View<float*> y, Kokkos::View<int*> x) { kachel::hardtanh(y, x); }
