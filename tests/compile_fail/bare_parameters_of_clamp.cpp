// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel: an activation's parameters are expected in braces, each by its name
#include <kachel/kachel.hpp>

void call(Kokkos::View<float*> y) { kachel::clamp(y, y, 0.0, 1.0); }
