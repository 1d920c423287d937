// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::Tile: atomic Views are not supported
#include <kachel/kachel.hpp>

using Atomic = Kokkos::View<float*, Kokkos::MemoryTraits<Kokkos::Atomic>>;

KOKKOS_FUNCTION void store(const kachel::Tile<float>& tile, const Atomic& y) { tile.store(y, tile.load(y)); }
