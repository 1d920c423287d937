// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::Tile: a View of const elements is not stored to
#include <kachel/kachel.hpp>

void call(const kachel::Tile<float, Kokkos::DefaultHostExecutionSpace>& tile,
          Kokkos::View<const float*, Kokkos::HostSpace> view) {
  tile.store(view, tile.load(view));
}
