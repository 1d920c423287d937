// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: f is expected to be a function object, not a function
#include <kachel/kachel.hpp>

float halve(float x) { return x / 2; }

void call(Kokkos::View<float*, Kokkos::HostSpace> y) { kachel::map(y, halve, y); }
