// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/kachel.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::View<float*, Kokkos::SharedSpace> x("x", 1001), bias("bias", 1001), y("y", 1001);
  Kokkos::deep_copy(x, 3);
  Kokkos::deep_copy(bias, -0.75);

  const Kokkos::DefaultExecutionSpace space;
  const auto program = KOKKOS_LAMBDA(const kachel::Tile<float>& tile) {
    const auto v = tile.load(x), b = tile.load(bias);
    tile.store(y, kachel::hardtanh(kachel::fma(0.5f, v, b)));
  };
  kachel::for_tiles<float>(space, y.size(), program);
  space.fence();

  std::printf("%g ... %g\n", y(0), y(1000));
}
