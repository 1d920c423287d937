// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: y is expected to be a View, a DynRankView, an mdspan, or a std::tuple of several
#include <kachel/kachel.hpp>

#include <vector>

void call(std::vector<float> y, Kokkos::View<float*> x) { kachel::hardtanh(y, x); }
