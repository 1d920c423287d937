// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::map: y or an input is a DualView, expected one side of it, view_device() or view_host()
#include <kachel/kachel.hpp>

#include <Kokkos_DualView.hpp>

void call(Kokkos::View<float*> y, Kokkos::DualView<float*> x) { kachel::hardtanh(y, x); }
