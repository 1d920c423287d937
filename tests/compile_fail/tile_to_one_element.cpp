// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::Tile: a View of rank 0 has no room for a tile
#include <kachel/kachel.hpp>

KOKKOS_FUNCTION void store(const kachel::Tile<float>& tile, const Kokkos::View<float>& y) {
  tile.store(y, tile.load(y));
}
