// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/kachel.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::View<float**, Kokkos::SharedSpace> x("x", 2, 3), y("y", 2, 3), z("z", 2, 3);
  for (int i = 0; i < 6; ++i) x(i / 3, i % 3) = 0.75f * i - 2;

  kachel::hardtanh(y, x, {.min_val = -1, .max_val = 1.5});
  kachel::map(z, KOKKOS_LAMBDA(float a, float b) { return kachel::max(a, 0.25f * b); }, x, y);
  Kokkos::fence();

  for (int i = 0; i < 6; ++i) std::printf("%6.2f %6.2f %7.4f\n", x(i / 3, i % 3), y(i / 3, i % 3), z(i / 3, i % 3));
}
