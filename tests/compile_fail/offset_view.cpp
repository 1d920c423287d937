// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: y or an input is an OffsetView, whose first indices would not be heeded, expected its view
#include <kachel/kachel.hpp>

#include <Kokkos_OffsetView.hpp>

void call(Kokkos::Experimental::OffsetView<float*> y, Kokkos::View<float*> x) { kachel::hardtanh(y, x); }
