// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f is an array, expected y first, then f, then the inputs
#include <kachel/kachel.hpp>

void call(Kokkos::View<float*> y, Kokkos::View<float*> x) { kachel::map(kachel::HardTanh{}, y, x); }
