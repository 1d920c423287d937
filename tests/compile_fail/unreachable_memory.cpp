// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel: the execution space cannot reach the memory of every operand
#include <kachel/kachel.hpp>

void call(Kokkos::View<float*, Kokkos::CudaSpace> y, Kokkos::View<float*, Kokkos::HostSpace> x) {
  kachel::hardtanh(y, x);
}
