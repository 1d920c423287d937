// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::Tile: a View of LayoutStride is expected to have rank 1
#include <kachel/kachel.hpp>

using Rows = Kokkos::View<float**, Kokkos::LayoutStride>;

KOKKOS_FUNCTION void store(const kachel::Tile<float>& tile, const Rows& y) { tile.store(y, tile.load(y)); }
