// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: y is written to and cannot be a number
#include <kachel/kachel.hpp>

void call(Kokkos::View<float*> x) { kachel::map(2.0f, kachel::HardTanh{}, x); }
